#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Are the numbers of the table of bounds in doc/bounds.md, and those of the table
# in doc/vat-model.md, what vat predict computes?  Bounds to the last digit that
# is shown; simulated misses to 2 %, as they are of compiled programs.
top=$(cd "${0%/*}/../.." && pwd)
. "$top/tests/experiments/checks.sh"
grep '^| `' "$top/doc/bounds.md" | grep -E '^\| `[a-z0-9_]*` \| [0-9^]+ \|' >rows

# What is shown for an algorithm: 64 or 512, and three numbers.
shown() { # shown ALGO
  grep "^| \`$1\` " rows | tr -d ' `' | awk -F '|' '{ print 64, $4, $5, $6; print 512, $7, $8, $9 }'
}

# computed ALGO N: the same in misses per operation; "-": not simulated.
computed() {
  "$vat" predict --algo "$1" --n "$2" --tc-nodes 64,512 >predicted || return 1
  awk -v algo="$1" '
    NR == 1 { n = $4 + 0; ops = algo ~ /^(transpose|matmul)/ ? n * n : n }
    /^W = / { print $3 + 0, $4 / ops, $6 ~ /^[0-9]/ ? $6 / ops : "-", $NF / ops }' predicted
}

# Two lines of the same W each: FILE FILE.
is_same() {
  paste -d ' ' "$1" "$2" | awk '
    function is_rounded(text, value) {
      digits = match(text, /\./) ? length(text) - RSTART : 0
      return sprintf("%.*f", digits, value) == text
    }
    function is_near(text, value) {
      unit = match(text, /\./) ? 10 ^ (RSTART - length(text)) : 1
      off = text - value
      return value == "-" || (off < 0 ? -off : off) <= 0.02 * value + unit / 2
    }
    $1 != $5 || !is_rounded($2, $6) || !is_near($3, $7) || !is_rounded($4, $8) { bad = 1 }
    END { exit bad || NR != 2 }'
}

while IFS='|' read -r _ algo n _; do
  algo=$(echo "$algo" | tr -d ' `') n=$(echo "$n" | tr -d ' ')
  shown "$algo" >shown
  computed "$algo" "$n" >out
  check "$algo, n = $n: as shown, $(tr '\n' ' ' <shown)" is_same shown out
done <rows
check "all algorithms that have bounds are there" \
  [ "$(wc -l <rows)" = "$("$vat" list bounds | sed 1d | grep -c .)" ]

# The last column of the other table, "| program (`ALGO`) | ... | MISSES |", has
# the simulated misses for 512 nodes.
grep '^| [a-z A-Z]* (`[a-z0-9_]*`) |' "$top/doc/vat-model.md" |
  sed 's/^[^`]*`\([a-z0-9_]*\)`.*| *\([0-9.]*\) |$/\1 \2/' >others
while read -r algo misses; do
  check "vat-model.md: $algo, $misses" \
    [ "$misses" = "$(shown "$algo" | sed -n '2s/^[0-9]* [0-9.]* \([0-9.]*\) .*/\1/p')" ]
done <others
check "vat-model.md has eight programs" [ "$(wc -l <others)" = 8 ]

echo "test_bounds_table: $passed passed, $failed failed"
[ "$failed" = 0 ]
