/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equations (1) to (4), and counts in place of a thread's cycles. */
#include <math.h>
#include <stdlib.h>

#include "gpu_algos/models/maxsum.h"
#include "tests/check.h"

static const struct gpu_arch *gtx280(void) { return gpu_arch_find("gtx280"); }

/* 3.2.2: "the average access cost per access for these k threads can be taken
 * to be (500 + k) / k"; 500 alone; 4 k for k threads in a bank. */
static void test_accesses_cost_what_is_printed(void) {
  CU_ASSERT_EQUAL(maxsum_global_access(gtx280(), 1), 500);
  CU_ASSERT_EQUAL(maxsum_global_access(gtx280(), 0), 500);
  CU_ASSERT_EQUAL(maxsum_global_access(gtx280(), 2), 251);
  CU_ASSERT_EQUAL(maxsum_global_access(gtx280(), 16), 32.25);
  CU_ASSERT_EQUAL(maxsum_global_access(gtx280(), 32), 16.625);
  CU_ASSERT_EQUAL(maxsum_shared_access(gtx280(), 1), 4);
  CU_ASSERT_EQUAL(maxsum_shared_access(gtx280(), 16), 64);
}

/* Figure 2: blocks go to multiprocessors one after the other, their warps'
 * threads to the cores, each of which has D of them under way. */
static double walked_ms(const struct gpu_arch *arch, unsigned blocks,
                        unsigned threads, double cycles) {
  double *busy = calloc((size_t)arch->sms, sizeof *busy), last = 0;
  for (unsigned block = 0; block < blocks; block++)
    for (unsigned begun = 0; begun < threads; begun += 32)
      for (unsigned thread = 0; thread < 32; thread++)
        busy[block % (unsigned)arch->sms] +=
            cycles / (arch->cores * arch->depth);
  for (unsigned sm = 0; sm < (unsigned)arch->sms; sm++)
    last = fmax(last, busy[sm]);
  free(busy);
  return last / (arch->clock_hz / 1000);
}

static void test_a_kernel_is_walked_through(void) {
  static const unsigned blocks[] = {1, 29, 30, 31, 240, 373},
                        threads[] = {1, 32, 33, 100, 256, 512};
  for (const struct gpu_arch *arch = gpu_archs; arch->name; arch++)
    for (size_t i = 0; i < 6; i++)
      for (size_t j = 0; j < 6; j++) {
        struct maxsum_grid grid = {blocks[i], threads[j], true};
        struct maxsum_thread thread = {300, 1700};
        double out[MAXSUM_OUTPUTS];
        maxsum_kernel(arch, &grid, &thread, out);
        double max = walked_ms(arch, blocks[i], threads[j], 1700);
        double sum = walked_ms(arch, blocks[i], threads[j], 2000);
        CU_ASSERT_DOUBLE_EQUAL(out[MAXSUM_TIME_MAX], max, 1e-9 * max);
        CU_ASSERT_DOUBLE_EQUAL(out[MAXSUM_TIME_SUM], sum, 1e-9 * sum);
        CU_ASSERT_EQUAL(out[MAXSUM_CYCLES_MAX], 1700);
        CU_ASSERT_EQUAL(out[MAXSUM_CYCLES_SUM], 2000);
      }
}

/* By hand: 60 blocks of 64 threads of 1300 cycles: 2 x 64 x 1300 / 32 = 5200
 * cycles of 1.3 GHz are 4 us. */
static void test_blocks_are_rounded_up_or_not(void) {
  struct maxsum_thread thread = {1300, 100};
  double out[MAXSUM_OUTPUTS];
  maxsum_kernel(gtx280(), &(struct maxsum_grid){60, 64, true}, &thread, out);
  CU_ASSERT_DOUBLE_EQUAL(out[MAXSUM_TIME_MAX], 0.004, 1e-15);
  maxsum_kernel(gtx280(), &(struct maxsum_grid){45, 64, true}, &thread, out);
  CU_ASSERT_DOUBLE_EQUAL(out[MAXSUM_TIME_MAX], 0.004, 1e-15);
  maxsum_kernel(gtx280(), &(struct maxsum_grid){45, 64, false}, &thread, out);
  CU_ASSERT_DOUBLE_EQUAL(out[MAXSUM_TIME_MAX], 0.003, 1e-15);
  CU_ASSERT_EQUAL(out[MAXSUM_BLOCKS_PER_SM], 1.5);
}

/* 60 blocks of 64 threads that each do `accesses`, `served` of a warp sharing
 * a line. */
static struct gpu_counts counts_of(double accesses, double served, double waves,
                                   double instructions) {
  enum { THREADS = 60 * 64, WARPS = THREADS / 32 };
  return (struct gpu_counts){.warp_instructions = WARPS * instructions,
                             .arithmetic = NAN,
                             .accesses = THREADS * accesses,
                             .lines = THREADS * accesses / served,
                             .bank_waves = WARPS * waves,
                             .threads = THREADS,
                             .thread_blocks = 60};
}

