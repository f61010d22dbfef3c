/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "cpu_algos/fft.h"
#include "cpu_algos/random.h"
#include "tests/cpu_algos/dft.h"
#include "tests/cpu_algos/workspace.h"

enum { MOST = 1 << 10 };

typedef void transformer(struct cpu_complex *data, uint64_t length);

static void in_place(struct cpu_complex *data, uint64_t length) {
  static struct cpu_complex roots[MOST];
  cpu_fft_roots(roots, length);
  cpu_fft(data, roots, length);
}

static void split(struct cpu_complex *data, uint64_t length) {
  static struct cpu_complex roots[2 * MOST], to[MOST];
  cpu_fft_split_roots(roots, length);
  cpu_fft_split(data, to, roots, length);
  memcpy(data, to, length * sizeof *data);
}

static transformer *const transformers[] = {in_place, split, NULL};
static const char *const names[] = {"fft_radix2", "fft_recursive", NULL};

static bool is(struct cpu_complex number, double re, double im, double off) {
  return fabs(number.re - re) <= off && fabs(number.im - im) <= off;
}

static void by_hand(transformer *transform) {
  struct cpu_complex one[] = {{3, -4}};
  transform(one, 1);
  CU_ASSERT_TRUE(is(one[0], 3, -4, 0));
  struct cpu_complex two[] = {{1, 2}, {3, 5}};
  transform(two, 2);
  CU_ASSERT_TRUE(is(two[0], 4, 7, 0) && is(two[1], -2, -3, 0));
  struct cpu_complex four[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
  transform(four, 4); /* 10, -2 + 2i, -2, -2 - 2i */
  CU_ASSERT_TRUE(is(four[0], 10, 0, 1e-15) && is(four[1], -2, 2, 1e-15));
  CU_ASSERT_TRUE(is(four[2], -2, 0, 1e-15) && is(four[3], -2, -2, 1e-15));
}

static void test_by_hand(void) {
  for (size_t i = 0; transformers[i]; i++) by_hand(transformers[i]);
}

static void test_lengths(void) {
  static const uint64_t cases[][2] = {{0, 1}, {1, 1}, {2, 2},      {3, 4},
                                      {4, 4}, {5, 8}, {1025, 2048}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT_EQUAL(cpu_fft_length(cases[i][0]), cases[i][1]);
  CU_ASSERT_EQUAL(cpu_fft_length(UINT64_C(1) << 63), UINT64_C(1) << 63);
  CU_ASSERT_EQUAL(cpu_fft_length((UINT64_C(1) << 63) + 1), 0);
}

static void fill(struct cpu_complex *data, uint64_t length, uint64_t seed) {
  struct cpu_random random = {seed};
  for (uint64_t i = 0; i < length; i++) {
    data[i].re = (double)(cpu_random_next(&random) >> 40) - 0x1p23;
    data[i].im = (double)(cpu_random_next(&random) >> 40) - 0x1p23;
  }
}

/* Rounding: 2^23 sqrt(length) a number, 2^-52 of it a step. */
static void as_defined(transformer *transform) {
  static struct cpu_complex data[MOST], input[MOST];
  for (uint64_t length = 1; length <= MOST; length *= 2) {
    fill(input, length, length);
    memcpy(data, input, length * sizeof *data);
    transform(data, length);
    uint64_t step = length < 64 ? 1 : length / 64 - 1;
    for (uint64_t k = 0; k < length; k += step ? step : 1) {
      struct cpu_complex right = dft_at(input, length, k);
      CU_ASSERT_TRUE(is(data[k], right.re, right.im, 1e-6));
    }
  }
}

static void test_definition(void) {
  for (size_t i = 0; transformers[i]; i++) as_defined(transformers[i]);
}

/* Parseval's theorem; and backwards, conjugated, it is its own inverse. */
static void invert(transformer *transform) {
  static struct cpu_complex data[MOST], input[MOST];
  for (uint64_t length = 1; length <= MOST; length *= 2)
    for (uint64_t seed = 0; seed < 20; seed++) {
      double before = 0, after = 0;
      fill(input, length, seed);
      memcpy(data, input, length * sizeof *data);
      transform(data, length);
      for (uint64_t i = 0; i < length; i++) {
        before += input[i].re * input[i].re + input[i].im * input[i].im;
        after += data[i].re * data[i].re + data[i].im * data[i].im;
        data[i].im = -data[i].im;
      }
      CU_ASSERT_DOUBLE_EQUAL(after / (double)length / before, 1, 1e-12);
      transform(data, length);
      for (uint64_t i = 0; i < length; i++) {
        double scale = (double)length;
        CU_ASSERT_TRUE(is(data[i], scale * input[i].re, -scale * input[i].im,
                          1e-8 * scale));
      }
    }
}

static void test_inverse(void) {
  for (size_t i = 0; transformers[i]; i++) invert(transformers[i]);
}

/*
 * Each of N numbers is in log2 N butterflies of two.  Splitting N into factors
 * of 4 to 16 adds a multiplication and three moves for each factor but the
 * first, and a move for each factor: worst where all are 4.
 */
static void test_work_is_n_log_n(void) {
  enum { LONGEST = 1 << 17 };
  struct cpu_complex *numbers = calloc(4 * (size_t)LONGEST, sizeof *numbers);
  CU_ASSERT_PTR_NOT_NULL_FATAL(numbers);
  for (uint64_t n = 1, lg = 0; n <= LONGEST; n *= 2, lg++) {
    cpu_fft_split_roots(numbers + 2 * n, n);
    struct cpu_fft_work work =
        cpu_fft_split(numbers, numbers + n, numbers + 2 * n, n);
    CU_ASSERT_EQUAL(work.butterflies, n * lg / 2);
    CU_ASSERT(n <= CPU_FFT_CUTOFF || work.twiddles >= n);
    CU_ASSERT(work.twiddles <= (lg > 4 ? n * (lg / 2 - 1) : 0));
    CU_ASSERT_EQUAL(work.moves, 4 * work.twiddles + n);
  }
  free(numbers);
}

static struct cpu_complex *answer_of(const struct algo *algo,
                                     const struct algo_run *run) {
  struct algo_data answer;
  algo->answer(run, &answer);
  return (struct cpu_complex *)(uintptr_t)answer.items;
}

static const char *wrong_after(const struct algo *algo,
                               const struct algo_run *from, uint64_t at,
                               double by) {
  double *numbers = (double *)answer_of(algo, from), number = numbers[at];
  numbers[at] += by;
  const char *wrong = algo->check(from);
  numbers[at] = number;
  return wrong;
}

/* The check lets rounding pass, and no more: a part in 2^20 of one number of
 * 2^17 is too much. */
static void check_sharply(const struct algo *algo) {
  for (uint64_t n = 1; n <= 1 << 17; n = 3 * n + 1) {
    uint64_t length = cpu_fft_length(n);
    struct algo_run run = workspace_open(algo, n, n);
    algo->setup(&run);
    algo->run(&run);
    double size = sqrt((double)length), off = size * 0x1p-20;
    CU_ASSERT_PTR_NULL(algo->check(&run));
    for (uint64_t at = 0; at < 2 * length; at += 1 + length / 10) {
      CU_ASSERT_PTR_NOT_NULL(wrong_after(algo, &run, at, off));
      CU_ASSERT_PTR_NULL(wrong_after(algo, &run, at, size * 0x1p-52));
    }
    workspace_close(&run);
  }
}

static void test_check_is_sharp(void) {
  for (size_t i = 0; names[i]; i++) check_sharply(cpu_algo_find(names[i]));
}

/* Points from outside, large and tiny ones and all the same; and an answer that
 * is off somewhere. */
static void transform_given(const struct algo *algo) {
  static const double sizes[] = {1, 1e140, 1e-300, 5e-324};
  static struct cpu_complex points[MOST];
  for (unsigned i = 0; i < 8; i++)
    for (uint64_t length = 1; length <= MOST; length *= 4) {
      struct algo_data given = {.count = length, .items = points};
      double size = sizes[i / 2];
      fill(points, length, length);
      for (uint64_t j = 0; j < length; j++)
        points[j] = i % 2 ? (struct cpu_complex){size, -size}
                          : (struct cpu_complex){points[j].re * size,
                                                 points[j].im * size};
      CU_ASSERT_PTR_NULL(algo->refuse(&given));
      struct algo_run run = workspace_of(algo->bytes(length), length, 9);
      run.given = &given;
      algo->setup(&run);
      algo->run(&run);
      CU_ASSERT_PTR_NULL(algo->check(&run));
      struct cpu_complex *answer = answer_of(algo, &run);
      answer[length / 3].im += size;
      if (size > 1e-300) CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
      answer[length / 3].im = NAN;
      CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
      workspace_close(&run);
    }
}

static void test_given_signals(void) {
  for (size_t i = 0; names[i]; i++) transform_given(cpu_algo_find(names[i]));
}

static const struct check_test tests[] = {
    {"1, 2 and 4 numbers, by hand", test_by_hand},
    {"lengths are powers of two", test_lengths},
    {"numbers are the definition's sums", test_definition},
    {"it has Parseval's theorem and an inverse", test_inverse},
    {"splitting takes n log n", test_work_is_n_log_n},
    {"the check lets rounding pass and no more", test_check_is_sharp},
    {"of points from outside", test_given_signals},
    {NULL, NULL},
};
extern const struct check_suite suite_fft;
const struct check_suite suite_fft = {"fft", tests, NULL};
