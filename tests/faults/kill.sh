#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# kill.sh KILLS [SEED]: kill -9 at so many random moments.  Of vat run no sample
# is lost or there twice, and nothing is left on the machine of any command.
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

# killed MOST_MS ARGUMENTS...: vat, killed within so many milliseconds.
killed() {
  at=$((RANDOM * $1 / 32768))
  shift
  VAT_KILL_TEST=$$ setsid "$vat" "$@" >out 2>err </dev/null &
  pid=$!
  sleep "$(printf '%d.%03d' $((at / 1000)) $((at % 1000)))"
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  check "after $at ms nobody is left of vat $*" within_5_s nobody
  check "nor a temporary file ($at ms, vat $1)" within_5_s no_temporary
  check "and settings are as found ($at ms, vat $1)" within_5_s same_settings
}

# All lines but the last are whole records, and that one is, too, or a half.
whole_lines() { ! head -n -1 "$1" | grep -qv '^{.*}$'; }

keys() { # of the samples of a file: what identifies each
  grep '"record":"sample"' "$1" |
    sed 's/.*"algo":"\([^"]*\)".*"n":\([0-9]*\).*"pages_asked":"\([^"]*\)".*"rep":\([0-9]*\).*/\1 \2 \3 \4/' |
    sort
}
same_keys() { [ -s "$1" ] && [ "$(keys "$1")" = "$(keys "$2")" ]; }
readable() { # or there is nothing yet, which says so
  [ ! -e "$1" ] || "$vat" report "$1" --json >out2 2>err2 ||
    grep -q 'delete it$' err2
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
S
chmod +x program
for i in $(seq $((kills / 5))); do
  killed 700 compare --runs 2 --warmup 1 --pages 4k,thp --json \
    -o "compare$i.jsonl" -- ./program
  [ -e "compare$i.jsonl" ] || continue
  check "the runs can be read" whole_lines "compare$i.jsonl"
  check "none is there twice" [ -z "$(grep '"record":"compare_run"' \
    "compare$i.jsonl" | sort | uniq -d)" ]
done
"$vat" profile --json -o whole.json -- true >out 2>err
if [ $? != 3 ]; then
  for i in $(seq $((kills / 5))); do
    killed 700 profile --json -o "profile$i.json" --save "save$i" -- ./program
    check "the profile is whole or not there" \
      eval "[ ! -e profile$i.json ] || grep -q '}\$' profile$i.json"
  done
else
  echo "SKIPPED vat profile: $(cat err)"
fi
# What a file is called until it is whole stays where nobody could remove it.
rm -f .[a-z]*.jsonl.* .[a-z]*.json.* .save*

echo "kill.sh: $kills kills, $passed claims hold, $failed do not"
[ "$failed" = 0 ]
