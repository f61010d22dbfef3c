/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/whatif/walk_costs.h -- what a miss costs on a calibrated machine,
 * by how far away its line of the page table is.
 *
 * A page chase over n pages goes to n / 8 lines of the page table, as random.
 * So what is saved by larger pages at a distance of u table lines is read off
 * at 8 u pages: S(n) = t(n) of base pages less t(n) of larger ones, which holds
 * whatever makes the difference: a walk less, a shorter one, or tables that
 * stay in nearer caches.
 */
#ifndef EXPERIMENTS_WHATIF_WALK_COSTS_H
#define EXPERIMENTS_WHATIF_WALK_COSTS_H
#include "experiments/calibrate/calibration.h"

enum { WALK_OCTAVES = 32 };

/* Octave 0: the line was never needed before; i: 2^(i-1) misses ago or more,
 * and less than 2^i. */
struct walk_costs {
  double saved_ns[WALK_OCTAVES]; /* of the walk, by the larger pages */
  double saved_lo_ns[WALK_OCTAVES], saved_hi_ns[WALK_OCTAVES];
  double walk_ns[WALK_OCTAVES]; /* on the larger ones */
  double data_ns[WALK_OCTAVES]; /* then */
};

/*
 * For a program that touched `pages` base pages.  Of kind `base`, "4k", and the
 * larger pages `kind`.  Returns NULL, or what the calibration lacks.
 */
const char *walk_costs_make(struct walk_costs *costs,
                            const struct calibration *cal, const char *base,
                            const char *kind, double pages);
#endif
