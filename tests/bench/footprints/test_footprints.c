/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The programs against what they are to compute, by plain loops. */
#include "tests/bench/footprints/footprints.h"
#include "tests/check.h"

enum { LG = 6, VERTICES = 1 << LG, DEGREE = 4, EDGES = VERTICES * DEGREE };

static void a_chase_follows_one_cycle(void) {
  enum { NODES = 97 };
  bool met[NODES] = {false};
  for (uint64_t steps = 0; steps < NODES; steps++)
    met[chase(NODES * 64, steps)] = true;
  for (size_t i = 0; i < NODES; i++) CU_ASSERT_TRUE(met[i]);
  CU_ASSERT_EQUAL(chase(NODES * 64, NODES), 0);
}

/* A row is found by its key, which is its value. */
static void a_join_finds_the_rows_that_are_there(void) {
  const uint64_t rows = 1000 / 8;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < 5000; i++) {
    struct cpu_random random = {~i};
    uint64_t key = 1 + cpu_random_below(&random, 2 * rows);
    sum += key <= rows ? key : 0;
  }
  CU_ASSERT_EQUAL(join((size_t)1000 * 64, 5000), sum);
}

static void a_search_finds_the_last_key_of_no_more(void) {
  struct cpu_random random = {0};
  uint64_t sum = 0;
  for (int i = 0; i < 1000; i++) sum += cpu_random_below(&random, 3 * 77) / 3;
  CU_ASSERT_EQUAL(search(77 * 8, 1000), sum);
}

static void updates_are_those_of_each_word(void) {
  enum { WORDS = 50, UPDATES = 3000 };
  uint64_t sum = 0;
  for (uint64_t word = 0; word < WORDS; word++) {
    uint64_t value = word;
    for (uint64_t i = 0; i < UPDATES; i++) {
      uint64_t number = cpu_random_at(1, i), bits = number;
      if (cpu_random_take(&bits, WORDS) == word) value ^= number;
    }
    sum += value * (2 * word + 1);
  }
  CU_ASSERT_EQUAL(gups(WORDS * 8, UPDATES), sum);
}

/* Without a common grid: each nuclide's points, from the first on. */
static void cross_sections_are_those_between_points(void) {
  enum { BYTES = 1000000, LOOK_UPS = 300 };
  const size_t count = grid_points_of(BYTES);
  struct grid_point *points = footprint_got(calloc(count, sizeof *points));
  uint64_t sums[GRID_SECTIONS] = {0}, result = 0;
  for (uint64_t i = 0; i < LOOK_UPS; i++)
    for (unsigned k = 0; k < grid_nuclides[grid_material(i)]; k++) {
      const uint64_t energy = grid_energy(i);
      grid_points(points, count, grid_nuclide(grid_material(i), k));
      size_t at = 0;
      while (at < count - 2 && points[at + 1].energy <= energy) at++;
      const struct grid_point *low = &points[at], *high = &points[at + 1];
      uint64_t inside = energy < low->energy    ? low->energy
                        : energy > high->energy ? high->energy
                                                : energy;
      uint64_t part =
          ((inside - low->energy) << 16) / (high->energy - low->energy);
      for (int s = 0; s < GRID_SECTIONS; s++)
        sums[s] +=
            (low->section[s] * (65536 - part) + high->section[s] * part) /
            65536;
    }
  for (int s = 0; s < GRID_SECTIONS; s++) result += sums[s] * (2 * s + 1);
  CU_ASSERT_TRUE(count > 20);
  CU_ASSERT_EQUAL(grid(BYTES, LOOK_UPS), result);
  free(points);
}

static void a_tree_has_what_was_inserted(void) {
  enum { BYTES = 100000, LOOK_UPS = 2000 };
  const size_t keys = btree_keys_of(BYTES);
  uint64_t sum = 0;
  unsigned found = 0;
  for (uint64_t i = 0; i < LOOK_UPS; i++) {
    uint64_t wanted = btree_wanted(i, keys);
    bool there = false;
    for (uint64_t k = 0; k < keys && !there; k++)
      there = btree_key(k) == wanted;
    if (there) sum += wanted;
    found += there;
  }
  CU_ASSERT_TRUE(keys > 3000); /* three levels */
  CU_ASSERT_TRUE(found > LOOK_UPS / 3 && found < LOOK_UPS * 2 / 3);
  CU_ASSERT_EQUAL(btree(BYTES, LOOK_UPS), sum);
}

