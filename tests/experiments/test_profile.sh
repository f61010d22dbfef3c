#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat profile` from outside: its counts are those of `vat sim` on the trace
# that it records, it names who allocated, and it leaves nothing behind.
top=$PWD
. "${0%/*}/checks.sh"
program=$top/tests/experiments/profiled
static=$top/tests/experiments/profiled_static
mkdir tmp
export TMPDIR="$work/tmp"

"$vat" profile --json true >out 2>err
case $? in
  0) ;;
  3)
    check "what is missing is told in one line, with the mend" \
      [ "$(grep -c 'apt-get install' err)" = 1 ]
    echo "SKIPPED test_profile: $(cat err)"
    [ "$failed" = 0 ] || exit 1
    exit 77
    ;;
  *) check "it succeeds" false ;;
esac

left() { # what temporary files there are
  find tmp -mindepth 1 | wc -l
}

# said TREE: accesses and misses by layer, in a profile.
said() {
  grep -o '"accesses":[0-9]*,"misses":{[^}]*}' profile.json | head -n 1 |
    sed "s/\"accesses\":\([0-9]*\),.*\"$1\":\(\[[0-9,]*\]\).*/\1 \2/"
}

# simulated TREE POLICY W: the same, of the trace.
simulated() {
  "$vat" sim trace.vat --tree "amd64-$1" --policy "$2" --tc-nodes "$3" --json |
    tr -d ' \n' |
    sed 's/.*"accesses":\([0-9]*\),.*"misses_by_layer":\(\[[0-9,]*\]\).*/\1 \2/'
}

# exact POLICY W PROGRAM ARG: all three trees agree with the simulator.
exact() {
  policy=$1 nodes=$2
  shift 2
  rm -f trace.vat* profile.json
  "$vat" profile --pages 4k,2m,1g --policy "$policy" --tc "$nodes" --json \
    --trace trace.vat -o profile.json "$@" >out 2>err || return 1
  for tree in 4k 2m 1g; do
    said=$(said $tree) simulated=$(simulated $tree "$policy" "$nodes")
    [ -n "$said" ] && [ "$said" = "$simulated" ] && continue
    echo "$* $tree $policy W=$nodes: $said, simulated $simulated" >err
    return 1
  done
}

# --- exactness ---------------------------------------------------------------
printf '#!/bin/sh\ntrue\n' >script && chmod +x script
cp "$program" stripped && strip stripped
for policy in islru lru; do
  for name in nothing scan stride random sort list matrix copy recursion jump \
    map heap wide threads signals text histogram; do
    check "$name, $policy: the counts are those of the simulator" \
      exact $policy 1536 "$program" $name
  done
  check "a static program, $policy" exact $policy 1536 "$static" random
  check "a stripped program, $policy" exact $policy 1536 ./stripped heap
  check "a script, $policy" exact $policy 1536 ./script
  for name in random wide; do
    [ $policy = lru ] && continue # tests/vat has it
    check "$name, $policy, few nodes" exact $policy 40 "$program" $name
    check "$name, $policy, more nodes" exact $policy 900 "$program" $name
  done
done

# --- TLBs ---------------------------------------------------------------------
# More entries than there are pages: each is walked to once.
"$vat" profile --tlb l1=4x4,l2=16384x64,pwc=64x64 --json -o profile.json \
  "$program" stride >out 2>err
check "TLBs: it succeeds" [ $? = 0 ]
large=$(said 4k | sed 's/.*\[\([0-9]*\),.*/\1/')
check "and all pages are missed once" [ "$((large / 1000))" = 2 ]
"$vat" profile --tlb l1=64x4 --json -o profile.json "$program" stride >out 2>err
small=$(said 4k | sed 's/.*\[\([0-9]*\),.*/\1/')
check "fewer entries: each time" [ "$small" -ge 10000 ]

# --- several processes -------------------------------------------------------
"$vat" profile --json -o profile.json --trace trace.vat "$program" fork \
  >out 2>err
