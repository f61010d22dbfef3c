#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How well `vat profile --from SAMPLES` estimates: traces of five programs by
# Valgrind, TLBs simulated exactly, samples drawn from the traces at random, and
# an estimate from each of these.
set -euf
LC_ALL=C
export LC_ALL
usage() {
  cat <<EOF2
usage: tests/bench/samples.sh [OPTION]...
  -o DIR       results (default: samples); what DIR has already is not made again
  -a ACCESSES  of each trace (default: 8000000)
  -e LIST      entries of the TLBs (default: 16,64)
  -t           print the table of what DIR has, and run nothing
  -v           print each estimate, too
Prints, for each program, rate and page size: in how many estimates the interval
has the truth, the median width of the interval, relative to the estimate, and
the median error of the estimate.  Exit status: 1 if fewer than 90 % of all
intervals have the truth.  The environment has VAT, the command (default:
experiments/vat), FOOTPRINTS (default: tests/bench/footprints/footprints) and THIN
(default: tests/bench/thin).
EOF2
}

out=samples accesses=8000000 entries=16,64 runs=1 each=
while [ $# -gt 0 ]; do
  case $1 in
    -o) out=$2 && shift ;;
    -a) accesses=$2 && shift ;;
    -e) entries=$2 && shift ;;
    -t) runs= ;;
    -v) each=1 ;;
    -h | --help) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done
vat=${VAT:-experiments/vat}
footprints=${FOOTPRINTS:-tests/bench/footprints/footprints}
thin=${THIN:-tests/bench/thin}
programs="gups grid btree spmv bfs"
mkdir -p "$out"

arguments() { # so small that a trace has more than what is prepared
  case $1 in
    gups) echo gups 24 1 ;;
    grid) echo grid 3 1 ;;
    btree) echo btree 4 1 ;;
    spmv) echo spmv 12 3 ;;
    bfs) echo bfs "$out/graph" 2 ;;
  esac
}

# Valgrind ends by SIGPIPE when there are enough accesses.
trace() { # trace PROGRAM
  mkdir -p "$out/$1"
  # shellcheck disable=SC2046
  { valgrind --tool=lackey --trace-mem=yes --log-fd=9 "$footprints" \
    $(arguments "$1") 9>&1 >/dev/null 2>&1 || :; } |
    "$thin" "$out/$1" "$out/symbols" "$accesses" "$entries"
}

if [ -n "$runs" ]; then
  [ -s "$out/graph" ] || "$footprints" kronecker 16 8 >"$out/graph"
  nm -n "$footprints" | grep -i ' t ' >"$out/symbols"
  for program in $programs; do
    [ -s "$out/$program/truth" ] || trace "$program"
  done
fi

# estimates PROGRAM: "PROGRAM RATE PAGES ENTRIES TRUTH VALUE LO HI", a line each.
estimates() {
  for samples in $(find "$out/$1" -name '*.perf' | sort); do
    rate=${samples##*/}
    rate=${rate%%-*}
    for count in $(echo "$entries" | tr , ' '); do
      "$vat" profile --from "$samples" --tlb "l1=${count}x$count" --json |
        sed 's/,"functions":.*//; s/.*"misses_per_1000"://' |
        tr -d '{}"' | tr ',:' '  ' >"$out/estimate"
      awk -v program="$1" -v rate="$rate" -v entries="$count" '
        FNR == NR { if ($2 == entries) truth[$1] = $3; next }
        { for (i = 1; i < NF; i += 7)
            print program, rate, $i, entries, truth[$i], $(i + 2), $(i + 4), $(i + 6) }
        ' "$out/$1/truth" "$out/estimate"
    done
  done
}

for program in $programs; do estimates "$program"; done >"$out/estimates"
[ -z "$each" ] || cat "$out/estimates"
awk '
  function median(list,   at, n, i, k, t) {
    n = split(list, at, " ")
    for (i = 2; i <= n; i++)
      for (k = i; k > 1 && at[k] + 0 < at[k - 1] + 0; k--) {
        t = at[k]; at[k] = at[k - 1]; at[k - 1] = t
      }
    return n ? at[int((n + 1) / 2)] : 0
  }
  function show(key,   part) {
    split(key, part, " ")
    printf "%-7s %6s %5s  %3d of %3d %13.0f %% %12.0f %%\n", part[1], part[2],
      part[3], inside[key], all[key], 100 * median(width[key]), 100 * median(off[key])
  }
  function add(key) {
    if (!(key in all)) order[++keys] = key
    all[key]++
    # Accesses behind the last sample are not known.
    inside[key] += $7 <= $5 * 1.005 && $5 <= $8 * 1.005
    width[key] = width[key] " " ($8 - $7) / ($6 > 0 ? $6 : 1e-9)
    off[key] = off[key] " " ($6 > $5 ? $6 / $5 - 1 : 1 - $6 / $5)
  }
  { add($1 " 1:" $2 " " $3) }
  END {
    print "program   rate pages  has truth  median width  median error"
    for (i = 1; i <= keys; i++) show(order[i])
    for (i = 1; i <= keys; i++) {
      split(order[i], part, " ")
      key = "all " part[2] " " part[3]
      if (!(key in all)) sums[++n] = key
      all[key] += all[order[i]]; inside[key] += inside[order[i]]
      width[key] = width[key] width[order[i]]; off[key] = off[key] off[order[i]]
      total += all[order[i]]; good += inside[order[i]]
    }
    print ""
    for (i = 1; i <= n; i++) show(sums[i])
    printf "\n%d of %d intervals have the truth: %.1f %%\n", good, total, 100 * good / total
    exit good < 0.9 * total
  }' "$out/estimates"