static void a_product_is_that_of_all_columns(void) {
  enum { ROWS = 40 };
  const size_t bytes = ROWS * (SPMV_ROW * 8 + 16);
  uint64_t all[ROWS][ROWS] = {{0}}, x[ROWS], y[ROWS], sum = 0;
  CU_ASSERT_EQUAL_FATAL(spmv_rows_of(bytes), ROWS);
  for (unsigned i = 0; i < ROWS; i++)
    for (unsigned k = 0; k < SPMV_ROW; k++)
      all[i][spmv_column(i, k, ROWS)] += spmv_value(i, k);
  for (unsigned i = 0; i < ROWS; i++) x[i] = i + 1;
  for (int times = 0; times < 3; times++) {
    for (unsigned i = 0; i < ROWS; i++) {
      y[i] = 0;
      for (unsigned j = 0; j < ROWS; j++) y[i] += all[i][j] * x[j];
    }
    memcpy(x, y, sizeof x);
  }
  for (unsigned i = 0; i < ROWS; i++) sum += x[i] * (2 * i + 1);
  CU_ASSERT_EQUAL(spmv(bytes, 3), sum);
}

/* --- graphs --- */

/* How many edges lead from one vertex to another, by the edges themselves. */
static void count_edges(unsigned edges[VERTICES][VERTICES]) {
  uint32_t from, to;
  memset(edges, 0, VERTICES * sizeof *edges);
  for (uint64_t i = 0; i < EDGES; i++) {
    kronecker_edge(LG, i, &from, &to);
    edges[from][to]++;
    edges[to][from]++;
  }
}

static void a_graph_has_its_edges_both_ways(void) {
  unsigned edges[VERTICES][VERTICES];
  struct graph graph;
  count_edges(edges);
  graph_make(&graph, LG, DEGREE);
  CU_ASSERT_EQUAL(graph.offsets[0], 0);
  CU_ASSERT_EQUAL_FATAL(graph.offsets[VERTICES], 2 * EDGES);
  for (unsigned u = 0; u < VERTICES; u++)
    for (uint32_t e = graph.offsets[u]; e < graph.offsets[u + 1]; e++)
      edges[u][graph.ends[e]]--;
  for (unsigned u = 0; u < VERTICES; u++)
    for (unsigned v = 0; v < VERTICES; v++) CU_ASSERT_EQUAL(edges[u][v], 0);
  graph_free(&graph);
}

/* New names hide the quarters that edges were drawn in; but a few vertices
 * still have more than 20 times the mean, which is 32, and a tenth have none.
 */
static void a_graph_has_few_vertices_of_many_edges(void) {
  struct graph graph;
  graph_make(&graph, 12, 16);
  uint32_t most = 0, none = 0;
  for (uint32_t u = 0; u < graph.vertices; u++) {
    uint32_t degree = graph.offsets[u + 1] - graph.offsets[u];
    if (degree > most) most = degree;
    none += !degree;
  }
  CU_ASSERT_TRUE(most > 20 * 32);
  CU_ASSERT_TRUE(none > graph.vertices / 10);
  graph_free(&graph);
}

static void distances_are_least_sums(void) {
  unsigned edges[VERTICES][VERTICES], far[VERTICES][VERTICES];
  struct graph graph;
  uint64_t sum = 0;
  count_edges(edges);
  for (unsigned u = 0; u < VERTICES; u++)
    for (unsigned v = 0; v < VERTICES; v++)
      far[u][v] = u == v ? 0 : edges[u][v] ? 1 : VERTICES;
  for (unsigned by = 0; by < VERTICES; by++)
    for (unsigned u = 0; u < VERTICES; u++)
      for (unsigned v = 0; v < VERTICES; v++)
        if (far[u][by] + far[by][v] < far[u][v])
          far[u][v] = far[u][by] + far[by][v];
  graph_make(&graph, LG, DEGREE);
  for (uint64_t i = 0; i < 20; i++)
    for (unsigned v = 0; v < VERTICES; v++) {
      unsigned distance = far[bfs_source(&graph, i)][v];
      sum += distance < VERTICES ? distance : 0;
    }
  CU_ASSERT_EQUAL(bfs(&graph, 20), sum);
  graph_free(&graph);
}

