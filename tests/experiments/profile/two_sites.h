/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/profile/two_sites.h -- a profile whose saving can be worked
 * out by hand. */
#pragma once
#include "experiments/profile/profile.h"

enum { TWO_SITES_BURSTS = 100, TWO_SITES_LENGTH = 64 };

/* Two sites, a miss each in turn, of which the second's wait for the first's
 * where `back` is 1; half of the second's are where nothing can be huge.  The
 * lines of the page table are 2^9 misses away or more.  A third site has none.
 * profile_fini() frees it. */
void two_sites_make(struct profile *p, uint64_t misses, uint32_t gap,
                    unsigned back);
