#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Page faults, first touch and peak memory over the page size, for a program
# whose addresses are known (tests/bench/sparse.c): predicted from these
# addresses, and measured by `vat compare`.  What the program itself takes is
# measured, too, by a run that touches nothing.  The first touch is predicted
# from a cost per fault, which grows with the page as first_touch.h says, and a
# cost per byte, which follow from base pages and from the largest size; the
# sizes between are the check.
set -euf
LC_ALL=C
export LC_ALL
usage() {
  cat <<EOF2
usage: tests/bench/sizes.sh [OPTION]...
  -o DIR   results (default: sizes); what DIR has already is not measured again
  -n RUNS  rounds of vat compare (default: 5)
  -m MIB   memory to touch, and the range of the sparse programs (default: 1024)
  -f FILE  draw peak memory over the page size (FILE.png or FILE.svg), with gnuplot
  -t       print the table of what DIR has, and measure nothing
Exit status: 1 if page faults or peak memory differ from the prediction by more
than 3 %.  The environment has VAT, the command (default: experiments/vat), and
SPARSE, the program (default: tests/bench/sparse).
EOF2
}

out=sizes rounds=5 mib=1024 measures=1 figure=
while [ $# -gt 0 ]; do
  case $1 in
    -o) out=$2 && shift ;;
    -n) rounds=$2 && shift ;;
    -m) mib=$2 && shift ;;
    -f) figure=$2 && shift ;;
    -t) measures= ;;
    -h | --help) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done
vat=${VAT:-experiments/vat} sparse=${SPARSE:-tests/bench/sparse}
mkdir -p "$out"

# A place in 256 KiB, at random or not: on larger pages than 64 KiB, the peak of
# the first grows ever more slowly, and the second is on all pages at once.
arguments() {
  case $1 in
    none | fill) echo "$1 $mib" ;;
    random) echo "random $mib $((4 * mib))" ;;
    every) echo "every $mib 256" ;;
  esac
}

series() { # series PROGRAM: rounds of it on all sizes
  [ ! -s "$out/$1.jsonl" ] || return 0
  # shellcheck disable=SC2046
  "$vat" compare --pages "$pages" --reserve --prewarm --runs "$rounds" \
    --metric 'first touch: ([0-9.]+)' -o "$out/$1.part" -- \
    "$sparse" $(arguments "$1") >"$out/$1.log" 2>&1 || {
    echo "sizes.sh: $1: vat compare: exit $?: $(tail -n 1 "$out/$1.log")" >&2
    exit 3
  }
  # shellcheck disable=SC2046
  "$sparse" -p $(arguments "$1") >"$out/$1.pages"
  mv "$out/$1.part" "$out/$1.jsonl"
}

programs="none fill random every"
if [ -n "$measures" ]; then
  sizes=$("$vat" list pages | grep -o '^thp-[0-9]*[km]') || {
    echo "sizes.sh: this kernel has no page sizes between; fix: Linux 6.8" >&2
    exit 3
  }
  pages=4k,$(echo "$sizes" | tr '\n' ',')thp
  for program in $programs; do series "$program"; done
fi

# numbers PROGRAM: a line "PROGRAM KIB PAGES FAULTS PEAK_BYTES TOUCH_S" a size;
# medians, and of the first touch, which others on the host disturb, the least.
numbers() {
  awk -v program="$1" '
    function value(key) {
      if (!match($0, "\"" key "\":[0-9.e+-]+")) return -1
      return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0
    }
    function median(list,   at, n, i, k, t) {
      n = split(list, at, " ")
      for (i = 2; i <= n; i++)
        for (k = i; k > 1 && at[k] + 0 < at[k - 1] + 0; k--) {
          t = at[k]; at[k] = at[k - 1]; at[k - 1] = t
        }
      return n ? at[int((n + 1) / 2)] : -1
    }
    FNR == NR { pages[$1] = $2; next }
    !/"record":"compare_run"/ || !/"counts":true/ { next }
    {
      match($0, /"kind":"[^"]*"/)
      kind = substr($0, RSTART + 8, RLENGTH - 9)
      kib = kind
      sub(/^thp-/, "", kib)
      kib = kind == "thp" ? 2048 : kib * (kind ~ /m$/ ? 1024 : 1)
      faults[kib] = faults[kib] " " value("minor_faults")
      if (value("peak_bytes") > 0) peak[kib] = peak[kib] " " value("peak_bytes")
      s = value("metric")
      if (!(kib in touch) || s < touch[kib]) touch[kib] = s
    }
    END {
      for (kib = 4; kib <= 2048; kib *= 2)
        if (kib in faults)
          print program, kib, pages[kib] + 0, median(faults[kib]),
            median(peak[kib]), touch[kib]
    }' "$out/$1.pages" "$out/$1.jsonl"
}

for program in $programs; do numbers "$program"; done >"$out/numbers.txt"

