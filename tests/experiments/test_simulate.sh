#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat run --simulate` from outside: it is what `vat sim` says, it is limited,
# and it goes on where it was stopped.
. "${0%/*}/checks.sh"

value() { # value KEY LINE: of a number or a name in an object of one line
  printf '%s\n' "$2" | sed "s/.*\"$1\": *\"\{0,1\}\([^,\"}]*\).*/\1/"
}

records() { grep -c '"record": *"simulated"' "$1"; }

# The records of a file, sorted.
sorted() { grep '"record": *"simulated"' "$1" | sort; }

same_records() {
  sorted "$1" >records.a
  sorted "$2" >records.b
  [ -s records.a ] && cmp -s records.a records.b
}

# as_vat_sim LINE: a record has the misses that `vat sim` counts.
as_vat_sim() {
  said=$("$vat" sim --algo "$(value algo "$1")" --n "$(value n "$1")" \
    --seed "$(value seed "$1")" --tc-nodes "$(value tc_nodes "$1")" \
    --page-bits "$(value page_bits "$1")" --levels "$(value levels "$1")" \
    --index-bits "$(value index_bits "$1")" --json)
  [ "$(value accesses "$said")" = "$(value accesses "$1")" ] &&
    [ "$(value misses "$said")" = "$(value misses "$1")" ]
}

kinds=4k,thp
"$vat" run permute --sizes 9 --pages $kinds --reps 1 --json >out 2>err ||
  kinds=4k
"$vat" run permute --sizes 100 --pages 4k --reps 1 --simulate -o no.jsonl \
  >out 2>err
if [ $? = 3 ]; then
  check "without address streams, one line says so" \
    [ "$(grep -c 'without address streams' err)" = 1 ]
  check "and nothing is measured" [ ! -e no.jsonl ]
  echo "test_simulate: $passed passed, $failed failed"
  [ "$failed" = 0 ]
  exit
fi

# --- what it says ------------------------------------------------------------
plan="run introsort transpose_rows --sizes 300,700 --pages $kinds --reps 1 --seed 7"
# shellcheck disable=SC2086
"$vat" $plan --simulate -o all.jsonl >out 2>err
check "it succeeds" [ $? = 0 ]
check "the table has a column" grep -q 'sim misses' out
check "and says that it was not measured" \
  grep -q '^sim misses: .*simulated, not measured' out
check "the report has it" grep -q 'sim misses' all-report/index.html
check "there is a record for each size and page kind" \
  [ "$(records all.jsonl)" = "$(grep -c '"record": *"sample"' all.jsonl)" ]
# Here more pages than a TC has nodes are met in the order of the seed.
"$vat" run random_scan --sizes 2^22 --pages 4k --reps 1 --seed 7 --simulate \
  -o large.jsonl >out 2>err
cat all.jsonl large.jsonl >both
sorted both >records
while read -r line; do
  check "as vat sim: $line" as_vat_sim "$line"
done <records
check "the sample's own keys have nothing of it" \
  sh -c '! grep "\"record\": *\"sample\"" all.jsonl | grep -q simulated'
"$vat" report all.jsonl --json >out 2>err
check "a summary has it" \
  [ "$(grep -c '"simulated": *{"policy": *"islru"' out)" = "$(records all.jsonl)" ]
"$vat" run permute --sizes 300 --pages 4k --reps 1 --json >out 2>err
check "and null where it was not asked for" grep -q '"simulated": *null' out

"$vat" run list_ranking_nodes permute --sizes 300 --pages 4k --reps 1 \
  --alloc glibc --simulate -o nodes.jsonl >out 2>err
check "that simulated nodes lie elsewhere is said, once" \
  [ "$(grep -c 'note: the simulation of list_ranking_nodes has its nodes' err)" = 1 ]
check "and the other has no nodes" [ "$(wc -l <err)" = 1 ]
"$vat" run list_ranking_nodes --sizes 300 --pages 4k --reps 1 \
  --alloc workspace --simulate -o nodes2.jsonl >out 2>err
check "but not where they lie there" [ ! -s err ]

# Parameters are those of the run: a vector of a quarter of the size misses less.
misses() { # misses PARAMETERS: of facs_cpu, simulated
  "$vat" run facs_cpu --sizes 1e5 --pages 4k --reps 1 --parameters "$1" \
    --counters none --simulate --json 2>err | grep -o '"simulated": *{[^}]*}'
}
large=$(misses bits=32) small=$(misses bits=8)
check "other parameters are simulated" [ -n "$small" ]
check "as they are" [ "$large" != "$small" ]
"$vat" run facs_cpu --sizes 1e4 --parameters threads=2 --simulate >out 2>err
check "but not more than one thread" [ $? = 2 ]

# --- what limits it ----------------------------------------------------------
"$vat" run permute --sizes 300,700 --pages 4k --reps 1 --simulate=2000 \
  -o limit.jsonl >out 2>err
