/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/derive.h -- from curves to numbers.
 *
 * Pure: the same curves give the same numbers, on whatever machine.
 * doc/calibration.md has the reasoning.
 */
#ifndef EXPERIMENTS_CALIBRATE_DERIVE_H
#define EXPERIMENTS_CALIBRATE_DERIVE_H
#include "experiments/probe/calibration.h"

/*
 * Fill levels, pages and streams of `cal` from its curves; names and reported
 * sizes of levels, and names and sizes of page kinds must be there.  What a
 * curve does not show becomes NAN, as all intervals do (intervals.h).
 */
void derive(struct calibration *cal);

/* The parts, in their order: each rests on those before. */
void derive_levels(struct calibration *cal);
void derive_tlbs(struct calibration *cal);
void derive_walks(struct calibration *cal);
void derive_overlaps(struct calibration *cal);
void derive_neighbours(struct calibration *cal);

/* Bytes a ns that others bring into the last cache where a settled chase over
 * `bytes` takes `ns` an access; NAN where that does not tell. */
double derive_neighbours_by(const struct calibration *cal, const char *kind,
                            double bytes, double ns);

/* Bytes of the last cache that a line chase over `bytes` has where an access
 * takes `ns`; NAN where that does not tell. */
double derive_last_by(const struct calibration *cal, const char *kind,
                      double bytes, double ns);
#endif
