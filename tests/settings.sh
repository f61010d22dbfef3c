#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Print the settings of this machine that tests change and must restore: pools
# of huge pages and transparent huge pages.
set -u
# Tests that change them hold this lock (tests/experiments/checks.sh), also
# those of other builds.
pools=/proc/sys/vm/nr_overcommit_hugepages
if [ -r $pools ]; then
  exec 8<$pools
  flock -w 200 8 || echo "settings.sh: others may change the pools" >&2
fi
thp=/sys/kernel/mm/transparent_hugepage
for file in /proc/sys/vm/nr_hugepages $pools /proc/sys/vm/overcommit_memory \
  /sys/kernel/mm/hugepages/*/nr_hugepages \
  /sys/kernel/mm/hugepages/*/nr_overcommit_hugepages \
  /sys/devices/system/node/node*/hugepages/*/nr_hugepages \
  $thp/enabled $thp/defrag $thp/shmem_enabled $thp/use_zero_page \
  $thp/hugepages-*/enabled $thp/hugepages-*/shmem_enabled \
  $thp/khugepaged/defrag $thp/khugepaged/max_ptes_* \
  $thp/khugepaged/pages_to_scan $thp/khugepaged/*_millisecs; do
  [ ! -r "$file" ] || echo "$file: $(cat "$file")"
done
