/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/plan_pages.h"

#include "experiments/valgrind/site_map.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"

enum {
  LG_PART = 18,
  BITS_LEAST = 14, /* of a larger page */
  PARTS = 1 << (48 - BITS_LEAST - LG_PART),
  PAGE = 1 << VT_LG_PAGE
};

/* Of larger pages of addresses: what was used there first, and whether the
 * other kind was used, too. */
enum { BASE_FIRST = 1, LARGE_FIRST = 2, BOTH = 4, TOUCHED = 8 };

static const ULong elsewhere = 1ULL << 47, space = 1ULL << 48;
static UChar *parts[PARTS];
UInt vt_plan_page_bits;
Bool vt_planned;
ULong vt_plan_large[VT_MISSED_MOST + 1];

static UChar *unit_of(Addr a) {
  UWord unit = (a & (space - 1)) >> vt_plan_page_bits;
  UChar **part = &parts[unit >> LG_PART];
  if (UNLIKELY(!*part)) *part = VG_(am_shadow_alloc)(1 << LG_PART);
  tl_assert(*part);
  return *part + (unit & ((1 << LG_PART) - 1));
}

struct lazy_page vt_plan_page(uint64_t address) {
  Bool large = (*vt_site_entry(address) & VT_PLANNED) != 0;
  UChar *unit = unit_of(address), kind = large ? LARGE_FIRST : BASE_FIRST;
  if (!(*unit & (BASE_FIRST | LARGE_FIRST))) *unit |= kind;
  if (!(*unit & kind)) {
    *unit |= BOTH;
    address ^= elsewhere;
  }
  if (!large) return (struct lazy_page){address >> VT_LG_PAGE, 0, 0};
  const UInt digits = vt_plan_page_bits - VT_LG_PAGE, index_bits = 9;
  return (struct lazy_page){address >> vt_plan_page_bits << digits, digits,
                            digits / index_bits};
}

Bool vt_plan_touch(UInt *entry, Addr a) {
  UChar *unit = unit_of(a);
  if (*entry & VT_PLANNED) {
    Bool first = !(*unit & TOUCHED);
    *unit |= TOUCHED;
    return first;
  }
  Bool first = !(*entry & VT_PLAN_TOUCHED);
  *entry |= VT_PLAN_TOUCHED;
  return first;
}

/* Whole base pages that are not chosen, and all that have a part of what is. */
void vt_plan_mark(Addr a, SizeT bytes, Addr from, Addr to) {
  Addr first = a & ~(Addr)(PAGE - 1), end = a + bytes;
  Addr changed = 0, changed_end = 0;
  for (Addr page = first; page < end; page += PAGE) {
    Bool chosen = from < to && page < to && page + PAGE > from;
    UInt *entry = vt_site_entry(page), wanted = chosen ? VT_PLANNED : 0;
    if ((*entry & VT_PLANNED) == wanted) continue;
    if (!chosen && (page < a || page + PAGE > end)) continue;
    if (!changed_end) {
      vt_look_up(); /* what was accessed before */
      changed = page;
    }
    *entry ^= VT_PLANNED;
    changed_end = page + PAGE;
  }
  if (changed_end) vt_forget(changed, changed_end);
}

void vt_plan_moved(Addr from, Addr to, SizeT bytes) {
  for (SizeT i = 0; i < bytes; i += PAGE) {
    Bool chosen = (*vt_site_entry(from + i) & VT_PLANNED) != 0;
    vt_plan_mark(to + i, PAGE, to + i, chosen ? to + i + PAGE : to + i);
  }
}

/* The part of the map that is there. */
static void each_unit(void (*act)(Addr a, UChar *unit)) {
  for (UWord p = 0; p < PARTS; p++)
    for (UWord i = 0; parts[p] && i < 1 << LG_PART; i++)
      if (parts[p][i])
        act((p << LG_PART | i) << vt_plan_page_bits, &parts[p][i]);
}

static void clear_unit(Addr a, UChar *unit) {
  (void)a;
  *unit = 0;
}

void vt_plan_clear(void) {
  if (!vt_planned) return;
  each_unit(clear_unit);
  for (UInt n = 0; n <= VT_MISSED_MOST; n++) vt_plan_large[n] = 0;
}

static void (*tell_range)(Addr start, Addr end);
static Addr range_start, range_end;
static ULong mixed;

static void tell_unit(Addr a, UChar *unit) {
  mixed += (*unit & BOTH) > 0;
  if (!(*unit & (LARGE_FIRST | BOTH))) return;
  if (a != range_end) {
    if (range_end) tell_range(range_start, range_end);
    range_start = a;
  }
  range_end = a + (1UL << vt_plan_page_bits);
}

ULong vt_plan_ranges(void (*tell)(Addr start, Addr end)) {
  tell_range = tell;
  range_start = range_end = mixed = 0;
  each_unit(tell_unit);
  if (range_end) tell(range_start, range_end);
  return mixed;
}
