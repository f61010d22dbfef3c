/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/fft.h -- the discrete Fourier transform of a power of two of
 * complex numbers: X[k] = sum over j of x[j] exp(-2 pi i j k / length).
 */
#pragma once
#include <stdint.h>

#include "cpu_algos/algo.h"

struct cpu_complex {
  double re, im;
};

/* The least power of two of at least n, and at least 1; 0: beyond 2^63. */
uint64_t cpu_fft_length(uint64_t n);

/* Roots of unity as cpu_fft() takes them, `length` of them: from number h on
 * the h first powers of exp(-2 pi i / (2 h)), for each power of two h. */
void cpu_fft_roots(struct cpu_complex *roots, uint64_t length);

/* Transform in place; `length` is a power of two. */
void cpu_fft(struct cpu_complex *data, const struct cpu_complex *roots,
             uint64_t length);

/* Points from outside so large that sums of 2^31 of them overflow: which, as
 * cpu_say() says it, or NULL. */
const char *cpu_fft_refuse_large(const struct algo_data *given);
