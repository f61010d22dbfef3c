/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels give is what the sequential algorithms give. */
#include <string.h>

#include "cpu_algos/histogram.h"
#include "cpu_algos/list_ranking.h"
#include "cpu_algos/matmul.h"
#include "gpu_algos/words.h"
#include "tests/gpu_algos/gpu_case.h"

static struct gpu_case case_of(const char *name, uint64_t n) {
  return (struct gpu_case){gpu_emu(), gpu_emu(), gpu_index(name), n, n, NULL};
}

static void ranks_are_those_of_the_walk(uint64_t n) {
  struct gpu_case c = case_of("list_ranking_hj", n);
  struct algo_run run = gpu_case_open(&c);
  int64_t *successors = calloc(2 * n + 1, sizeof *successors);
  int64_t *ranks = successors + n;
  for (uint64_t i = 0; i < n; i++)
    successors[i] = (int32_t)gpu_words(&run, 0)[i];
  gpu_case_run(&c, &run);
  cpu_list_rank(successors, ranks, n);
  for (uint64_t i = 0; i < n; i++)
    CU_ASSERT_EQUAL(gpu_words(&run, 1)[i], ranks[i]);
  free(successors);
  workspace_close(&run);
}

static void test_list_ranking(void) {
  static const uint64_t sizes[] = {1, 2, 100, 1024, 1025, 5000, 40000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    ranks_are_those_of_the_walk(sizes[i]);
}

static void test_histogram(void) {
  struct gpu_case c = case_of("histogram_shared", 54321);
  struct algo_run run = gpu_case_open(&c);
  uint64_t counts[CPU_HISTOGRAM_BINS];
  cpu_histogram(gpu_words(&run, 0), run.n, counts);
  gpu_case_run(&c, &run);
  for (unsigned bin = 0; bin < CPU_HISTOGRAM_BINS; bin++)
    CU_ASSERT_EQUAL(gpu_words(&run, 1)[bin], counts[bin]);
  workspace_close(&run);
}

static void product_is_that_of_rows(uint64_t n) {
  struct gpu_case c = case_of("matmul_tiled", n);
  struct algo_run run = gpu_case_open(&c);
  uint64_t padded = gpu_words_padded(n * n);
  const float *floats = (const float *)(const void *)run.memory;
  double *doubles = calloc(3 * n * n + 1, sizeof *doubles);
  double *b = doubles + n * n, *product = b + n * n;
  for (uint64_t i = 0; i < n * n; i++) {
    doubles[i] = (double)floats[i];
    b[i] = (double)floats[padded + i];
  }
  gpu_case_run(&c, &run);
  cpu_matmul_by_rows(doubles, b, product, (struct cpu_matmul_shape){n, n, n});
  for (uint64_t i = 0; i < n * n; i++)
    CU_ASSERT_EQUAL((double)floats[2 * padded + i], product[i]);
  free(doubles);
  workspace_close(&run);
}

static void test_matmul(void) {
  static const uint64_t sizes[] = {1, 15, 16, 17, 33, 100};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    product_is_that_of_rows(sizes[i]);
}

static const struct check_test tests[] = {
    {"ranks are those of a walk along the list", test_list_ranking},
    {"counts are those of one bin after the other", test_histogram},
    {"products are those of rows and columns", test_matmul},
    {NULL, NULL},
};
extern const struct check_suite suite_references;
const struct check_suite suite_references = {"kernels and references", tests,
                                             gpu_skip_emu};
