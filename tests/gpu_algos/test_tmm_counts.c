/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses to global memory that the emulator counts, over M of the TMM model:
 * where its assumptions hold the ratio does not depend on n (doc/tmm.md). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpu_algos/graph.h"
#include "gpu_algos/blocks.h"
#include "gpu_algos/models/tmm_algo.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/gpu_case.h"

enum { SIZES = 4, CHUNK = 32 };

/* A program, and how it is run. */
struct counted {
  const char *name, *generator;
  unsigned block_threads, dummy_shared;
  uint64_t n[SIZES]; /* 0: fewer */
};

/* Chunks of C words that warps touch. */
static double chunks(const struct counted *counted, uint64_t n, double *m) {
  struct gpu_case c = {
      gpu_emu(), gpu_counted(),     gpu_index(counted->name), n,
      1,         counted->generator};
  struct algo_run run = workspace_open(gpu_algo(&c), n, c.seed);
  struct simt_counters counters;
  run.generator = c.generator;
  run.block_threads = counted->block_threads;
  run.dummy_shared = counted->dummy_shared;
  gpu_algo(&c)->setup(&run);
  *m = (double)cpu_graph_of(&run).m;
  simt_reset_counters();
  gpu_case_run(&c, &run);
  simt_read_counters(&counters);
  CU_ASSERT_PTR_NULL(gpu_algo(&c)->check(&run));
  workspace_close(&run);
  return (double)(counters.lines_read + counters.lines_written +
                  counters.atomic_sectors);
}

static double ratio(const struct counted *counted, uint64_t n) {
  struct tmm_machine machine = {
      .name = "emu", .L = 1, .P = 1, .C = CHUNK, .Q = 32, .X = 32};
  struct tmm_at at = {.n = (double)n, .machine = &machine};
  machine.Z = (GPU_SHARED_BYTES - counted->dummy_shared) / 4.;
  double found = chunks(counted, n, &at.m);
  return found / tmm_algo_program(tmm_algo_find(counted->name), &at).M;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Each is within a factor of 1.5 of the median. */
static void expect_flat(const struct counted *counted) {
  double ratios[SIZES], sorted[SIZES];
  size_t count = 0;
  for (; count < SIZES && counted->n[count]; count++)
    sorted[count] = ratios[count] = ratio(counted, counted->n[count]);
  qsort(sorted, count, sizeof *sorted, compare);
  double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  for (size_t i = 0; i < count; i++) {
    bool near = ratios[i] < 1.5 * median && ratios[i] > median / 1.5;
    CU_ASSERT_TRUE(near);
    if (!near)
      fprintf(stderr, "%s n=%llu: %g, median %g\n", counted->name,
              (unsigned long long)counted->n[i], ratios[i], median);
  }
}

static void test_flat(void) {
  static const struct counted all[] = {
      {"apsp_matmul", NULL, 0, 45 << 10, {16, 32, 64, 128}},
      {"johnson_heap", NULL, 0, 0, {16, 32, 64, 128}},
      {"connected_components", NULL, 0, 0, {1024, 4096, 16384}},
      {"mst_boruvka", NULL, 0, 0, {1024, 4096, 16384}},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) expect_flat(&all[i]);
}

/* Six products of 64 x 64 distances.  With S_D = 64, two sub-blocks of 128
 * chunks are read and one is written, in halves; with 16 each row is half a
 * chunk: 16 a sub-block, of which 2 x 64 are read and 16 written.  At the end a
 * copy reads and writes 128. */
static void test_sub_blocks(void) {
  static const struct counted of_64 = {"apsp_matmul", NULL, 0, 0, {0}};
  static const struct counted of_16 = {"apsp_matmul", NULL, 0, 45 << 10, {0}};
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
