/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look up numbers at random places of a table: the example of
 * doc/for-performance-engineers.md.
 *
 *   cc -O2 -g lookup.c -o lookup && ./lookup 256       a table of 256 MiB
 *   cc -O2 -g -DHUGE lookup.c -o lookup_huge            on huge pages
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static uint64_t *make_table(size_t count) {
#ifdef HUGE
  uint64_t *table = aligned_alloc(2 << 20, count * sizeof *table);
  if (table) madvise(table, count * sizeof *table, MADV_HUGEPAGE);
#else
  uint64_t *table = malloc(count * sizeof *table);
#endif
  if (!table) exit(1);
  for (size_t i = 0; i < count; i++) table[i] = i;
  return table;
}

static uint64_t look_up(const uint64_t *table, size_t count, size_t times) {
  uint64_t random = 1, sum = 0;
  for (size_t i = 0; i < times; i++) {
    random = random * UINT64_C(6364136223846793005) +
             table[(random >> 33) % count] + 1;
    sum += random >> 33;
  }
  return sum;
}

int main(int argc, char **argv) {
  size_t count = (argc > 1 ? strtoul(argv[1], NULL, 10) : 256) << 17;
  printf("%" PRIu64 "\n", look_up(make_table(count), count, 1000000));
}