check "a size beyond the limit is left out" [ "$(records limit.jsonl)" = 1 ]
check "and said, with the fix" \
  grep -q 'note: permute: no simulation for n = 700 and larger: .*--simulate=' err
check "its cell is empty" grep -q '^permute  *700 .* -$' out
for most in 0 x -1 1e99; do
  "$vat" run permute --sizes 300 --pages 4k --simulate=$most -o bad.jsonl \
    >out 2>err
  check "--simulate=$most is refused" [ $? = 2 ]
  check "and nothing is measured" [ ! -e bad.jsonl ]
done
"$vat" run random_scan --sizes 2^18:2^23 --pages 4k --reps 1 \
  --time-budget 0.05 --simulate -o budget.jsonl >out 2>err
check "a spent time budget is no failure" [ $? = 0 ]

# --- resumed -----------------------------------------------------------------
"$vat" run -o limit.jsonl --resume --simulate >out 2>err
check "a larger limit simulates what is missing" \
  [ "$(records limit.jsonl)" = 2 ]
# shellcheck disable=SC2086
"$vat" $plan -o plain.jsonl >out 2>err
check "unasked, there is none" [ "$(records plain.jsonl)" = 0 ]
"$vat" run -o plain.jsonl --resume --simulate >out 2>err
check "an older file can be simulated" same_records all.jsonl plain.jsonl
check "and nothing is measured again" \
  [ "$(grep -c '"record": *"sample"' plain.jsonl)" = \
    "$(grep -c '"record": *"sample"' all.jsonl)" ]
lines=$(wc -l <all.jsonl)
"$vat" run -o all.jsonl --resume >out 2>err
check "what is done is not done again" [ "$(wc -l <all.jsonl)" = "$lines" ]
check "but shown" grep -q 'sim misses' out
head -n $((lines - 2)) all.jsonl >cut.jsonl
printf '{"record":"simulated","al' >>cut.jsonl
"$vat" run -o cut.jsonl --resume >out 2>err
check "after a kill it goes on, as the file's plan says" \
  same_records all.jsonl cut.jsonl

# Stopped while it simulates the second size.
"$vat" run introsort --sizes 1000,2^23 --pages 4k --reps 1 --simulate \
  -o term.jsonl >out 2>err &
pid=$!
for _ in $(seq 600); do
  [ -e term.jsonl ] && [ "$(records term.jsonl)" -ge 1 ] && break
  sleep 0.05
done
kill -TERM $pid 2>/dev/null
wait $pid 2>/dev/null
check "SIGTERM is what it dies of" [ $? = 143 ]
check "and it says how to go on" \
  grep -q 'continue with -o term.jsonl --resume' err
check "what was simulated is kept" [ "$(records term.jsonl)" = 1 ]

# An algorithm of half a minute, in its first size: it does not run to its end.
"$vat" run matmul_rows --sizes 1300 --pages 4k --reps 1 --simulate=1e11 \
  -o at-once.jsonl >out 2>err &
pid=$!
for _ in $(seq 600); do
  grep -q '"record": *"sample"' at-once.jsonl 2>/dev/null && break
  sleep 0.05
done
sleep 0.5
kill -TERM $pid 2>/dev/null
for _ in $(seq 100); do
  kill -0 $pid 2>/dev/null || break
  sleep 0.05
done
check "SIGTERM stops a simulation before the algorithm's end" \
  sh -c "! kill -0 $pid 2>/dev/null"
wait $pid 2>/dev/null
check "and is what it dies of" [ $? = 143 ]
check "and nothing of it is kept" [ "$(records at-once.jsonl)" = 0 ]

# --- the time that is left -----------------------------------------------------
# On a terminal, which `script` has, after two seconds.
draw() { # draw PLACE COMMAND...
  place=$1
  shift
  # What is hung up ends; what is not, as this was interrupted, ends later.
  script -qfec "timeout --foreground -s KILL 60 '$vat' $*" /dev/null \
    </dev/null >"$place" 2>/dev/null &
  echo $! >"$place.pid"
}
drawn() { # drawn PLACE: a bar, and an estimate; then it is hung up
  pid=$(cat "$1.pid") missing=1
  for _ in $(seq 150); do
    tr '\r' '\n' <"$1" |
      grep -q '^\[.* %  [0-9]*:[0-9][0-9] left  matmul_r' && missing=0 && break
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
  return $missing
}
if command -v script >out && [ "${VAT_CHECK:-}" != brief ]; then
  draw stream sim --algo matmul_rows --n 1000
  draw lru sim --algo matmul_rows --n 1000 --policy lru --levels 4
  draw kept trace --algo matmul_rows --n 1000 -o long.vat
  draw bounds predict --algo matmul_recursive --n 4000
  check "a bar is drawn for a stream" drawn stream
  check "and for one of which not every page comes" drawn lru
  check "and where it is kept" drawn kept
  check "and where bounds are told" drawn bounds
fi

echo "test_simulate: $passed passed, $failed failed"
[ "$failed" = 0 ]
