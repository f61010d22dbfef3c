/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two tables of small nodes that one function allocates, called through two:
 * only the chain of calls tells which is which; and large blocks in the same
 * way.  deep NODES BYTES [PROG...]: prints the return addresses of the hot
 * chain, then the kB of huge pages of hot and cold memory, and executes PROG.
 * Where a "+" follows BYTES, large blocks then grow to eight times as many.
 */
#include <execinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
  struct node *next;
  long value[3];
};

extern char __executable_start;
static int print_chain = 1;

/* Where the program lies at a fixed address, its address is one within it. */
static void *(*volatile named)(size_t);

/* The address that allocate() returns to, and the one behind. */
__attribute__((noinline)) static void show(void) {
  void *stack[4];
  int count = backtrace(stack, 4);
  for (int i = 2; i < count && i < 4; i++)
    printf("%lu ", (unsigned long)((char *)stack[i] - &__executable_start));
  puts("");
  print_chain = 0;
}

__attribute__((noinline)) static void *allocate(size_t bytes, int hot) {
  void *at = malloc(bytes);
  if (hot && print_chain) show();
  if (at) memset(at, 0, bytes);
  return at;
}

__attribute__((noinline)) static void *hot(size_t bytes) {
  void *at = allocate(bytes, 1);
  __asm__ volatile("" : "+r"(at));
  return at;
}

__attribute__((noinline)) static void *cold(size_t bytes) {
  void *at = allocate(bytes, 0);
  __asm__ volatile("" : "+r"(at));
  return at;
}

/* Of the mapping that holds `at`: the kB on huge pages; -1: not found. */
static long huge_at(const void *at) {
  char line[512];
  unsigned long start, end;
  long huge = -1;
  int inside = 0;
  FILE *smaps = fopen("/proc/self/smaps", "r");
  while (smaps && fgets(line, sizeof line, smaps)) {
    if (sscanf(line, "%lx-%lx ", &start, &end) == 2 && strchr(line, ':'))
      inside = (uintptr_t)at >= start && (uintptr_t)at < end;
    if (inside && sscanf(line, "AnonHugePages: %ld", &huge) == 1) break;
  }
  if (smaps) fclose(smaps);
  return huge;
}

static void *grow(void *block, size_t from, size_t to) {
  char *at = realloc(block, to);
  if (!at || at[from - 1]) abort();
  return memset(at, 0, to);
}

int main(int argc, char **argv) {
  char *plus = NULL;
  long nodes = argc > 1 ? atol(argv[1]) : 100000;
  size_t bytes = argc > 2 ? strtoul(argv[2], &plus, 10) : 0;
  struct node *of_hot = NULL, *of_cold = NULL;
  setvbuf(stdout, NULL, _IOLBF, 0);
  named = malloc;
  for (long i = 0; i < nodes; i++) {
    struct node *node = hot(sizeof *node);
    node->next = of_hot;
    of_hot = node;
    node = cold(sizeof *node);
    node->next = of_cold;
    of_cold = node;
  }
  printf("nodes: hot %ld cold %ld\n", huge_at(of_hot), huge_at(of_cold));
  if (bytes) {
    void *large = hot(bytes), *other = cold(bytes);
    if (*plus) large = grow(large, bytes, bytes * 8);
    if (*plus) other = grow(other, bytes, bytes * 8);
    printf("blocks: hot %ld cold %ld\n", huge_at(large), huge_at(other));
  }
  if (argc > 3) execv(argv[3], argv + 3);
  return 0;
}
