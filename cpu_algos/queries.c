/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/queries.h"

uint64_t cpu_queries_key_at(const void *queries, uint64_t position) {
  return cpu_queries_key(queries, position);
}

void cpu_queries_expect(struct algo_run *run) {
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  uint64_t count = cpu_queries_count(run), sum = 0;
  for (uint64_t i = 0; i < count; i++) sum += cpu_queries_next(&queries);
  cpu_keys_expect(run, sum);
  run->fingerprint[1] = queries.first;
}

const char *cpu_queries_check(const struct algo_run *run) {
  if (run->result != run->fingerprint[0])
    return "the searches did not find the positions asked for";
  return NULL;
}
