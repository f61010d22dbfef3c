/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/queries.h -- the sorted keys of the searches, and what is searched
 * in them.
 *
 * Key i is `first + i * gap`, so that the key at a random position is computed
 * and not loaded: a query touches nothing but the keys it searches.  However
 * they are laid out, the answer is the sum of the positions asked for, in
 * sorted order; so all searches of (n, seed) have the same.
 */
#ifndef CPU_ALGOS_QUERIES_H
#define CPU_ALGOS_QUERIES_H
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"

struct cpu_queries {
  struct cpu_random random;
  uint64_t n;
  uint64_t first;
  uint64_t gap;
};

/* The array and the queries of (n, seed); the keys span the 64-bit range. */
static inline struct cpu_queries cpu_queries_of(uint64_t n, uint64_t seed) {
  struct cpu_queries queries;
  queries.random.state = cpu_keys_seed(seed, 1);
  queries.n = n;
  queries.gap = n ? UINT64_MAX / n : 1;
  queries.first = cpu_keys_seed(seed, 0) % queries.gap;
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

/* The same key, as layouts ask for it; `queries` is a struct cpu_queries. */
uint64_t cpu_queries_key_at(const void *queries, uint64_t position);

/* For algo.setup: what run has to leave in run->result; and for algo.check. */
void cpu_queries_expect(struct algo_run *run);
const char *cpu_queries_check(const struct algo_run *run);
#endif
