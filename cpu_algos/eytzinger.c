/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/eytzinger.h"

#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"

size_t cpu_eytzinger_bytes(uint64_t n) { return cpu_keys_bytes(n, 1, 1); }

struct cpu_eytzinger cpu_eytzinger_of(const uint64_t *tree, uint64_t n) {
  struct cpu_eytzinger e = {tree, n, 0};
  while ((UINT64_C(2) << e.full) - 1 <= n) e.full++;
  return e;
}

/*
 * Level by level, so from left to right.  Were the last level full, node i of
 * a level would have 2^height - 1 keys in its subtree and the middle one's
 * position in all.  Every second position is one of the last level, where only
 * the first `last` are there; the absent ones before it are subtracted.
 */
void cpu_eytzinger_fill(uint64_t *tree, uint64_t n,
                        uint64_t (*key)(const void *source, uint64_t i),
                        const void *source) {
  struct cpu_eytzinger e = cpu_eytzinger_of(tree, n);
  uint64_t last = n + 1 - (UINT64_C(1) << e.full);
  tree[0] = 0;
  for (unsigned level = 0; level <= e.full; level++) {
    uint64_t first = UINT64_C(1) << level;
    unsigned height = e.full + 1 - level;
    for (uint64_t i = 0; i < first && first + i <= n; i++) {
      uint64_t position = (i << height) + (UINT64_C(1) << (height - 1)) - 1;
      uint64_t leaves = (position + 1) / 2; /* of the last level, before it */
      uint64_t absent = leaves > last ? leaves - last : 0;
      tree[first + i] = key(source, position - absent);
    }
  }
}

static void fill(struct algo_run *run, const struct cpu_queries *queries) {
  cpu_eytzinger_fill(cpu_keys(run), run->n, cpu_queries_key_at, queries);
}

void cpu_eytzinger_setup(struct algo_run *run) { cpu_queries_setup(run, fill); }

size_t cpu_eytzinger_bytes_given(const struct algo_data *given) {
  return cpu_queries_bytes(cpu_eytzinger_bytes(given->count), given);
}

void cpu_eytzinger_answer(const struct algo_run *run,
                          struct algo_data *answer) {
  *answer = (struct algo_data){.count = run->n, .items = cpu_keys(run) + 1};
}
