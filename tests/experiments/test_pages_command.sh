#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `vat pages` on programs whose memory is on base pages, each for one reason
# (tests/experiments/pages/has_reason.c): the reason is named, the fix that it
# names makes the memory huge, and all sums are those of smaps, to the page.
has_reason=$PWD/tests/experiments/pages/has_reason
. "${0%/*}/checks.sh"
alone_with_the_pools
unset GLIBC_TUNABLES
thp=/sys/kernel/mm/transparent_hugepage
skipped() { echo "SKIPPED $*"; }

command -v python3 >/dev/null || {
  skipped "vat pages: python3 is missing; fix: apt-get install python3"
  exit 77
}
grep -q __asan_init $has_reason && {
  skipped "vat pages: memory of a program with a sanitizer is laid out by that"
  exit 77
}
[ -w $thp/enabled ] && [ "$(id -u)" = 0 ] && root=1 || root=

# --- settings, which are restored whatever happens -------------------------------
changed=''
set_to() { # set_to FILE VALUE
  was=$(sed 's/.*\[\(.*\)\].*/\1/' "$1") || return 1
  changed="$1 $was
$changed"
  echo "$2" >"$1" 2>/dev/null
}
restore() {
  echo "$changed" | while read -r file value; do
    [ -z "$file" ] || echo "$value" >"$file"
  done
  changed=''
}
group=
# Where the test is slow, khugepaged would come to memory that is to be on base
# pages: it may look at one page an hour.
scan=$thp/khugepaged sleep_was=
clean_up() {
  stop
  restore
  [ -z "$sleep_was" ] || {
    echo "$pages_was" >$scan/pages_to_scan
    echo "$sleep_was" >$scan/scan_sleep_millisecs
  }
  [ ! -e "$work/swap.on" ] || swapoff "$work/swap"
  [ -z "$group" ] || rmdir "$group"
  rm -rf "$work"
}
trap clean_up EXIT
if [ -n "$root" ] && [ -w $scan/pages_to_scan ]; then
  pages_was=$(cat $scan/pages_to_scan) sleep_was=$(cat $scan/scan_sleep_millisecs)
  echo 1 >$scan/pages_to_scan
  echo 3600000 >$scan/scan_sleep_millisecs
fi

# --- programs ----------------------------------------------------------------------
# start COMMAND...: has_reason, in the background, until stop.  False with a line
# that says so where this machine cannot have such memory.
pid=
start() {
  rm -f in made
  mkfifo in
  "$@" <in >made 2>&1 &
  pid=$!
  exec 7>in
  tries=0
  until [ -s made ] || [ $tries = 100 ]; do
    tries=$((tries + 1))
    sleep 0.05
  done
  read -r at bytes <made
  case $at in
    [0-9]*) return 0 ;;
  esac
  skipped "memory that is $*: $(head -n 1 made)" | sed 's|/[^ ]*/has_reason ||'
  stop
  return 1
}
stop() {
  [ -n "$pid" ] || return 0
  exec 7>&-
  wait "$pid"
  pid=
}

# look.py START BYTES: the reason of most memory there, how much that is, and how
# much is on huge pages; an error where a sum is not that of smaps.
cat >look.py <<'PY'
import json, re, sys
pages = json.load(open("pages.json"))
amounts = {"Rss:": "rss", "AnonHugePages:": "thp", "ShmemPmdMapped:": "thp",
           "FilePmdMapped:": "thp", "Shared_Hugetlb:": "hugetlb",
           "Private_Hugetlb:": "hugetlb"}
smaps, at = {}, None
for line in open("smaps"):
    head = re.match(r"([0-9a-f]+)-[0-9a-f]+ ", line)
    key = amounts.get(line.split()[0])
    if head:
        at = smaps.setdefault(int(head[1], 16), {"rss": 0, "thp": 0, "hugetlb": 0})
    elif key:
        at[key] += int(line.split()[1]) * 1024
for m in pages["mappings"]:
    s = smaps.pop(m["start"])
    assert m["resident"] == s["rss"] + s["hugetlb"], m
    assert sum(m["on"].values()) == m["resident"], m
    assert m["on"].get("thp", 0) == s["thp"], m
    assert sum(w["bytes"] for w in m["why"]) == s["rss"] - s["thp"], m
assert all(s["rss"] + s["hugetlb"] == 0 for s in smaps.values()), smaps
total = sum(m["resident"] for m in pages["mappings"])
assert total == pages["total"]["resident"] == sum(pages["total"]["on"].values())
assert pages["differs_from_pagemap"] == 0, pages["differs_from_pagemap"]
start, end, why, huge = int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2]), {}, 0
for m in pages["mappings"]:
    if m["start"] < end and start < m["start"] + m["bytes"]:
        huge += m["on"].get("thp", 0) + m["on"].get("2m", 0)
        for w in m["why"]:
            why[w["reason"]] = why.get(w["reason"], 0) + w["bytes"]