static void ranks_are_passed_on_in_equal_parts(void) {
  unsigned edges[VERTICES][VERTICES];
  uint64_t rank[VERTICES], next[VERTICES], result = 0;
  const uint64_t one = UINT64_C(1) << 32;
  struct graph graph;
  count_edges(edges);
  for (unsigned u = 0; u < VERTICES; u++) rank[u] = one;
  for (int i = 0; i < 5; i++) {
    memset(next, 0, sizeof next);
    for (unsigned u = 0; u < VERTICES; u++) {
      unsigned degree = 0;
      for (unsigned v = 0; v < VERTICES; v++) degree += edges[u][v];
      for (unsigned v = 0; v < VERTICES; v++)
        if (edges[u][v]) next[v] += edges[u][v] * (rank[u] / degree);
    }
    for (unsigned u = 0; u < VERTICES; u++)
      rank[u] = one * 15 / 100 + next[u] / 100 * 85;
  }
  for (unsigned u = 0; u < VERTICES; u++) result += rank[u] * (2 * u + 1);
  graph_make(&graph, LG, DEGREE);
  CU_ASSERT_EQUAL(pagerank(&graph, 5), result);
  graph_free(&graph);
}

static void components_are_what_edges_connect(void) {
  unsigned edges[VERTICES][VERTICES], least[VERTICES];
  uint64_t sum = 0;
  struct graph graph;
  bool changed = true;
  count_edges(edges);
  for (unsigned u = 0; u < VERTICES; u++) least[u] = u;
  while (changed) {
    changed = false;
    for (unsigned u = 0; u < VERTICES; u++)
      for (unsigned v = 0; v < VERTICES; v++)
        if (edges[u][v] && least[v] < least[u]) {
          least[u] = least[v];
          changed = true;
        }
  }
  for (unsigned u = 0; u < VERTICES; u++)
    if (least[u] == u) sum += (UINT64_C(1) << 32) + u;
  graph_make(&graph, LG, DEGREE);
  CU_ASSERT_TRUE(sum >> 32 > 1);
  CU_ASSERT_EQUAL(components(&graph, 2), 2 * sum);
  graph_free(&graph);
}

static const struct check_test arrays[] = {
    {"a chase follows one cycle of all lines", a_chase_follows_one_cycle},
    {"a join finds the rows that are there",
     a_join_finds_the_rows_that_are_there},
    {"a search finds the last key of no more",
     a_search_finds_the_last_key_of_no_more},
    {"each word has its updates", updates_are_those_of_each_word},
    {"cross sections lie between those of two points",
     cross_sections_are_those_between_points},
    {"a B-tree has what was inserted, and nothing else",
     a_tree_has_what_was_inserted},
    {"a sparse product is that of all columns",
     a_product_is_that_of_all_columns},
    {NULL, NULL},
};
static const struct check_test graphs[] = {
    {"a graph has its edges, both ways", a_graph_has_its_edges_both_ways},
    {"a Kronecker graph has few vertices of many edges",
     a_graph_has_few_vertices_of_many_edges},
    {"distances are the least of all ways", distances_are_least_sums},
    {"ranks are passed on in equal parts", ranks_are_passed_on_in_equal_parts},
    {"components are what edges connect", components_are_what_edges_connect},
    {NULL, NULL},
};
static const struct check_suite of_arrays = {"footprints: arrays", arrays,
                                             NULL};
static const struct check_suite of_graphs = {"footprints: graphs", graphs,
                                             NULL};
static const struct check_suite *const suites[] = {&of_arrays, &of_graphs,
                                                   NULL};
int main(void) { return check_main(suites); }
