# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154
# Of the tests that have vat set the switches of transparent huge pages of the
# sizes between: sourced behind checks.sh.
alone_with_the_pools
nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
need_size_switches
cat >memory.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
/* memory HOW [S]: 24 MiB by malloc, mmap or bss; then wait for S seconds. */
static volatile unsigned char bss[24 << 20];
int main(int argc, char **argv) {
  size_t bytes = 24 << 20;
  volatile unsigned char *memory =
      !strcmp(argv[1], "bss") ? bss
      : !strcmp(argv[1], "mmap")
          ? mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
          : malloc(bytes);
  for (size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
  if (argc > 2) sleep((unsigned)atoi(argv[2]));
  return 0;
}
C
${CC:-cc} -O1 -o memory memory.c 2>err ||
  { echo "SKIPPED: ${CC:-cc} cannot build programs; install the package gcc"; exit 77; }

found=$(settings)
# Does a run of vat PID have the switch of 64 KiB, and no other?
has_the_switch() { # has_the_switch PID
  grep -q '\[madvise\]' $thp/hugepages-64kB/enabled &&
    grep -q '\[never\]' $thp/hugepages-2048kB/enabled && [ "$(children_of "$1")" ]
}

killed_midway() { # killed_midway PID: of vat, when it has the switch of 64 KiB
  # For a while another vat may have the switches: the guardian of one that was
  # killed before it took them takes them yet, and gives them back at once.
  looks=0
  for _ in $(seq 2400); do
    if has_the_switch "$1"; then looks=$((looks + 1)); else looks=0; fi
    [ $looks -lt 10 ] || break
    sleep 0.05
  done
  check "a run has the switch of its size" grep -q '\[madvise\]' $thp/hugepages-64kB/enabled
  check "and no other" grep -q '\[never\]' $thp/hugepages-2048kB/enabled
  kill -9 "$1"
  wait "$1" 2>/dev/null
  check "killed, it leaves the switches as found" as_found
}
