#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The last test: did the others leave the machine as it was?  tests/bounded looks
# after their processes and files.
set -u
"${0%/*}/settings.sh" | diff tests/settings.before - && exit
echo "FAILED: the settings of this machine are no longer those from before"
exit 1
