#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat run --reserve` killed at random moments: the switches of transparent huge
# pages and the pools are as before.  VAT_KILLS=100 kills it more often.
. "${0%/*}/checks.sh"
alone_with_the_pools
kills=${VAT_KILLS:-3}
{ [ "$(id -u)" = 0 ] && [ -w $thp/hugepages-64kB/enabled ] && [ -w $thp/hugepages-16kB/enabled ]; } || {
  echo "SKIPPED --reserve of switches: they cannot be set here; fix: sudo make check, on Linux 6.8"
  exit 77
}
# Whatever happens, within 10 s for each run.
found=$(settings)
sweep() { # sweep RESULTS WORD...: the words before `vat`
  results=$1
  shift
  exec "$@" "$vat" run random_scan --sizes 2^19 --pages 4k,thp-16k,thp-64k,2m \
    --reserve --reps 3 --counters none -o "$results" 8<&-
}

# One that ends, to see for how long there is something to restore.
begun=$(date +%s%N)
last=$begun
(sweep whole.jsonl timeout -s KILL 60) >out 2>err &
run=$!
while kill -0 $run 2>/dev/null; do
  [ "$(settings)" = "$found" ] || last=$(date +%s%N)
  sleep 0.01
done
wait $run
check "a run with --reserve ends well" [ $? = 0 ]
check "has changed settings" [ "$last" -gt "$begun" ]
check "has each kind granted" \
  [ "$(grep -c '"granted_ok": *true' whole.jsonl)" = 12 ]
check "and leaves the settings as found" as_found

changed=0 restored=0
for i in $(seq "$kills"); do
  moment=$(awk -v i="$i" -v seed="${VAT_SEED:-$$}" -v t=$((last - begun)) \
    'BEGIN { srand(seed * 1000 + i); printf "%.4f", 1.1 * rand() * t / 1e9 }')
  (sweep "killed.$i.jsonl") >/dev/null 2>&1 &
  run=$!
  sleep "$moment"
  [ "$(settings)" = "$found" ] || changed=$((changed + 1))
  kill -9 $run 2>/dev/null
  wait $run 2>/dev/null
  if as_found; then restored=$((restored + 1)); else
    echo "    killed after $moment s, and 10 s later:"
    settings
    break
  fi
done
echo "killed $kills times, $changed of them with a switch or a pool changed; restored $restored times"
check "killed at a random moment, it leaves the settings as found" [ $restored = "$kills" ]
[ "$kills" -lt 100 ] || check "some were killed in the middle" [ $changed -gt 0 ]
echo "test_reserve_killed: $passed passed, $failed failed"
[ "$failed" = 0 ]
