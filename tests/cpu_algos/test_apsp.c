/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/apsp.h"
#include "cpu_algos/graph.h"
#include "cpu_algos/random.h"
#include "tests/cpu_algos/workspace.h"

#define NONE CPU_APSP_NONE

enum { MOST = 24, ROUNDS = 2000 };

static void test_by_hand(void) {
  /* 0 -> 1 -> 2 -> 0 and a longer way from 0 to 2; 3 leads to 0 alone. */
  int32_t distances[] = {0, 3,    9, NONE, NONE, 0,    4,    NONE,
                         1, NONE, 0, NONE, 5,    NONE, NONE, 0};
  static const int32_t expected[] = {0, 3, 7, NONE, 5, 0, 4,  NONE,
                                     1, 4, 0, NONE, 5, 8, 12, 0};
  cpu_apsp_floyd(distances, 4);
  CU_ASSERT_TRUE(!memcmp(distances, expected, sizeof expected));
  cpu_apsp_floyd(NULL, 0);
}

/* Bellman and Ford: edges relaxed until nothing changes. */
static void relax(const int32_t *edges, uint64_t n, uint64_t source,
                  int64_t *distances) {
  for (uint64_t i = 0; i < n; i++) distances[i] = i == source ? 0 : INT64_MAX;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint64_t i = 0; i < n; i++)
      for (uint64_t j = 0; j < n; j++) {
        if (distances[i] == INT64_MAX || edges[i * n + j] == NONE) continue;
        int64_t length = distances[i] + edges[i * n + j];
        if (length >= distances[j]) continue;
        distances[j] = length;
        changed = true;
      }
  }
}

static bool same_row(const int32_t *row, const int64_t *distances, uint64_t n) {
  for (uint64_t j = 0; j < n; j++)
    if (row[j] != (distances[j] == INT64_MAX ? NONE : distances[j]))
      return false;
  return true;
}

/* Sparse graphs and dense ones, with edges of length 0 and very long ones. */
static void test_random_graphs(void) {
  struct cpu_random random = {17};
  for (unsigned round = 0; round < ROUNDS; round++) {
    int32_t edges[MOST * MOST], answer[MOST * MOST];
    uint64_t n = cpu_random_below(&random, MOST + 1);
    uint64_t most = round % 2 ? 10 : NONE / MOST;
    uint64_t dense = cpu_random_below(&random, 1000);
    for (uint64_t i = 0; i < n * n; i++) {
      edges[i] = (int32_t)cpu_random_below(&random, most);
      if (cpu_random_below(&random, 1000) > dense) edges[i] = NONE;
      if (i % (n + 1) == 0) edges[i] = 0;
    }
    memcpy(answer, edges, sizeof answer);
    cpu_apsp_floyd(answer, n);
    for (uint64_t i = 0; i < n; i++) {
      int64_t distances[MOST];
      relax(edges, n, i, distances);
      CU_ASSERT_TRUE(same_row(answer + i * n, distances, n));
    }
  }
}

/* The algorithm's own graphs, against the same; some pairs have no path. */
static void test_own_graphs(void) {
  const struct algo *algo = cpu_algo_find("apsp_floyd");
  for (uint64_t n = 1; n <= 200; n = 2 * n + 1) {
    struct algo_run run = workspace_open(algo, n, n);
    const int32_t *answer = (const int32_t *)(void *)run.memory;
    int32_t *edges = malloc(run.bytes);
    int64_t distances[255];
    uint64_t none = 0, edge_count = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(edges);
    algo->setup(&run);
    memcpy(edges, answer, n * n * sizeof *edges);
    algo->run(&run);
    for (uint64_t i = 0; i < n; i++) {
      relax(edges, n, i, distances);
      CU_ASSERT_TRUE(same_row(answer + i * n, distances, n));
    }
    for (uint64_t i = 0; i < n * n; i++) {
      none += answer[i] == NONE;
      edge_count += edges[i] && edges[i] != NONE;
    }
    CU_ASSERT_TRUE(n < 100 || (none > n && none < n * n / 2));
    CU_ASSERT_TRUE(n < 100 || (edge_count > n && edge_count < 3 * n));
    free(edges);
    workspace_close(&run);
  }
}

/* Graphs from outside, with edges of length 0 and parallel ones; and answers
 * that are off somewhere. */
static void test_given_graphs(void) {
  const struct algo *algo = cpu_algo_find("apsp_floyd");
  struct cpu_random random = {23};
  for (unsigned round = 0; round < 200; round++) {
    struct cpu_graph_edge edges[4 * MOST];
    uint64_t n = cpu_random_below(&random, MOST) + 2;
    struct algo_data given = {.rows = n, .items = edges};
    given.count = cpu_random_below(&random, 4 * MOST);
    for (uint64_t i = 0; i < given.count; i++) {
      edges[i].from = (uint32_t)cpu_random_below(&random, n);
      edges[i].to =
          (uint32_t)(edges[i].from + 1 + cpu_random_below(&random, n - 1)) %
          (uint32_t)n;
      edges[i].weight = (int64_t)cpu_random_below(&random, 4);
    }
    struct algo_run run = workspace_of(algo->bytes_given(&given), n, 1);
    run.given = &given;
    algo->setup(&run);
    algo->run(&run);
    CU_ASSERT_PTR_NULL(algo->check(&run));
    int32_t *distances = (int32_t *)(void *)run.memory;
    int32_t *one = &distances[cpu_random_below(&random, n * n)];
    int32_t right = *one;
    *one = right ? right - 1 : 1;
    CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
    *one = right == NONE ? 5 : NONE;
    CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
    *one = right;
    CU_ASSERT_PTR_NULL(algo->check(&run));
    CU_ASSERT_TRUE(workspace_guarded(&run));
    workspace_close(&run);
  }
}

static const struct check_test tests[] = {
    {"four vertices, by hand", test_by_hand},
    {"distances are those that relaxing finds", test_random_graphs},
    {"also in the graphs that are measured", test_own_graphs},
    {"and in those from outside", test_given_graphs},
    {NULL, NULL},
};
extern const struct check_suite suite_apsp;
const struct check_suite suite_apsp = {"apsp", tests, NULL};
