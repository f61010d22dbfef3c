/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/graph.h"
#include "cpu_algos/graph_forest.h"
#include "cpu_algos/random.h"
#include "tests/cpu_algos/workspace.h"

enum { MOST = 60, EDGES = 8 * MOST };

static struct cpu_graph of_generator(const char *generator, uint64_t n) {
  struct algo_run run = {.n = n, .seed = n, .generator = generator};
  return cpu_graph_of(&run);
}

static void expect_edges(const struct cpu_graph *graph) {
  for (uint64_t i = 0; i < graph->m; i++) {
    struct cpu_graph_edge edge = cpu_graph_edge_at(graph, i);
    CU_ASSERT_TRUE(edge.from < graph->n && edge.to < graph->n);
    CU_ASSERT_TRUE(edge.from != edge.to);
  }
}

static void test_generators(void) {
  static const char *const *const lists[] = {cpu_graph_generators,
                                             cpu_graph_generators_few,
                                             cpu_graph_generators_signed};
  for (size_t l = 0; l < 3; l++)
    for (size_t g = 0; lists[l][g]; g++)
      for (uint64_t n = 0; n < 70; n++) {
        struct cpu_graph graph = of_generator(lists[l][g], n);
        CU_ASSERT_TRUE(graph.m <= cpu_graph_most(n));
        CU_ASSERT_TRUE(l != 1 || graph.m <= cpu_graph_most_few(n));
        CU_ASSERT_TRUE(graph.m >= (n > 1 ? n : 0));
        expect_edges(&graph);
      }
  CU_ASSERT_EQUAL(of_generator("degree-16", 1000).m, 16000);
  CU_ASSERT_EQUAL(of_generator("degree-16", 5).m, 20);
  CU_ASSERT_EQUAL(of_generator(NULL, 1000).m, 4000);
  CU_ASSERT_EQUAL(cpu_graph_most(1), 0);
}

/* Inside, all four neighbours; no edge leads further than to the next row. */
static void test_grid(void) {
  struct cpu_graph graph = of_generator("grid", 25);
  static const uint32_t steps[] = {13, 11, 17, 7};
  for (uint64_t i = 0; i < 4; i++)
    CU_ASSERT_EQUAL(cpu_graph_edge_at(&graph, 4 * 12 + i).to, steps[i]);
  for (uint64_t n = 5; n < 70; n++) {
    graph = of_generator("grid", n);
    for (uint64_t i = 0; i < graph.m; i++) {
      struct cpu_graph_edge edge = cpu_graph_edge_at(&graph, i);
      int64_t step = (int64_t)edge.to - (int64_t)edge.from;
      CU_ASSERT_EQUAL(edge.from, i / 4);
      CU_ASSERT_TRUE(step * step == 1 ||
                     (uint64_t)(step * step) == graph.side * graph.side);
    }
  }
}

static struct cpu_graph_edge edges[EDGES];

static struct algo_data copied(const struct cpu_graph *graph) {
  for (uint64_t i = 0; i < graph->m; i++)
    edges[i] = cpu_graph_edge_at(graph, i);
  return (struct algo_data){
      .count = graph->m, .rows = graph->n, .items = edges};
}

static void test_negative(void) {
  for (uint64_t n = 3; n < MOST; n++) {
    struct cpu_graph graph = of_generator("negative", n);
    struct algo_data given = copied(&graph);
    uint64_t negative = 0;
    for (uint64_t i = 0; i < given.count; i++) negative += edges[i].weight < 0;
    CU_ASSERT_TRUE(n < 10 || negative > n / 4);
    CU_ASSERT_PTR_NULL(cpu_graph_refuse_cycles(&given));
    CU_ASSERT_TRUE(!negative || cpu_graph_refuse_negative(&given));
  }
}

