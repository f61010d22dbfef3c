/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The programs of the paper (see maxsum.h): what a thread of each computes and
 * accesses, and how many threads there are.  Numbers that the paper states are
 * taken as printed; where it states none, counts follow its rules (3.2). */
#include <math.h>

#include "gpu_algos/models/bank_load.h"
#include "gpu_algos/models/gpu_model.h"
#include "gpu_algos/models/maxsum.h"

#define WHOLE(usual_)                                             \
  {                                                               \
    "whole-blocks",                                               \
        "1: blocks of a multiprocessor are rounded up; 0: their " \
        "mean",                                                   \
        usual_, 0, 1                                              \
  }
#define LARGEST 0x1p63

/* What a multiprocessor has that shares out n elements among all of them. */
static double per_thread(const struct gpu_arch *arch, double n,
                         double blocks_per_sm, double threads) {
  return ceil(n / (arch->sms * blocks_per_sm * threads));
}

/* 5.1: blocks of 16 x 16 threads, a thread an element of the product; 760
 * cycles of computing and 240 of memory in each of N / 16 steps.  N_B is not
 * rounded there. */
static void matmul(const struct gpu_arch *arch, const double *p, double *out) {
  double n = p[0];
  struct maxsum_grid grid = {n * n / 256, 256, p[1] != 0};
  struct maxsum_thread thread = {760 * n / 16, 240 * n / 16};
  if (grid.whole) grid.blocks = ceil(n / 16) * ceil(n / 16);
  maxsum_kernel(arch, &grid, &thread, out);
}

static const struct gpu_parameter matmul_parameters[] = {
    {"n", "rows and columns of each matrix", NAN, 1, LARGEST}, WHOLE(0), {0}};

/* 5.2: N / log N threads walk a sublist each, of about 4 log N elements, with 3
 * accesses an element that nobody shares; computing is left out. */
static void list_ranking(const struct gpu_arch *arch, const double *p,
                         double *out) {
  double n = p[0], logarithm = log2(n);
  struct maxsum_grid grid = {n / logarithm / 512, 512, p[1] != 0};
  struct maxsum_thread thread = {
      0, 4 * logarithm * 3 * maxsum_global_access(arch, 1)};
  maxsum_kernel(arch, &grid, &thread, out);
}

static const struct gpu_parameter list_ranking_parameters[] = {
    {"n", "elements of the list", NAN, 2, LARGEST}, WHOLE(1), {0}};

/*
 * 5.3 tells the algorithm, but no counts are left of it.  By its words and the
 * rules of 3.2: an element is a coalesced read, and a read and a write of
 * shared memory against the expected conflicts of random bins; its operations
 * are comparing and advancing the index, addressing, taking the bin, adding
 * one.  Then, and at the beginning, each bin is a coalesced write, a read and a
 * write of shared memory, and as many operations as two loops have.
 */
static void histogram(const struct gpu_arch *arch, const double *p,
                      double *out) {
  enum { ELEMENT_OPERATIONS = 5, BIN_OPERATIONS = 6 };
  double n = p[0], bins = p[1], threads = p[2], blocks_per_sm = p[3];
  double elements = per_thread(arch, n, blocks_per_sm, threads);
  double counters = ceil(bins / threads);
  double coalesced = maxsum_global_access(arch, arch->served);
  double meeting =
      bank_load_expected((unsigned)arch->served, (unsigned)arch->banks, bins);
  struct maxsum_grid grid = {arch->sms * blocks_per_sm, threads, true};
  struct maxsum_thread thread = {
      arch->operation *
          (ELEMENT_OPERATIONS * elements + BIN_OPERATIONS * counters),
      elements * (coalesced + 2 * maxsum_shared_access(arch, meeting)) +
          counters * (coalesced + 2 * maxsum_shared_access(arch, 1))};
  maxsum_kernel(arch, &grid, &thread, out);
}

#define GRID(threads_, blocks_)                                        \
  {"threads", "threads of a block", threads_, 1, 1024}, {              \
    "blocks-per-sm", "blocks of a multiprocessor", blocks_, 1, 1 << 20 \
  }

static const struct gpu_parameter histogram_parameters[] = {
    {"n", "observations", NAN, 1, LARGEST},
    {"bins", "bins they are counted in", 256, 1, 1 << 20},
    GRID(256, 8),
    {0}};

/*
 * 4.1 and listing B.1, a[i] = a[i] + a[i]: with a stride s, s threads in
 * sequence access elements in sequence, so a transaction serves s of them, and
 * at most a half-warp.  A read and a write each; no count of the computation is
 * given: here it is as in 4.2.
 */
