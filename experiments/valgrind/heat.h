/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/heat.h -- which parts of its memory a site misses.
 *
 * Parts are units of 2 MiB, aligned as a huge page is: what `vat plan` chooses
 * from.  A block as large as a unit, and more, has counts for each unit of its
 * own while it lives; when it is freed, its site keeps them by the block's
 * number and by how far the unit is behind the block's first one.  Smaller
 * blocks have them by site and unit.  experiments/profile/profile.h says what
 * is made of it.
 *
 * Nothing is done for accesses that hit: engine.c counts here what it counts
 * for the site.
 */
#pragma once
#include "experiments/valgrind/site.h"

enum {
  VT_LG_UNITS_PART = 18,
  VT_UNITS_PARTS = 1 << (48 - VT_LG_UNIT - VT_LG_UNITS_PART),
  VT_HEAT_BLOCKS = 1024, /* numbers of large blocks; the last is for the rest */
  VT_HEAT_SITES = 8      /* with small blocks, of a unit */
};

struct vt_large;

/* A line of a cache.  Large blocks are before small ones in a unit's list. */
struct vt_heat {
  struct vt_heat *next;   /* of the unit */
  struct vt_large *large; /* block; NULL: small ones */
  UInt site;              /* number */
  UInt from, bytes;       /* of the unit, that are the block's */
  UInt pages; /* touched first, of the first tree's if they are 4k */
  ULong misses[LAZY_TC_TREES];
};

extern struct vt_heat **vt_heat_parts[VT_UNITS_PARTS];
struct vt_heat **vt_heat_new_part(UWord number);
struct vt_heat *vt_heat_find(struct vt_heat **unit, struct vt_site *site,
                             Addr a);

/* The list of the unit that an address is in. */
static inline struct vt_heat **vt_heat_unit(Addr a) {
  UWord unit = a >> VT_LG_UNIT & ((1ULL << (48 - VT_LG_UNIT)) - 1);
  struct vt_heat **part = vt_heat_parts[unit >> VT_LG_UNITS_PART];
  if (UNLIKELY(!part)) part = vt_heat_new_part(unit >> VT_LG_UNITS_PART);
  return part + (unit & ((1 << VT_LG_UNITS_PART) - 1));
}

static inline Bool vt_heat_is_of(const struct vt_heat *heat,
                                 const struct vt_site *site, Addr a) {
  UInt offset = (UInt)a & ((1 << VT_LG_UNIT) - 1);
  return heat->site == site->number && offset - heat->from < heat->bytes;
}

/* Where misses of a site's memory are counted; of some, where nobody looks.
 * Mostly that is the first one, and to guess so costs nothing. */
static inline struct vt_heat *vt_heat_at(struct vt_site *site, Addr a) {
  struct vt_heat **unit = vt_heat_unit(a);
  if (LIKELY(*unit && vt_heat_is_of(*unit, site, a))) return *unit;
  return vt_heat_find(unit, site, a);
}

/* Large blocks come and go, and mappings of any size. */
void vt_heat_data_at(Addr a); /* of the program, when it starts */
void vt_heat_allocated(Addr a, SizeT bytes, struct vt_site *site);
void vt_heat_freed(Addr a, const struct vt_site *site);
void vt_heat_unmapped(Addr a, SizeT bytes);
void vt_heat_moved(Addr from, Addr to, SizeT bytes);

/* What a site has: block VT_HEAT_BLOCKS is that of small ones. */
typedef void vt_heat_tell(UInt block, UInt unit, UInt pages,
                          const ULong *misses);
void vt_heat_settle(void); /* before that: of blocks that live, too */
void vt_heat_each(const struct vt_site *site, vt_heat_tell *tell);
void vt_heat_clear(void); /* counts; blocks stay */
