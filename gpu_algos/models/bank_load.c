/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/models/bank_load.h"

#include <math.h>
#include <string.h>

/* a *= b, up to the power of `degree`. */
static void multiply(double *a, const double *b, unsigned degree) {
  double product[BANK_LOAD_THREADS_MAX + 1] = {0};
  for (unsigned i = 0; i <= degree; i++)
    for (unsigned j = 0; i + j <= degree; j++) product[i + j] += a[i] * b[j];
  memcpy(a, product, (degree + 1) * sizeof *a);
}

/*
 * The chance that no bank gets more than `most` of t threads.  The chance of
 * loads x_1, x_2, ... is t! times the product of p_b^(x_b) / x_b!
 * (multinomial); so it is t! times the coefficient of z^t in the product over
 * banks of the exponential series of p_b z, cut off behind z^most.
 */
static double chance(unsigned threads, unsigned banks, double words,
                     unsigned most) {
  double series[BANK_LOAD_THREADS_MAX + 1] = {1}, factorial = 1;
  for (unsigned b = 0; b < banks && b < words; b++) {
    double term[BANK_LOAD_THREADS_MAX + 1] = {1};
    double p = (floor((words - b - 1) / banks) + 1) / words;
    for (unsigned i = 1; i <= most && i <= threads; i++)
      term[i] = term[i - 1] * p / i;
    multiply(series, term, threads);
  }
  for (unsigned i = 2; i <= threads; i++) factorial *= i;
  return factorial * series[threads];
}

double bank_load_expected(unsigned threads, unsigned banks, double words) {
  double load = 0; /* the sum over m of P(load > m) */
  for (unsigned most = 0; most < threads; most++)
    load += 1 - chance(threads, banks, words, most);
  return load;
}
