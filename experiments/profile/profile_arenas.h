/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_arenas.h -- what an allocator maps is one site's.
 *
 * It maps the next arena when those before are full: who called it then is
 * chance, and in the next run another one may.
 */
#pragma once
#include "experiments/profile/profile.h"

/*
 * Before sites are merged: gives the sites of mappings of one size, of which
 * some fill a huge page, and which are mapped in one place, the same callers
 * and frames, those that all of them share.
 */
void profile_arenas_join(struct profile *profile);
