/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms of batches are those of the definition. */
#include <math.h>

#include "cpu_algos/fft.h"
#include "gpu_algos/fft/signals.h"
#include "gpu_algos/simt/simt.h"
#include "tests/cpu_algos/dft.h"
#include "tests/gpu_algos/gpu_case.h"

enum { MOST = 1 << 9 };

static struct cpu_complex at(const void *points, bool floats, uint64_t i) {
  const double *d = (const double *)points + 2 * i;
  const float *f = (const float *)points + 2 * i;
  if (!floats) return (struct cpu_complex){d[0], d[1]};
  return (struct cpu_complex){(double)f[0], (double)f[1]};
}

/* The largest error of a point over the norm of its signal's answer. */
static double error_of(const struct cpu_complex *input, const void *answer,
                       bool floats, uint64_t length) {
  double most = 0, norm = 0;
  for (uint64_t k = 0; k < length; k++) {
    struct cpu_complex right = dft_at(input, length, k);
    struct cpu_complex found = at(answer, floats, k);
    most = fmax(most, hypot(found.re - right.re, found.im - right.im));
    norm = hypot(norm, hypot(right.re, right.im));
  }
  return most / norm;
}

static void expect_definition(const char *name, const char *generator,
                              uint64_t n) {
  bool floats = !strcmp(name, "fft_stockham_float");
  unsigned bytes = floats ? 8 : 16;
  struct gpu_case c = {gpu_tested(), gpu_tested(), gpu_index(name), n, n,
                       generator};
  struct algo_run run = gpu_case_open(&c);
  static struct cpu_complex input[MOST];
  uint64_t length = gpu_signal_length(&run);
  for (uint64_t i = 0; i < n; i++)
    input[i] = at(gpu_signal_array(&run, bytes, 0), floats, i);
  gpu_case_run(&c, &run);
  const unsigned char *answer = gpu_signal_array(&run, bytes, 1);
  for (uint64_t i = 0; i < n; i += length)
    CU_ASSERT_TRUE(error_of(input + i, answer + i * bytes, floats, length) <=
                   (floats ? 1e-6 : 1e-15));
  workspace_close(&run);
}

static void expect_all(const char *name) {
  for (size_t g = 0; gpu_signal_generators[g]; g++)
    for (uint64_t n = 1; n <= MOST; n *= 2)
      expect_definition(name, gpu_signal_generators[g], n);
}

static void test_definition(void) {
  expect_all("fft_stockham");
  expect_all("fft_stockham_float");
  simt_set_order(SIMT_REVERSE);
  expect_all("fft_stockham");
  simt_set_order(SIMT_FORWARD);
}

static void test_lengths(void) {
  static const struct {
    const char *generator;
    uint64_t n, length;
  } cases[] = {{NULL, 64, 64},       {"batch-1", 1, 1},  {"batch-16", 64, 4},
               {"batch-16", 16, 1},  {"batch-16", 8, 1}, {"batch-256", 1, 1},
               {"batch-256", 512, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct algo_run run = {.n = cases[i].n, .generator = cases[i].generator};
    CU_ASSERT_EQUAL(gpu_signal_length(&run), cases[i].length);
  }
}

static void test_fit(void) {
  static const uint64_t cases[][2] = {{0, 0}, {1, 1},      {2, 2},
                                      {3, 2}, {1000, 512}, {1024, 1024}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT_EQUAL(gpu_signal_fit(cases[i][0]), cases[i][1]);
}

/* From outside: one signal, whatever the generator; {1, i, -1, -i} turns. */
static void test_given(void) {
  static const double points[] = {1, 0, 0, 1, -1, 0, 0, -1};
  static const double right[] = {0, 0, 4, 0, 0, 0, 0, 0};
  struct gpu_case c = {
      gpu_tested(), gpu_tested(), gpu_index("fft_stockham"), 4, 1, NULL};
  const struct algo *algo = gpu_algo(&c);
  struct algo_data given = {.count = 4, .items = points}, answer;
  struct algo_run run = workspace_open(algo, 4, 1);
  run.given = &given;
  CU_ASSERT_PTR_NULL(algo->refuse(&given));
  algo->setup(&run);
  gpu_case_run(&c, &run);
  CU_ASSERT_PTR_NULL(algo->check(&run));
  algo->answer(&run, &answer);
  CU_ASSERT_EQUAL(answer.count, 4);
  for (size_t i = 0; i < 8; i++)
    CU_ASSERT_TRUE(fabs(((const double *)answer.items)[i] - right[i]) < 1e-15);
  workspace_close(&run);
}

static void test_refused(void) {
  static const double points[] = {0, 0x1p500, 1, -0x1p501};
  struct algo_data given = {.count = 1, .items = points};
  CU_ASSERT_PTR_NULL(cpu_fft_refuse_large(&given));
  given.count = 2;
  CU_ASSERT_PTR_NOT_NULL_FATAL(cpu_fft_refuse_large(&given));
  CU_ASSERT_PTR_NOT_NULL(strstr(cpu_fft_refuse_large(&given), "line 2 "));
}

static const struct check_test tests[] = {
    {"transforms are those of the definition", test_definition},
    {"a batch is signals of as many points each", test_lengths},
    {"powers of two are taken", test_fit},
    {"data from outside are one signal", test_given},
    {"numbers whose sums overflow are refused", test_refused},
    {NULL, NULL},
};
extern const struct check_suite suite_fft_stockham;
const struct check_suite suite_fft_stockham = {"Stockham's FFT", tests,
                                               gpu_skip_tested};