most = max(why, key=why.get, default="none")
print(most, why.get(most, 0), huge)
PY

# vat pages of the program, which is stopped so that it is the same for smaps.
pages() {
  kill -STOP "$pid"
  "$vat" pages -p "$pid" --json >pages.json 2>err && cat "/proc/$pid/smaps" >smaps
  code=$?
  kill -CONT "$pid"
  return $code
}

# It has this reason, for all or most of its memory, and all sums hold.
named() { # named REASON
  pages || return 1
  python3 look.py "$at" "$bytes" >out 2>err || return 1
  read -r name part huge <out
  [ "$1" = none ] || [ "$name" = "$1" ] || return 1
  case $1 in
    none) [ "$huge" -ge $((bytes / 2)) ] ;;
    partly-used | unaligned | stack | special | swapped) [ "$part" -gt 0 ] ;;
    # khugepaged may have come to a part of it before the limit.
    cgroup-limit) [ "$part" -gt 0 ] ;;
    *) [ "$part" -ge "$bytes" ] ;;
  esac
}

# is MODE REASON [COMMAND...]
is() {
  mode=$1 reason=$2
  shift 2
  found=1
  # khugepaged may come between, but not each time.
  for try in 1 2 3; do
    start "$@" "$has_reason" "$mode" || return 0
    named "$reason" && found=0
    [ $found = 1 ] && [ $try -lt 3 ] || break
    stop
  done
  check "memory that is $mode has the reason $reason" [ $found = 0 ]
  stop
}

# Its fix works: that memory is huge once it is collapsed.
collapses() {
  for mode in "$@"; do
    start "$has_reason" "$mode" collapse || continue
    check "collapsing makes memory that is $mode huge" named none
    stop
  done
}

# --- what needs no setting, or one of two -----------------------------------------
mode=$(sed 's/.*\[\(.*\)\].*/\1/' $thp/enabled)
[ -z "$root" ] || { set_to $thp/enabled madvise && mode=madvise; }
if [ "$mode" = madvise ]; then
  is not-advised not-advised
else
  skipped "nobody asked: needs root to set $thp/enabled to madvise"
fi
if [ "$mode" = never ]; then
  is not-advised off
  is advised off
else
  is advised none
  is advised-not advised-not
  is thread-stack advised-not
  is early touched-early
  is partly partly-used
  is freed partly-used
  is forked forked
  is locked locked
  is faults userfaultfd
  is stack stack
  collapses early partly freed forked locked stack
fi
is disabled disabled
is too-small too-small
is unaligned unaligned
is vdso special
case $(stat -f -c %T "$work") in
  tmpfs) skipped "files: TMPDIR is on tmpfs" ;;
  *)
    is file file
    is copied file-copied
    ;;
esac

# --- shared memory -------------------------------------------------------------------
shared() { # shared WORD
  set_to $thp/shmem_enabled "$1"
  [ ! -w $thp/hugepages-2048kB/shmem_enabled ] ||
    set_to $thp/hugepages-2048kB/shmem_enabled inherit
}
if [ -n "$root" ] && [ -w $thp/shmem_enabled ]; then
  shared never
  for mode in shared memfd sysv; do is $mode shared-off; done
  collapses shared
  shared advise
  for mode in shared memfd sysv; do is $mode shared-not-advised; done
  is shared-advised none
  shared never
  if unshare -m true 2>/dev/null; then
    mkdir tmpfs
    for how in never:shared-off advise:shared-not-advised within_size:none; do
      is tmpfs "${how#*:}" unshare -m sh -c "mount -t tmpfs -o huge=${how%:*} tmpfs $work/tmpfs
        TMPDIR=$work/tmpfs; export TMPDIR; exec \"\$@\"" sh
      [ "$how" != never:shared-off ] ||
        check "the fix for a file of tmpfs names its mount" \
          grep -q "mount -o remount,huge=within_size $work/tmpfs" pages.json
    done
  else
    skipped "files of tmpfs: no mount namespaces"
  fi
else
  if grep -q '\[never\]' $thp/shmem_enabled; then is shared shared-off; fi
  skipped "shared memory on request: needs root to set $thp/shmem_enabled"
fi

# --- switched off, and on for all ------------------------------------------------------
if [ -n "$root" ]; then
  set_to $thp/enabled never
  is not-advised off
  is early off
  set_to $thp/enabled always
  is not-advised none
  is disabled disabled
  is advised-not advised-not
  restore
