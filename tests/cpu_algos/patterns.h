/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/cpu_algos/patterns.h -- inputs that sorts are known to be bad at. */
#pragma once
#include <stdint.h>

struct pattern {
  const char *name;
  uint64_t (*key)(uint64_t i, uint64_t n); /* i < n */
};

extern const struct pattern patterns[]; /* ends with a NULL name */
