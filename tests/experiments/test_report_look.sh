#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The report in a browser: on a desk and on a phone, light, dark and printed, is
# anything empty, cut off, pale, out of a keyboard's reach?
top=$(cd "${0%/*}/../.." && pwd)
. "${0%/*}/checks.sh"

[ "${VAT_CHECK-}" != brief ] || {
  echo "SKIPPED: VAT_CHECK=brief: what a page looks like no compiler changes"
  exit 77
}
browser=
for name in chromium chromium-browser google-chrome; do
  [ -n "$browser" ] || browser=$(command -v $name) || :
done
[ -n "$browser" ] || {
  echo "SKIPPED: no Chromium: ./bootstrap --install-ci-deps"
  exit 77
}

# look PAGE WIDTH [dark|print]: what is wrong, as tests/experiments/look.js says.
look() {
  scheme=1 media=screen
  [ "${3-}" != dark ] || scheme=0
  [ "${3-}" != print ] || media=print
  {
    sed "s/<html /<html data-media=\"$media\" /" "$1"
    echo '<script>' && cat "$top/tests/experiments/look.js" && echo '</script>'
  } >"${1%.html}-look.html"
  timeout 30 "$browser" --headless --no-sandbox --disable-gpu \
    --disable-dev-shm-usage --user-data-dir="$work/browser" \
    --blink-settings=preferredColorScheme=$scheme --hide-scrollbars \
    --virtual-time-budget=60000 --window-size="$2,900" \
    --dump-dom "file://${1%.html}-look.html" 2>err |
    sed -n '/<pre id="look">/,/<\/pre>/p' | sed '/pre/d;/^$/d' >said
  cat said
}

# well LEAST PAGE WIDTH [dark|print]: nothing is wrong, in so many figures.
well() {
  least=$1
  shift
  page=$work/$1
  shift
  look "$page" "$@" >/dev/null
  sed '/^looked at/d;s/^/    /' said | head -n 20
  [ "$(grep -vc '^looked at' said)" = 0 ] &&
    [ "$(sed -n 's/^looked at \([0-9]*\) figures$/\1/p' said)" -ge "$least" ]
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
check "on paper" well 4 cpu/index.html 800 print

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

# That the look sees: pages that are wrong, one mistake each.
spoilt() { # spoilt LIKE SED-SCRIPT
  sed -e "$2" cpu/index.html >spoilt.html
  look "$work/spoilt.html" 1280 >/dev/null
  grep -q -e "$1" said
}
check "a figure without lines is empty" spoilt 'is empty' \
  '/<svg/,/<\/svg>/s/<\(path\|use\|polygon\|circle\)/<title/g'
check "labels beyond the edge are cut off" spoilt 'is cut off' \
  's/<svg viewBox="0 0 \([0-9]*\) [0-9]*"/<svg viewBox="0 0 \1 300"/'
check "pale text" spoilt 'is pale' 's/--soft:#57606a/--soft:#c7c0ca/'
check "a page as wide as its figures" spoilt 'wide on a screen' \
  's/max-width:66rem/min-width:166rem/'
check "a figure without data" spoilt 'has no data' 's/download="[^"]*"//g'

echo "test_report_look: $passed passed, $failed failed"
[ "$failed" = 0 ]
