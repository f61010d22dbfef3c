/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/integrated.h -- the TMM model's time (tmm.h), times the
 * calibrated model's scheduling of blocks (calibrated.h).
 *
 * L. Ma, PhD thesis, Washington University in St. Louis 2014, chapter 6, whose
 * equations these are.  The span is dropped, as there.
 */
#pragma once

struct integrated_grid {
  double cores;   /* P */
  double group;   /* Q, cores of a multiprocessor */
  double blocks;  /* B_r, in all */
  double active;  /* B_a, of a multiprocessor */
  double threads; /* T, per core */
  double latency; /* L */
};

/* (6.3): max(T1, M L / T) ceil(Q B_r / (B_a P)) B_a / (Q B_r). */
double integrated_time(const struct integrated_grid *grid, double T1, double M);

/* All shortest paths of n vertices by squaring the matrix, in sub-blocks of
 * side S_D = n / sqrt(B_r): M of (6.5), and the time of (6.7). */
double integrated_apsp_accesses(double n, double sub_block, double chunk);
double integrated_apsp_time(const struct integrated_grid *grid, double n,
                            double chunk);

/* Threads per core from which computing bounds it: L / (S_D C). */
double integrated_apsp_threads(double latency, double sub_block, double chunk);
