/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/look_ups.h -- what `vat exec` takes to find small blocks
 * of chosen sites: seconds of user time.
 *
 * Where there are any, each call of malloc() and free() asks whose the block is
 * (experiments/exec/site_malloc.c), and those that are chosen are jemalloc's.
 * Measured on a Zen 4, 100 calls of each in turn: malloc() took 4.4 ns without,
 * 5.3 where other sites are chosen, 14.4 where it is itself; free() 5.7, 6.2
 * and 6.8.
 */
#pragma once
#include "experiments/profile/profile.h"

/* Of all blocks, whoever allocates them. */
double look_ups_all(const struct profile *profile);

/* Of a site's small blocks that are chosen, besides. */
double look_ups_chosen(const struct profile_site *site);