static void coalescing(const struct gpu_arch *arch, const double *p,
                       double *out) {
  enum { OPERATIONS = 4 }; /* 16 cycles: index, limit, address, sum */
  double stride = p[1], threads = p[2], blocks_per_sm = p[3];
  double elements = per_thread(arch, p[0], blocks_per_sm, threads);
  double served = fmin(stride, arch->served);
  struct maxsum_grid grid = {arch->sms * blocks_per_sm, threads, true};
  struct maxsum_thread thread = {
      elements * OPERATIONS * arch->operation,
      elements * 2 * maxsum_global_access(arch, served)};
  maxsum_kernel(arch, &grid, &thread, out);
}

static const struct gpu_parameter coalescing_parameters[] = {
    {"n", "elements", NAN, 1, LARGEST},
    {"stride", "threads that access elements in sequence", 1, 1, 32},
    GRID(512, 1),
    {0}};

/* 4.2: about 16 cycles of computing an iteration, and 4 times `bank` of
 * memory; 64000 iterations there. */
static void bank_conflicts(const struct gpu_arch *arch, const double *p,
                           double *out) {
  enum { COMPUTE = 16 };
  double iterations = p[0], bank = p[1];
  struct maxsum_grid grid = {arch->sms * p[3], p[2], true};
  struct maxsum_thread thread = {iterations * COMPUTE,
                                 iterations * maxsum_shared_access(arch, bank)};
  maxsum_kernel(arch, &grid, &thread, out);
}

static const struct gpu_parameter bank_conflicts_parameters[] = {
    {"n", "iterations of each thread (64000 in the paper)", NAN, 0, LARGEST},
    {"bank", "threads that meet in a bank", 1, 0, 32},
    GRID(512, 1),
    {0}};

/* Any kernel, by its numbers: 3.2 and equations (2) to (4). */
static void kernel(const struct gpu_arch *arch, const double *p, double *out) {
  struct maxsum_grid grid = {p[0], p[1], true};
  struct maxsum_thread thread = {p[2],
                                 p[3] * maxsum_global_access(arch, p[4]) +
                                     p[5] * maxsum_shared_access(arch, p[6])};
  maxsum_kernel(arch, &grid, &thread, out);
}

static const struct gpu_parameter kernel_parameters[] = {
    {"blocks", "blocks of the grid", NAN, 1, LARGEST},
    {"threads", "threads of a block", 256, 1, 1024},
    {"comp", "cycles that a thread computes", 0, 0, LARGEST},
    {"accesses", "accesses of a thread to global memory", 0, 0, LARGEST},
    {"served", "threads that a transaction serves", 1, 1, 32},
    {"shared", "accesses of a thread to shared memory", 0, 0, LARGEST},
    {"meeting", "threads that meet in a bank", 1, 1, 32},
    {0}};

static const struct gpu_case cases[] = {
    {"matmul", "n x n matrices, in tiles of 16 x 16", "section 5.1",
     matmul_parameters, matmul, NULL},
    {"list_ranking", "Hellman and JaJa's, ranks within sublists", "section 5.2",
     list_ranking_parameters, list_ranking, NULL},
    {"histogram", "a histogram a block, in shared memory",
     "section 5.3 by the rules of 3.2", histogram_parameters, histogram, NULL},
    {"coalescing", "experiment 1: half-warps that share transactions, or not",
     "section 4.1, listing B.1", coalescing_parameters, coalescing, NULL},
    {"bank_conflicts", "experiment 2: threads that meet in a bank",
     "section 4.2, listing B.2", bank_conflicts_parameters, bank_conflicts,
     NULL},
    {"kernel", "any kernel, by its numbers", "sections 3.2 to 3.4",
     kernel_parameters, kernel, NULL},
    {0}};

static const struct gpu_output outputs[] = {
    [MAXSUM_COMPUTE] = {"n_comp", "compute", "cycles", false},
    [MAXSUM_MEMORY] = {"n_memory", "memory", "cycles", false},
    [MAXSUM_CYCLES_MAX] = {"cycles_thread_max", "thread MAX", "cycles", false},
    [MAXSUM_CYCLES_SUM] = {"cycles_thread_sum", "thread SUM", "cycles", false},
    [MAXSUM_BLOCKS_PER_SM] = {"blocks_per_sm", "blocks", "per SM", false},
    [MAXSUM_TIME_MAX] = {"time_ms_max", "MAX", "ms", true},
    [MAXSUM_TIME_SUM] = {"time_ms_sum", "SUM", "ms", true},
    [MAXSUM_OUTPUTS] = {0}};

const struct gpu_model gpu_model_maxsum = {
    .name = "maxsum",
    .title = "MAX and SUM model",
    .summary =
        "a thread's cycles of computing and of memory, one hiding the "
        "other (MAX) or not (SUM)",
    .source = "Kothapalli et al., HiPC 2009",
    .cases = cases,
    .outputs = outputs,
    .of_counts = maxsum_of_counts,
};
