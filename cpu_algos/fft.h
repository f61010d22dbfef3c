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

/* The butterflies of cpu_fft(), of numbers whose places have their bits
 * backwards. */
void cpu_fft_butterflies(struct cpu_complex *data,
                         const struct cpu_complex *roots, uint64_t length);

/* What a recursive transform did, for the proof that it is O(n log n). */
struct cpu_fft_work {
  uint64_t butterflies, twiddles; /* multiplications of complex numbers */
  uint64_t moves;                 /* of one from one place to another */
};

/* Transforms of at most this many numbers are left to cpu_fft_butterflies().
 */
enum { CPU_FFT_CUTOFF = 16 };

/* Roots as cpu_fft_split() takes them, 2 * length of them: those of cpu_fft()
 * for small transforms, and from number s on those of a transform of s numbers,
 * in the order in which it takes them. */
void cpu_fft_split_roots(struct cpu_complex *roots, uint64_t length);

/* Transform by the cache-oblivious algorithm: leaves the answer in `to`, and
 * anything in `from`. */
struct cpu_fft_work cpu_fft_split(struct cpu_complex *from,
                                  struct cpu_complex *to,
                                  const struct cpu_complex *roots,
                                  uint64_t length);

/* What the algorithms have in common (fft_signal.c): the run's n numbers and
 * zeros behind them, cpu_fft_length(n) in all; what check needs to know of
 * them, which setup asks for; why `data` are not their transform, or NULL. */
void cpu_fft_input(const struct algo_run *run, struct cpu_complex *data);
void cpu_fft_expect(struct algo_run *run, const struct cpu_complex *data);
const char *cpu_fft_differs(const struct algo_run *run,
                            const struct cpu_complex *data);
double cpu_fft_ops(uint64_t n);
const char *cpu_fft_refuse(const struct algo_data *given);

/* Points from outside so large that sums of 2^31 of them overflow: which, as
 * cpu_say() says it, or NULL. */
const char *cpu_fft_refuse_large(const struct algo_data *given);
