# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of the command from outside begin with: claims that are
# counted, in a folder of their own that goes when they end.
# shellcheck shell=sh
set -u
vat=$PWD/experiments/vat
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
VAT_CACHE_DIR=$work/cache
export VAT_CACHE_DIR
passed=0 failed=0

check() { # check CLAIM COMMAND...
  claim=$1
  shift
  if "$@"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: $claim"
    sed 's/^/    /' err 2>/dev/null | head -n 5
  fi
}

# Of the tests of make check that look at the machine's pools of huge pages before
# and after they have grown them, one at a time, also of several builds;
# tests/huge_pages has the same lock.  Children have it, too: one that is left
# over is not waited for forever.
alone_with_the_pools() {
  pools=/proc/sys/vm/nr_overcommit_hugepages
  [ -r $pools ] || return 0
  exec 8<$pools
  flock -w 300 8 || echo "    others may change the pools of huge pages" >&2
}
