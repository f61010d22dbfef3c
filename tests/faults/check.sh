#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make check-faults: calls that fail, vat killed, and what it has to do without.
# Four minutes of two processors; FAULTS=brief takes one, FAULTS=all leaves no
# call out, half an hour.
set -u
source=$1
vat=$PWD/experiments/vat
if grep -q __asan_init "$vat"; then
  echo "SKIPPED check-faults: a sanitizer's vat cannot be preloaded into"
  exit 0
fi
case ${FAULTS-} in
  brief) seconds=30 kills=20 ;;
  all) seconds=1e6 kills=100 ;;
  *) seconds=260 kills=100 ;;
esac
# They are compared before and after: as alone_with_the_pools of checks.sh.
pools=/proc/sys/vm/nr_overcommit_hugepages
[ ! -r $pools ] || exec 8<$pools
[ ! -r $pools ] || flock -w 300 8 || echo "others may change huge pages" >&2
failed=0
tests/faults/faults --jobs "$(nproc)" --seconds $seconds "$vat" \
  "$PWD/tests/faults/inject.so" "$source/tests/experiments" || failed=1
"$source/tests/faults/kill.sh" "$kills" || failed=1
"$source/tests/faults/surroundings.sh" || failed=1
exit $failed
