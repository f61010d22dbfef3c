/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/look_ups.h -- what `vat exec` takes to find small blocks
 * of chosen sites: seconds of user time.
 *
 * Where there are any, each call of malloc() and free() asks whose the block is
 * (experiments/exec/site_malloc.c), and those that are chosen are jemalloc's. A
 * call that is of one site is known by its return address; of one that several
 * sites share, as in a function of the program's own, the callers decide.
 * Measured on a Zen 4, 100 calls of each in turn: malloc() took 4.4 ns without,
 * 5.3 where other sites are chosen, 14.4 where it is itself; free() 5.7, 6.2
 * and 6.8.  Of a shared call malloc() took 5.3, 15.7 and 18.9 ns, free() 6.8,
 * 7.5 and 7.7.  Where the heap as a whole is chosen, only large blocks are
 * looked up (experiments/exec/site_heap.c), and both take .9 ns longer.
 */
#pragma once
#include "experiments/profile/profile.h"

/* Of each site: does another one call malloc() at the same place?  The
 * caller's, to be freed. */
bool *look_ups_shared(const struct profile *profile);

/* Of all blocks, whoever allocates them. */
double look_ups_all(const struct profile *profile, const bool *shared);

/* The same where the heap as a whole is chosen. */
double look_ups_heap(const struct profile *profile);

/* Of a site's small blocks that are chosen, besides. */
double look_ups_chosen(const struct profile_site *site, bool shared);
