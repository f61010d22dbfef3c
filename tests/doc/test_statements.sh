#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Has the table of doc/for-researchers.md a row for each statement of chapter 2,
# and are there the tests that it names?  In the last column `FILE` "TEST",
# "TEST" stands for tests of that file, by what the runner calls them.
top=$(cd "${0%/*}/../.." && pwd)
. "$top/tests/experiments/checks.sh"
page=$top/doc/for-researchers.md

# rows HEADING: the table that begins so, without its two first lines.
rows() {
  awk -v heading="| $1 |" '
    inside && !/^\|/ { exit }
    inside > 1 { print }
    inside { inside++ }
    index($0, heading) == 1 { inside = 1 }' "$page"
}
rows statement >statements
rows status | cut -d '|' -f 2 | tr -d ' ' >words

# Each Definition 2.2, Lemma 2.1, ... has one row.
number=1
while [ $number -le 36 ]; do
  kind='Definition|Proposition|Lemma|Theorem|Corollary|Remark|Conjecture'
  check "2.$number has one row" [ "$(grep -cE "^\| 2\.$number ($kind), " statements)" = 1 ]
  number=$((number + 1))
done
for section in 2.4 2.5 2.6.1 2.6.2 2.6.3 2.6.4 2.7; do
  check "section $section has a row" grep -q "^| section $section, " statements
done
check "there are words for the status" [ -s words ]

# What is said to be tested, proved or corrected is shown by a test.
is_complete() { # is_complete ROW
  status=$(echo "$1" | cut -d '|' -f 3 | tr -d ' ')
  grep -qx "$status" words || return 1
  case $status in
    definition | open) ;;
    *) echo "$1" | grep -q '`test_[a-z0-9_]*\.c` "[^"]*"[^|]*|$' ;;
  esac
}
while IFS= read -r row; do
  check "a complete row: $(echo "$row" | cut -d '|' -f 2)" is_complete "$row"
done <statements

# FILE and TEST, a line each, of the last column of every row.
sed 's/ *|$//; s/.*|//' statements | awk -F '"' '
  { file = ""
    for (i = 1; i <= NF; i++)
      if (i % 2 == 0) print file "\t" $i
      else if (match($i, /`[^`]*`/)) file = substr($i, RSTART + 1, RLENGTH - 2)
  }' >tests
is_there() { # is_there FILE TEST
  found=$(find "$top/tests" -name "$1")
  [ -f "$found" ] && tr -s ' \n' ' ' <"$found" | grep -qF "{\"$2\", test_"
}
while IFS="	" read -r file test; do
  check "$file has \"$test\"" is_there "$file" "$test"
done <tests
check "tests are named" [ "$(wc -l <tests)" -gt 30 ]

echo "test_statements: $passed passed, $failed failed"
[ "$failed" = 0 ]
