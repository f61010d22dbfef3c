/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_walks.h -- what sites miss, by distance: see
 * profile_walk in profile.h.
 */
#pragma once
#include "experiments/profile/profile.h"

/* Misses of a site, whose others were added just before; 0 is nothing. */
void profile_walks_add(struct profile *profile, size_t site, unsigned where,
                       unsigned octave, uint64_t misses);

/* Sites were merged and sorted: as profile_heat_finish(). */
void profile_walks_finish(struct profile *profile, const size_t *place);

/* All of a site's, whatever their distance. */
double profile_walks_sum(const struct profile *profile,
                         const struct profile_site *site, unsigned where);
