#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The last test: did the others leave the machine as it was?  tests/bounded looks
# after their processes and files.
set -u
# Who may not change them has not; others may have, as the lock is not seen from
# within a container.
[ -w /proc/sys/vm/nr_hugepages ] || [ -w /sys/kernel/mm/transparent_hugepage/enabled ] || {
  echo "SKIPPED settings of this machine: they are read-only here"
  exit 77
}
"${0%/*}/settings.sh" | diff tests/settings.before - && exit
echo "FAILED: the settings of this machine are no longer those from before"
exit 1
