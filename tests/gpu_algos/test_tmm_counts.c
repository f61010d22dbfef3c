/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses to global memory that the emulator counts, over M of the TMM model:
 * where its assumptions hold the ratio does not depend on n (doc/tmm.md tells
 * of those that do not). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/graph.h"
#include "gpu_algos/blocks.h"
#include "gpu_algos/models/tmm_algo.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/gpu_case.h"

enum { SIZES = 4, CHUNK = 32, QUERY = 16 };

/* A program, its row of the model, how it is run. */
struct counted {
  const char *name, *formula;
  unsigned dummy_shared;
  uint64_t least;
  unsigned step; /* from one size to the next */
};

/* Chunks of C words that warps touch. */
static double chunks(const struct counted *counted, uint64_t n, double *m) {
  struct gpu_case c = {gpu_emu(), gpu_counted(), gpu_index(counted->name), n,
                       1,         NULL};
  struct algo_run run = gpu_case_open(&c);
  struct simt_counters counters;
  run.dummy_shared = counted->dummy_shared;
  const char *data = gpu_algo(&c)->data;
  if (data && !strncmp(data, "graph", 5)) *m = (double)cpu_graph_of(&run).m;
  simt_reset_counters();
  gpu_case_run(&c, &run);
  simt_read_counters(&counters);
  CU_ASSERT_PTR_NULL(gpu_algo(&c)->check(&run));
  workspace_close(&run);
  return (double)(counters.lines_read + counters.lines_written +
                  counters.atomic_sectors);
}

/* n letters are queries of QUERY letters each, in a text of as many. */
static double ratio(const struct counted *counted, uint64_t n) {
  struct tmm_machine machine = {
      .name = "emu", .L = 1, .P = 1, .C = CHUNK, .Q = 32, .X = 32};
  const struct tmm_algo *algo = tmm_algo_find(counted->formula);
  bool matching = strchr(algo->sizes, 'k');
  struct tmm_at at = {.n = (double)n / (matching ? QUERY : 1),
                      .m = (double)n,
                      .k = QUERY,
                      .machine = &machine};
  machine.Z = (GPU_SHARED_BYTES - counted->dummy_shared) / 4.;
  double found = chunks(counted, n, &at.m);
  return found / tmm_algo_program(algo, &at).M;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Each is within a factor of 1.5 of the median. */
static void expect_flat(const struct counted *counted) {
  double ratios[SIZES], sorted[SIZES];
  uint64_t n = counted->least;
  for (size_t i = 0; i < SIZES; i++, n *= counted->step)
    sorted[i] = ratios[i] = ratio(counted, n);
  qsort(sorted, SIZES, sizeof *sorted, compare);
  double median = (sorted[(SIZES - 1) / 2] + sorted[SIZES / 2]) / 2;
  for (size_t i = 0; i < SIZES; i++) {
    bool near = ratios[i] < 1.5 * median && ratios[i] > median / 1.5;
    CU_ASSERT_TRUE(near);
    if (!near)
      fprintf(stderr, "%s over M of %s, size %zu: %g, median %g\n",
              counted->name, counted->formula, i, ratios[i], median);
  }
}

enum { KEYS_256 = GPU_SHARED_BYTES - 8 * 256, SIDE_16 = 45 << 10 };

static void test_flat(void) {
  static const struct counted all[] = {
      {"reduce", "reduce", 0, 1 << 12, 4},
      {"scan", "scan", 0, 1 << 12, 4},
      {"merge", "merge", KEYS_256, 1 << 12, 4},
      {"merge", "blocked_merge", KEYS_256, 1 << 12, 4},
      {"merge_sort", "merge_sort", KEYS_256, 1 << 10, 4},
      {"odd_even_sort", "odd_even_sort", KEYS_256, 1 << 10, 4},
      {"fft_stockham", "fft_stockham", 0, 1 << 10, 4},
      {"fft_stockham_float", "fft_stockham", 0, 1 << 10, 4},
      {"list_ranking_wyllie", "list_ranking_wyllie", 0, 1 << 10, 4},
      {"suffix_tree", "suffix_tree", 0, 1 << 12, 4},
      {"suffix_array", "suffix_array", 0, 1 << 12, 4},
      {"connected_components", "connected_components", 0, 1 << 10, 3},
      {"mst_boruvka", "mst_boruvka", 0, 1 << 10, 3},
      {"apsp_matmul", "apsp_matmul", SIDE_16, 16, 2},
      {"johnson_heap", "johnson_heap", 0, 16, 2},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) expect_flat(&all[i]);
}

/* Six products of 64 x 64 distances.  With S_D = 64, two sub-blocks of 128
 * chunks are read and one is written, in halves; with 16 each row is half a
 * chunk: 16 a sub-block, of which 2 x 64 are read and 16 written.  At the end a
 * copy reads and writes 128. */
static void test_sub_blocks(void) {
  static const struct counted of_64 = {.name = "apsp_matmul"};
  static const struct counted of_16 = {.name = "apsp_matmul",
                                       .dummy_shared = SIDE_16};
  double m;
  CU_ASSERT_EQUAL(chunks(&of_64, 64, &m), 6 * (2 * 128 + 256) + 256);
  CU_ASSERT_EQUAL(chunks(&of_16, 64, &m), 6 * 16 * (2 * 64 + 16) + 256);
}

static const struct check_test tests[] = {
    {"accesses over M do not depend on n", test_flat},
    {"squaring reads each sub-block as often as it must", test_sub_blocks},
    {NULL, NULL},
};
extern const struct check_suite suite_tmm_counts;
const struct check_suite suite_tmm_counts = {"M of the TMM model", tests,
                                             gpu_skip_counted};
