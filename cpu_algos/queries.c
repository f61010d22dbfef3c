/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/queries.h"

#include <string.h>

#include "cpu_algos/quick.h"
#include "cpu_algos/shuffle.h"

uint64_t cpu_queries_key_at(const void *queries, uint64_t position) {
  const struct cpu_queries *keys = queries;
  return keys->sorted ? keys->sorted[position]
                      : cpu_queries_key(keys, position);
}

size_t cpu_queries_bytes(size_t layout, const struct algo_data *given) {
  size_t queries = cpu_keys_array_bytes(given->count), bytes;
  if (!layout || !queries || __builtin_add_overflow(layout, queries, &bytes))
    return 0;
  return bytes;
}

/* Of n random searches: the last position counts as it is, the one before it is
 * subtracted, ... */
static uint64_t sum_of_random(const struct algo_run *run) {
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  uint64_t count = cpu_queries_count(run), signs[2] = {0, 0};
  for (uint64_t i = 0; i < count; i++)
    signs[(count - 1 - i) % 2] += cpu_queries_next(&queries);
  return signs[0] - signs[1];
}

static void shuffle(const struct algo_run *run) {
  cpu_shuffle(cpu_queries_drawn(run), run->n, cpu_keys_seed(run->seed, 1));
}

/* Of a search for each of the keys that are sorted there: they give way to
 * their first positions, which are put into the order of the queries. */
static uint64_t sum_of_each(const struct algo_run *run) {
  uint64_t *at = cpu_queries_drawn(run), first = 0, last = 0, n = run->n;
  uint64_t signs[2] = {0, 0};
  for (uint64_t i = 0; i < n; i++) {
    if (!i || at[i] != last) first = i;
    last = at[i];
    at[i] = first;
  }
  shuffle(run);
  for (uint64_t i = 0; i < n; i++) signs[(n - 1 - i) % 2] += at[i];
  return signs[0] - signs[1];
}

struct cpu_queries cpu_queries_again(const struct algo_run *run) {
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  if (!run->given) return queries;
  uint64_t *keys = cpu_queries_drawn(run);
  if (run->n) memcpy(keys, run->given->items, run->n * sizeof *keys);
  cpu_quick_sort(keys, run->n);
  queries.sorted = keys;
  return queries;
}

void cpu_queries_setup(struct algo_run *run,
                       void (*fill)(struct algo_run *run,
                                    const struct cpu_queries *queries)) {
  struct cpu_queries queries = cpu_queries_again(run);
  fill(run, &queries);
  cpu_keys_expect(run, queries.sorted ? sum_of_each(run) : sum_of_random(run));
  run->fingerprint[1] = queries.first;
  if (!queries.sorted) return;
  cpu_queries_again(run);
  shuffle(run);
}

const char *cpu_queries_check(const struct algo_run *run) {
  if (run->result != run->fingerprint[0])
    return "the searches did not find the positions asked for";
  return NULL;
}

size_t cpu_queries_bytes_array(const struct algo_data *given) {
  return cpu_queries_bytes(cpu_keys_array_bytes(given->count), given);
}

static void fill_array(struct algo_run *run,
                       const struct cpu_queries *queries) {
  uint64_t *keys = cpu_keys(run);
  for (uint64_t i = 0; i < run->n; i++)
    keys[i] = cpu_queries_key_at(queries, i);
}

void cpu_queries_setup_array(struct algo_run *run) {
  cpu_queries_setup(run, fill_array);
}