else
  skipped "switched off: needs root to set $thp/enabled to never"
fi

# --- the pool of hugetlb pages --------------------------------------------------------------
pool=/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
if ! getconf GNU_LIBC_VERSION 2>/dev/null | awk '{ exit !($2 >= 2.35) }'; then
  skipped "a pool that is empty: malloc() takes hugetlb pages since glibc 2.35"
elif ! grep -qx 'Hugepagesize: *2048 kB' /proc/meminfo; then
  skipped "a pool that is empty: the usual pool is not of 2 MiB pages"
else
  if grep -qx 'HugePages_Free: *0' /proc/meminfo; then is pool pool-empty; fi
  had=$(cat $pool)
  if [ -n "$root" ] && set_to $pool $((had + 8)) && [ "$(cat $pool)" = $((had + 8)) ]; then
    is pool none
  else
    skipped "a pool that was filled: needs root and free memory"
  fi
  restore
fi

# --- a memory limit -------------------------------------------------------------------------
limit() { # limit FOLDER FILE-OF-LIMIT FILE-OF-USAGE
  group=$1/vat-pages-$$
  mkdir "$group" 2>/dev/null || { group=; return 1; }
  limited "$group/$2" "$group/$3" &&
    "$vat" pages --cgroup "$group" --json >group.json &&
    check "the cgroup has this process and no other" python3 -c "
import json
group = json.load(open('group.json'))
assert [p['pid'] for p in group['processes']] == [$pid], group" &&
    "$vat" pages --cgroup "${group#"$1"}" >out &&
    check "a cgroup goes by its name, too" grep -q '^1 process:' out
  done=$?
  stop
  rmdir "$group"
  group=
  return $done
}

# A program touches its memory in the cgroup, and then the limit falls to 1 MiB more than is used.
# khugepaged may come before it, but not each time.
limited() { # limited FILE-OF-LIMIT FILE-OF-USAGE
  [ -w "$1" ] || return 1
  unlimited=$(cat "$1")
  found=1
  for try in 1 2 3; do
    echo "$unlimited" >"$1"
    start sh -c "echo \$\$ >$group/cgroup.procs; exec $has_reason early" &&
      echo $(($(cat "$2") + 1048576)) >"$1" || return 1
    named cgroup-limit && found=0
    [ $found = 1 ] && [ $try -lt 3 ] || break
    stop
  done
  check "memory at the limit of its cgroup says so" [ $found = 0 ]
}

limit /sys/fs/cgroup memory.max memory.current 2>/dev/null ||
  limit /sys/fs/cgroup/memory memory.limit_in_bytes memory.usage_in_bytes 2>/dev/null ||
  skipped "a memory limit: no memory cgroup can be made here"

# --- swap ------------------------------------------------------------------------------------
if [ -n "$root" ] && grep -qx 'SwapTotal: *0 kB' /proc/meminfo &&
  head -c 33554432 /dev/zero >swap 2>/dev/null && chmod 600 swap &&
  mkswap swap >/dev/null 2>&1 && swapon swap 2>/dev/null; then
  touch swap.on
fi
if [ -e swap.on ] || ! grep -qx 'SwapFree: *0 kB' /proc/meminfo; then
  is swapped swapped
  [ ! -e swap.on ] || { swapoff swap && rm swap.on; }
else
  skipped "memory that is swapped out: no swap space, and none could be made"
fi
skipped "no free block of 2 MiB: that cannot be made on purpose; on invented facts only"

# --- any process ----------------------------------------------------------------------------------
# The sum is that of the kernel, where the process did not change meanwhile.
rollup() { awk '$1 == "Rss:" || $1 ~ /^(Shared|Private)_Hugetlb:$/ { s += $2 } END { print s * 1024 }' "/proc/$1/smaps_rollup"; }
same_sum() {
  before=$(rollup "$1" 2>/dev/null)
  "$vat" pages -p "$1" --json >pages.json 2>/dev/null || return 0
  [ "$(rollup "$1" 2>/dev/null)" = "$before" ] || return 0
  compared=$((compared + 1))
  [ "$(python3 -c 'import json; print(json.load(open("pages.json"))["total"]["resident"])')" = "$before" ]
}
compared=0
for folder in /proc/[0-9]*; do
  rss=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "$folder/status" 2>/dev/null)
  [ "${rss:-9999999}" -gt 1000000 ] || [ $compared -ge 12 ] ||
    check "the sum of ${folder#/proc/} is that of smaps_rollup" same_sum "${folder#/proc/}"
