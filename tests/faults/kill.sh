#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# kill.sh KILLS [SEED]: kill -9 at so many random moments.  Of vat run and vat
# compare no sample is lost or there twice, what vat profile keeps is whole or
# not there, and nothing is left on the machine of any command.
. "${0%/*}/../experiments/checks.sh"
kills=$1
seed=${2-$(date +%s)}
echo "kill.sh: $kills kills, seed $seed"
RANDOM=$seed
mkdir tmp
export TMPDIR="$work/tmp"

settings() {
  cat /sys/kernel/mm/hugepages/*/nr_hugepages \
    /sys/kernel/mm/hugepages/*/nr_overcommit_hugepages \
    /sys/kernel/mm/transparent_hugepage/{enabled,defrag,shmem_enabled} 2>&1
}
before=$(settings)

# Whoever has the mark of this test in the environment.
ours() { grep -lsz "^VAT_KILL_TEST=$$\$" /proc/[0-9]*/environ; }
within_5_s() { # within_5_s COMMAND...: it holds by then
  for _ in $(seq 100); do
    "$@" && return 0
    sleep 0.05
  done
  return 1
}
nobody() { [ -z "$(ours)" ]; }
no_temporary() { [ -z "$(ls -A tmp)" ]; }
same_settings() { [ "$(settings)" = "$before" ]; }

declare -A count=()

# The process that watches the program for vat, or vat where there is none yet.
watcher() {
  read -r child _ 2>/dev/null <"/proc/$1/task/$1/children"
  echo "${child:-$1}"
}

# killed MOST_MS ARGUMENTS...: vat, killed within so many milliseconds; or with
# `victim=watcher` the process that it has for that, which vat outlives.
victim=echo earliest=0
killed() {
  at=$((earliest + RANDOM * ($1 - earliest) / 32768))
  shift
  VAT_KILL_TEST=$$ setsid "$vat" "$@" >out 2>err </dev/null &
  pid=$!
  sleep "$(printf '%d.%03d' $((at / 1000)) $((at % 1000)))"
  kill -9 "$($victim $pid)" 2>/dev/null
  wait $pid 2>/dev/null
  count[$1]=$((${count[$1]-0} + 1))
  check "after $at ms nobody is left of vat $*" within_5_s nobody
  check "nor a temporary file ($at ms, vat $1)" within_5_s no_temporary
  check "and settings are as found ($at ms, vat $1)" within_5_s same_settings
}

keys() { # of the samples of a file: what identifies each
  grep '"record":"sample"' "$1" |
    sed 's/.*"algo":"\([^"]*\)".*"n":\([0-9]*\).*"pages_asked":"\([^"]*\)".*"rep":\([0-9]*\).*/\1 \2 \3 \4/' |
    sort
}
same_keys() { [ -s "$1" ] && [ "$(keys "$1")" = "$(keys "$2")" ]; }
readable() { # or there is nothing yet, which says so
  [ ! -e "$1" ] || "$vat" report "$1" --json >out2 2>err2 ||
    grep -q 'of vat run$\|nothing to read;' err2
}

# --- vat run: the same file is gone on with until it is complete ----------------
plan="random_scan introsort --sizes 2^10:2^14*1.4 --pages 4k --reps 5 --json"
resumed_run() { # resumed_run KILLS MOST_MS
  for _ in $(seq 4); do
    rm -f part.jsonl
    for _ in $(seq $(($1 / 4))); do
      # shellcheck disable=SC2086
      killed "$2" run $plan -o part.jsonl --resume
      check "the results can be read" readable part.jsonl
    done
    # shellcheck disable=SC2086
    "$vat" run $plan -o part.jsonl --resume >out 2>err
    check "the run is completed" [ $? = 0 ]
    check "every sample is there, once" same_keys whole.jsonl part.jsonl
  done
}
begin=$(date +%s%N)
# shellcheck disable=SC2086
"$vat" run $plan -o whole.jsonl >out 2>err
check "the undisturbed run" [ $? = 0 ]
resumed_run $((kills * 4 / 10)) $((($(date +%s%N) - begin) / 1000000 + 20))

# --- pools ---------------------------------------------------------------------
pool=/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
if [ "$(id -u)" = 0 ] && [ -w $pool ]; then
  for i in $(seq $((kills / 5))); do
    killed 150 run heapsort --sizes 2^18 --pages 4k,2m --reserve --reps 20 \
      --json -o "pool$i.jsonl"
    check "the results can be read" readable "pool$i.jsonl"
  done
else
  echo "SKIPPED pools: only root may grow them"
fi