check "forks: it succeeds" [ $? = 0 ]
check "and there are three processes" grep -q '"processes":3' profile.json
check "and a trace of each" [ "$(ls trace.vat* | wc -l)" = 3 ]
total=0
for trace in trace.vat*; do
  of_one=$("$vat" sim "$trace" --tree amd64-4k --json | tr -d ' \n' |
    sed 's/.*"accesses":\([0-9]*\),.*/\1/')
  total=$((total + of_one))
done
check "whose accesses add up" [ "$(said 4k | cut -d' ' -f1)" = $total ]

# --- who and where -----------------------------------------------------------
"$vat" profile --json -o profile.json --callgrind calls.out "$program" list \
  >out 2>err
check "what the program prints is not the profile's" grep -q '^sum' out
for key in command processes caches accesses misses pages functions sites lines \
  inclusive where bytes kind; do
  check "the JSON has $key" grep -q "\"$key\":" profile.json
done
check "the function is named" grep -q '"name":"list"' profile.json
check "and its file" grep -q 'profiled.c' profile.json
check "who allocated is named" \
  grep -q '"where":"heap profiled.c:[0-9]* (make)' profile.json
if command -v callgrind_annotate >/dev/null; then
  callgrind_annotate --inclusive=yes calls.out >annotated 2>err
  check "callgrind_annotate reads it" [ $? = 0 ]
  check "and finds who calls" grep -q 'profiled.c:main' annotated
fi
"$vat" profile ./stripped scan >out 2>err
check "stripped: functions go by their places" grep -q 'stripped+0x' out
"$vat" profile --pages 2m "$program" random >out 2>err
check "a table of one size only" grep -q '^2m  *1536' out
check "without the others" [ "$(grep -c '^4k' out)" = 0 ]

# --- what goes wrong ---------------------------------------------------------
refused() { # refused STATUS WORDS ARG...: one line that says so
  status=$1 words=$2
  shift 2
  "$vat" profile "$@" >out 2>err
  [ $? = "$status" ] && [ "$(wc -l <err)" = 1 ] && grep -q "$words" err
}
check "no program" refused 2 'profile what'
check "no such program" refused 2 'no such program' no-such-program
check "no such file" refused 2 'No such file' ./no-such-program
echo data >data
check "not executable" refused 2 'chmod' ./data
chmod +x data
check "no program at all" refused 2 'neither' ./data
cp "$program" privileged && chmod u+s privileged
check "with others' rights" refused 2 'rights' ./privileged
printf '\177ELF\001\001\001%013d\002\000\003\000' 0 >old && chmod +x old
check "32 bits" refused 2 '32-bit' ./old
check "wrong pages" refused 2 'a list of 4k' --pages 2m,4k "$program"
check "no such policy" refused 2 'islru or lru' --policy fifo "$program"
check "no such TLB" refused 2 'power of two' --tlb l1=12x4 "$program"
check "no first level" refused 2 'like l1' --tlb l2=64x4 "$program"
check "few nodes" refused 2 'tc' --tc 2 "$program"
"$vat" profile "$program" status_3 >out 2>err
check "a program that fails is told" [ $? = 1 ]
check "with its status" grep -q 'status 3' err
check "and profiled" grep -q '^scan' out
"$vat" profile "$program" crash >out 2>err
check "a program that crashes is told" [ $? = 1 ]
check "with the signal" grep -q 'signal 11' err
check "and profiled" grep -q '^scan' out

interrupted() { # by signal $1, to the command alone
  "$vat" profile --json -o profile.json "$program" forever >out 2>err &
  child=$!
  tries=0
  until grep -q here out || [ $tries = 200 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill "-$1" $child
  wait $child
  [ $? = 1 ] && grep -q 'signal' err && grep -q '"name":"forever"' profile.json
}
check "interrupted: the profile so far" interrupted TERM
check "and no process is left" [ -z "$(pgrep -f "$program forever")" ]
check "nothing is left behind" [ "$(left)" = 0 ]

echo "test_profile: $passed passed, $failed failed"
[ "$failed" = 0 ]
