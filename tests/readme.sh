#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the commands that README.md shows print what it shows?  Run in the folder
# of a build: tests/readme.sh README.md [PRINTED], PRINTED being a file with what
# its two command lines, `vat run` and `make check`, have just printed.
set -u
. "${0%/*}/transcript.sh"
printed=${2-}
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
    inside && sub(/^    /, "") { print }
    $0 == "<!-- " name " -->" { inside = 1 }' "$readme"
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
    [ -z "$printed" ] || [ "$1" != run ] || command="cat '$printed'"
    if ! (cd "$2" && sh -c "$command") >"$work/printed" 2>"$work/said"; then
      echo "README: it fails:"
      tail -n 5 "$work/said"
      bad=1
    elif ! same_shape "$work/$number.shown" "$work/printed"; then
      bad=1
    fi
    made=$(sed -n 's/^results: \(vat-results\/[-0-9]*\)\/.*/\1/p' "$work/printed")
    [ -z "$made" ] || rm -rf "${build:?}/$made"
    number=$((number + 1))
  done
}

bad=0
ln -s "${readme%/*}/doc" "$work/doc"
if vat doctor | grep -q '^  ok  thp '; then
  try ask "$work"
  try run "$build"
else
  echo "README: SKIPPED what needs transparent huge pages: there are none"
fi
rmdir vat-results 2>/dev/null
exit $bad
