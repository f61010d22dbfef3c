/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/list_ranking.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "cpu_algos/say.h"
#include "cpu_algos/shuffle.h"

/* Each element but the first is a successor, and -1 is one: so this is what the
 * sum of all elements exceeds that of all successors by, less 1. */
uint64_t cpu_list_first(const int64_t *successors, uint64_t n) {
  uint64_t sum = UINT64_MAX;
  for (uint64_t i = 0; i < n; i++) sum += i - (uint64_t)successors[i];
  return sum;
}

void cpu_list_order(const struct algo_run *run, uint64_t *order) {
  const uint64_t n = run->n;
  if (run->given && n) {
    const int64_t *successors = run->given->items;
    uint64_t at = cpu_list_first(successors, n);
    for (uint64_t i = 0; i < n; i++) {
      order[i] = at;
      at = (uint64_t)successors[at];
    }
    return;
  }
  for (uint64_t i = 0; i < n; i++) order[i] = i;
  cpu_shuffle(order, n, cpu_keys_seed(run->seed, 0));
}

uint64_t cpu_list_print(uint64_t element, int64_t rank) {
  uint64_t weight = cpu_random_mix(element + CPU_RANDOM_STEP) | 1;
  return cpu_random_mix((uint64_t)rank ^ weight) * weight;
}

void cpu_list_expect(struct algo_run *run, const uint64_t *order) {
  uint64_t print = 0;
  for (uint64_t i = 0; i < run->n; i++)
    print += cpu_list_print(order[i], (int64_t)(run->n - 1 - i));
  run->fingerprint[0] = print;
  run->fingerprint[1] = 0;
}

const char *cpu_list_differs(const struct algo_run *run, uint64_t print) {
  if (print == run->fingerprint[0]) return NULL;
  return "the ranks are not the distances to the end of the list";
}

/* Fill in before[0..n), each element's predecessor or -1. */
static const char *find_predecessors(const int64_t *successors, uint64_t n,
                                     int64_t *before) {
  uint64_t last = n;
  for (uint64_t i = 0; i < n; i++) before[i] = -1;
  for (uint64_t i = 0; i < n; i++) {
    int64_t next = successors[i];
    if (next < -1 || (next >= 0 && (uint64_t)next >= n))
      return cpu_say("the successor of element %" PRIu64 " is %" PRId64
                     ", neither -1 nor one of the %" PRIu64 " elements",
                     i, next, n);
    if (next < 0 && last < n)
      return cpu_say("elements %" PRIu64 " and %" PRIu64
                     " both end a list: there is to be one",
                     last, i);
    if (next >= 0 && before[next] >= 0)
      return cpu_say("elements %" PRId64 " and %" PRIu64
                     " both have element %" PRId64 " as successor",
                     before[next], i, next);
    if (next < 0)
      last = i;
    else
      before[next] = (int64_t)i;
  }
  return NULL;
}

/*
 * Where no two elements share a successor there is at most one list, which
 * begins where there is no predecessor, and all else is cycles.
 */
static const char *find_cycle(const int64_t *successors, uint64_t n,
                              int64_t *before) {
  uint64_t first = 0, i = 0;
  while (first < n && before[first] >= 0) first++;
  for (int64_t at = first < n ? (int64_t)first : -1; at >= 0;
       at = successors[at])
    before[at] = -1;
  while (i < n && before[i] < 0) i++;
  if (i == n) return NULL;
  return cpu_say("element %" PRIu64 " is part of a cycle, which never ends", i);
}

const char *cpu_list_refuse(const struct algo_data *given) {
  if (!given->count) return NULL;
  int64_t *before = calloc(given->count, sizeof *before);
  if (!before) return "there is no memory left to check the list";
  const char *why = find_predecessors(given->items, given->count, before);
  if (!why) why = find_cycle(given->items, given->count, before);
  free(before);
  return why;
}
