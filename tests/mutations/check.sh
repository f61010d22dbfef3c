#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check.sh [NUMBER...]: does `make check` find the changes of table.txt, or
# those that are numbered?  To be run at the top of a tree that is built where
# its sources are, with the tests of `make check` in TESTS.
#
# Each change is made in a copy of the tree.  tests/test_vat runs there, then
# tests/test_experiments, then all others, until one fails.  Exit status 1: a
# change survives, does not compile, or cannot be made any more.
set -eu
top=$PWD
table=$top/tests/mutations/table.txt
[ -f "$table" ] && [ -f Makefile ] || {
  echo "check-mutations: run it where the sources are built: ./configure && make check-mutations" >&2
  exit 3
}
unset MAKEFLAGS MFLAGS MAKELEVEL
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# In the copy, whose tests are to find each other there.
make_there() {
  make -s -C "$scratch/tree" abs_builddir="$scratch/tree" abs_srcdir="$scratch/tree" \
    abs_top_builddir="$scratch/tree" abs_top_srcdir="$scratch/tree" "$@" \
    >"$scratch/log" 2>&1
}

# Run a CUnit runner of the copy as `make check` does, until its first failure.
run_suites() {
  (cd "$scratch/tree" && exec tests/bounded "$1") >"$scratch/log" 2>&1 &
  runner=$!
  (until grep -q ' had failures:$' "$scratch/log"; do sleep 0.5; done; kill $runner) &
  watcher=$!
  status=0
  wait $runner 2>/dev/null || status=$?
  kill $watcher 2>/dev/null || :
  [ $status = 0 ] || { echo "it ended with status $status" >>"$scratch/log"; return 1; }
}

# Run a test of the copy.  1: it failed; 2: it could not be built.
run_test() {
  case $1 in
    *.sh) make_there check TESTS="$1" && return
      cat "$scratch/tree/${1%.sh}.log" >>"$scratch/log"; return 1 ;;
    *) make_there "$1" || return 2
      # One that was not linked anew has nothing of vat/.
      [ "$scratch/tree/$1" -nt "$scratch/tree/libvat.a" ] || return 0
      run_suites "$1" ;;
  esac
}

# The first test of the log that failed, or what else there is to say.
first_failure() {
  awk '/^Suite .* had failures:$/ {
      sub(/^Suite /, ""); sub(/, Test /, ": "); sub(/ had failures:$/, "")
      what = $0; exit
    }
    !what && /Assertion|^FAILED: / { what = $0 }
    NF { last = $0 }
    END { print what ? what : last }' "$scratch/log"
}

# Print a file of the tree with change number $1; the name of the file, and what
# the change breaks, go to `change`.
mutate() {
  awk -v number="$1" -v change="$scratch/change" '
    BEGIN { RS = ""; FS = "\n" }
    !/^#/ && ++n == number {
      what = file = $1
      sub(/:.*/, "", file)
      from = substr($2, 3)
      to = substr($3, 3)
      print what >change
      RS = "\n"
      while ((getline line <file) > 0) {
        at = index(line, from)
        if (at) {
          rest = substr(line, at + length(from))
          times += 1 + (index(rest, from) > 0)
          line = substr(line, 1, at - 1) to rest
        }
        print line
      }
      exit
    }
    END { exit times != 1 }' "$table"
}

# What becomes of the change.
judge() {
  for test in tests/test_vat tests/test_experiments $others; do
    code=0
    run_test "$test" || code=$?
    case $code in
      0) ;;
      2) verdict="does not compile: $(tail -n 1 "$scratch/log")"; return ;;
      *) verdict="caught by $test: $(first_failure)"; return ;;
    esac
  done
  verdict=survives
}

# All of them can be made.
all=$(awk 'BEGIN { RS = "" } !/^#/ { print ++n }' "$table")
numbers=${*:-$all}
stale=0
for number in $numbers; do
  mutate "$number" >/dev/null && continue
  echo "table.txt: change $number: no such number, or not once in its file" >&2
  stale=1
done
[ $stale = 0 ] || exit 1

mkdir "$scratch/tree"
tar -cf - --exclude=./.git . | tar -C "$scratch/tree" -xf -
# Compiled in: where the tests are.
grep -lr 'VAT_TEST_\|HP_TEST_' tests --include='*.c' |
  (cd "$scratch/tree" && xargs touch)
others=
for test in ${TESTS?}; do
  case $test in
    tests/test_vat|tests/test_experiments|tests/test_settings.sh) ;;
    *) others="$others $test" ;;
  esac
done

# Neither fails as it is; one that takes twice as long as both hangs.
begin=$(date +%s)
for test in tests/test_vat tests/test_experiments; do
  run_test "$test" || { cat "$scratch/log"; echo "$test fails without any change" >&2; exit 1; }
done
export VAT_TEST_SECONDS=$((2 * ($(date +%s) - begin) + 10))

tried=0 caught=0
for number in $numbers; do
  mutate "$number" >"$scratch/mutant"
  change=$(cat "$scratch/change")
  file=${change%%:*}
  cp "$scratch/mutant" "$scratch/tree/$file"
  judge
  cp "$file" "$scratch/tree/$file"
  tried=$((tried + 1))
  case $verdict in caught*) caught=$((caught + 1)) ;; esac
  printf '%2d %s\n   %s\n' "$number" "$change" "$verdict"
done
echo "$caught of $tried changes caught"
[ "$caught" = "$tried" ]
