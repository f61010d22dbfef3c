/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/sites.h -- whose memory an address is.
 *
 * Memory belongs to the site that allocated it: the calls that led to malloc(),
 * mmap() or the like.  A map has a site for each page, or for each 16 bytes of
 * it, as heaps are laid out in these.  Freed memory stays its last owner's.
 */
#pragma once
#include "experiments/valgrind/plan.h"

extern Bool vt_sites_heap_known; /* an allocator was found: VT_HEAP is used */

void vt_sites_init(void);
void vt_sites_track(void); /* while Valgrind asks for it */
struct vt_site *vt_site_at(Addr a);
/* Of what is allocated by these calls. */
struct vt_site *vt_site_here(enum vt_site_kind kind);
/* `rules`: of the calls that allocated it. */
void vt_site_allocated(Addr a, SizeT bytes, struct vt_site *site,
                       const struct vt_plan_rules *rules);
void vt_site_freed(Addr a);

/* Its bytes when the blocks of all sites were most. */
ULong vt_site_at_peak(const struct vt_site *site);
void vt_sites_each(void (*act)(struct vt_site *site));
void vt_sites_clear(void);

/* The map.  An entry is a site's number, or, of a page that several share, that
 * of its grains. */
enum {
  VT_LG_PAGE = 12,
  VT_LG_PART = 18, /* pages of a part of the map: 1 GiB */
  VT_PARTS = 1 << (48 - VT_LG_PAGE - VT_LG_PART),
  VT_SITES_MOST = 65535,     /* they are numbered; the rest are site 0 */
  VT_PLAN_TOUCHED = 1 << 28, /* as VT_TOUCHED, in the tree of a plan */
  VT_PLANNED = 1 << 29,      /* the plan chooses the page */
  VT_SHARED = 1 << 30,
  VT_TOUCHED = 1u << 31 /* the page has been missed, in the first tree, too */
};
extern UInt *vt_site_map[VT_PARTS];
extern struct vt_site *vt_sites[VT_SITES_MOST + 1]; /* by number */
UInt *vt_site_new_part(UInt number);

static inline UInt *vt_site_entry(Addr a) {
  UWord page = a >> VT_LG_PAGE & ((1ULL << (48 - VT_LG_PAGE)) - 1);
  UInt *part = vt_site_map[page >> VT_LG_PART];
  if (UNLIKELY(!part)) part = vt_site_new_part((UInt)(page >> VT_LG_PART));
  return part + (page & ((1 << VT_LG_PART) - 1));
}

/* Of a page that several share, what is looked at next. */
void vt_site_prefetch_grains(UInt entry, Addr a);
static inline void vt_site_prefetch(const UInt *entry, Addr a) {
  if (*entry & VT_SHARED) vt_site_prefetch_grains(*entry, a);
}

/* Whose an address with that entry is, where trees with a byte that is not 0
 * were missed: are pages the first time? */
struct vt_site *vt_site_touch(UInt *entry, Addr a, UInt trees);
static inline struct vt_site *vt_site_missed(UInt *entry, Addr a, UInt trees) {
  if (trees < 256 && (*entry & (VT_TOUCHED | VT_SHARED)) == VT_TOUCHED)
    return vt_sites[*entry & 0xffff];
  return vt_site_touch(entry, a, trees);
}
