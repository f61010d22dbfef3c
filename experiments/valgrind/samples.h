/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/samples.h -- how many accesses sites have, of which some
 * are looked at. */
#ifndef EXPERIMENTS_VALGRIND_SAMPLES_H
#define EXPERIMENTS_VALGRIND_SAMPLES_H
#include "experiments/valgrind/sites.h"

extern ULong vt_sample_at; /* time of the access that is looked at next */
/* It is one of this site. */
void vt_sample(struct vt_site *site);
ULong vt_samples_looked_at(void);
/* Of a site's counts: about how many there were in all. */
ULong vt_samples_accesses(const struct vt_counts *counts);
void vt_samples_clear(void);
#endif