# points PROGRAM: lines of KIB, and MiB of peak memory predicted and measured.
points() {
  awk -v program="$1" '
    $1 == "none" { own[$2] = $5 }
    $1 == program { print $2, own[$2] / 1048576 + $3 * $2 / 1024, $5 / 1048576 }
  ' "$out/numbers.txt"
}

# In the style of vat report.
draw() { # draw FILE
  points random >"$out/random.points"
  points every >"$out/every.points"
  gnuplot <<EOF2
set terminal $([ "${1##*.}" = png ] && echo "pngcairo size 1380,800 noenhanced rounded \
  font 'sans,10' fontscale 2 linewidth 2 pointscale 2" ||
    echo "svg size 690,400 noenhanced rounded font 'sans-serif,13'") background 'white'
set output '$1'
set logscale xy 2
set border 3
set tmargin 3
set tics nomirror
set grid y lc rgb '#C0808080' lt 1 lw 0.5
set xtics ('4 KiB' 4, '16 KiB' 16, '64 KiB' 64, '256 KiB' 256, '1 MiB' 1024, '2 MiB' 2048)
set xrange [3.5:2300]
set yrange [$mib/80.:$mib*1.4]
set ytics ('4 MiB' 4, '16 MiB' 16, '64 MiB' 64, '256 MiB' 256, '1 GiB' 1024)
set xlabel 'page size'
set label 'Peak memory, $((4 * mib)) bytes written in $mib MiB' at graph 0, graph 1.06 left font ',12'
set key bottom right Left reverse samplen 3
plot '$out/random.points' using 1:2 with lines lc rgb '#0072B2' lw 1.5 title 'at random places, predicted', \
  '' using 1:3 with points pt 7 lc rgb '#0072B2' title 'measured', \
  '$out/every.points' using 1:2 with lines lc rgb '#D55E00' lw 1.5 dt '-' title 'one in 256 KiB, predicted', \
  '' using 1:3 with points pt 5 lc rgb '#D55E00' title 'measured'
EOF2
}

[ -z "$figure" ] || draw "$figure"
awk '
  function off(measured, predicted) { return 100 * (measured / predicted - 1) }
  function judge(what, measured, predicted,   by) {
    by = off(measured, predicted)
    if (by <= 3 && by >= -3) return
    printf "sizes.sh: %s is %+.1f %% off\n", what, by
    failed = 1
  }
  function longer(kib) { # first_touch.h: a fault, in units of per_fault
    return 1 + .44 * (1 - 4 / kib) + .01 * (kib < 2048 ? kib / 4 : 1)
  }
  $1 == "none" { own_faults[$2] = $4; own_peak[$2] = $5; next }
  { n++; program[n] = $1; kib[n] = $2; pages[n] = $3; faults[n] = $4
    peak[n] = $5; touch[n] = $6 }
  $1 == "fill" && $2 == 4 { base = n }
  $1 == "fill" && $2 == 2048 { huge = n }
  END {
    if (!base || !huge) { print "sizes.sh: no results"; exit 1 }
    MIB = 1048576
    per_fault = (touch[base] - touch[huge]) / \
      (pages[base] * longer(4) - pages[huge] * longer(2048))
    per_byte = (touch[base] - per_fault * pages[base] * longer(4)) / (pages[base] * 4096)
    printf "with nothing touched: %d page faults, %.1f MiB\n", own_faults[4], own_peak[4] / MIB
    printf "first touch: %.2f us a page fault of 4 KiB, %.3f s a GiB, from 4 KiB and 2 MiB\n\n",
      1e6 * per_fault * longer(4), per_byte * 1024 * MIB
    print "program   page     page faults      %  |   peak memory, MiB     %  |  first touch, s      %"
    print "           KiB predicted measured  off |  predicted  measured  off | predicted measured  off"
    for (i = 1; i <= n; i++) {
      f = own_faults[kib[i]] + pages[i]
      p = own_peak[kib[i]] + pages[i] * kib[i] * 1024
      printf "%-7s %6d %9d %8d %+4.1f | %10.1f %9.1f %+4.1f |", program[i], kib[i],
        f, faults[i], off(faults[i], f), p / MIB, peak[i] / MIB, off(peak[i], p)
      t = per_fault * longer(kib[i]) * pages[i] + per_byte * pages[i] * kib[i] * 1024
      if (program[i] == "fill" && i != base && i != huge)
        printf " %9.3f %9.3f %+4.0f\n", t, touch[i], off(touch[i], t)
      else if (program[i] == "fill") printf " %9s %9.3f\n", "(fitted)", touch[i]
      else print ""
      judge(program[i] ", " kib[i] " KiB: number of page faults", faults[i], f)
      judge(program[i] ", " kib[i] " KiB: peak memory", peak[i], p)
    }
    exit failed
  }' "$out/numbers.txt"
