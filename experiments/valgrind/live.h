/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/live.h -- how much each site has, and had when blocks
 * and mappings of all sites were most.
 */
#pragma once
#include "experiments/valgrind/site.h"

/* Before `live` of the site changes. */
void vt_live_change(struct vt_site *site);

/* Of all sites. */
void vt_live_more(SizeT bytes);

/* A block of a heap: of all sites, and if it is small. */
void vt_live_block(struct vt_site *site, SizeT bytes);
void vt_live_block_less(struct vt_site *site, SizeT bytes);

/* Private or shared memory that the program maps: not of a file on a disk. */
static inline Bool vt_site_is_mapped(const struct vt_site *site) {
  return site->kind == VT_MAPPING || site->kind == VT_SHARED_MEMORY;
}
/* It has so much less. */
void vt_live_unmapped(struct vt_site *site, SizeT bytes);

/* Its bytes when those of all sites were most. */
ULong vt_live_at_peak(const struct vt_site *site);
