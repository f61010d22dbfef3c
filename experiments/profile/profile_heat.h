/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_heat.h -- heat and call chains of sites, once all
 * processes are read: see profile_heat and profile_chain in profile.h.
 */
#pragma once
#include "experiments/profile/profile.h"

/*
 * Sites were merged and sorted: `place` has the index of a site, by the one
 * that it was read with.  Heat and chains are sorted, and added up where they
 * are the same, and sites are told where theirs are.
 */
void profile_heat_finish(struct profile *profile, const size_t *place);

/* How few units of a site's large blocks have a share of the leaf misses that
 * these blocks have on the first tree. */
struct profile_uneven {
  uint64_t hot;   /* bytes of these units; 0: nothing was missed */
  uint64_t bytes; /* of the blocks, at once; at least those of all units */
};
struct profile_uneven profile_heat_uneven(const struct profile *profile,
                                          const struct profile_site *site,
                                          double share);

/* The `most` units of a site that missed most, most first: fills `to`, returns
 * how many.  Equal ones are in the order of profile.heats. */
size_t profile_heat_hottest(const struct profile *profile,
                            const struct profile_site *site, size_t most,
                            const struct profile_heat **to);
