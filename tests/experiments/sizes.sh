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

settings() {
  cat $thp/enabled $thp/hugepages-*/enabled /sys/kernel/mm/hugepages/*/nr_hugepages
}
found=$(settings)
as_found() { # within 10 s
  tries=0
  while [ "$(settings)" != "$found" ]; do
    tries=$((tries + 1))
    [ $tries -lt 500 ] || return 1
    sleep 0.02
  done
}
