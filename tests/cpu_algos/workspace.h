/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/cpu_algos/workspace.h -- what the suites of this folder share: a
 * workspace between guard zones, and a plain reference for sorting. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/algo.h"
#include "tests/check.h"

enum { GUARD_BYTES = 4096, GUARD_FILL = 0xa5 };

/* A run whose workspace is exactly that large. */
static inline struct algo_run workspace_of(size_t bytes, uint64_t n,
                                           uint64_t seed) {
  struct algo_run run = {.n = n, .seed = seed, .bytes = bytes};
  size_t all = (run.bytes + 3 * (size_t)GUARD_BYTES - 1) / GUARD_BYTES;
  run.memory = aligned_alloc(GUARD_BYTES, all * GUARD_BYTES);
  if (!run.memory) abort();
  memset(run.memory, GUARD_FILL, all * GUARD_BYTES);
  run.memory += GUARD_BYTES;
  return run;
}

/* A run of `algo`, as large as promised. */
static inline struct algo_run workspace_open(const struct algo *algo,
                                             uint64_t n, uint64_t seed) {
  return workspace_of(algo->bytes(n), n, seed);
}

/* True if nothing was written around the workspace. */
static inline bool workspace_guarded(const struct algo_run *run) {
  size_t tail = GUARD_BYTES - run->bytes % GUARD_BYTES;
  for (size_t i = 0; i < GUARD_BYTES; i++)
    if (run->memory[-1 - (ptrdiff_t)i] != GUARD_FILL) return false;
  for (size_t i = 0; i < tail; i++)
    if (run->memory[run->bytes + i] != GUARD_FILL) return false;
  return true;
}

static inline void workspace_close(struct algo_run *run) {
  free(run->memory - GUARD_BYTES);
}

static inline int compare_keys(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* keys[0..n) in ascending order by qsort(3); the caller frees it. */
static inline uint64_t *sorted_copy(const uint64_t *keys, uint64_t n) {
  uint64_t *copy = malloc((n ? n : 1) * sizeof *copy);
  if (!copy) abort();
  memcpy(copy, keys, n * sizeof *copy);
  qsort(copy, n, sizeof *copy, compare_keys);
  return copy;
}

static inline bool same_keys(const uint64_t *a, const uint64_t *b, uint64_t n) {
  return !n || !memcmp(a, b, n * sizeof *a);
}
