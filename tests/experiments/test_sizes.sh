#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Page faults and peak memory over the page size follow from the addresses that
# a program touches: tests/bench/sizes.sh, with less memory.
sparse=$PWD/tests/bench/sparse
. "${0%/*}/checks.sh"
case $0 in /*) source=${0%/*} ;; *) source=$OLDPWD/${0%/*} ;; esac
sizes() {
  VAT=$vat SPARSE=$sparse "$source/../bench/sizes.sh" -o . "$@" >out 2>err
}

# --- predictions -------------------------------------------------------------------
"$sparse" -p every 64 48 >out
check "every 48 KiB: a page each, or all" \
  [ "$(cut -d ' ' -f 2 out | tr '\n' ' ')" = "1365 1365 1365 1365 1024 512 256 128 64 32 " ]
"$sparse" -p random 64 256 >out
check "256 random places are on nearly as many small pages" \
  between 250 "$(sed -n 's/^4 //p' out)" 256
# The mean of 32 (1 - (1 - 1/32)^256) is 31.99, and that of 256 pages is 162.
check "and on all of the largest" grep -qx '2048 32' out
check "and as many of the middle as chance has it" \
  between 150 "$(sed -n 's/^256 //p' out)" 174
"$sparse" -p every 63 48 >out 2>err
check "memory that larger pages do not fill is refused" [ $? = 2 ]

# --- measured ----------------------------------------------------------------------
grep -q __asan_init "$sparse" && { # it must be loaded before page_shim.so
  echo "SKIPPED measurements: a sanitizer is in the program"
  [ "$failed" = 0 ]
  exit
}
alone_with_the_pools
need_size_switches
sizes -n 1 -m 256
check "page faults and peak memory are within 3 % of the prediction" [ $? = 0 ]
count=$(grep -c '^thp-[0-9]*[km]' <<EOF2
$("$vat" list pages)
EOF2
)
check "of three programs on every size" \
  [ "$(grep -cE '^(fill|random|every) ' out)" = $((3 * (count + 2))) ]
sed 's/^64 .*/64 1/' random.pages >other && mv other random.pages
sizes -t
check "a prediction that is wrong fails" [ $? = 1 ]
check "which is said" says 'random, 64 KiB: peak memory is .* off' out
check "of this size alone" [ "$(grep -c '^sizes.sh: random, 64 KiB' out)" = 2 ]
echo "test_sizes: $passed passed, $failed failed"
[ "$failed" = 0 ]
