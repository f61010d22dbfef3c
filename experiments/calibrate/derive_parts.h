/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/derive_parts.h -- the parts of derive(), in their
 * order: each uses the results of those before.  As pure as derive.h says.
 */
#pragma once
#include "experiments/probe/calibration.h"

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