done
check "some process could be compared" [ $compared -gt 0 ]

# --- refusals, and what cannot be looked at --------------------------------------------------
refused() { # refused CODE WORDS ARGUMENTS...
  want=$1 words=$2
  shift 2
  "$vat" pages "$@" >out 2>err
  [ $? = "$want" ] && [ "$(grep -c '^vat: ' err)" = 1 ] && grep -q -e "$words" err
}
check "nothing asked for" refused 2 'say -p PID, --cgroup'
check "two things asked for" refused 2 '--all' -p 1 --all
check "no such process" refused 2 'no such process' -p 4194303
if [ -n "$root" ] && setpriv --bounding-set=-sys_ptrace true 2>/dev/null; then
  setpriv --bounding-set=-sys_ptrace "$vat" pages -p 1 >out 2>err
  # Where this root has all rights that process 1 has, it needs no other.
  [ $? = 0 ] || check "root without the right" says 'fix: give vat CAP_SYS_PTRACE'
fi
check "no such cgroup" refused 2 'no such cgroup' --cgroup /none/such
check "a word too many" refused 2 'unexpected; fix: .* vat pages -p PID' 1
check "no time" refused 2 '--watch' -p $$ --watch 0
kernel=$(grep -lsx 'PPid:.2' /proc/[0-9]*/status | head -n 1 | grep -o '[0-9]*')
[ -z "$kernel" ] || check "a thread of the kernel" refused 2 'thread of the kernel' -p "$kernel"
sh -c 'sleep 0.01 & exec sleep 2' 7>&- &
parent=$!
sleep 0.5
zombie=$(children_of $parent)
check "a zombie" refused 2 'zombie' -p "${zombie:-1}"
wait $parent
if [ -n "$root" ] && command -v setpriv >/dev/null; then
  start "$has_reason" advised
  nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
  chmod 755 "$work"
  refused_to_nobody() {
    nobody "$vat" pages -p "$pid" >out 2>err
    [ $? = 3 ] && grep -q 'its owner and root only; fix: run vat as' err
  }
  if nobody "$vat" --version >/dev/null 2>&1; then
    check "another user's process" refused_to_nobody
    nobody "$vat" pages --all --json >pages.json 2>err
    check "all of them are told, those without rights with the reason" python3 -c "
import json
pages = json.load(open('pages.json'))
absent = {a['pid']: a for a in pages['absent']}
assert 'root' in absent[$pid]['fix'], absent[$pid]
assert pages['total']['sizes_between'] is None
assert 'fix' in pages['total']['sizes_between_why']"
  fi
  stop
fi

if unshare -pf true 2>/dev/null; then
  start unshare -pf "$has_reason" advised && {
    "$vat" pages -p "$(children_of "$pid")" --json >pages.json
    check "a process of another pid namespace has its number there" \
      grep -q '"pid_inside": 1,' pages.json
    stop
  }
else
  skipped "pid namespaces: needs root"
fi

# --- several processes, and again and again ---------------------------------------------------
start "$has_reason" forked && {
  kill -STOP "$pid"
  child=$(children_of "$pid")
  "$vat" pages --all --json >all.json
  kill -CONT "$pid"
  [ -z "$root" ] || check "what two processes share counts once" python3 -c "
import json
all = {p['pid']: p for p in json.load(open('all.json'))['processes']}
def forked(p): return sum(w['bytes'] for w in p['total']['why'] if w['reason'] == 'forked')
assert forked(all[$pid]) >= 8 << 20 and forked(all[$child]) >= 8 << 20
once = [w['bytes'] for w in json.load(open('all.json'))['total']['why'] if w['reason'] == 'forked']
assert sum(once) < sum(forked(p) for p in all.values()) - (7 << 20), once"
  stop
}
start "$has_reason" advised && {
  "$vat" pages -p "$pid" --watch 0.1 --json >watched 2>err 7>&- &
  watcher=$!
  sleep 0.5
  stop
  wait $watcher
  check "watching ends with the process" [ $? = 0 ]
  check "and prints nothing where nothing changes" [ "$(wc -l <watched)" = 1 ]
}
start "$has_reason" advised && {
  "$vat" pages -p "$pid" --watch 0.1 >watched 2>err 7>&- &
  watcher=$!
  sleep 0.5
  kill -TERM $watcher
  { wait $watcher; ended=$?; } 2>/dev/null
  check "a signal ends the watch" [ $ended = 143 ]
  check "after whole lines" grep -q 'Could be\|No single change\|none needed' watched
  stop
}

echo "test_pages_command: $passed passed, $failed failed"
[ "$failed" = 0 ]