/* Every edge once, in its row, and in the order of their numbers. */
static void test_rows(void) {
  struct cpu_graph graph = of_generator("degree-4", MOST);
  uint32_t offsets[MOST + 1], ends[EDGES];
  int32_t weights[EDGES];
  for (int turned = 0; turned < 2; turned++) {
    cpu_graph_rows(&graph, turned, offsets, ends, weights);
    CU_ASSERT_EQUAL(offsets[0], 0);
    CU_ASSERT_EQUAL(offsets[MOST], graph.m);
    for (uint32_t u = 0; u < MOST; u++) {
      uint32_t at = offsets[u];
      for (uint64_t i = 0; i < graph.m; i++) {
        struct cpu_graph_edge edge = cpu_graph_edge_at(&graph, i);
        if ((turned ? edge.to : edge.from) != u) continue;
        CU_ASSERT_EQUAL(ends[at], turned ? edge.from : edge.to);
        CU_ASSERT_EQUAL(weights[at++], edge.weight);
      }
      CU_ASSERT_EQUAL(at, offsets[u + 1]);
    }
  }
}

static struct cpu_graph random_graph(uint64_t round) {
  struct cpu_random random = {.state = round};
  struct cpu_graph graph = {.n = 1 + cpu_random_below(&random, MOST),
                            .given = edges};
  graph.m = graph.n > 1 ? cpu_random_below(&random, 2 * graph.n) : 0;
  for (uint64_t i = 0; i < graph.m; i++) {
    uint64_t from = cpu_random_below(&random, graph.n);
    uint64_t to = (from + 1 + cpu_random_below(&random, graph.n - 1)) % graph.n;
    edges[i] =
        (struct cpu_graph_edge){(uint32_t)from, (uint32_t)to,
                                (int64_t)cpu_random_below(&random, 9) - 4};
  }
  return graph;
}

/* Labels spread until nothing changes. */
static void test_components(void) {
  for (uint64_t round = 0; round < 500; round++) {
    struct cpu_graph graph = random_graph(round);
    uint32_t sets[MOST], labels[MOST];
    cpu_graph_components(&graph, sets);
    for (uint32_t v = 0; v < graph.n; v++) labels[v] = v;
    for (bool changed = true; changed;) {
      changed = false;
      for (uint64_t i = 0; i < graph.m; i++) {
        uint32_t *a = &labels[edges[i].from], *b = &labels[edges[i].to];
        changed |= *a != *b;
        *a = *b = *a < *b ? *a : *b;
      }
    }
    CU_ASSERT_TRUE(!memcmp(sets, labels, graph.n * sizeof *sets));
  }
}

/* What Prim's algorithm takes from each vertex that is not reached yet. */
static int64_t prim(const struct cpu_graph *graph, uint64_t *count) {
  bool in[MOST] = {false};
  int64_t total = 0;
  *count = 0;
  for (uint32_t v = 0; v < graph->n; v++)
    for (in[v] = true;;) {
      const struct cpu_graph_edge *best = NULL;
      for (uint64_t i = 0; i < graph->m; i++)
        if (in[edges[i].from] != in[edges[i].to] &&
            (!best || edges[i].weight < best->weight))
          best = &edges[i];
      if (!best) break;
      in[best->from] = in[best->to] = true;
      total += best->weight;
      ++*count;
    }
  return total;
}

static void test_forest(void) {
  for (uint64_t round = 0; round < 300; round++) {
    struct cpu_graph graph = random_graph(round);
    uint64_t order[EDGES], wanted;
    uint32_t sets[MOST], all[MOST];
    uint64_t count = cpu_graph_forest(&graph, sets, order);
    int64_t total = 0, least = prim(&graph, &wanted);
    struct cpu_graph_edge tree[MOST];
    for (uint64_t i = 0; i < count; i++) {
      tree[i] = edges[order[i]];
      total += tree[i].weight;
    }
    CU_ASSERT_EQUAL(count, wanted);
    CU_ASSERT_EQUAL(total, least);
    struct cpu_graph forest = {.n = graph.n, .m = count, .given = tree};
    cpu_graph_components(&graph, all);
    cpu_graph_components(&forest, sets);
    CU_ASSERT_TRUE(!memcmp(sets, all, graph.n * sizeof *sets));
  }
}

static const struct check_test tests[] = {
    {"edges lead from vertices to others", test_generators},
    {"grids have neighbours", test_grid},
    {"negative edges make no negative cycle", test_negative},
    {"rows have each edge once", test_rows},
    {"components are those that labels find", test_components},
    {"forests are as long as Prim's", test_forest},
    {NULL, NULL},
};
extern const struct check_suite suite_graph;
const struct check_suite suite_graph = {"graph", tests, NULL};
