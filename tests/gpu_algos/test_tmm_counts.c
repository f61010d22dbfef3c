/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the emulator counts of an algorithm grows as the TMM model's M does,
 * n going up by a factor of 64: where a formula holds (doc/tmm.md tells of
 * those that do not). */
#include <math.h>

#include "gpu_algos/blocks.h"
#include "gpu_algos/models/tmm_algo.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/gpu_case.h"

enum { SIZES = 4, STEP = 4, WORDS_OF_A_LINE = 32 };

struct row {
  const char *algo, *formula;
  uint64_t least;
  unsigned keys; /* Z, in keys of 64 bits; 0: it is of no matter */
};

/* Lines of 128 bytes, a warp instruction: accesses of up to C words. */
static double counted(const struct row *row, uint64_t n) {
  struct gpu_case c = {gpu_emu(), gpu_counted(), gpu_index(row->algo), n,
                       1,         NULL};
  struct algo_run run = gpu_case_open(&c);
  if (row->keys) run.dummy_shared = GPU_SHARED_BYTES - 8 * row->keys;
  struct simt_counters counters;
  simt_reset_counters();
  gpu_case_run(&c, &run);
  simt_read_counters(&counters);
  workspace_close(&run);
  return (double)(counters.lines_read + counters.lines_written);
}

/* Of strings, n letters are queries of 16 in a text of as many. */
static double formula(const struct row *row, uint64_t n) {
  struct tmm_machine machine = {.P = 1, .C = WORDS_OF_A_LINE, .Q = 1};
  struct tmm_at at = {.n = (double)n, .m = (double)n, .machine = &machine};
  const struct tmm_algo *algo = tmm_algo_find(row->formula);
  machine.Z = row->keys;
  if (strchr(algo->sizes, 'k')) {
    at.k = 16;
    at.n /= at.k;
  }
  return tmm_algo_program(algo, &at).M;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* The largest factor between a ratio and the median of all. */
static double spread(const struct row *row) {
  double ratio[SIZES], sorted[SIZES];
  uint64_t n = row->least;
  for (int i = 0; i < SIZES; i++, n *= STEP)
    sorted[i] = ratio[i] = counted(row, n) / formula(row, n);
  qsort(sorted, SIZES, sizeof *sorted, compare);
  double median = (sorted[SIZES / 2 - 1] + sorted[SIZES / 2]) / 2;
  if (getenv("VAT_TMM_COUNTS"))
    printf("%s %s %llu: %.3g %.3g %.3g %.3g\n", row->algo, row->formula,
           (unsigned long long)row->least, ratio[0], ratio[1], ratio[2],
           ratio[3]);
  return fmax(median / sorted[0], sorted[SIZES - 1] / median);
}

static const struct row rows[] = {
    {"reduce", "reduce", 1 << 12, 0},
    {"scan", "scan", 1 << 12, 0},
    {"merge", "merge", 1 << 12, 256},
    {"merge", "blocked_merge", 1 << 12, 256},
    {"merge_sort", "merge_sort", 1 << 10, 256},
    {"odd_even_sort", "odd_even_sort", 1 << 10, 256},
    {"fft_stockham", "fft_stockham", 1 << 10, 0},
    {"fft_stockham_float", "fft_stockham", 1 << 10, 0},
    {"list_ranking_wyllie", "list_ranking_wyllie", 1 << 10, 0},
    {"suffix_tree", "suffix_tree", 1 << 12, 0},
    {"suffix_array", "suffix_array", 1 << 12, 0},
};

static void test_growth(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double factor = spread(&rows[i]);
    CU_ASSERT_TRUE(factor <= 1.5);
    if (factor > 1.5)
      fprintf(stderr, "%s over %s: %.2f\n", rows[i].algo, rows[i].formula,
              factor);
  }
}

static const struct check_test tests[] = {
    {"accesses grow as the formulas have it", test_growth},
    {NULL, NULL},
};
extern const struct check_suite suite_tmm_counts;
const struct check_suite suite_tmm_counts = {"counts and the TMM model", tests,
                                             gpu_skip_counted};
