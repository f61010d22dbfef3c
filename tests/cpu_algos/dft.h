/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/cpu_algos/dft.h -- the discrete Fourier transform by its definition, in
 * long doubles: what suites of fast ones share. */
#pragma once
#include <math.h>

#include "cpu_algos/fft.h"

static inline struct cpu_complex dft_at(const struct cpu_complex *data,
                                        uint64_t length, uint64_t k) {
  const long double turn = 2 * acosl(-1) / (long double)length;
  long double re = 0, im = 0;
  for (uint64_t j = 0; j < length; j++) {
    long double angle = turn * (long double)(j * k % length);
    re += data[j].re * cosl(angle) + data[j].im * sinl(angle);
    im += data[j].im * cosl(angle) - data[j].re * sinl(angle);
  }
  return (struct cpu_complex){(double)re, (double)im};
}
