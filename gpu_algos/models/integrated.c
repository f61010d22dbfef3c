/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/models/integrated.h"

#include <math.h>

double integrated_time(const struct integrated_grid *grid, double T1,
                       double M) {
  double share = grid->group * grid->blocks / (grid->active * grid->cores);
  return fmax(T1, M * grid->latency / grid->threads) * ceil(share) *
         grid->active / (grid->group * grid->blocks);
}

/* The work, n^3 lg n. */
static double apsp_work(double n) { return n * n * n * fmax(1, log2(n)); }

double integrated_apsp_accesses(double n, double sub_block, double chunk) {
  return apsp_work(n) / (sub_block * chunk);
}

double integrated_apsp_time(const struct integrated_grid *grid, double n,
                            double chunk) {
  double side = n / sqrt(grid->blocks);
  return integrated_time(grid, apsp_work(n),
                         integrated_apsp_accesses(n, side, chunk));
}

double integrated_apsp_threads(double latency, double sub_block, double chunk) {
  return latency / (sub_block * chunk);
}
