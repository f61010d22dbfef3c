/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lower bounds of permuting and sorting on a machine of warps: Jurkiewicz, PhD
 * thesis, section 4.1.
 *
 * P processors with memory for c blocks of S elements each; in a turn each of
 * them reads a block of global memory and writes one there.  Elements are moved
 * and compared, nothing else.
 */
#include <math.h>

#include "gpu_algos/models/gpu_model.h"

enum { TURNS, LEAST, COUNTED, RATIO, OUTPUTS };
enum { N, P, S, C, PARAMETERS };

static const struct gpu_parameter parameters[] = {
    {"n", "elements", NAN, 1, 0x1p53},
    {"P", "processors (warps) that work at a time", 1, 1, 0x1p32},
    {"S", "elements of a block, that a transaction moves", 32, 1, 0x1p32},
    {"c", "blocks that a processor holds", 32, 2, 0x1p32},
    {0}};
_Static_assert(sizeof parameters / sizeof *parameters == PARAMETERS + 1,
               "a name each");

/* n/S log_c(n/S), at least once each block. */
static double logarithms(const double *p) {
  double blocks = p[N] / p[S];
  return blocks * fmax(1, log(blocks) / log(p[C]));
}

/* log of n! / (S!)^(n/S): in what order the blocks' elements can be. */
static double orders(const double *p) {
  return fmax(0, lgamma(p[N] + 1) - p[N] / p[S] * lgamma(p[S] + 1));
}

/* log of (cS choose S). */
static double choices(const double *p) {
  double all = p[C] * p[S];
  return lgamma(all + 1) - lgamma(p[S] + 1) - lgamma(all - p[S] + 1);
}

static void none_counted(double *out) { out[COUNTED] = out[RATIO] = NAN; }

/* Theorem 4.1, and the inequality that it comes from: n! / (S!)^(n/S) is at
 * most (2n/S (cS choose S))^(tP). */
static void permute(const struct gpu_arch *arch, const double *p, double *out) {
  (void)arch;
  out[TURNS] = fmin(p[N], logarithms(p)) / p[P];
  out[LEAST] =
      orders(p) / (p[P] * (log(fmax(1, 2 * p[N] / p[S])) + choices(p)));
  none_counted(out);
}

/* 4.1.2: at most (cS choose S)^(tP). */
static void sort(const struct gpu_arch *arch, const double *p, double *out) {
  (void)arch;
  out[TURNS] = logarithms(p) / p[P];
  out[LEAST] = orders(p) / (p[P] * choices(p));
  none_counted(out);
}

/* A turn of a processor is two transactions. */
static void counted(const double *p, const struct gpu_counts *counts,
                    double *out) {
  out[COUNTED] = counts->lines / (2 * p[P]);
  out[RATIO] = out[COUNTED] / out[TURNS];
}

static void permute_counted(const struct gpu_arch *arch, const double *p,
                            const struct gpu_counts *counts, double *out) {
  permute(arch, p, out);
  counted(p, counts, out);
}

static void sort_counted(const struct gpu_arch *arch, const double *p,
                         const struct gpu_counts *counts, double *out) {
  sort(arch, p, out);
  counted(p, counts, out);
}

static const struct gpu_case cases[] = {
    {"permute", "n elements, in any given order", "theorem 4.1", parameters,
     permute, permute_counted},
    {"sort", "n elements, by comparing them", "section 4.1.2", parameters, sort,
     sort_counted},
    {0}};

static const struct gpu_output outputs[] = {
    [TURNS] = {"turns", "bound", "turns", false},
    [LEAST] = {"turns_least", "at least", "turns", false},
    [COUNTED] = {"turns_counted", "counted", "turns", false},
    [RATIO] = {"ratio", "counted", "/ bound", false},
    [OUTPUTS] = {0}};

extern const struct gpu_model gpu_model_warp_io;
const struct gpu_model gpu_model_warp_io = {
    .name = "warp-io",
    .title = "warp-centric I/O model",
    .summary =
        "turns in which warps exchange blocks with global memory: what "
        "permuting and sorting take at least",
    .source = "Jurkiewicz, PhD thesis, section 4.1",
    .cases = cases,
    .outputs = outputs,
};
