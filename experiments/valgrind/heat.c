/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/heat.h"

#include "experiments/valgrind/live.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum {
  UNIT = 1 << VT_LG_UNIT,
  REST = VT_HEAT_BLOCKS - 1,
  LARGE_MOST = 8 /* blocks of a unit: those that live hardly overlap */
};

/* A block that lives. */
struct vt_large {
  Addr start;
  SizeT bytes, mapped; /* of which are mapped still */
  struct vt_site *site;
  struct vt_large *before, *after; /* in the list of all */
  UInt number, units;
  struct vt_heat unit[];
};

struct counts {
  ULong misses[LAZY_TC_TREES];
  UInt pages;
};

/* Of blocks of a number. */
struct kept {
  struct counts *unit;
  UInt units;
};

struct small {
  struct vt_heat heat; /* of the unit's list */
  struct small *next;  /* of the site */
  UInt unit;
};

struct vt_site_heat {
  struct vt_site_heat *next;        /* of another site */
  UWord taken[VT_HEAT_BLOCKS / 64]; /* numbers, by blocks that live */
  struct kept *kept;
  UInt numbers; /* of these */
  struct small *small;
};

struct vt_heat **vt_heat_parts[VT_UNITS_PARTS];
static struct vt_large all = {.before = &all, .after = &all};
static struct vt_site_heat *known;
static struct vt_heat nowhere;
static UWord data_unit;
static Bool data_known;

struct vt_heat **vt_heat_new_part(UWord number) {
  struct vt_heat **part =
      VG_(am_shadow_alloc)(sizeof(struct vt_heat *) << VT_LG_UNITS_PART);
  tl_assert(part);
  return vt_heat_parts[number] = part;
}

static struct vt_site_heat *heat_of(struct vt_site *site) {
  if (site->heat) return site->heat;
  site->heat = VG_(calloc)("vat.heat", 1, sizeof *site->heat);
  site->heat->next = known;
  return known = site->heat;
}

static Bool has_small(const struct vt_site *site) {
  return site->kind == VT_HEAP || site->kind == VT_MAPPING ||
         site->kind == VT_BREAK;
}

void vt_heat_data_at(Addr a) {
  if (!data_known || a >> VT_LG_UNIT < data_unit) data_unit = a >> VT_LG_UNIT;
  data_known = True;
}

static struct vt_heat *new_small(struct vt_heat **end, struct vt_site *site,
                                 Addr a) {
  struct vt_site_heat *own = heat_of(site);
  struct small *small = VG_(calloc)("vat.small", 1, sizeof *small);
  small->heat.site = site->number;
  small->heat.bytes = UNIT;
  small->unit =
      (UInt)((a >> VT_LG_UNIT) - data_unit) & ((1U << (48 - VT_LG_UNIT)) - 1);
  small->next = own->small;
  own->small = small;
  return *end = &small->heat;
}

/* Sites with small blocks are behind large ones, what misses more before what
 * misses less. */
struct vt_heat *vt_heat_find(struct vt_heat **unit, struct vt_site *site,
                             Addr a) {
  UInt sites = 0;
  struct vt_heat **before = NULL, *heat;
  for (; (heat = *unit); before = unit, unit = &heat->next) {
    sites += !heat->large;
    if (!vt_heat_is_of(heat, site, a)) continue;
    if (sites < 2 || heat->misses[0] <= (*before)->misses[0]) return heat;
    struct vt_heat *other = *before;
    other->next = heat->next;
    heat->next = other;
    return *before = heat;
  }
  if (!has_small(site) || sites == VT_HEAT_SITES) return &nowhere;
  return new_small(unit, site, a);
}

/* The lowest number that is free. */
static UInt take_number(struct vt_site_heat *own) {
  for (UInt i = 0; i < VT_HEAT_BLOCKS / 64; i++) {
    if (!~own->taken[i]) continue;
    UInt number = 64 * i + (UInt)__builtin_ctzl(~own->taken[i]);
    if (number < REST) own->taken[i] |= 1UL << (number & 63);
    return number;
  }
  return REST;
}

