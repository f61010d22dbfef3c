/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/queries.h -- the sorted keys of the searches, and what is searched
 * in them.
 *
 * Key i is `first + i * gap`, so that the key at a random position is computed
 * and not loaded: a query touches nothing but the keys it searches.  However
 * they are laid out, the result is made of the positions asked for, in sorted
 * order; so all searches of (n, seed) have the same.  It is their sum with
 * alternating signs, which depends on the order of the queries.
 *
 * Keys from outside are sorted by setup, and each is searched once, in random
 * order: the queries are an array behind the layout that is read from left to
 * right.  Of equal keys the first position counts.
 */
#pragma once
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"

struct cpu_queries {
  struct cpu_random random;
  uint64_t n;
  uint64_t first;
  uint64_t gap;
  const uint64_t *sorted; /* keys from outside; NULL: computed as above */
};

/* The array and the queries of (n, seed); the keys span the 64-bit range. */
static inline struct cpu_queries cpu_queries_of(uint64_t n, uint64_t seed) {
  struct cpu_queries queries;
  queries.random.state = cpu_keys_seed(seed, 1);
  queries.n = n;
  queries.gap = n ? UINT64_MAX / n : 1;
  queries.first = cpu_keys_seed(seed, 0) % queries.gap;
  queries.sorted = NULL;
  return queries;
}

static inline uint64_t cpu_queries_key(const struct cpu_queries *queries,
                                       uint64_t position) {
  return queries->first + position * queries->gap;
}

/* How many searches a run makes. */
static inline uint64_t cpu_queries_count(const struct algo_run *run) {
  return run->n && run->searches ? run->searches : run->n;
}

/* The position whose key is searched next; n > 0. */
static inline uint64_t cpu_queries_next(struct cpu_queries *queries) {
  return cpu_random_below(&queries->random, queries->n);
}

/* Any of the keys, as layouts ask for it; `queries` is a struct cpu_queries. */
uint64_t cpu_queries_key_at(const void *queries, uint64_t position);

/* The queries behind the layout, where keys come from outside. */
static inline uint64_t *cpu_queries_drawn(const struct algo_run *run) {
  return (uint64_t *)(void *)(run->memory + run->bytes) - run->n;
}

/* For algo.bytes_given: a layout of these bytes (0: overflow), and queries. */
size_t cpu_queries_bytes(size_t layout, const struct algo_data *given);

/*
 * For algo.setup: have `fill` lay out the keys of `queries`, and find out what
 * run has to leave in run->result; for algo.check; and after the last run: the
 * keys anew, those from outside sorted where the queries were.
 */
void cpu_queries_setup(struct algo_run *run,
                       void (*fill)(struct algo_run *run,
                                    const struct cpu_queries *queries));
const char *cpu_queries_check(const struct algo_run *run);

/* Both, where the layout is the sorted array itself. */
size_t cpu_queries_bytes_array(const struct algo_data *given);
void cpu_queries_setup_array(struct algo_run *run);

struct cpu_queries cpu_queries_again(const struct algo_run *run);

/*
 * For algo.run: the sum, with signs, of what `position(tree, wanted)` finds.
 * Inlined where it is called, with `position`, as the loop is what is timed.
 */
static inline __attribute__((always_inline)) uint64_t cpu_queries_sum(
    const struct algo_run *run,
    uint64_t (*position)(const void *tree, uint64_t wanted), const void *tree) {
  uint64_t sum = 0;
  if (run->given) {
    const uint64_t *wanted = cpu_queries_drawn(run);
    for (uint64_t i = 0; i < run->n; i++) sum = position(tree, wanted[i]) - sum;
    return sum;
  }
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  uint64_t count = cpu_queries_count(run);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t at = cpu_queries_next(&queries);
    sum = position(tree, cpu_queries_key(&queries, at)) - sum;
  }
  return sum;
}
