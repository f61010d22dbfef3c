/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/parameters.h -- what an algorithm lets one choose, as typed:
 * "k=6,m=256K".  (struct algo.refuse_parameters) */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct cpu_parameter {
  const char *name; /* without '='; NULL ends a table */
  uint64_t *value;
};

/* Whole numbers, with K for 1024 behind them; what is not named keeps its
 * value.  False where one is not in the table, of at most 64, is named twice or
 * is no number; NULL and "" name none. */
bool cpu_parameters_take(const char *text, const struct cpu_parameter *all);
