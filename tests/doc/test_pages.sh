#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the commands that the pages for readers show print what is shown?  In a
# page, what stands between <!-- exact --> and <!-- /exact --> must be printed to
# the letter; between <!-- shape --> and <!-- /shape --> numbers are not
# compared.  What stands elsewhere is not run.
top=$(cd "${0%/*}/../.." && pwd)
build=$PWD
. "$top/tests/experiments/checks.sh"
. "$top/tests/transcript.sh"
PATH=$build/experiments:$PATH
export PATH

# blocks PAGE: each such block as block.N.exact or block.N.shape, without its
# indentation.
blocks() {
  awk '
    /^<!-- \/(exact|shape) -->$/ { inside = 0 }
    inside { sub(/^    /, ""); print >("block." number "." kind) }
    /^<!-- (exact|shape) -->$/ { inside = 1; kind = $2; number++ }' "$1"
}

# What this machine or build lacks is an exit 3, no Valgrind, or a line that
# says so, where a pipe has hidden the code.
is_missing() { # is_missing CODE COMMAND
  [ "$1" = 3 ] || grep -q 'this vat was built without address streams' err printed ||
    { [ "$1" = 127 ] && ! command -v "${2%% *}" >/dev/null; }
}

try_block() { # try_block FILE: its commands, one after the other
  commands=$(work=. && cut_up <"$1")
  same=same_text
  [ "${1##*.}" = exact ] || same=same_shape
  number=1
  while [ "$number" -le "$commands" ]; do
    command=$(cat "$number.command")
    sh -c "$command" >printed 2>err </dev/null
    code=$?
    if is_missing $code "$command"; then
      echo "SKIPPED $command: $(tail -n 1 err)"
      return 0
    fi
    [ $code = 0 ] && $same "$number.shown" printed ||
      { echo "    $command: exit $code"; return 1; }
    number=$((number + 1))
  done
  [ "$commands" -gt 0 ]
}

# Most kernels have transparent huge pages of 64 KiB switched off: they are on
# while the page that adds them is tried.
switch=/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled
switch_on() {
  [ -w $switch ] || return 0
  was=$(sed 's/.*\[\(.*\)\].*/\1/' $switch)
  trap 'switch_back; rm -rf "$work"' EXIT
  echo madvise >$switch
}
switch_back() {
  [ -z "${was-}" ] || echo "$was" >$switch
  was=
}

for page in bounds cache-oblivious exec extra-cells for-contributors \
  for-performance-engineers for-researchers for-teachers mixed-pages operation-time pages plan \
  printed-bounds proofs tau translation-structures virtual-machines; do
  mkdir "$work/$page"
  cd "$work/$page" || exit 1
  cp "$top/doc/examples/forbidden.c" "$top/doc/examples/lookup.c" \
    "$top/doc/examples/k_sweep.sh" "$top/doc/examples/tables.profile" .
  blocks "$top/doc/$page.md"
  usual_path=$PATH
  if [ $page = for-contributors ]; then # with what it has added
    ln -s "$build/tests/doc/vat_extended" vat
    PATH=$PWD:$PATH
    switch_on
  fi
  block=1
  while [ -f block.$block.exact ] || [ -f block.$block.shape ]; do
    check "$page.md: block $block" try_block block.$block.*
    block=$((block + 1))
  done
  check "$page.md has blocks" [ $block -gt 1 ]
  PATH=$usual_path
  switch_back
done

echo "test_pages: $passed passed, $failed failed"
[ "$failed" = 0 ]
