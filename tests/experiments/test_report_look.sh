#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The report in a browser: on a desk and on a phone, light, dark and printed, is
# anything empty, cut off, pale, out of a keyboard's reach?
top=$(cd "${0%/*}/../.." && pwd)
. "${0%/*}/checks.sh"

# VAT_LOOK=whole: all pages and all that a look has to see, as .ci/run does; and
# no browser is a failure.
[ "${VAT_LOOK-}" = whole ] || [ "${VAT_CHECK-}" != brief ] || {
  echo "SKIPPED: VAT_CHECK=brief: what a page looks like no compiler changes"
  exit 77
}
browser=
for name in chromium chromium-browser google-chrome; do
  [ -n "$browser" ] || browser=$(command -v $name) || :
done
[ -n "$browser" ] || {
  [ "${VAT_LOOK-}" != whole ] || {
    echo "FAILED: no Chromium: ./bootstrap --install-ci-deps"
    exit 1
  }
  echo "SKIPPED: no Chromium: ./bootstrap --install-ci-deps"
  exit 77
}

# One browser for all pages; it ends when nobody asks any more.
mkfifo ask told
perl "$top/tests/experiments/look.pl" "$browser" \
  "$top/tests/experiments/look.js" "$work/browser" <ask >told 2>look.err &
exec 5>ask 6<told
trap 'exec 5>&-; wait; rm -rf "$work"' EXIT
trap '' PIPE

# look PAGE WIDTH [dark|print]: what is wrong, as tests/experiments/look.js says.
look() {
  : >said
  echo "$1 $2 ${3-desk}" >&5 && sed '/^looked at/q' <&6 >said
  cp look.err err
}

# well LEAST PAGE WIDTH [dark|print]: nothing is wrong, in so many figures.
well() {
  least=$1
  shift
  page=$work/$1
  shift
  look "$page" "$@"
  sed '/^looked at/d;s/^/    /' said | head -n 20
  looked=$(sed -n 's/^looked at \([0-9]*\) figures$/\1/p' said)
  [ "$(grep -vc '^looked at' said)" = 0 ] && [ "${looked:-0}" -ge "$least" ]
}

results=$top/doc/results
report() { # report NAME FILES...
  name=$1
  shift
  "$vat" report "$@" -o "$work/$name" >out 2>err
}

check "what processors measured is drawn" report cpu \
  "$results/kvm-guest-zen5/results.jsonl" \
  "$results/kvm-guest-zen5/transposes.jsonl"
check "on a desk" well 4 cpu/index.html 1280
check "on a phone" well 4 cpu/index.html 390
check "on a phone in the dark" well 4 cpu/index.html 390 dark

check "what a calibration knows is drawn" report calibrated \
  "$results/kvm-guest-zen3/results.jsonl" \
  --machine "$results/kvm-guest-zen3/prediction/machine.json"
check "a calibration on a desk in the dark" well 6 calibrated/index.html 1280 dark
check "a calibration on paper" well 6 calibrated/index.html 800 print

# That the look sees: pages that are wrong, one mistake each.  One figure will do.
awk '/<figure>/ { n++; inside = 1 } n < 2 || !inside { print }
  /<\/figure>/ { inside = 0 }' calibrated/index.html >right.html
check "a page of one figure is right" well 1 right.html 1280
spoilt() { # spoilt LIKE SED-SCRIPT
  sed -e "$2" right.html >spoilt.html
  look "$work/spoilt.html" 1280
  grep -q -e "$1" said
}
styled() { # styled LIKE CSS
  spoilt "$1" "s|</style>|$2</style>|"
}
check "a figure without lines is empty" spoilt 'is empty' \
  '/<svg/,/<\/svg>/s/<\(path\|use\|polygon\|circle\)/<title/g'
check "pale text" spoilt 'is pale' 's/--soft:#57606a/--soft:#c7c0ca/'

[ "${VAT_LOOK-}" = whole ] || {
  echo "test_report_look: $passed passed, $failed failed (VAT_LOOK=whole: more)"
  [ "$failed" = 0 ]
  exit
}
check "on paper" well 4 cpu/index.html 800 print
check "a calibration on a phone" well 6 calibrated/index.html 390
check "machines side by side are drawn" report merged \
  "$results"/kvm-guest-*/results.jsonl
check "machines on a desk" well 15 merged/index.html 1280
check "machines on a phone" well 15 merged/index.html 390 dark
check "machines on paper" well 15 merged/index.html 800 print

# Sanitizers leave no counts.
if "$vat" run hull_gpu_float --device emu --counters loads,stores \
  --generator square,disc --sizes 1e3,1e4 --reps 1 -o hulls.jsonl >out 2>err; then
  "$vat" run coalescing bank_conflicts --device emu --generator all \
    --sizes 2^12 --reps 1 -o lines.jsonl >out 2>err
  "$vat" run matmul_tiled apsp_matmul --device emu --sizes 32,64 --reps 1 \
    -o matrices.jsonl >out 2>err
  check "what a GPU was counted is drawn" report gpu lines.jsonl matrices.jsonl \
    hulls.jsonl
  check "kernels on a desk" well 4 gpu/index.html 1280
  check "kernels on a phone" well 4 gpu/index.html 390 dark
else
  echo "SKIPPED what a GPU is counted: $(cat err)"
fi

check "a figure without anything is empty" spoilt 'is empty' \
  '/<svg/,/<\/svg>/{/<svg/!{/<\/svg>/!d}}'
check "a figure that is hidden" styled 'is empty' \
  'figure svg{visibility:hidden}'
check "a figure that one sees through" styled 'is empty' 'figure svg{opacity:0}'
check "lines that are hidden" styled 'is empty' \
  'figure svg path,figure svg use{display:none}'
check "a figure that is cut off" styled 'is not drawn' \
  'figure{max-height:40px;overflow:hidden}'
check "a figure whose foot is cut off" styled 'is not drawn' \
  'figure{max-height:300px;overflow:hidden}'
check "a figure below something else" styled 'is empty' \
  'figure{position:relative}figure::after{content:"";position:absolute;inset:0;background:var(--paper)}'
check "labels beyond the edge are cut off" spoilt 'is cut off' \
  's/<svg viewBox="0 0 \([0-9]*\) [0-9]*"/<svg viewBox="0 0 \1 300"/'
check "a page as wide as its figures" spoilt 'wide on a screen' \
  's/max-width:66rem/min-width:166rem/'
check "a figure without data" spoilt 'has no data' 's/download="[^"]*"//g'

echo "test_report_look: $passed passed, $failed failed"
[ "$failed" = 0 ]