/* What a thread costs by hand is what it costs by counts; a line that a whole
 * warp reads is two transactions of a half-warp, but on Fermi. */
static void test_counts_are_threads(void) {
  for (const struct gpu_arch *arch = gpu_archs; arch->name; arch++)
    for (double served = 2; served <= 32; served *= 2) {
      struct gpu_counts counts = counts_of(10, served, 24, 50);
      double counted[MAXSUM_OUTPUTS], byhand[MAXSUM_OUTPUTS];
      struct maxsum_thread thread = {
          50 * 4, 10 * maxsum_global_access(arch, fmin(served, arch->served)) +
                      maxsum_shared_access(arch, 24)};
      maxsum_kernel(arch, &(struct maxsum_grid){60, 64, false}, &thread,
                    byhand);
      maxsum_of_counts(arch, &counts, counted);
      for (size_t i = 0; i < MAXSUM_OUTPUTS; i++)
        CU_ASSERT_DOUBLE_EQUAL(counted[i], byhand[i], 1e-9 * byhand[i]);
    }
}

/* What computes takes as long as what asks for memory, 4 cycles. */
static void test_arithmetic_is_computing(void) {
  struct gpu_counts counts = counts_of(10, 4, 3, 9);
  double out[MAXSUM_OUTPUTS];
  maxsum_of_counts(gtx280(), &counts, out);
  CU_ASSERT_EQUAL(out[MAXSUM_COMPUTE], 9 * 4);
  counts.arithmetic = 60 * 2 * 100;
  maxsum_of_counts(gtx280(), &counts, out);
  CU_ASSERT_EQUAL(out[MAXSUM_COMPUTE], (100 + 9) * 4);
}

/* One element a transaction: 501, where the text has 500. */
static void test_a_lone_access_is_counted_as_501(void) {
  struct gpu_counts counts = counts_of(7, 1, 0, 0);
  double out[MAXSUM_OUTPUTS];
  maxsum_of_counts(gtx280(), &counts, out);
  CU_ASSERT_DOUBLE_EQUAL(out[MAXSUM_MEMORY], 7 * 501, 1e-9);
}

static void test_what_was_not_counted_is_not_told(void) {
  double out[MAXSUM_OUTPUTS], all[MAXSUM_OUTPUTS];
  struct gpu_counts counts = counts_of(10, 4, 3, 9);
  maxsum_of_counts(gtx280(), &counts, all);
  counts.threads = counts.thread_blocks = NAN;
  maxsum_of_counts(gtx280(), &counts, out);
  CU_ASSERT(isnan(out[MAXSUM_COMPUTE]) && isnan(out[MAXSUM_CYCLES_MAX]));
  CU_ASSERT(isnan(out[MAXSUM_BLOCKS_PER_SM]));
  CU_ASSERT_EQUAL(out[MAXSUM_TIME_MAX], all[MAXSUM_TIME_MAX]);
  CU_ASSERT_EQUAL(out[MAXSUM_TIME_SUM], all[MAXSUM_TIME_SUM]);
  counts = counts_of(10, 4, 3, 9);
  counts.bank_waves = NAN;
  maxsum_of_counts(gtx280(), &counts, out);
  CU_ASSERT_EQUAL(out[MAXSUM_COMPUTE], 36);
  CU_ASSERT(isnan(out[MAXSUM_MEMORY]) && isnan(out[MAXSUM_TIME_MAX]));
  counts = counts_of(10, 4, 3, 9);
  counts.warp_instructions = NAN;
  maxsum_of_counts(gtx280(), &counts, out);
  CU_ASSERT(isnan(out[MAXSUM_TIME_MAX]) && isnan(out[MAXSUM_TIME_SUM]));
  CU_ASSERT_EQUAL(out[MAXSUM_MEMORY], all[MAXSUM_MEMORY]);
  counts = counts_of(10, 4, 3, 9);
  counts.lines = NAN;
  maxsum_of_counts(gtx280(), &counts, out);
  CU_ASSERT(isnan(out[MAXSUM_MEMORY]));
}

static const struct check_test tests[] = {
    {"accesses cost what is printed", test_accesses_cost_what_is_printed},
    {"a kernel is walked through", test_a_kernel_is_walked_through},
    {"blocks are rounded up, or not", test_blocks_are_rounded_up_or_not},
    {"counts are threads", test_counts_are_threads},
    {"arithmetic is computing", test_arithmetic_is_computing},
    {"a lone access is counted as 501", test_a_lone_access_is_counted_as_501},
    {"what was not counted is not told", test_what_was_not_counted_is_not_told},
    {0}};

const struct check_suite suite_maxsum = {"MAX and SUM", tests, NULL};
