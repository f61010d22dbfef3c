/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

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

double cpu_fft_ops(uint64_t n) { return cpu_ops_nlogn(cpu_fft_length(n)); }

/* 53 random bits as a number of [-1, 1). */
static double number(struct cpu_random *random) {
  return (double)(cpu_random_next(random) >> 11) * 0x1p-52 - 1;
}

void cpu_fft_input(const struct algo_run *run, struct cpu_complex *data) {
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
 * What cpu_fft_differs() compares: the sum of z^k X[k] over all k, where z =
 * exp(pi i r / length) for a random odd r, so that each number of the answer
 * weighs as much. Sum up over k first: z^length is -1, and what is left of x[j]
 * is x[j] times 1 + i cot(pi (r - 2 j) / (2 length)).
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

void cpu_fft_expect(struct algo_run *run, const struct cpu_complex *data) {
  uint64_t length = cpu_fft_length(run->n), odd = odd_of(run);
  struct cpu_complex sum = {0, 0};
  for (uint64_t j = 0; j < run->n; j++) {
    double cot = 1 / tan(angle_of(odd - 2 * j, length) / 2);
    sum.re += data[j].re - data[j].im * cot;
    sum.im += data[j].im + data[j].re * cot;
  }
  memcpy(run->fingerprint, &sum, sizeof sum);
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

const char *cpu_fft_differs(const struct algo_run *run,
                            const struct cpu_complex *data) {
  uint64_t length = cpu_fft_length(run->n), odd = odd_of(run);
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
const char *cpu_fft_refuse(const struct algo_data *given) {
  if (given->count && cpu_fft_length(given->count) != given->count)
    return cpu_say("%" PRIu64 " points are no power of two", given->count);
  return cpu_fft_refuse_large(given);
}
