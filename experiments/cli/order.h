/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/order.h -- what qsort() is to be told of two numbers: less
 * than 0, 0 or more, as the first is below, equal to or above the second. */
#pragma once
#include <stdint.h>

static inline int order_words(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

static inline int order_reals(double a, double b) { return (a > b) - (a < b); }
