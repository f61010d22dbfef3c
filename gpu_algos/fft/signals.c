/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/fft/signals.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/fft.h"
#include "cpu_algos/random.h"
#include "gpu_algos/words.h"

enum { DOUBLES = sizeof(double[2]), FLOATS = sizeof(float[2]) };

const char *const gpu_signal_generators[] = {"batch-1", "batch-16", "batch-256",
                                             NULL};

uint64_t gpu_signal_fit(uint64_t n) {
  return n ? UINT64_C(1) << (63 - __builtin_clzll(n)) : 0;
}

uint64_t gpu_signal_length(const struct algo_run *run) {
  const char *name = run->generator ? run->generator : *gpu_signal_generators;
  uint64_t batch = strtoull(strrchr(name, '-') + 1, NULL, 10);
  if (run->given) batch = 1;
  return batch < run->n ? run->n / batch : 1;
}

static uint64_t array_words(uint64_t n, unsigned bytes) {
  return gpu_words_padded(n * (bytes / sizeof(uint32_t)));
}

void *gpu_signal_array(const struct algo_run *run, unsigned bytes,
                       unsigned index) {
  return (uint32_t *)(void *)run->memory + index * array_words(run->n, bytes);
}

/* check takes a signal of doubles and as many roots. */
static size_t bytes_of(uint64_t n, unsigned bytes) {
  if (n > GPU_WORDS_MAX) return 0;
  return gpu_words_bytes(
      0, 0, 3 * array_words(n, bytes) + 2 * array_words(n, DOUBLES));
}

size_t gpu_signal_bytes(uint64_t n) { return bytes_of(n, DOUBLES); }
size_t gpu_signal_bytes_float(uint64_t n) { return bytes_of(n, FLOATS); }

/* Half of number i of the run's input, from -1 to 1: 53 random bits. */
static double half_point(const struct algo_run *run, uint64_t i) {
  if (run->given) return ((const double *)run->given->items)[i];
  return (double)(cpu_random_at(run->seed, i) >> 11) * 0x1p-52 - 1;
}

void gpu_signal_setup(struct algo_run *run) {
  double *input = gpu_signal_array(run, DOUBLES, 0);
  memset(run->memory, 0, gpu_signal_bytes(run->n));
  for (uint64_t i = 0; i < 2 * run->n; i++) input[i] = half_point(run, i);
}

void gpu_signal_setup_float(struct algo_run *run) {
  float *input = gpu_signal_array(run, FLOATS, 0);
  memset(run->memory, 0, gpu_signal_bytes_float(run->n));
  for (uint64_t i = 0; i < 2 * run->n; i++)
    input[i] = (float)half_point(run, i);
}

/* Point i of an array of either kind. */
static struct cpu_complex point(const void *array, unsigned bytes, uint64_t i) {
  const double *doubles = (const double *)array + 2 * i;
  const float *floats = (const float *)array + 2 * i;
  if (bytes == DOUBLES) return (struct cpu_complex){doubles[0], doubles[1]};
  return (struct cpu_complex){(double)floats[0], (double)floats[1]};
}

/*
 * By the processor's transform, in doubles.  With roots that are off by at most
 * u the answer of log2 N steps is off by less than 8 u log2 N of its norm
 * (Higham: Accuracy and Stability of Numerical Algorithms, theorem 24.2); NaN
 * is off by more.
 */
static bool signal_is_right(const struct algo_run *run, unsigned bytes,
                            uint64_t first, uint64_t length) {
  struct cpu_complex *right = gpu_signal_array(run, bytes, 3);
  const struct cpu_complex *roots = right + run->n;
  const void *input = gpu_signal_array(run, bytes, 0);
  const void *answer = gpu_signal_array(run, bytes, 1);
  double off = 0, norm = 0, unit = bytes == DOUBLES ? DBL_EPSILON : FLT_EPSILON;
  for (uint64_t i = 0; i < length; i++)
    right[i] = point(input, bytes, first + i);
  cpu_fft(right, roots, length);
  for (uint64_t i = 0; i < length; i++) {
    struct cpu_complex found = point(answer, bytes, first + i);
    off = hypot(off, hypot(found.re - right[i].re, found.im - right[i].im));
    norm = hypot(norm, hypot(right[i].re, right[i].im));
  }
  return off <= 8 * unit * log2((double)(2 * length)) * norm;
}

static const char *check(const struct algo_run *run, unsigned bytes) {
  uint64_t length = gpu_signal_length(run);
  struct cpu_complex *right = gpu_signal_array(run, bytes, 3);
  cpu_fft_roots(right + run->n, run->n ? length : 0);
  for (uint64_t first = 0; first < run->n; first += length)
    if (!signal_is_right(run, bytes, first, length))
      return "the points are not the Fourier transform of the input";
  return NULL;
}

const char *gpu_signal_check(const struct algo_run *run) {
  return check(run, DOUBLES);
}

const char *gpu_signal_check_float(const struct algo_run *run) {
  return check(run, FLOATS);
}

void gpu_signal_answer(const struct algo_run *run, struct algo_data *answer) {
  *answer = (struct algo_data){.count = run->n,
                               .items = gpu_signal_array(run, DOUBLES, 1)};
}
