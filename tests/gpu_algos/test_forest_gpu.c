/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Components and spanning forests of graphs from outside: against the sets of
 * Galler and Fischer, and Kruskal's algorithm. */
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/graph_forest.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/graph_case.h"

enum { GRAPHS = 200 };

static struct cpu_graph_edge edges[GRAPH_EDGES];

static struct cpu_graph graph_of(const struct algo_data *given) {
  return (struct cpu_graph){
      .n = given->rows, .m = given->count, .given = given->items};
}

static void expect_components(struct graph_case c,
                              const struct algo_data *given) {
  struct cpu_graph graph = graph_of(given);
  uint32_t least[GRAPH_MOST];
  cpu_graph_components(&graph, least);
  struct algo_data all = {.count = given->rows, .items = least};
  c.name = "connected_components";
  graph_case_expect(&c, given, &all, sizeof *least);
}

static int compare_numbers(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static void expect_forest(struct graph_case c, const struct algo_data *given) {
  struct cpu_graph graph = graph_of(given);
  uint32_t sets[GRAPH_MOST];
  uint64_t order[GRAPH_EDGES];
  struct cpu_graph_edge tree[GRAPH_MOST];
  struct algo_data all = {.items = tree};
  all.count = cpu_graph_forest(&graph, sets, order);
  qsort(order, all.count, sizeof *order, compare_numbers);
  for (uint64_t i = 0; i < all.count; i++) tree[i] = edges[order[i]];
  c.name = "mst_boruvka";
  graph_case_expect(&c, given, &all, sizeof *tree);
}

static void expect_both(const struct graph_case *c,
                        const struct algo_data *given) {
  expect_components(*c, given);
  expect_forest(*c, given);
}

/* A third of the lengths are below 0. */
static void on_random_graphs(const struct gpu_set *runs, uint64_t count) {
  for (uint64_t round = 0; round < count; round++) {
    struct algo_data given = graph_case_random(round, edges);
    for (uint64_t i = 0; i < given.count; i += 3)
      edges[i].weight = -edges[i].weight;
    simt_set_order(round % 2 ? SIMT_REVERSE : SIMT_FORWARD);
    expect_both(&(struct graph_case){.runs = runs}, &given);
  }
  simt_set_order(SIMT_FORWARD);
}

static void test_references(void) { on_random_graphs(gpu_tested(), GRAPHS); }

static void test_references_counted(void) {
  on_random_graphs(gpu_counted(), GRAPHS);
}

/* Roots hook in a chain, whichever way it lies; a round joins two or all. */
static void test_paths(void) {
  enum { N = GRAPH_MOST };
  for (unsigned way = 0; way < 3; way++) {
    for (uint32_t i = 0; i + 1 < N; i++) {
      int64_t lengths[] = {i, -(int64_t)i, i % 2};
      edges[i] = (struct cpu_graph_edge){i, i + 1, lengths[way]};
      if (way) edges[i] = (struct cpu_graph_edge){i + 1, i, lengths[way]};
    }
    struct algo_data given = {.count = N - 1, .rows = N, .items = edges};
    expect_both(&(struct graph_case){.runs = gpu_tested()}, &given);
  }
}

static void test_blocks(void) {
  static const unsigned threads[] = {32, 96, 512, 1024};
  struct algo_data given = graph_case_random(110, edges);
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
    expect_both(&(struct graph_case){gpu_tested(), "", threads[i], 1 << 15},
                &given);
}

/* Any lengths of 32 bits, and no more. */
static void test_lengths(void) {
  edges[0] = (struct cpu_graph_edge){0, 1, INT32_MAX};
  edges[1] = (struct cpu_graph_edge){1, 0, INT32_MIN};
  edges[2] = (struct cpu_graph_edge){0, 2, 0};
  edges[3] = (struct cpu_graph_edge){2, 0, -1};
  struct algo_data given = {.count = 4, .rows = 4, .items = edges};
  struct graph_case c = {gpu_tested(), "mst_boruvka", 0, 0};
  expect_both(&c, &given);
  edges[0].weight++;
  const char *why = graph_case_algo(&c)->refuse(&given);
  CU_ASSERT_STRING_EQUAL(why ? why : "",
                         "the edge from 1 to 2 has length 2147483648, and 32 "
                         "bits are the most");
}

static const struct check_test tests[] = {
    {"components and forests are those of sets", test_references},
    {"of long paths, too", test_paths},
    {"in blocks of any threads", test_blocks},
    {"of any lengths of 32 bits", test_lengths},
    {NULL, NULL},
};
static const struct check_test counted_tests[] = {
    {"components and forests are those of sets", test_references_counted},
    {NULL, NULL},
};
extern const struct check_suite suite_forest_gpu, suite_forest_gpu_counted;
const struct check_suite suite_forest_gpu = {"components and forests", tests,
                                             gpu_skip_tested};
const struct check_suite suite_forest_gpu_counted = {
    "components and forests, counted", counted_tests, gpu_skip_counted};
