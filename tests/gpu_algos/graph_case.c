/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/gpu_algos/graph_case.h"

#include <stdio.h>
#include <string.h>

#include "cpu_algos/random.h"

const struct algo *graph_case_algo(const struct graph_case *c) {
  return gpu_tested()->algos[gpu_index(c->name)];
}

struct algo_run graph_case_run(const struct graph_case *c,
                               const struct algo_data *given) {
  const struct algo *algo = graph_case_algo(c);
  struct gpu_case on_emu = {.set = gpu_tested(),
                            .runs = c->runs,
                            .index = gpu_index(c->name),
                            .n = cpu_given_n(given)};
  size_t bytes = cpu_algo_bytes(algo, on_emu.n, given);
  CU_ASSERT_FATAL(bytes > 0);
  struct algo_run run = workspace_of(bytes, on_emu.n, 0);
  run.given = given;
  run.gpu.block_threads = c->block_threads;
  run.gpu.dummy_shared = c->dummy_shared;
  algo->setup(&run);
  gpu_case_run(&on_emu, &run);
  return run;
}

void graph_case_expect(const struct graph_case *c,
                       const struct algo_data *given,
                       const struct algo_data *expected, size_t item_bytes) {
  const struct algo *algo = graph_case_algo(c);
  CU_ASSERT_PTR_NULL(algo->refuse(given));
  struct algo_run run = graph_case_run(c, given);
  struct algo_data answer;
  const char *wrong = algo->check(&run);
  algo->answer(&run, &answer);
  bool same = answer.count == expected->count &&
              !memcmp(answer.items, expected->items, answer.count * item_bytes);
  CU_ASSERT_TRUE(same && !wrong);
  if (!same || wrong)
    fprintf(stderr, "%s n=%llu m=%llu, %u threads, %u bytes less: %s\n",
            c->name, (unsigned long long)given->rows,
            (unsigned long long)given->count, c->block_threads, c->dummy_shared,
            wrong ? wrong : "not as expected");
  workspace_close(&run);
}

struct algo_data graph_case_random(uint64_t round,
                                   struct cpu_graph_edge edges[GRAPH_EDGES]) {
  struct cpu_random random = {.state = round};
  uint64_t n = cpu_random_below(&random, round % 10 ? 40 : GRAPH_MOST) + 1;
  uint64_t m = n > 1 ? cpu_random_below(&random, n * (1 + round % 7)) : 0;
  for (uint64_t i = 0; i < m; i++) {
    uint64_t from = cpu_random_below(&random, n);
    uint64_t to = cpu_random_below(&random, n - 1);
    edges[i] = (struct cpu_graph_edge){
        (uint32_t)from, (uint32_t)(to + (to >= from)),
        (int64_t)cpu_random_below(&random, round % 3 ? 1000 : 3)};
  }
  return (struct algo_data){.count = m, .rows = n, .items = edges};
}
