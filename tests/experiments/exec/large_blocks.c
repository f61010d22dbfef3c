/* SPDX-License-Identifier: GPL-3.0-or-later */
/* large_blocks [mallopt]: blocks that glibc maps by themselves.  Prints "good",
 * or what of them is not as it should be where the heap is on huge pages. */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own_smaps.h"

enum { MIB = 1 << 20, HUGE = 2 * MIB, ODD = 12345 };

static int fail(const char *what) {
  puts(what);
  exit(1);
}

static int is_aligned(const void *block) {
  return (uintptr_t)block % HUGE == 0;
}

static char *filled(size_t bytes) {
  char *block = malloc(bytes);
  if (!block) fail("no memory");
  memset(block, 1, bytes);
  return block;
}

/* A table that doubles: each has a mapping of its own, of which at most the end
 * is on base pages. */
static char *grow(void) {
  char *table = NULL;
  for (size_t bytes = 4 * MIB; bytes <= 64 * MIB; bytes *= 2) {
    char *next = filled(bytes + ODD);
    struct own_memory seen = own_memory(next, bytes);
    if (!is_aligned(next)) fail("a block that begins within a huge page");
    if (seen.huge_kib < bytes / 1024) fail("a block on base pages");
    free(table);
    table = next;
  }
  return table;
}

static void check_contents(const char *block, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 4096)
    if (block[i] != 1) fail("other contents");
}

static void resize(char *table) {
  table = realloc(table, 100 * MIB);
  if (!table || !is_aligned(table)) fail("a block that grew");
  check_contents(table, 64 * MIB);
  table = realloc(table, 3000);
  if (!table) fail("no memory");
  check_contents(table, 3000);
  free(table);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    char *one = filled(5 * MIB), *two = filled(5 * MIB);
    if (is_aligned(one) && is_aligned(two)) fail("mallopt() is not obeyed");
    puts("good");
    return 0;
  }
  resize(grow());
  /* One of 32 MiB was freed: glibc has those up to it in its heap. */
  char *one = filled(5 * MIB), *two = filled(5 * MIB);
  if (is_aligned(one) && is_aligned(two)) fail("glibc did not learn");
  if (one < two ? two - one > 6 * MIB : one - two > 6 * MIB)
    fail("blocks of a heap lie side by side");
  char *zeroed = calloc(40, MIB);
  if (!zeroed || !is_aligned(zeroed)) fail("calloc()");
  for (size_t i = 0; i < 40 * MIB; i += 512)
    if (zeroed[i]) fail("is not zeroed");
  char *aligned = aligned_alloc(1 << 16, 40 * MIB);
  if (!aligned || !is_aligned(aligned)) fail("aligned_alloc()");
  if (malloc_usable_size(aligned) < 40 * MIB) fail("malloc_usable_size()");
  free(aligned);
  free(zeroed);
  puts("good");
  return 0;
}
