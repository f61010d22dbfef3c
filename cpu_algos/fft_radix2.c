/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterative fast Fourier transform, radix 2 and in place (Cormen,
 * Leiserson, Rivest, Stein: Introduction to Algorithms, section 30.3).  n
 * points are followed by zeros up to a power of two. */
#include <math.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/fft.h"
#include "cpu_algos/keys.h"

static const double pi = 3.14159265358979323846;

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

void cpu_fft_butterflies(struct cpu_complex *data,
                         const struct cpu_complex *roots, uint64_t length) {
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

void cpu_fft(struct cpu_complex *data, const struct cpu_complex *roots,
             uint64_t length) {
  reverse_bits(data, length);
  cpu_fft_butterflies(data, roots, length);
}

/* The workspace: the numbers, then the roots. */
static struct cpu_complex *data_of(const struct algo_run *run) {
  return (struct cpu_complex *)(void *)run->memory;
}

static size_t bytes(uint64_t n) {
  uint64_t length = cpu_fft_length(n);
  return length ? cpu_keys_bytes(length, 4, 0) : 0;
}

static void restore(struct algo_run *run) { cpu_fft_input(run, data_of(run)); }

static void setup(struct algo_run *run) {
  uint64_t length = cpu_fft_length(run->n);
  restore(run);
  cpu_fft_roots(data_of(run) + length, length);
  cpu_fft_expect(run, data_of(run));
}

static void transform(struct algo_run *run) {
  uint64_t length = cpu_fft_length(run->n);
  cpu_fft(data_of(run), data_of(run) + length, length);
}

static const char *check(const struct algo_run *run) {
  return cpu_fft_differs(run, data_of(run));
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
    .ram_ops = cpu_fft_ops,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = transform,
    .check = check,
    .data = "signal",
    .refuse = cpu_fft_refuse,
    .answer = answer,
};
