#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual: is each page sound, is there one for each command and each of its
# options, and do its examples, as they are printed, do what it shows?
data=$(cd "${0%/*}/../experiments" && pwd)
here=$(cd "${0%/*}" && pwd)
build=$PWD
. "$here/../experiments/checks.sh"
. "$here/../transcript.sh"
PATH=$build/experiments:$PATH
export PATH
pages=$build/doc/man

check "there is a page for each command" sh -c '
  vat --help | sed -n "s/^  \([a-z]*\)  .*/\1/p" |
    while read -r command; do test -s "$0/vat-$command.1" || exit 1; done' "$pages"
check "and each option of a command is on it" sh -c '
  for page in "$0"/vat-*.1; do
    command=${page##*/vat-}
    vat "${command%.1}" --help | grep -o " --[a-zA-Z0-9][-a-zA-Z0-9]*" | tr -d " " |
      sort -u | while read -r option; do
        grep -q -e "Fl -${option#--}\( \|\$\)" -e "\\\\-${option#--}" "$page" ||
          { echo "    $page: $option"; exit 1; }
      done || exit 1
  done' "$pages"

if ! command -v mandoc >/dev/null; then
  echo "SKIPPED the style of pages: install the package mandoc"
else
  for page in "$pages"/*.[13]; do
    mandoc -T lint -W style "$page" 2>&1 |
      grep -v -e 'referenced manual not found' -e 'outdated mandoc.db' >err
    check "${page##*/} is sound" [ ! -s err ]
  done
fi

# The command that is shown prints what is shown; what this machine or build
# lacks is an exit 3, or no Valgrind.
prints_what_is_shown() {
  sh -c "$(cat "$1.command")" >"$1.printed" 2>err
  code=$?
  if [ $code = 3 ] || grep '(not simulated: this vat was built without' "$1.printed" >>err ||
    { [ $code = 127 ] && ! command -v valgrind >/dev/null; }; then
    echo "SKIPPED $(cat "$1.command"): $(tail -n 1 err)"
    lacks=1
    return 0
  fi
  [ $code = 0 ] && same_shape "$1.shown" "$1.printed"
}

skipped=
for page in "$pages"/vat*.1; do
  # What examples work on, and nothing that another page has left.
  mkdir "$work/${page##*/}"
  cd "$work/${page##*/}" || exit 1
  cp "$data/validate_machine.json" machine.json
  cp "$data/validate_results.jsonl" results.jsonl
  cp "$here/../../doc/examples/tables.profile" .
  awk 'BEGIN { for (i = 5000; i > 0; i--) print i }' >numbers
  "$here/examples.sh" "$page" '$ ' >examples
  code=$?
  if [ $code = 3 ]; then
    skipped="SKIPPED the examples: install the package mandoc or man-db"
    break
  fi
  count=$(work=. && cut_up <examples)
  check "${page##*/} has examples" [ "$count" -gt 0 ]
  number=1 lacks=
  while [ "$number" -le "$count" ] && [ -z "$lacks" ]; do
    check "${page##*/}: $(cat $number.command)" prints_what_is_shown $number
    number=$((number + 1))
  done
done
cd "$work" || exit 1
if [ -z "$skipped" ]; then
  "$here/examples.sh" "$pages/libvat.3" '/*' 1 >translate.c
  check "the program of libvat(3) is printed as it is" \
    cmp "$here/../../doc/examples/translate.c" translate.c
else
  echo "$skipped"
fi

echo "test_man: $passed passed, $failed failed"
[ "$failed" = 0 ]
