/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds that can be computed by hand. */
#include <math.h>

#include "gpu_algos/models/gpu_model.h"
#include "tests/check.h"

static double of(const char *name, const char *output, double n, double p,
                 double s, double c) {
  const struct gpu_model *model = gpu_model_find("warp-io");
  double parameters[] = {n, p, s, c}, out[GPU_OUTPUTS_MAX];
  gpu_case_find(model, name)->evaluate(gpu_archs, parameters, out);
  return out[gpu_model_output(model, output)];
}

/* 2^15 blocks, and log_32 2^15 = 3. */
static void test_leading_terms(void) {
  CU_ASSERT_DOUBLE_EQUAL(of("sort", "turns", 1 << 20, 1, 32, 32), 98304, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(of("sort", "turns", 1 << 20, 4, 32, 32), 24576, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(of("permute", "turns", 1 << 20, 4, 32, 32), 24576,
                         1e-6);
}

/* Element by element is less than 8 log2 8 turns. */
static void test_few_elements_are_moved_one_by_one(void) {
  CU_ASSERT_DOUBLE_EQUAL(of("permute", "turns", 8, 1, 1, 2), 8, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(of("sort", "turns", 8, 1, 1, 2), 24, 1e-9);
}

static void test_every_block_is_read(void) {
  CU_ASSERT_DOUBLE_EQUAL(of("sort", "turns", 64, 1, 32, 32), 2, 1e-9);
}

/* 4! / 2!^2 = 6 orders; in a turn (4 choose 2) = 6 are told apart, and the
 * block is one of 4. */
static void test_inequalities(void) {
  CU_ASSERT_DOUBLE_EQUAL(of("sort", "turns_least", 4, 1, 2, 2), 1, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(of("permute", "turns_least", 4, 1, 2, 2),
                         log(6) / log(24), 1e-9);
  CU_ASSERT(of("sort", "turns_least", 1 << 20, 1, 32, 32) <
            of("sort", "turns", 1 << 20, 1, 32, 32));
}

/* A turn is a line read and one written. */
static void test_counts(void) {
  const struct gpu_model *model = gpu_model_find("warp-io");
  double parameters[] = {1 << 20, 4, 32, 32}, out[GPU_OUTPUTS_MAX];
  struct gpu_counts counts = {.lines = 4 * 98304};
  gpu_case_find(model, "sort")->of_counts(gpu_archs, parameters, &counts, out);
  CU_ASSERT_DOUBLE_EQUAL(out[gpu_model_output(model, "turns")], 24576, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(out[gpu_model_output(model, "turns_counted")], 49152,
                         1e-6);
  CU_ASSERT_DOUBLE_EQUAL(out[gpu_model_output(model, "ratio")], 2, 1e-9);
}

static const struct check_test tests[] = {
    {"leading terms are those of the theorem", test_leading_terms},
    {"permuting never takes more than moving one by one",
     test_few_elements_are_moved_one_by_one},
    {"nor less than reading every block", test_every_block_is_read},
    {"inequalities are those of the proof", test_inequalities},
    {"what was counted stands beside it", test_counts},
    {NULL, NULL},
};
extern const struct check_suite suite_warp_io;
const struct check_suite suite_warp_io = {"warp-io", tests, NULL};