# --- programs --------------------------------------------------------------------
# A program that goes on by itself, in a session of its own, too.
cat >program <<'S'
#!/bin/sh
sleep 0.05 &
setsid sleep 0.06 &
wait
echo >>ended
S
chmod +x program

# vat compare writes a run down when it is over, before the next begins, in an
# order that --seed settles: a round, a kind of page and whether it is the
# control identify a run.  The program tells by itself how often it came to its
# end: each time is in the file, but for those of the warm-up and perhaps the
# last, of which vat had not heard or was writing, and which may be half a line.
compared="compare --runs 2 --warmup 1 --pages 4k,thp --json"
warmed_up=2
compare_keys() {
  sed -n 's/^{"record":"compare_run","round":\([0-9]*\),"kind":"\([^"]*\)","control":\([a-z]*\),.*}$/\1 \2 \3/p' "$1"
}
begun_well() { # FILE: of half a record only the end of the file may be
  [ "$(sed -n '1s/^{"record":"machine",.*}$/m/p; 2s/^{"record":"compare",.*}$/c/p' "$1")" = $'m\nc' ] &&
    [ "$(head -n -1 "$1" | tail -n +3 | grep -c '')" = \
      "$(head -n -1 "$1" | tail -n +3 | compare_keys - | grep -c '')" ] &&
    [ "$(tail -n +3 "$1" | wc -l)" = "$(compare_keys "$1" | grep -c '')" ]
}
first_runs() { # FILE: the first of the undisturbed ones, in their order
  compare_keys "$1" >keys
  head -n "$(grep -c '' keys)" keys.whole | cmp -s - keys
}
all_that_ended() { # FILE
  over=$(($(grep -c '' ended) - warmed_up)) there=0
  [ ! -e "$1" ] || there=$(compare_keys "$1" | grep -c '')
  [ "$there" -ge $((over - 1)) ] && [ "$there" -le $((over > 0 ? over : 0)) ]
}
: >ended
begin=$(date +%s%N)
# shellcheck disable=SC2086
"$vat" $compared -o compare.jsonl -- ./program >out 2>err
check "the undisturbed comparison" [ $? = 0 ]
ms=$((($(date +%s%N) - begin) / 1000000 + 20))
compare_keys compare.jsonl >keys.whole
check "has each run once: two rounds of three" \
  [ "$(sort -u keys.whole | grep -c '')" = 6 ]
check "whose program said so" all_that_ended compare.jsonl
compared_runs=0
for i in $(seq $((kills / 5))); do
  : >ended
  # shellcheck disable=SC2086
  killed $ms $compared -o "compare$i.jsonl" -- ./program
  check "every run that was over is there ($at ms)" \
    all_that_ended "compare$i.jsonl"
  [ -e "compare$i.jsonl" ] || continue
  check "the records are whole ($at ms)" begun_well "compare$i.jsonl"
  check "the runs are the first, each once ($at ms)" first_runs "compare$i.jsonl"
  compared_runs=$((compared_runs + $(grep -c '' keys)))
done

saved_whole() { # FILE
  [ ! -e "$1" ] || "$vat" profile --from "$1" --json -o again.json >out2 2>err
}
profile_whole() { [ ! -e "$1" ] || tail -n 1 "$1" | grep -q '}$'; }
begin=$(date +%s%N)
"$vat" profile --json -o whole.json --save save -- ./program >out 2>err
code=$?
ms=$((($(date +%s%N) - begin) / 1000000 + 20))
if [ $code != 3 ]; then
  check "the undisturbed profile" [ $code = 0 ]
  saved=0
  for i in $(seq $((kills / 5))); do
    if [ $((i % 2)) = 0 ]; then victim=watcher; else victim=echo; fi
    # Files are written at the end.
    earliest=$((i % 4 < 2 ? 0 : ms * 7 / 10))
    killed $ms profile --json -o "profile$i.json" --save "save$i" -- ./program
    check "the profile is whole or not there ($at ms)" \
      profile_whole "profile$i.json"
    check "so is what is kept of it ($at ms)" saved_whole "save$i"
    [ ! -e "save$i" ] || saved=$((saved + 1))
  done
else
  echo "SKIPPED vat profile: $(cat err)"
fi
# What a file is called until it is whole stays where nobody could remove it.
rm -f .[a-z]*.jsonl.* .[a-z]*.json.* .save*

sum=0
for command in "${!count[@]}"; do
  echo "vat $command: ${count[$command]} kills"
  sum=$((sum + count[$command]))
done
echo "kill.sh: $sum kills, $compared_runs runs of vat compare and ${saved-no}" \
  "saved profiles were looked at, $passed claims hold, $failed do not"
[ "$failed" = 0 ]
