/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What chapter 4 says of some algorithms besides T1, Tinf and M. */
#include "gpu_algos/models/tmm_algo.h"
#include "gpu_algos/models/tmm_formula.h"

/* These are tables, and their text is printed. */
/* clang-format off */

/* Algorithm, equation; span, memory for small n, memory for large n. */
#define REFINEDS(R) \
  R(suffix_tree, "4.29", k, k * L, n * k * L / (X * P)) \
  R(suffix_array, "4.30", \
    k * lg(m), k * lg(m) * L / C, n * k * lg(m) * L / (C * X * P)) \
  R(fft_stockham, "4.32", \
    lg(n), lg(n) * L / C, n * lg(n) * L / (C * X * P)) \
  R(merge_sort, "4.35", \
    lg(n) * lg(n / Z), lg(n / Z) * L / C, n * lg(n / Z) * L / (C * X * P)) \
  R(list_ranking_wyllie, "4.36", \
    lg(n), lg(n) * L, n * lg(n) * L / (X * P))

/* A name of the row, its algorithm, where it holds; PRAM, TMM; L at most by X,
 * and by Z / Q. */
#define LIMITS(R) \
  R(limits_matmul, apsp_matmul, 1, \
    n * n * n * lg(n) / P, n * n * n * lg(n) * L / (sqrt(Z) * C * T * P), \
    sqrt(Z) * C * X, Z * sqrt(Z) * C / Q) \
  R(limits_heap, johnson_heap, 1, \
    m * n * lg(n) / P, m * n * lg(n) * L / (T * P), X, Z / Q) \
  R(limits_sparse, johnson_array, n * n / m >= C, \
    n * n * n / P, n * n * n * L / (C * T * P), C * X, Z / Q * C) \
  R(limits_dense, johnson_array, n * n / m < C, \
    n * n * n / P, m * n * L / (T * P), n * n * X / m, n * n * Z / (m * Q)) \
  R(limits_bellman, bellman_ford, 1, \
    n * n * m / P, m * n * n * L / (C * T * P), C * X, C * Z / Q)

/* A name of the row, its algorithm, where it holds; table 4.2; table 4.3. */
#define TRANSITIONS(R) \
  R(tree_fast, suffix_tree, L <= X, L * P, n * k / P, TMM_WORK) \
  R(tree_middle, suffix_tree, L / C < X && X < L, \
    X * P, n * k * L / (X * P), TMM_MEMORY) \
  R(tree_slow, suffix_tree, X <= L / C, \
    X * P, n * k * L / (X * P), TMM_MEMORY) \
  R(array_fast, suffix_array, L <= X, \
    L / C * P, n * k * lg(m) / P, TMM_WORK) \
  R(array_middle, suffix_array, L / C < X && X < L, \
    L / C * P, n * k * lg(m) / P, TMM_WORK) \
  R(array_slow, suffix_array, X <= L / C, \
    X * P, n * k * lg(m) * L / (C * X * P), TMM_MEMORY)

/* clang-format on */

#define REFINED_DEFINE(algo, equation, span, small, large) \
  TMM_DEFINE(algo##_span, span)                            \
  TMM_DEFINE(algo##_small, small) TMM_DEFINE(algo##_large, large)
#define REFINED_ROW(algo, equation, span, small, large) \
  {#algo, equation, TMM_ENTRY(algo##_span, span),       \
   TMM_ENTRY(algo##_small, small), TMM_ENTRY(algo##_large, large)},

REFINEDS(REFINED_DEFINE)

const struct tmm_refined tmm_refineds[] = {REFINEDS(REFINED_ROW){0}};

#define LIMITS_DEFINE(name, algo, when, pram, tmm, hardware, local) \
  TMM_DEFINE(name##_when, when)                                     \
  TMM_DEFINE(name##_pram, pram)                                     \
  TMM_DEFINE(name##_tmm, tmm)                                       \
  TMM_DEFINE(name##_hardware, hardware) TMM_DEFINE(name##_local, local)
#define LIMITS_ROW(name, algo, when, pram, tmm, hardware, local) \
  {#algo,                                                        \
   TMM_ENTRY(name##_when, when),                                 \
   TMM_ENTRY(name##_pram, pram),                                 \
   TMM_ENTRY(name##_tmm, tmm),                                   \
   TMM_ENTRY(name##_hardware, hardware),                         \
   TMM_ENTRY(name##_local, local)},

LIMITS(LIMITS_DEFINE)

const struct tmm_limits tmm_table_4_1[] = {LIMITS(LIMITS_ROW){0}};

#define TRANSITION_DEFINE(name, algo, when, from, bound, term) \
  TMM_DEFINE(name##_when, when)                                \
  TMM_DEFINE(name##_from, from) TMM_DEFINE(name##_bound, bound)
#define TRANSITION_ROW(name, algo, when, from, bound, term)           \
  {#algo, TMM_ENTRY(name##_when, when), TMM_ENTRY(name##_from, from), \
   TMM_ENTRY(name##_bound, bound), term},

TRANSITIONS(TRANSITION_DEFINE)

const struct tmm_transition tmm_table_4_2[] = {TRANSITIONS(TRANSITION_ROW){0}};
