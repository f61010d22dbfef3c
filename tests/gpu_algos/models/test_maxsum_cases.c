/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the paper prints of each program, computed by hand. */
#include <math.h>

#include "gpu_algos/models/gpu_model.h"
#include "gpu_algos/models/maxsum.h"
#include "tests/check.h"

static double out[MAXSUM_OUTPUTS];

/* Parameters in their order; those that are left out are as usual. */
static void evaluate(const char *name, const char *arch, size_t given,
                     const double *values) {
  const struct gpu_case *c = gpu_case_find(gpu_model_find("maxsum"), name);
  double p[GPU_PARAMETERS_MAX];
  for (size_t i = 0; i < gpu_case_parameters(c); i++)
    p[i] = i < given ? values[i] : c->parameters[i].usual;
  c->evaluate(gpu_arch_find(arch), p, out);
}

#define EVALUATE(name, ...)                                                \
  evaluate(name, "gtx280", sizeof(double[]){__VA_ARGS__} / sizeof(double), \
           (const double[]){__VA_ARGS__})

static void same(enum maxsum_output at, double expected) {
  if (!(fabs(out[at] - expected) <= 1e-12 * fabs(expected)))
    printf("\noutput %d is %.9g, not %.9g\n", at, out[at], expected);
  CU_ASSERT(fabs(out[at] - expected) <= 1e-12 * fabs(expected));
}

/* 5.1: N^2 / (256 x 30) x 8 x 32 x 760 N / 16 / (32 x 1.3e9): at N = 128,
 * 3320490.67 / 41.6e9 s = 79.8 us, and 112 us of whole blocks; not 11 ms. */
