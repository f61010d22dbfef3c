/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs do with memory that vat exec puts on larger pages: each says
 * "good", or what is wrong.  memory_cases CASE */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

static void fail(const char *what) {
  printf("%s (%s)\n", what, strerror(errno));
  exit(1);
}

__attribute__((noinline)) static char *make(void *had, size_t bytes) {
  char *block = realloc(had, bytes);
  if (!block) fail("no memory");
  __asm__ volatile("" ::"r"(block));
  return block;
}

static char *map(size_t bytes) {
  char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) fail("no mapping");
  return at;
}

/* Both write all that they share, the child what was not touched, too. */
static void case_fork(void) {
  size_t bytes = 34 * MIB;
  char *block = make(NULL, bytes), *mapping = map(4 * MIB);
  memset(block, 1, bytes - 4 * MIB);
  memset(mapping, 1, 4 * MIB);
  pid_t child = fork();
  if (!child) {
    for (size_t i = 0; i < bytes; i += 4096)
      if (block[i] != (i < bytes - 4 * MIB)) _exit(3);
    memset(block, 2, bytes);
    memset(mapping, 2, 4 * MIB);
    munmap(mapping, 4 * MIB);
    free(block);
    _exit(7);
  }
  memset(block, 3, bytes);
  int status;
  if (waitpid(child, &status, 0) != child) fail("no child");
  if (status != 7 << 8) fail("the child did not end well");
  for (size_t i = 0; i < bytes; i += 4096)
    if (block[i] != 3) fail("the child wrote to its parent's memory");
}

/* Of parts of huge pages. */
static void case_parts(void) {
  char *at = map(8 * MIB);
  memset(at, 1, 8 * MIB);
  if (mprotect(at + 4096, 4096, PROT_NONE)) fail("mprotect()");
  if (madvise(at + 3 * MIB, 4096, MADV_DONTNEED)) fail("madvise()");
  if (madvise(at + 4 * MIB, 4096, MADV_DONTNEED)) fail("madvise(), whole");
  if (at[3 * MIB] || at[4 * MIB] || !at[3 * MIB + 4096] || !at[3 * MIB - 1])
    fail("what was discarded is not zero, or more was");
  if (mmap(at + 6 * MIB + 8192, 4096, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    fail("a fixed mapping");
  if (at[6 * MIB + 8192] || at[0] != 1 || at[8192] != 1 || at[7 * MIB] != 1)
    fail("other contents");
  if (munmap(at, 8 * MIB)) fail("munmap()");
}

static long statm(int field) {
  long pages[2] = {0};
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &pages[0], &pages[1]) != 2)
    fail("/proc/self/statm");
  fclose(file);
  return pages[field] * (sysconf(_SC_PAGESIZE) / 1024) / 1024;
}

/* Each would leave the rest of 2 MiB, or what its length is rounded up by. */
static void case_small(void) {
  static const size_t sizes[] = {1100 << 10, MIB + 4096, 300 << 10};
  long had[2] = {statm(0), statm(1)};
  for (int i = 0; i < 60; i++) {
    size_t bytes = sizes[i % 3];
    char *at = map(bytes), *other = map(bytes);
    memset(at, 1, bytes);
    memset(other, 1, bytes);
    munmap(i & 1 ? other : at, bytes);
    munmap(i & 1 ? at : other, bytes / 8192 * 4096);
    munmap((i & 1 ? at : other) + bytes / 8192 * 4096,
           bytes - bytes / 8192 * 4096);
  }
  if (statm(0) - had[0] > 4) fail("addresses are left");
  if (statm(1) - had[1] > 4) fail("memory is left");
}

/* Little by little, to more than half of the limit of addresses. */
static void case_grow(void) {
  char *block = NULL;
  for (size_t mib = 40; mib <= 120; mib += 8) {
    block = make(block, mib * MIB);
    if (mib > 40 && block[(mib - 9) * MIB] != (char)(mib - 8))
      fail("other contents");
    memset(block + (mib - 1) * MIB, (int)mib, MIB);
  }
  free(block);
  block = make(NULL, 64 * MIB);
  free(block);
}

static void case_shrink(void) {
  char *block = make(NULL, 96 * MIB);
  memset(block, 5, 96 * MIB);
  long had = statm(1);
  block = make(block, 49 * MIB);
  if (had - statm(1) < 44) fail("memory is kept");
  if (block[49 * MIB - 1] != 5) fail("other contents");
  block = make(block, 5 * MIB);
  if (had - statm(1) < 88) fail("more memory is kept");
  if (block[5 * MIB - 1] != 5) fail("other contents");
  block = make(block, 60 * MIB);
  memset(block, 6, 60 * MIB);
  free(block);
  if (statm(1) > had - 88) fail("all of it is kept");
}

/* What malloc() maps and what the program does. */
static void case_both(void) {
  char *block = make(NULL, 34 * MIB), *mapping = map(16 * MIB);
  memset(block, 1, 34 * MIB);
  memset(mapping, 1, 16 * MIB);
}

__attribute__((noinline)) static char *map_piece(size_t bytes) {
  char *at = map(bytes);
  __asm__ volatile("" ::"r"(at));
  return at;
}

/* Smaller than a huge page: two share one, or it has no room for another. */
static void case_pieces(void) {
  static const size_t sizes[] = {MIB, 15 * MIB / 8};
  for (int i = 0; i < 32; i++)
    memset(map_piece(sizes[i / 16]), 1, sizes[i / 16]);
}

/* Of a mapping, the ends go; of another, the middle is mapped anew. */
static void case_carve(void) {
  char *at = map(20 * MIB), *other = map(8 * MIB);
  char *first = (char *)(((uintptr_t)at + 2 * MIB - 1) & -(uintptr_t)(2 * MIB));
  memset(at, 1, 20 * MIB);
  if (first > at) munmap(at, (size_t)(first - at));
  munmap(first + 16 * MIB, (size_t)(at + 4 * MIB - first));
  if (mmap(other + 2 * MIB, 4 * MIB, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    fail("a fixed mapping");
  memset(other, 1, 8 * MIB);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } cases[] = {{"fork", case_fork},     {"parts", case_parts},
               {"small", case_small},   {"grow", case_grow},
               {"shrink", case_shrink}, {"both", case_both},
               {"pieces", case_pieces}, {"carve", case_carve}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc > 1 && !strcmp(argv[1], cases[i].name)) {
      cases[i].run();
      puts("good");
      return 0;
    }
  return 2;
}
