/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/tmm_formula.h -- how a table of formulas is made: for the .c
 * files that have one, alone. */
#pragma once
#include <math.h>

#include "gpu_algos/models/tmm_algo.h"

static inline double lg(double x) { return fmax(1, log2(x)); }

/* The function `name`; what it depends on goes by its own name there. */
#define TMM_DEFINE(name, expression)                                         \
  static double name(const struct tmm_at *at) {                              \
    const struct tmm_machine *machine = at->machine;                         \
    const double n = at->n, m = at->m, k = at->k, T = at->T, L = machine->L, \
                 P = machine->P, C = machine->C, Z = machine->Z,             \
                 Q = machine->Q, X = machine->X;                             \
    (void)n, (void)m, (void)k, (void)T, (void)L, (void)P, (void)C, (void)Z,  \
        (void)Q, (void)X;                                                    \
    return expression;                                                       \
  }

/* It, and its text, for a table. */
#define TMM_ENTRY(name, expression) \
  { #expression, name }
