/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/walk_costs.h -- what a miss costs on a calibrated
 * machine, by how far away its line of the page table is.
 *
 * A chase over n pages goes to n / 8 lines of the page table, as random.  So
 * what is saved by larger pages at a distance of u table lines is read off at
 * 8 u pages: S(n) = t(n) of base pages less t(n) of larger ones, which holds
 * whatever makes the difference: a walk less, a shorter one, or tables that
 * stay in nearer caches.  An octave of distances costs the mean over it, as
 * slopes of measured curves have steps.
 *
 * What drives a table line out of a cache is the lines that come in, not the
 * misses: a chase brings two with each, one of data and one of the table.  So a
 * program that brings `traffic` times as many between its misses finds its
 * tables as far away as a chase over so many times the pages does.
 *
 * A last cache that is shared is whose who accesses it most.  The short points
 * of a calibration find as much of it as the fastest accesses can have, the
 * steady chase as little as one is left that waits for each access.  What lies
 * between goes by the logarithm of the rate of misses.
 *
 * Reads that wait for nothing show how fast walks can follow each other: w
 * walkers let one through in each w-th of a walk.  So at their pace no walk
 * takes longer than w of these reads do.
 */
#pragma once
#include "experiments/probe/calibration.h"

enum { WALK_OCTAVES = 32, WALK_COSTS_MOST = 16 /* calibrations */ };

/* ns, and at what rates of misses a second these are found: doubles only. */
struct walk_cost {
  double saved_slow, saved_fast;  /* of the walk, by the larger pages */
  double saved_least, saved_most; /* of saved_slow, as it was repeated */
  double walk, walk_fast;         /* on the larger ones */
  double data_slow, data_fast;    /* then */
  double rate_slow, rate_fast;
};

/* Octave 0: the line was never needed before; i: 2^(i-1) misses ago or more,
 * and less than 2^i. */
struct walk_costs {
  struct walk_cost at[WALK_OCTAVES];
  double hit; /* what larger pages save of a miss of the first level that the
                 second one has; NAN: not known */
};

/* What a miss costs a program at its pace. */
struct walk_price {
  double saved_ns, walk_ns, data_ns;
};

/* At a rate of misses a second.  `doubt` is -1 for the least that might be
 * saved, 1 for the most, 0 for what is likely. */
struct walk_price walk_price(const struct walk_cost *cost, double rate,
                             int doubt);

/* The base pages of a calibration that programs' are like: as the kernel gives
 * them; in older files those of whole blocks. */
const char *walk_costs_base(const struct calibration *cal);

/* Walks that can go on at once; NAN: not known. */
double walk_costs_walkers(const struct calibration *cal);

/* Of several calibrations: medians, and the least and the most of any. */
void walk_costs_join(struct walk_costs *costs, const struct walk_costs *each,
                     size_t count);

/* For a program that touched `pages` base pages and has `traffic`.  Of base
 * pages of kind `base`, and the larger pages `kind`.  Returns NULL, or what the
 * calibration does not have. */
const char *walk_costs_make(struct walk_costs *costs,
                            const struct calibration *cal, const char *base,
                            const char *kind, double pages, double traffic);
