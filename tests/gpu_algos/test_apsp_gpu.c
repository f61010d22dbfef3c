/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All pairs' shortest paths: graphs from outside, against Floyd's algorithm. */
#include <string.h>

#include "cpu_algos/apsp.h"
#include "cpu_algos/random.h"
#include "gpu_algos/gpu_algo.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/graph_case.h"

#define NONE CPU_APSP_NONE

enum { GRAPHS = 200 };

static struct cpu_graph_edge edges[GRAPH_EDGES];
static int32_t expected[GRAPH_MOST * GRAPH_MOST];

/* Blocks of two warps: the graphs are small, and the usual blocks are others'.
 */
static void expect_distances(const struct gpu_set *runs, const char *name,
                             const struct algo_data *given) {
  struct graph_case c = {runs, name, 64, 0};
  struct algo_data all = {.count = given->rows * given->rows,
                          .items = expected};
  graph_case_expect(&c, given, &all, sizeof *expected);
}

static int64_t height(uint64_t round, uint32_t vertex) {
  return (int64_t)(cpu_random_at(round, vertex) >> 54);
}

/* On hills, where `hilly`, each way up is longer and each way down shorter. */
static void expect_floyd(const struct algo_data *given, uint64_t round,
                         bool hilly) {
  const uint64_t n = given->rows;
  for (uint64_t i = 0; i < n * n; i++)
    expected[i] = i % (n + 1) ? CPU_APSP_NONE : 0;
  for (uint64_t i = 0; i < given->count; i++) {
    int32_t *length = &expected[edges[i].from * n + edges[i].to];
    if (edges[i].weight < *length) *length = (int32_t)edges[i].weight;
  }
  cpu_apsp_floyd(expected, n);
  for (uint64_t i = 0; hilly && i < n * n; i++)
    if (expected[i] != CPU_APSP_NONE)
      expected[i] += (int32_t)(height(round, (uint32_t)(i % n)) -
                               height(round, (uint32_t)(i / n)));
  for (uint64_t i = 0; hilly && i < given->count; i++)
    edges[i].weight +=
        height(round, edges[i].to) - height(round, edges[i].from);
}

static struct algo_data random_graph(uint64_t round, bool hilly) {
  struct algo_data given = graph_case_random(round, edges);
  expect_floyd(&given, round, hilly);
  return given;
}

static const char *const names[] = {"apsp_matmul", "bellman_ford",
                                    "johnson_array", "johnson_heap"};
enum { SIGNED = 2, NAMES = 4 };

static void on_random_graphs(const struct gpu_set *runs, uint64_t count) {
  if (check_is_brief()) count /= 4;
  for (uint64_t round = 0; round < count; round++) {
    bool hilly = round % 4 == 3;
    struct algo_data given = random_graph(round, hilly);
    simt_set_order(round % 2 ? SIMT_REVERSE : SIMT_FORWARD);
    for (size_t i = 0; i < (hilly ? SIGNED : NAMES); i++)
      expect_distances(runs, names[i], &given);
  }
  simt_set_order(SIMT_FORWARD);
}

static void test_floyd(void) { on_random_graphs(gpu_tested(), GRAPHS); }

static void test_floyd_counted(void) {
  on_random_graphs(gpu_counted(), GRAPHS / 4);
}

/* Of more than so many vertices, and not many more. */
static struct algo_data graph_of_over(uint64_t vertices) {
  struct algo_data given;
  uint64_t round = 0;
  do given = random_graph(round += 10, false);
  while (given.rows <= vertices || given.rows > vertices + 8 ||
         given.count <= 100);
  return given;
}

/* More than one sub-block of any size, and than a warp; arrays that do not fit.
 * Of the combinations that they take one in `every` runs: each thread count
 * and, of those that take them all, each size of shared memory. */
