#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the commands that README.md shows print what it shows?  Run in the folder
# of a build: tests/readme.sh README.md [CHECK], CHECK being a file with what
# `make check` has just printed.  Numbers are not compared, nor what a
# measurement means; every line shown must come, in this order, with its words
# in theirs, and where no "..." is shown, nothing else.
set -u
check=${2-}
readme=$(cd "$(dirname "$1")" && pwd)/${1##*/}
build=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
PATH=$build/experiments:$PATH
VAT_CACHE_DIR=$work/cache
export PATH VAT_CACHE_DIR

# block NAME: what is between its comments, without the indentation.
block() {
  awk -v name="$1" '$0 == "<!-- /" name " -->" { inside = 0 }
    inside { sub(/^    /, ""); print }
    $0 == "<!-- " name " -->" { inside = 1 }' "$readme"
}

# cut_up: a block as 1.command and 1.shown, 2.command, ...
cut_up() {
  awk -v work="$work" '
    /^\$ / { count++; print substr($0, 3) >(work "/" count ".command")
             printf "" >(work "/" count ".shown"); next }
    count { print >(work "/" count ".shown") }
    END { print count + 0 }'
}

same_shape() { # same_shape SHOWN PRINTED
  awk '
    function shape(line) {
      gsub(/[0-9][0-9.]*(e[-+][0-9]+)?/, "#", line)
      gsub(/# [KMGT]iB/, "# B", line)
      sub(/over # B: .*/, "over # B:", line)
      return line
    }
    # Are the words of one in the other, in this order?
    function has(line, shown,   words, found, i, j, n, m) {
      n = split(shape(shown), words, " ")
      m = split(shape(line), found, " ")
      for (i = j = 1; i <= n && j <= m; j++) i += words[i] == found[j]
      return i > n
    }
    NR == FNR { if ($0 == "...") open = 1; else if (NF) shown[++count] = $0
                next }
    !NF { next }
    at < count && has($0, shown[at + 1]) { at++; next }
    !open { print "not shown: " $0; bad = 1; exit }
    END { if (!bad && at < count) print "not printed: " shown[at + 1]
          exit bad || at < count }' "$1" "$2"
}

# try NAME FOLDER: the commands of a block, run there.
try() {
  rm -f "$work"/*.command "$work"/*.shown
  commands=$(block "$1" | cut_up)
  [ "$commands" -gt 0 ] || { echo "README: there is no block $1"; bad=1; }
  number=1
  while [ $number -le "$commands" ]; do
    command=$(cat "$work/$number.command")
    echo "README: $command"
    if [ "${command%check}" != "$command" ] && [ -n "$check" ]; then
      command="cat '$check'"
    fi
    if ! (cd "$2" && sh -c "$command") >"$work/printed" 2>"$work/said"; then
      echo "README: it fails:"
      tail -n 5 "$work/said"
      bad=1
    elif ! same_shape "$work/$number.shown" "$work/printed"; then
      bad=1
    fi
    made=$(sed -n 's/^results: \(vat-results\/[-0-9]*\)\/.*/\1/p' "$work/printed")
    [ -z "$made" ] || rm -r "${build:?}/$made"
    number=$((number + 1))
  done
}

bad=0
try sim "$work"
if vat doctor | grep -q '^  ok  thp '; then
  try run "$build"
else
  echo "README: SKIPPED what needs transparent huge pages: there are none"
fi
rmdir vat-results 2>/dev/null
exit $bad