static void return_number(struct vt_site_heat *own, UInt number) {
  if (number < REST) own->taken[number / 64] &= ~(1UL << (number & 63));
}

static Addr address_of(const struct vt_large *large, UInt i) {
  return ((large->start >> VT_LG_UNIT) + i) << VT_LG_UNIT;
}

static void link_units(struct vt_large *large) {
  Addr last = large->start + large->bytes;
  for (UInt i = 0; i < large->units; i++) {
    Addr begins = address_of(large, i);
    struct vt_heat *heat = &large->unit[i], **unit = vt_heat_unit(begins);
    Addr from = begins < large->start ? large->start : begins;
    Addr to = last < begins + UNIT ? last : begins + UNIT;
    *heat = (struct vt_heat){.next = *unit,
                             .large = large,
                             .site = large->site->number,
                             .from = (UInt)(from - begins),
                             .bytes = (UInt)(to - from)};
    *unit = heat;
  }
}

static void unlink_units(struct vt_large *large) {
  for (UInt i = 0; i < large->units; i++) {
    struct vt_heat **at = vt_heat_unit(address_of(large, i));
    while (*at != &large->unit[i]) at = &(*at)->next;
    *at = (*at)->next;
  }
}

static void grow(struct kept *kept, UInt units) {
  if (kept->units >= units) return;
  kept->unit = VG_(realloc)("vat.kept", kept->unit, units * sizeof *kept->unit);
  VG_(memset)
  (kept->unit + kept->units, 0, (units - kept->units) * sizeof *kept->unit);
  kept->units = units;
}

/* Leave what was counted to the site. */
static void fold(struct vt_large *large) {
  struct vt_site_heat *own = heat_of(large->site);
  if (own->numbers <= large->number) {
    own->kept = VG_(realloc)("vat.numbers", own->kept,
                             (large->number + 1) * sizeof *own->kept);
    VG_(memset)
    (own->kept + own->numbers, 0,
     (large->number + 1 - own->numbers) * sizeof *own->kept);
    own->numbers = large->number + 1;
  }
  struct kept *kept = &own->kept[large->number];
  grow(kept, large->units);
  for (UInt i = 0; i < large->units; i++) {
    struct vt_heat *heat = &large->unit[i];
    for (UInt t = 0; t < LAZY_TC_TREES; t++) {
      kept->unit[i].misses[t] += heat->misses[t];
      heat->misses[t] = 0;
    }
    kept->unit[i].pages += heat->pages;
    heat->pages = 0;
  }
}

/* Deferred accesses are of the block. */
static void take(struct vt_large *large) {
  vt_look_up();
  fold(large);
  unlink_units(large);
  large->before->after = large->after;
  large->after->before = large->before;
  VG_(free)(large);
}

/* What a parent shares does not count in its child (sites.c). */
static void lives_less(struct vt_site *site, SizeT bytes) {
  site->large_live -= bytes < site->large_live ? bytes : site->large_live;
  if (vt_site_is_mapped(site)) vt_live_unmapped(site, bytes);
}

static void end(struct vt_large *large) {
  return_number(large->site->heat, large->number);
  lives_less(large->site, large->bytes);
  take(large);
}

/* Of an allocator that vat is not told when it frees, blocks overlap. */
static struct vt_large *one_too_many(Addr a) {
  UInt count = 0;
  struct vt_heat *heat = *vt_heat_unit(a);
  for (; heat && heat->large; heat = heat->next)
    if (++count > LARGE_MOST) return heat->large;
  return NULL;
}

static void put(Addr a, SizeT bytes, struct vt_site *site, UInt number) {
  UInt units = (UInt)(((a + bytes - 1) >> VT_LG_UNIT) - (a >> VT_LG_UNIT)) + 1;
  struct vt_large *large =
      VG_(malloc)("vat.large", sizeof *large + units * sizeof large->unit[0]);
  *large =
      (struct vt_large){a, bytes, bytes, site, &all, all.after, number, units};
  all.after = all.after->before = large;
  link_units(large);
  for (UInt i = 0; i < units; i++)
    for (struct vt_large *old; (old = one_too_many(address_of(large, i)));)
      end(old);
}

