#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The folders of experiments/ are in layers (experiments/layers.txt): includes
# and calls lead to the same folder or to a lower one, and within a folder no
# file needs, by whatever way, a file that needs it.  A module is a .c and the
# .h of its name.  Calls are those of the objects that were built.
set -u
top=$(cd "${0%/*}/../.." && pwd)
build=$PWD
. "$top/tests/experiments/checks.sh"

# An edge a line: FROM TO BY, of files below experiments/ without their ends.
cd "$top/experiments" || exit 1
grep -H '^# *include "experiments/' $(find . -name '*.[ch]') /dev/null |
  sed -n 's|^\./\(.*\)\.[ch]:.*"experiments/\(.*\)\.h".*|\1 \2 include|p' >"$work/edges"
cd "$build" || exit 1
if command -v nm >/dev/null; then
  find experiments -name '*.o' ! -name traced_algos.o | xargs nm -A 2>/dev/null |
    sed 's|^experiments/||; s|/vat_amd64_linux-|/|; s|/[a-z]*_a-|/|; s|\.o:| |' |
    awk '$(NF - 1) ~ /^[TDBRVW]$/ && NF == 4 { defined[$NF] = $1 }
      $(NF - 1) == "U" { used[$1 " " $NF] }
      END {
        for (u in used) {
          split(u, part, " ")
          if (part[2] in defined && defined[part[2]] != part[1])
            print part[1], defined[part[2]], part[2]
        }
      }' >>"$work/edges"
else
  echo "SKIPPED calls between files: nm is missing; fix: apt-get install binutils"
fi

# Objects of files that are gone may be left in a build.
(cd "$top/experiments" && find . -name '*.[ch]' -o -name '*.cu') |
  sed 's|^\./||; s|\.[a-z]*$||' >"$work/files"
awk 'NR == FNR { there[$1]; next } $1 in there && $2 in there' \
  "$work/files" "$work/edges" >"$work/known"
mv "$work/known" "$work/edges"

awk -v order="$top/experiments/layers.txt" '
  BEGIN {
    while ((getline line <order) > 0) if (line !~ /^#/) rank[line] = ++count
  }
  function folder(file) { sub("/[^/]*$", "", file); return file }
  {
    from = folder($1); to = folder($2)
    if (!(from in rank)) print from ": is not in experiments/layers.txt"
    else if (from != to && rank[from] >= rank[to])
      print $1 " needs " $2 " (" $3 "), which is in a higher folder"
  }' "$work/edges" | sort -u >"$work/upward"
empty() { # a line each of what is refused
  sed 's/^/    /' "$1"
  [ ! -s "$1" ]
}

check "no file needs a higher folder" empty "$work/upward"

# tsort names the files of each circle.
awk '{ from = $1; to = $2; sub("/[^/]*$", "", from); sub("/[^/]*$", "", to) }
  from == to && $1 != $2 { print $1, $2 }' "$work/edges" | sort -u >"$work/inner"
tsort "$work/inner" 2>&1 >/dev/null |
  sed 's|^tsort: .*/inner: .*|circle:|; s|^tsort: ||' >"$work/circles"
check "no circle between the files of a folder" empty "$work/circles"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
