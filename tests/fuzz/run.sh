#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzz every parser: run.sh BUILD SECONDS, where BUILD was configured with
# --enable-fuzz and holds the targets (`make fuzz` sees to that).  SECONDS for
# each format of a trace, for results files and calibrations, a third for each
# kind of data, for layouts, for lists of numbers, for applications and for what
# compare and profile read, which are simpler, as many at a time as there are
# processors.
# What is found lies in fuzz-found/ and fails the run.  Beside the corpora that
# were written by hand, *.tar.gz keep what an hour of fuzzing came upon.
set -euo pipefail
build=$(realpath "$1")
seconds=$2
tests=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fuzz TARGET FORMAT
fuzz() {
  local time=$seconds corpus=$tests/corpus_$1
  [ "$1" != applications ] || corpus=$tests/../experiments/applications/cases
  case $1 in applications | compare | data | layout | numbers | profile) time=$(((seconds + 2) / 3)) ;; esac
  mkdir -p "$work/new-$2" "$work/kept-$2" fuzz-found
  [ ! -f "$tests/corpus_$1.tar.gz" ] ||
    tar -C "$work/kept-$2" -xzf "$tests/corpus_$1.tar.gz"
  if ! VAT_FUZZ_FORMAT=$2 "$build/tests/fuzz/fuzz_$1" -max_len=4096 -rss_limit_mb=1024 \
    -timeout=20 -max_total_time="$time" -artifact_prefix="fuzz-found/$2-" \
    -print_final_stats=1 -dict="$tests/trace.dict" "$work/new-$2" "$corpus" "$work/kept-$2" \
    >"$work/$2.log" 2>&1; then
    tail -n 40 "$work/$2.log"
    echo "fuzz $2: FOUND, see fuzz-found/: $(grep -m 1 '^SUMMARY' "$work/$2.log")"
    return 1
  fi
  # Its margins, too: what is slow or large here is found on another machine.
  awk -v name="$2" '/^Done/ { runs = $2 } /slowest_unit_time/ { slowest = $2 }
    /peak_rss/ { peak = $2 } END { printf "fuzz %s: Done %d runs, nothing " \
    "found; at most %d s, %d MiB\n", name, runs, slowest, peak }' "$work/$2.log"
}
export -f fuzz
export build seconds tests work
{
  echo applications applications
  echo calibration calibration
  printf 'compare %s\n' compared executable output smaps
  echo layout layout
  echo numbers numbers
  echo plan plan
  printf 'profile %s\n' allocator itlb outputs samples tlb
  echo results results
  printf 'data %s\n' dna keys list matrix points reads u64
  echo trace auto
  "$build/experiments/vat" list formats | awk 'NR > 1 { print "trace", $1 }'
} | xargs -P "$(nproc)" -L 1 bash -euo pipefail -c 'fuzz "$@"' fuzz
rmdir fuzz-found