void vt_heat_allocated(Addr a, SizeT bytes, struct vt_site *site) {
  if (site->kind == VT_OTHER) return;
  site->large_blocks++;
  site->large_live += bytes;
  if (site->large_peak < site->large_live) site->large_peak = site->large_live;
  put(a, bytes, site, take_number(heat_of(site)));
}

void vt_heat_freed(Addr a, const struct vt_site *site) {
  struct vt_heat *heat = *vt_heat_unit(a);
  for (; heat && heat->large; heat = heat->next)
    if (heat->large->start == a && heat->large->site == site) {
      end(heat->large);
      return;
    }
}

static void unmapped_of_unit(Addr begins, Addr a, Addr end_of_it) {
  struct vt_heat *heat = *vt_heat_unit(begins), *next;
  for (; heat && heat->large; heat = next) {
    Addr from = begins + heat->from, to = from + heat->bytes;
    next = heat->next;
    if (from < a) from = a;
    if (to > end_of_it) to = end_of_it;
    if (from >= to) continue;
    if (heat->large->mapped <= to - from)
      end(heat->large);
    else
      heat->large->mapped -= to - from;
  }
}

/* Pages of a block may be unmapped one after the other.  What is reserved may
 * be most of the address space. */
void vt_heat_unmapped(Addr a, SizeT bytes) {
  if (!bytes) return;
  Addr last = (a + bytes - 1) >> VT_LG_UNIT;
  for (Addr unit = a >> VT_LG_UNIT; unit <= last; unit++) {
    UWord part = unit >> VT_LG_UNITS_PART;
    if (part >= VT_UNITS_PARTS) return;
    if (vt_heat_parts[part])
      unmapped_of_unit(unit << VT_LG_UNIT, a, a + bytes);
    else
      unit |= (1 << VT_LG_UNITS_PART) - 1;
  }
}

/* A mapping keeps its number.  Blocks of a heap in it are not known yet to be
 * elsewhere: realloc() says so. */
void vt_heat_moved(Addr from, Addr to, SizeT bytes) {
  for (struct vt_large *large = all.after, *after; large != &all;
       large = after) {
    after = large->after;
    if (large->site->kind == VT_HEAP || large->start - from >= bytes) continue;
    Addr at = to + (large->start - from);
    SizeT rest = bytes - (large->start - from);
    SizeT moved = rest < large->bytes ? rest : large->bytes;
    struct vt_site *site = large->site;
    UInt number = large->number;
    lives_less(site, large->bytes - moved);
    take(large);
    put(at, moved, site, number);
  }
}

void vt_heat_settle(void) {
  for (struct vt_large *large = all.after; large != &all; large = large->after)
    fold(large);
}

static Bool is_any(const struct counts *counts) {
  ULong sum = counts->pages;
  for (UInt t = 0; t < LAZY_TC_TREES; t++) sum += counts->misses[t];
  return sum > 0;
}

void vt_heat_each(const struct vt_site *site, vt_heat_tell *tell) {
  const struct vt_site_heat *own = site->heat;
  if (!own) return;
  for (UInt n = 0; n < own->numbers; n++)
    for (UInt i = 0; i < own->kept[n].units; i++) {
      const struct counts *unit = &own->kept[n].unit[i];
      if (is_any(unit)) tell(n, i, unit->pages, unit->misses);
    }
  for (const struct small *s = own->small; s; s = s->next)
    tell(VT_HEAT_BLOCKS, s->unit, s->heat.pages, s->heat.misses);
}

static void clear_site(struct vt_site_heat *own) {
  for (UInt n = 0; n < own->numbers; n++)
    if (own->kept[n].unit) VG_(memset)
  (own->kept[n].unit, 0, own->kept[n].units * sizeof *own->kept[n].unit);
  for (struct small *s = own->small; s; s = s->next) {
    VG_(memset)(s->heat.misses, 0, sizeof s->heat.misses);
    s->heat.pages = 0;
  }
}

void vt_heat_clear(void) {
  vt_heat_settle();
  for (struct vt_site_heat *own = known; own; own = own->next) clear_site(own);
}
