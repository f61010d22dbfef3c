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

# vat writes and reads numbers with a point in every language; awk would use the
# comma of, say, German.
awk() {
  LC_ALL=C command awk "$@"
}

check() { # check CLAIM COMMAND...
  claim=$1
  shift
  if "$@"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: $claim"
    echo "    expected to succeed: $*"
    sed 's/^/    err: /' err 2>/dev/null | head -n 20
    sed 's/^/    out: /' out 2>/dev/null | head -n 20
  fi
}

# refused CODE ARGUMENTS...: exits with CODE and says why in one line.
refused() {
  want=$1
  shift
  "$vat" "$@" >out 2>err
  got=$?
  [ $got = "$want" ] || { echo "    exit $got, not $want: vat $*"; return 1; }
  [ "$(wc -l <err)" = 1 ] && grep -q '^vat' err
}

says() { grep -q "$1" "${2:-err}"; }

between() { # between LOW VALUE HIGH
  awk -v a="$1" -v x="$2" -v b="$3" 'BEGIN { exit !(x != "null" && x >= a && x <= b) }'
}

# Of the tests of make check that look at the machine's pools of huge pages before
# and after they have grown them, one at a time, also of several builds;
# tests/huge_pages has the same lock.  Children have it, too: one that is left
# over is not waited for until the time limit.
alone_with_the_pools() {
  pools=/proc/sys/vm/nr_overcommit_hugepages
  [ -r $pools ] || return 0
  exec 8<$pools
  flock -w 200 8 || echo "    others may change the pools of huge pages" >&2
}

# processes WORD...: the numbers of those whose arguments include each of these.
# /proc is read, as procps may be missing.
processes() {
  files=$(echo /proc/[0-9]*/cmdline)
  for word in "$@"; do
    # In a file, so that it is no argument of grep.
    printf '%s\n' "$word" >"$work/word"
    # shellcheck disable=SC2086
    files=$(grep -lszxF -f "$work/word" $files </dev/null)
  done
  echo "$files" | grep -o '[0-9][0-9]*'
}

# children_of PID: their numbers.
children_of() {
  grep -ls "^PPid:.$1\$" /proc/[0-9]*/status | grep -o '[0-9][0-9]*'
}

# The switches of transparent huge pages, and the pools.
thp=/sys/kernel/mm/transparent_hugepage
settings() {
  cat $thp/enabled $thp/hugepages-*/enabled /sys/kernel/mm/hugepages/*/nr_hugepages
}
as_found() { # are they $found again, within 10 s?
  tries=0
  while [ "$(settings)" != "$found" ]; do
    tries=$((tries + 1))
    [ $tries -lt 500 ] || return 1
    sleep 0.02
  done
}

# Skip the test where the switches of the page sizes between 4 KiB and 2 MiB
# cannot be set, or are in use.
need_size_switches() {
  { [ "$(id -u)" = 0 ] && [ -w $thp/hugepages-64kB/enabled ] && [ -w $thp/hugepages-16kB/enabled ]; } || {
    echo "SKIPPED page sizes between: their switches cannot be set here; fix: sudo make check, on Linux 6.8"
    exit 77
  }
  case $(cat $thp/hugepages-64kB/enabled $thp/hugepages-16kB/enabled) in
    *'[always]'* | *'[madvise]'* | *'[inherit]'*)
      echo "SKIPPED page sizes between: their switches are in use; fix: set them to never"
      exit 77
      ;;
  esac
}
