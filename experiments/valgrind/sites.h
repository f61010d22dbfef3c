/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/sites.h -- whose memory an address is.
 *
 * Memory belongs to the site that allocated it: the calls that led to malloc(),
 * mmap() or the like.  A map has a site for each page, or for each 16 bytes of
 * it, as heaps are laid out in these.  Freed memory stays its last owner's.
 */
#pragma once
#include "experiments/valgrind/plan.h"
#include "experiments/valgrind/site_map.h"

extern Bool vt_sites_heap_known; /* an allocator was found: VT_HEAP is used */

/* Where the return address of the allocator that is executed is; while there is
 * none: VT_NO_STACK. */
extern Addr vt_allocator_stack;
#define VT_NO_STACK (~(Addr)0)

void vt_sites_init(void);
void vt_sites_track(void); /* while Valgrind asks for it */
struct vt_site *vt_site_at(Addr a);
/* Of what is allocated by these calls. */
struct vt_site *vt_site_here(enum vt_site_kind kind);
/* `was`: what vt_site_freed() says of the block that it was before realloc(),
 * or 0.  `rules`: of the calls that allocated it. */
void vt_site_allocated(Addr a, SizeT bytes, SizeT was, struct vt_site *site,
                       const struct vt_plan_rules *rules);
/* Returns its bytes if malloc() had mapped it by itself, else 0. */
SizeT vt_site_freed(Addr a);

/* A page was touched first since it was mapped; of a large block?  By who
 * stores there? */
void vt_site_faulted(struct vt_site *site, Addr a, Bool large, Bool stores);

/* Memory there is new: mapped, or given back by madvise().  Its pages may be in
 * the first TC still, as if the kernel had not flushed it: that is looked at
 * until there were as many misses, `vt_renewed`, as it has entries. */
void vt_sites_renew(Addr a, SizeT bytes);
extern UInt vt_renewed;

void vt_sites_each(void (*act)(struct vt_site *site));
void vt_sites_clear(void);   /* in a child */
ULong vt_sites_faults(void); /* of all */

extern struct vt_site *vt_sites[VT_SITES_MOST + 1]; /* by number */

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
