#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# vat exec fills shared memory that a program has not touched only where there is
# room for it: in the cgroup, and on the tmpfs.
here=${0%/*}
case $here in /*) ;; *) here=$PWD/$here ;; esac
. "$here/../checks.sh"
unset LD_PRELOAD MALLOC_CONF GLIBC_TUNABLES
thp=/sys/kernel/mm/transparent_hugepage
${CC:-cc} -O1 -o shared_sparse "$here/shared_sparse.c" || exit 99
group=
leave() { [ -z "$group" ] || rmdir "$group"; rm -rf "$work"; }
trap leave EXIT

sparse() { # sparse MIB KIND [FILE]: is the program as ever?
  mib=$1
  shift
  "$vat" exec --huge mappings -- ./shared_sparse $((mib << 20)) "$@" >out 2>err
}
there_kib() { awk '{ print $1 }' out; }
huge_kib() { awk '{ print $2 }' out; }
done_with() {
  echo "test_shared_room: $passed passed, $failed failed"
  [ $failed = 0 ]
  exit
}

case $(cat $thp/enabled 2>&1) in *'[never]'* | *cat:*)
  echo "SKIPPED shared memory: no transparent huge pages"
  done_with ;;
esac
sparse 4 remap
check "an error of shmat() is the program's" says EINVAL out
if ! grep -q '\[never\]' $thp/shmem_enabled; then
  echo "SKIPPED shared memory that is filled: shmem_enabled is not never"
  done_with
fi
check "MAP_NORESERVE: the program is as ever" sparse 16 noreserve
check "and has what it touched" [ "$(there_kib)" -lt 1024 ]

# --- on a small tmpfs ----------------------------------------------------------------
mkdir tmpfs
on_tmpfs() { # on_tmpfs MIB KIND: of the 10 MiB that there are
  unshare -m sh -c 'mount -t tmpfs -o size=10m none tmpfs && exec "$@"' - \
    "$vat" exec --huge mappings -- ./shared_sparse $(($1 << 20)) "$2" tmpfs/file >out 2>err
}
if unshare -m mount -t tmpfs none tmpfs 2>/dev/null; then
  check "a sparse file that has no room is as ever" on_tmpfs 16 sparse
  check "and has what was touched" [ "$(there_kib)" -lt 1024 ]
  check "one that leaves less than half of the room is as ever" on_tmpfs 6 sparse
  check "and has what was touched" [ "$(there_kib)" -lt 1024 ]
  check "a full file needs no room" on_tmpfs 8 dense
  collapses=$(uname -r | awk -F. '{ print $1 > 6 || ($1 == 6 && $2 + 0 >= 1) }')
  [ "$collapses" = 0 ] || check "and is on huge pages" [ "$(huge_kib)" = 8192 ]
else
  echo "SKIPPED a small tmpfs: only root can mount one"
fi

# --- in a cgroup ---------------------------------------------------------------------
make_group() { # sets `group`, of 64 MiB
  for try in "/sys/fs/cgroup/memory/vat-test-$$" "/sys/fs/cgroup/vat-test-$$"; do
    mkdir "$try" 2>/dev/null || continue
    group=$try
    for file in memory.limit_in_bytes memory.max; do
      [ -w "$group/$file" ] && echo 64M >"$group/$file" && return 0
    done
    rmdir "$group"
    group=
  done 2>/dev/null
  return 1
}
in_group() { # in_group MIB KIND: two groups deep, the outer has the limit
  sh -c 'echo $$ >"$0/inner/cgroup.procs" && exec "$@"' "$group" \
    "$vat" exec --huge mappings -- ./shared_sparse $(($1 << 20)) "$2" >out 2>err
}
if make_group && mkdir "$group/inner" && (sh -c 'echo $$ >"$0/inner/cgroup.procs"' "$group") 2>/dev/null
then
  check "what the cgroup has no room for: the program is as ever" in_group 200 anonymous
  check "and has what it touched" [ "$(there_kib)" -lt 1024 ]
  check "what it has room for" in_group 16 anonymous
  check "is filled" [ "$(there_kib)" = 16384 ]
else
  echo "SKIPPED a cgroup: none with a limit can be made here"
fi
[ -z "$group" ] || rmdir "$group/inner"
done_with
