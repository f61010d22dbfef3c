/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/costs_walks.h -- which cache still has a line, and what
 * translations cost.
 * Internal to experiments/validate/. */
#pragma once
#include "experiments/validate/costs_parts.h"

enum { COSTS_LINE_BYTES = 1 << REUSE_LINE_BITS };

/* Of the distances that a bucket counts. */
double costs_middle(unsigned bucket);

/* The first level whose size is beyond `bytes`, the lines accessed since, all
 * together; memory where none is. */
size_t costs_level_at(const struct calibration *cal, double bytes);

/* The shares of such lines that each level is the first to still have, as lines
 * fall into sets at random. */
void costs_level_shares(const struct calibration *cal, double bytes,
                        double shares[CALIBRATION_LEVELS]);

/* In ns of the whole run, where an entry of the TLB maps `entry_bytes` of the
 * pages `pages`. */
void costs_translations(struct costs_translation *translation,
                        const struct calibration *cal,
                        const struct cal_pages *pages, double entry_bytes,
                        enum costs_tlb tlb,
                        const struct reuse_profile *profile);

/*
 * Accesses to base pages that were not in use, of as many others as the nearest
 * TLB keeps.  What prefetches goes by the lines it saw of a page; of these it
 * saw none of late.
 */
double costs_strange(const struct cal_pages *pages,
                     const struct reuse_profile *profile);

/*
 * The share of these accesses that an array of `entries` misses which makes
 * room at random.  An entry survives one replacement with probability 1 - 1 /
 * entries; between two accesses to a page, at a distance of d others, some
 * share * d replacements happen.  So an access misses with probability
 * 1 - exp(-share d / entries), whose mean over all accesses is the share again:
 * its largest root.
 */
double costs_random_misses(const double *distances, const double *counts,
                           size_t count, double entries);
