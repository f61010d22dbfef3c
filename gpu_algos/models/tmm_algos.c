/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/models/tmm_algo.h"
#include "gpu_algos/models/tmm_formula.h"

/* These are tables, and their text is printed. */
/* clang-format off */

/* A line is an algorithm: name, title, source, sizes; T1, Tinf, M. */
#define ALGOS(A) \
  A(reduce, "reduce", "table 4.4", "n", n, lg(n), n / C) \
  A(scan, "scan", "table 4.4", "n", n, lg(n), n / C) \
  A(merge, "merge", "table 4.4", "n", n * lg(Z), lg(Z), n / C) \
  A(blocked_merge, "merge, with its partition", "4.33", "n", \
    n * lg(Z) + n / Z * lg(n), lg(n), n / C + n / Z * lg(n)) \
  A(merge_sort, "merge sort", "table 4.4", "n", \
    n * lg(Z) * lg(n / Z), lg(Z) * lg(n / Z), n / C * lg(n / Z)) \
  A(odd_even_sort, "odd-even merge sort", "table 4.4", "n", \
    n * lg(n) * lg(n), lg(n) * lg(n), n / C * lg(n / Z)) \
  A(connected_components, "connected components", "table 4.4", "nm", \
    (m + n) * lg(n), lg(n) * lg(n), (m + n) / C * lg(n)) \
  A(mst_boruvka, "minimum spanning tree, Boruvka's", "table 4.4", "nm", \
    m * lg(n), lg(n), m * lg(n)) \
  A(suffix_tree, "string matching by a suffix tree", "table 4.4", "nk", \
    n * k, k, n * k) \
  A(suffix_array, "string matching by a suffix array", "table 4.4", "nmk", \
    n * k * lg(m), k * lg(m), n * k * lg(m) / C) \
  A(fft_stockham, "fast Fourier transform", "table 4.4", "n", \
    n * lg(n), lg(n), n * lg(n) / C) \
  A(list_ranking_wyllie, "list ranking, Wyllie's", "table 4.4", "n", \
    n * lg(n), lg(n), n * lg(n)) \
  A(apsp_matmul, "all shortest paths, squaring the matrix", "table 4.4", "n", \
    n * n * n * lg(n), n * lg(n), n * n * n * lg(n) / (sqrt(Z) * C)) \
  A(johnson_heap, "all shortest paths, Johnson's with heaps", "4.11", "nm", \
    m * n * lg(n), m * lg(n), m * n * lg(n)) \
  A(johnson_array, "all shortest paths, Johnson's with arrays", "4.18", \
    "nm", n * n * n, n * n * lg(Z) / Z, n * n * n / C + m * n) \
  A(bellman_ford, "all shortest paths, Bellman-Ford's", "4.23", "nm", \
    m * n * n, n, m * n * n / C)

/* 4.1.6; merge sort: the blocks of 4.4.2 alone.  Tinf of johnson_array: chunks
 * of Z become one of n. */
#define SMALLS(S) \
  S(merge_sort, n <= Z, n * lg(n) * lg(n), lg(n) * lg(n), n / C) \
  S(johnson_array, n < Z, n * n * n, n * lg(n), n * n / C + m * n) \
  S(bellman_ford, m < P * Z / Q, m * n * n, n, n * n * n / C)

/* clang-format on */

#define DEFINE(name, title, source, sizes, t1, tinf, m_) \
  TMM_DEFINE(name##_t1, t1)                              \
  TMM_DEFINE(name##_tinf, tinf) TMM_DEFINE(name##_m, m_)
#define ROW(name, title, source, sizes, t1, tinf, m_) \
  {#name,                                             \
   title,                                             \
   source,                                            \
   sizes,                                             \
   TMM_ENTRY(name##_t1, t1),                          \
   TMM_ENTRY(name##_tinf, tinf),                      \
   TMM_ENTRY(name##_m, m_)},

ALGOS(DEFINE)

const struct tmm_algo tmm_algos[] = {ALGOS(ROW){0}};

#define SMALL_DEFINE(name, when, t1, tinf, m_) \
  TMM_DEFINE(name##_small, when)               \
  TMM_DEFINE(name##_small_t1, t1)              \
  TMM_DEFINE(name##_small_tinf, tinf) TMM_DEFINE(name##_small_m, m_)
#define SMALL_ROW(name, when, t1, tinf, m_)                              \
  {#name, TMM_ENTRY(name##_small, when), TMM_ENTRY(name##_small_t1, t1), \
   TMM_ENTRY(name##_small_tinf, tinf), TMM_ENTRY(name##_small_m, m_)},

SMALLS(SMALL_DEFINE)

const struct tmm_small tmm_smalls[] = {SMALLS(SMALL_ROW){0}};
