/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/samples.h -- how many accesses sites have, of which some
 * are looked at. */
#pragma once
#include "experiments/valgrind/sites.h"

extern ULong vt_sample_after; /* accesses before that time need no look */
/* One behind it; now and then it is counted for its site. */
void vt_sample(Addr a, ULong now);
ULong vt_samples_looked_at(void);
/* Of a site's counts: about how many there were in all. */
ULong vt_samples_accesses(const struct vt_counts *counts);
void vt_samples_clear(void);