static void test_matmul(void) {
  EVALUATE("matmul", 128);
  same(MAXSUM_COMPUTE, 6080);
  same(MAXSUM_MEMORY, 1920);
  same(MAXSUM_CYCLES_MAX, 6080);
  same(MAXSUM_CYCLES_SUM, 8000);
  same(MAXSUM_BLOCKS_PER_SM, 64 / 30.);
  same(MAXSUM_TIME_MAX, 64 / 30. * 256 * 6080 / 32 / 1.3e6);
  CU_ASSERT_DOUBLE_EQUAL(out[MAXSUM_TIME_MAX], 0.079820, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(out[MAXSUM_TIME_SUM], 0.105026, 1e-6);
  EVALUATE("matmul", 128, 1);
  CU_ASSERT_DOUBLE_EQUAL(out[MAXSUM_TIME_MAX], 0.112246, 1e-6);
  EVALUATE("matmul", 1024);
  CU_ASSERT_DOUBLE_EQUAL(out[MAXSUM_TIME_MAX], 40.8676, 1e-4);
  EVALUATE("matmul", 81, 1); /* 6 x 6 tiles */
  same(MAXSUM_BLOCKS_PER_SM, 2);
}

/* 5.2 at N = 2^22: log N = 22, 190650.2 threads, 372.4 blocks, 13 of them on a
 * multiprocessor; 13 x 16 x 132000 cycles are 21.12 ms ("about 21.0"). */
static void test_list_ranking(void) {
  EVALUATE("list_ranking", 1 << 22);
  CU_ASSERT_EQUAL(out[MAXSUM_COMPUTE], 0);
  same(MAXSUM_MEMORY, 132000);
  same(MAXSUM_CYCLES_MAX, 132000);
  same(MAXSUM_CYCLES_SUM, 132000);
  same(MAXSUM_BLOCKS_PER_SM, 13);
  same(MAXSUM_TIME_MAX, 21.12);
  same(MAXSUM_TIME_SUM, 21.12);
  EVALUATE("list_ranking", 1 << 22, 0);
  CU_ASSERT_DOUBLE_EQUAL(out[MAXSUM_TIME_MAX], 20.1649, 1e-4);
  EVALUATE("list_ranking", 1 << 18); /* 29 blocks: one is enough */
  same(MAXSUM_TIME_MAX, 16 * 4 * 18 * 1500 / 1.3e6);
}

/* 240 blocks of 256: at 2^20, 18 elements a thread (17.07), of 20 cycles of
 * computing and 32.25 + 8 c of memory each; one bin of 24 and 40.25. */
static void test_histogram(void) {
  EVALUATE("histogram", 1 << 20);
  same(MAXSUM_COMPUTE, 18 * 20 + 24);
  double meeting = (out[MAXSUM_MEMORY] - 40.25 - 18 * 32.25) / (18 * 8);
  CU_ASSERT_DOUBLE_EQUAL(meeting, 3.078, 0.001); /* by lot: test_bank_load.c */
  same(MAXSUM_BLOCKS_PER_SM, 8);
  same(MAXSUM_TIME_MAX, 8 * 8 * out[MAXSUM_MEMORY] / 1.3e6);
  same(MAXSUM_TIME_SUM, 8 * 8 * (out[MAXSUM_MEMORY] + 384) / 1.3e6);
  EVALUATE("histogram", 1 << 20, 1); /* all meet */
  same(MAXSUM_MEMORY, 18 * (32.25 + 128) + 40.25);
  EVALUATE("histogram", 1 << 20, 1, 128, 4); /* 69 elements */
  same(MAXSUM_COMPUTE, 69 * 20 + 24);
  same(MAXSUM_BLOCKS_PER_SM, 4);
}

/* 4.1: 16 transactions for a half-warp of stride 1, one of stride 16 on. */
static void test_coalescing(void) {
  double elements = 1 << 4;
  double n = elements * 512 * 30;
  EVALUATE("coalescing", n);
  same(MAXSUM_COMPUTE, 16 * elements);
  same(MAXSUM_MEMORY, 2 * 500 * elements);
  same(MAXSUM_TIME_MAX, 16 * 2 * 500 * elements / 1.3e6);
  EVALUATE("coalescing", n, 4);
  same(MAXSUM_MEMORY, 2 * 126 * elements);
  EVALUATE("coalescing", n, 16);
  same(MAXSUM_MEMORY, 2 * 32.25 * elements);
  EVALUATE("coalescing", n, 32);
  same(MAXSUM_MEMORY, 2 * 32.25 * elements);
  EVALUATE("coalescing", n + 1, 32);
  same(MAXSUM_MEMORY, 2 * 32.25 * (elements + 1));
  evaluate("coalescing", "gtx480", 2, (const double[]){n, 32});
  same(MAXSUM_MEMORY, 2 * 16.625 * 2 * elements);
}

/* 4.2: 16 cycles of computing, bank x 4 of memory, 64000 iterations. */
static void test_bank_conflicts(void) {
  for (double bank = 0; bank <= 16; bank++) {
    EVALUATE("bank_conflicts", 64000, bank);
    same(MAXSUM_COMPUTE, 1024000);
    same(MAXSUM_MEMORY, 256000 * bank);
    same(MAXSUM_TIME_MAX, 16 * 256000 * fmax(4, bank) / 1.3e6);
    same(MAXSUM_TIME_SUM, 16 * 256000 * (4 + bank) / 1.3e6);
  }
}

/* The other cases are what `kernel` makes of their numbers. */
static void test_a_kernel_by_its_numbers(void) {
  EVALUATE("kernel", 373, 512, 0, 264, 1);
  same(MAXSUM_TIME_MAX, 21.12);
  EVALUATE("kernel", 30, 256, 700, 5, 16, 3, 2);
  same(MAXSUM_COMPUTE, 700);
  same(MAXSUM_MEMORY, 5 * 32.25 + 3 * 8);
  same(MAXSUM_TIME_SUM, 8 * (700 + 185.25) / 1.3e6);
}

static const struct check_test tests[] = {
    {"matrix multiplication", test_matmul},
    {"list ranking", test_list_ranking},
    {"histogram", test_histogram},
    {"coalescing", test_coalescing},
    {"bank conflicts", test_bank_conflicts},
    {"a kernel by its numbers", test_a_kernel_by_its_numbers},
    {0}};

const struct check_suite suite_maxsum_cases = {"MAX and SUM, cases", tests,
                                               NULL};
