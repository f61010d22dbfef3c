/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterative fast Fourier transform, radix 2 and in place (Cormen,
 * Leiserson, Rivest, Stein: Introduction to Algorithms, section 30.3).  n
 * points are followed by zeros up to a power of two. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/fft.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "cpu_algos/say.h"

static const double pi = 3.14159265358979323846;

uint64_t cpu_fft_length(uint64_t n) {
  uint64_t length = 1;
  while (length && length < n) length *= 2;
  return length;
}

void cpu_fft_roots(struct cpu_complex *roots, uint64_t length) {
  if (length) roots[0] = (struct cpu_complex){1, 0}; /* of no use */
  for (uint64_t half = 1; half < length; half *= 2)
    for (uint64_t i = 0; i < half; i++) {
      double angle = -pi * (double)i / (double)half;
      roots[half + i] = (struct cpu_complex){cos(angle), sin(angle)};
    }
}

/* Exchange number i with the one whose bits are those of i backwards. */
static void reverse_bits(struct cpu_complex *data, uint64_t length) {
  for (uint64_t i = 1, j = 0; i < length; i++) {
    uint64_t bit = length / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    struct cpu_complex number = data[i];
    data[i] = data[j];
    data[j] = number;
  }
}

void cpu_fft(struct cpu_complex *data, const struct cpu_complex *roots,
             uint64_t length) {
  reverse_bits(data, length);
  for (uint64_t half = 1; half < length; half *= 2)
    for (uint64_t start = 0; start < length; start += 2 * half) {
      struct cpu_complex *low = data + start, *high = low + half;
      const struct cpu_complex *root = roots + half;
      for (uint64_t i = 0; i < half; i++) {
        struct cpu_complex a = low[i], b = high[i], w = root[i];
        double re = b.re * w.re - b.im * w.im;
        double im = b.re * w.im + b.im * w.re;
        high[i] = (struct cpu_complex){a.re - re, a.im - im};
        low[i] = (struct cpu_complex){a.re + re, a.im + im};
      }
    }
}

/* The workspace: the numbers, then the roots. */
static struct cpu_complex *data_of(const struct algo_run *run) {
  return (struct cpu_complex *)(void *)run->memory;
}

static size_t bytes(uint64_t n) {
  uint64_t length = cpu_fft_length(n);
  return length ? cpu_keys_bytes(length, 4, 0) : 0;
}

static double ram_ops(uint64_t n) { return cpu_ops_nlogn(cpu_fft_length(n)); }

/* 53 random bits as a number of [-1, 1). */
static double number(struct cpu_random *random) {
  return (double)(cpu_random_next(random) >> 11) * 0x1p-52 - 1;
}

static void restore(struct algo_run *run) {
  struct cpu_complex *data = data_of(run);
  struct cpu_random random = {run->seed};
  uint64_t length = cpu_fft_length(run->n);
  if (run->given && run->n) {
    memcpy(data, run->given->items, run->n * sizeof *data);
    return; /* n is a power of two */
  }
  for (uint64_t i = 0; i < length; i++) {
    data[i] = (struct cpu_complex){0, 0};
    if (i >= run->n) continue;
    data[i].re = number(&random);
    data[i].im = number(&random);
  }
}

/*
 * What check compares: the sum of z^k X[k] over all k, where z = exp(pi i r /
 * length) for a random odd r, so that each number of the answer weighs as much.
 * Sum up over k first: z^length is -1, and what is left of x[j] is x[j] times
 * 1 + i cot(pi (r - 2 j) / (2 length)).
 */
static uint64_t odd_of(const struct algo_run *run) {
  return cpu_keys_seed(run->seed, 1) | 1;
}

/* pi * turns / length, for `turns` modulo 2 * length, from -pi to pi. */
static double angle_of(uint64_t turns, uint64_t length) {
  turns &= 2 * length - 1;
  double signed_turns =
      turns > length ? -(double)(2 * length - turns) : (double)turns;
  return pi * signed_turns / (double)length;
}

static void setup(struct algo_run *run) {
  uint64_t length = cpu_fft_length(run->n), odd = odd_of(run);
  const struct cpu_complex *data = data_of(run);
  struct cpu_complex sum = {0, 0};
  restore(run);
  cpu_fft_roots(data_of(run) + length, length);
  for (uint64_t j = 0; j < run->n; j++) {
    double cot = 1 / tan(angle_of(odd - 2 * j, length) / 2);
    sum.re += data[j].re - data[j].im * cot;
    sum.im += data[j].im + data[j].re * cot;
  }
  memcpy(run->fingerprint, &sum, sizeof sum);
}

static void transform(struct algo_run *run) {
  uint64_t length = cpu_fft_length(run->n);
  cpu_fft(data_of(run), data_of(run) + length, length);
}

/*
 * An answer of random numbers has about sqrt(length) in each place; the sum of
 * so many is rounded to about its square times 2^-52 a step.  Numbers from
 * outside are as large as they are, and may add up to much in a few places: for
 * each of the log2 N steps as much again (Higham: Accuracy and Stability of
 * Numerical Algorithms, theorem 24.2), and what is lost by underflow.
 */
static double tolerance(const struct algo_run *run, uint64_t length) {
  double norm = 0, points = (double)length;
  if (!run->given) return 0x1p-47 * points * sqrt(points);
  const struct cpu_complex *given = run->given->items;
  for (uint64_t i = 0; i < run->n; i++)
    norm = hypot(norm, hypot(given[i].re, given[i].im));
  return 0x1p-47 * log2(2 * points) * points * norm +
         64 * points * points * DBL_TRUE_MIN;
}

static const char *check(const struct algo_run *run) {
  uint64_t length = cpu_fft_length(run->n), odd = odd_of(run);
  const struct cpu_complex *data = data_of(run);
  struct cpu_complex sum = {0, 0}, expected;
  memcpy(&expected, run->fingerprint, sizeof expected);
  for (uint64_t k = 0; k < length; k++) {
    double angle = angle_of(odd * k, length);
    sum.re += data[k].re * cos(angle) - data[k].im * sin(angle);
    sum.im += data[k].re * sin(angle) + data[k].im * cos(angle);
  }
  double off = hypot(sum.re - expected.re, sum.im - expected.im);
  if (off <= tolerance(run, length)) return NULL;
  return "the numbers are not the Fourier transform of the input";
}

const char *cpu_fft_refuse_large(const struct algo_data *given) {
  const double *halves = given->items;
  for (uint64_t i = 0; i < 2 * given->count; i++)
    if (fabs(halves[i]) > 0x1p500)
      return cpu_say("the point of line %" PRIu64
                     " is larger than 2^500, which sums would overflow from",
                     i / 2 + 1);
  return NULL;
}

/* The transform of other lengths is not that of the points and zeros behind
 * them. */
static const char *refuse(const struct algo_data *given) {
  if (given->count && cpu_fft_length(given->count) != given->count)
    return cpu_say("%" PRIu64 " points are no power of two", given->count);
  return cpu_fft_refuse_large(given);
}

static void answer(const struct algo_run *run, struct algo_data *answer) {
  *answer = (struct algo_data){.count = run->n ? cpu_fft_length(run->n) : 0,
                               .items = data_of(run)};
}

const struct algo cpu_algo_fft_radix2 = {
    .name = "fft_radix2",
    .title = "FFT, radix 2",
    .summary = "transform n complex numbers, zeros up to a power of two, N",
    .device = "cpu",
    .complexity = "N log2 N",
    .ram_ops = ram_ops,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = transform,
    .check = check,
    .data = "signal",
    .refuse = refuse,
    .answer = answer,
};
