/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/memory/node_pages.h"

#include <config.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "experiments/cli/memory.h"

int word_list_add(struct word_list *list, uint64_t word) {
  if (list->count == list->capacity) {
    size_t old = list->capacity * sizeof word;
    size_t bytes = old ? 2 * old : (size_t)64 << 10;
    void *grown = old ? mremap(list->at, old, bytes, MREMAP_MAYMOVE)
                      : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (grown == MAP_FAILED) return -1;
    list->at = grown;
    list->capacity = bytes / sizeof word;
  }
  list->at[list->count++] = word;
  return 0;
}

void word_list_fini(struct word_list *list) {
  if (list->at) munmap(list->at, list->capacity * sizeof *list->at);
  *list = (struct word_list){0};
}

/* Most nodes lie on the pages of the one before, or right behind. */
int node_pages_add(struct node_pages *pages, const void *node, size_t bytes) {
  struct word_list *runs = &pages->runs;
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t start = (uintptr_t)node / page * page;
  uint64_t end = ((uintptr_t)node + bytes + page - 1) / page * page;
  if (runs->count) {
    uint64_t *last = &runs->at[runs->count - 2];
    if (start >= last[0] && start <= last[1]) {
      if (end > last[1]) last[1] = end;
      return 0;
    }
  }
  if (word_list_add(runs, start)) return -1;
  if (!word_list_add(runs, end)) return 0;
  runs->count--; /* half a run is none */
  return -1;
}

static int compare(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* The runs ascending, those joined that overlap or touch. */
static void join(struct word_list *runs) {
  size_t made = 0;
  qsort(runs->at, runs->count / 2, 2 * sizeof *runs->at, compare);
  for (size_t i = 0; i < runs->count; i += 2) {
    if (made && runs->at[i] <= runs->at[made - 1]) {
      if (runs->at[i + 1] > runs->at[made - 1])
        runs->at[made - 1] = runs->at[i + 1];
      continue;
    }
    runs->at[made++] = runs->at[i];
    runs->at[made++] = runs->at[i + 1];
  }
  runs->count = made;
}

int node_pages_verify(struct node_pages *pages, struct hp_granted *granted) {
  struct word_list *runs = &pages->runs;
  if (!runs->count) return 0;
  join(runs);
  size_t count = runs->count / 2;
  struct hp_range *ranges = memory_zeroed(count, sizeof *ranges);
  for (size_t i = 0; i < count; i++)
    ranges[i] = (struct hp_range){(uintptr_t)runs->at[2 * i],
                                  (uintptr_t)runs->at[2 * i + 1]};
  int failed = hp_pages_verify(ranges, count, granted);
  free(ranges);
  return failed;
}

void node_pages_fini(struct node_pages *pages) { word_list_fini(&pages->runs); }
