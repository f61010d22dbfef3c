#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion by bash, and the syntax of that by zsh.
completions=$PWD/doc/completion
. "${0%/*}/../experiments/checks.sh"

cat >complete.bash <<'END'
# complete.bash FILE WORD...: what completes the last word, as bash splits them.
. "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
compopt() { :; }
_vat
printf '%s\n' "${COMPREPLY[@]}"
END

# offers WORD... -- REPLY...: exactly these, in any order
offers() {
  given=
  while [ "$1" != -- ]; do
    given="$given '$1'"
    shift
  done
  shift
  printf '%s\n' "$@" | sort >want
  eval "bash complete.bash '$completions/vat' $given" 2>err | sort >got
  diff want got >difference || { sed 's/^/    /' difference; return 1; }
}

# has REPLY WORD...: among others
has() {
  reply=$1
  shift
  bash complete.bash "$completions/vat" "$@" 2>err | grep -q -x -e "$reply"
}

if command -v bash >/dev/null; then
  check "a command" offers vat ru -- run
  check "a command to be helped with" offers vat help me -- merge
  check "an algorithm" offers vat run perm -- permute
  check "all that vat lists" sh -c '
    "$0" list algos | sed "1d; s/ .*//" | sort >want
    bash complete.bash "$1" vat run "" | sort | diff want - >err' "$vat" "$completions/vat"
  check "behind an option without a value" offers vat run --json heaps -- heapsort heapsort_topdown
  check "and one whose value may be left out" offers vat run --simulate heaps -- heapsort heapsort_topdown
  check "an algorithm the theory bounds" offers vat predict --algo = heap -- heapify heapify_levels heapsort heapsort_topdown
  check "a set" offers vat run --set = t -- thesis transposes
  check "an option" offers vat run --gener -- --generator=
  check "a device" offers vat run --device = e -- emu
  check "a kind of page" has thp vat run --pages = t
  check "no kind that programs are not given" offers vat exec --pages = t -- thp
  check "one more kind" has 4k,thp vat compare --pages = 4k,t
  check "a policy" offers vat sim --policy = is -- islru ismin
  check "of those with bounds" offers vat predict --policy = m -- min
  check "a tree" has amd64-2m vat sim --tree = amd
  check "a table" offers vat list pol -- policies
  check "a term" offers vat validate --machine = m.json --without in -- in-flight
  check "a model" offers vat model max -- maxsum
  check "a case of it" offers vat model maxsum li -- list_ranking
  check "a model's own option" offers vat model calibrated --sm-r -- --sm-regs=
  touch results.jsonl
  check "a file" offers vat report res -- results.jsonl
  mkdir figures
  check "a folder" offers vat report -o fig -- figures
  check "a program" has awk vat compare --runs 3 aw
  check "a program, where that is set off" has awk vat compare --runs 3 -- aw
  check "a program's own options are not vat's" offers vat compare awk --js -- ''
  check "nothing of a command there is not" offers vat walk '' -- ''
else
  echo "SKIPPED completion by bash: install the package bash"
fi
if command -v zsh >/dev/null; then
  check "the completion for zsh can be read" zsh -n "$completions/_vat"
else
  echo "SKIPPED completion by zsh: install the package zsh"
fi
check "it has the algorithms, too" grep -q '(permute .*heapsort' "$completions/_vat"

echo "test_completion: $passed passed, $failed failed"
[ "$failed" = 0 ]
