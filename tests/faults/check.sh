#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make check-faults: calls that fail, vat killed, and what it has to do without.
# Of allocations the first of each way to them fails (all, of commands with 300
# or fewer; every tenth way inside hwloc and PAPI), of other calls each, as far
# as time goes, evenly: four minutes of two processors; with FAULTS=brief one,
# and 20 kills for 100.  FAULTS=all leaves no call out, 406 623 of which 371 226
# are allocations of vat profile and validate: by samples of those some three
# days of two processors.  One command is another matter: vat run has 2885
# allocations, a minute, by `tests/faults/faults --every -c run -k malloc`.
set -u
source=$1
vat=$PWD/experiments/vat
if grep -q __asan_init "$vat"; then
  echo "SKIPPED check-faults: a sanitizer's vat cannot be preloaded into"
  exit 0
fi
case ${FAULTS-} in
  brief) seconds=30 kills=20 every= ;;
  all) seconds=1e9 kills=100 every=--every ;;
  *) seconds=260 kills=100 every= ;;
esac
# They are compared before and after: as alone_with_the_pools of checks.sh.
pools=/proc/sys/vm/nr_overcommit_hugepages
[ ! -r $pools ] || exec 8<$pools
[ ! -r $pools ] || flock -w 300 8 || echo "others may change huge pages" >&2
failed=0
tests/faults/faults --jobs "$(nproc)" --seconds $seconds $every "$vat" \
  "$PWD/tests/faults/inject.so" "$source/tests/experiments" || failed=1
"$source/tests/faults/kill.sh" "$kills" || failed=1
"$source/tests/faults/surroundings.sh" || failed=1
exit $failed