static void in_blocks(const struct gpu_set *runs, size_t every) {
  static const unsigned threads[] = {0, 32, 64, 96, 128, 256, 512, 1024};
  static const unsigned dummies[] = {0,       36 << 10, 45 << 10,
                                     95 << 9, 48 << 10, 100000};
  unsigned taken = 0;
  for (size_t i = 0; i < NAMES; i++) {
    struct algo_data given = graph_of_over(i ? 32 : 64);
    struct algo_data all = {.count = given.rows * given.rows,
                            .items = expected};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
      for (size_t d = 0; d < sizeof dummies / sizeof *dummies; d++) {
        struct graph_case c = {runs, names[i], threads[t], dummies[d]};
        if (graph_case_algo(&c)->gpu->refuse_block(threads[t], dummies[d]))
          continue;
        taken++;
        if ((t + d) % every == 0)
          graph_case_expect(&c, &given, &all, sizeof *expected);
      }
  }
  /* All but 96 threads a sub-block, more than 256 of 16 x 16 or than 64 of 8 x
   * 8, and none. */
  CU_ASSERT_EQUAL(taken, 3 * 8 * 6 + 7 * 4 - 2 - 4);
}

static void test_blocks(void) { in_blocks(gpu_tested(), 3); }

static void test_blocks_counted(void) { in_blocks(gpu_counted(), 6); }

static const char *refusal(const char *name, const struct algo_data *given) {
  const char *why = gpu_tested()->algos[gpu_index(name)]->refuse(given);
  return why ? why : "";
}

/* 1 -> 2 -> 3 -> 4 -> 2, of length 3 - 2 - 4 + `back`. */
static struct algo_data cycle(int64_t back) {
  edges[0] = (struct cpu_graph_edge){0, 1, 3};
  edges[1] = (struct cpu_graph_edge){1, 2, -2};
  edges[2] = (struct cpu_graph_edge){2, 3, -4};
  edges[3] = (struct cpu_graph_edge){3, 1, back};
  return (struct algo_data){.count = 4, .rows = 5, .items = edges};
}

static void test_negative(void) {
  static const int32_t all[] = {
      0,  3,    1,    -3, NONE, NONE, 0,    -2,   -6,   NONE, NONE, 2, 0,
      -4, NONE, NONE, 6,  4,    0,    NONE, NONE, NONE, NONE, NONE, 0};
  struct algo_data given = cycle(6); /* of length 0 */
  memcpy(expected, all, sizeof all);
  for (size_t i = 0; i < SIGNED; i++)
    expect_distances(gpu_tested(), names[i], &given);
  for (size_t i = SIGNED; i < NAMES; i++)
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal(names[i], &given),
                                  "the edge from 2 to 3 has length -2: "));
  given = cycle(5);
  for (size_t i = 0; i < SIGNED; i++)
    CU_ASSERT_PTR_NOT_NULL(strstr(refusal(names[i], &given),
                                  "a cycle of negative length leads to "));
  struct graph_case c = {gpu_tested(), "bellman_ford", 0, 0};
  struct algo_run run = graph_case_run(&c, &given);
  CU_ASSERT_STRING_EQUAL(graph_case_algo(&c)->check(&run),
                         "there is a cycle of negative length");
  workspace_close(&run);
}

static void test_too_long(void) {
  edges[0] = (struct cpu_graph_edge){0, 1, 1 << 28};
  struct algo_data given = {.count = 1, .rows = 2, .items = edges};
  for (size_t i = 0; i < NAMES; i++)
    CU_ASSERT_PTR_NOT_NULL(
        strstr(refusal(names[i], &given),
               "the edge from 1 to 2 has length 268435456; of so many"));
}

static const struct check_test tests[] = {
    {"distances are those of Floyd's algorithm", test_floyd},
    {"in blocks of any threads, and less shared memory", test_blocks},
    {"negative edges, and cycles", test_negative},
    {"lengths are such that no path is too long", test_too_long},
    {NULL, NULL},
};
static const struct check_test counted_tests[] = {
    {"distances are those of Floyd's algorithm", test_floyd_counted},
    {"in blocks of any threads, and less shared memory", test_blocks_counted},
    {NULL, NULL},
};
extern const struct check_suite suite_apsp_gpu, suite_apsp_gpu_counted;
const struct check_suite suite_apsp_gpu = {"all pairs' shortest paths", tests,
                                           gpu_skip_tested};
const struct check_suite suite_apsp_gpu_counted = {
    "all pairs' shortest paths, counted", counted_tests, gpu_skip_counted};
