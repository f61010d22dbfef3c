/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/lists/lists.h"

#include "cpu_algos/list_ranking.h"
#include "gpu_algos/words.h"

/* The third array and the fourth, as numbers of 64 bits. */
static uint64_t *wide(const struct algo_run *run) {
  return (uint64_t *)(void *)gpu_words(run, 2);
}

void gpu_list_setup(struct algo_run *run) {
  uint32_t *next = gpu_words(run, 0);
  uint64_t *order = wide(run);
  gpu_words_clear(next, run->n);
  cpu_list_order(run, order);
  cpu_list_expect(run, order);
  for (uint64_t i = 0; i < run->n; i++)
    next[order[i]] = i + 1 < run->n ? (uint32_t)order[i + 1] : UINT32_MAX;
}

const char *gpu_list_check(const struct algo_run *run) {
  uint64_t print = 0;
  for (uint64_t i = 0; i < run->n; i++)
    print += cpu_list_print(i, gpu_words(run, 1)[i]);
  return cpu_list_differs(run, print);
}

void gpu_list_answer(const struct algo_run *run, struct algo_data *answer) {
  for (uint64_t i = 0; i < run->n; i++) wide(run)[i] = gpu_words(run, 1)[i];
  *answer = (struct algo_data){.count = run->n, .items = wide(run)};
}
