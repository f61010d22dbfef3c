/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of every miss: how long ago its line of the page table was needed, and
 * whether a huge page could be there. */
#include "experiments/valgrind/flow_events.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum {
  LG_LINE = 15, /* bytes that a line of the page table maps: 8 pages */
  LG_PART = 18,
  PARTS = 1 << (48 - LG_LINE - LG_PART),
  LG_HUGE = 21,
  MAPPED_LEAST = 128 << 10 /* malloc() maps at first what is as large */
};

struct table_line {
  UInt last;     /* miss of one of its pages; 0: none yet */
  UChar touched; /* its pages */
};

static struct table_line *parts[PARTS];
static UChar huge[1 << (48 - LG_HUGE - 3)]; /* whole blocks of memory */
static UInt misses;
static Addr heap; /* where it began; 0: nowhere yet */

static struct table_line *line_of(Addr a) {
  UWord line = a >> LG_LINE & ((1ULL << (48 - LG_LINE)) - 1);
  struct table_line **part = &parts[line >> LG_PART];
  if (!*part)
    *part = VG_(am_shadow_alloc)(sizeof(struct table_line) << LG_PART);
  tl_assert(*part);
  return *part + (line & ((1 << LG_PART) - 1));
}

static Bool is_huge(Addr a) {
  UWord block = (a & ((1ULL << 48) - 1)) >> LG_HUGE;
  return huge[block >> 3] >> (block & 7) & 1;
}

static void set_huge(UWord block, Bool value) {
  UChar bit = (UChar)(1 << (block & 7));
  if (value)
    huge[block >> 3] |= bit;
  else
    huge[block >> 3] &= (UChar)~bit;
}

/* Valgrind leaves little room for brk(), where glibc's malloc() has what it
 * does not map by itself: there the program has whole blocks. */
static Bool is_of_heap(const struct vt_site *site) {
  return site->kind == VT_HEAP && site->blocks &&
         site->bytes / site->blocks < MAPPED_LEAST;
}

static UChar octave_of(UInt distance) {
  UChar octave = 0;
  for (; distance; distance >>= 1) octave++;
  return octave < VT_FLOW_OCTAVES ? octave : VT_FLOW_OCTAVES - 1;
}

void vt_flow_missed(const struct fan_knock *knock, struct vt_site *site) {
  Addr a = knock->address;
  struct table_line *line = line_of(a);
  UChar page = (UChar)(1 << (a >> 12 & 7));
  struct vt_flow_event event = {.site = vt_site_number(site)};
  misses += misses + 1 != 0;
  event.octave = octave_of(line->last ? misses - line->last : 0);
  if (line->last == misses) event.octave = 1;
  if (!(line->touched & page)) event.flags |= VT_FLOW_FIRST;
  line->last = misses;
  line->touched |= page;
  Bool can = is_huge(a) || is_of_heap(site);
  if (can) event.flags |= VT_FLOW_HUGE;
  if (!site->walks)
    site->walks = VG_(calloc)("vat.walks", 1, sizeof *site->walks);
  site->walks->count[can][event.octave]++;
  vt_flow_note(knock->time, event);
}

/* Whole blocks in a mapping are made huge at their first touch; where a mapping
 * begins or ends in a block, none can be. */
void vt_flow_mapped(Addr a, SizeT bytes, Bool anonymous) {
  UWord first = a >> LG_HUGE, end = ((a + bytes - 1) >> LG_HUGE) + 1;
  const Addr block = 1 << LG_HUGE;
  if (!vt_options.flow || !bytes || bytes >> 40) return;
  for (UWord i = first; i < end && i < 1ULL << (48 - LG_HUGE); i++)
    set_huge(i, anonymous && i * block >= a && (i + 1) * block <= a + bytes);
}

/* malloc() of glibc, told to use huge pages, takes whole blocks at the end. */
void vt_flow_grown(Addr a, SizeT bytes) {
  if (!vt_options.flow || !bytes) return;
  if (!heap || a < heap) heap = a;
  UWord first = (heap + (1 << LG_HUGE) - 1) >> LG_HUGE;
  UWord end = ((a + bytes - 1) >> LG_HUGE) + 1, from = a >> LG_HUGE;
  for (UWord i = from > first ? from : first; i < end; i++) set_huge(i, True);
}

/* Page tables are moved whole where both places lie alike in their blocks. */
void vt_flow_moved(Addr from, Addr to, SizeT bytes) {
  UWord blocks = bytes >> LG_HUGE;
  Bool alike = !((from ^ to) & ((1 << LG_HUGE) - 1));
  if (!vt_options.flow) return;
  for (UWord i = 0; i <= blocks; i++) {
    Addr step = (Addr)i << LG_HUGE;
    if (step < bytes)
      set_huge((to + step) >> LG_HUGE, alike && is_huge(from + step));
  }
}

static void clear_site(struct vt_site *site) {
  if (site->walks) VG_(memset)(site->walks, 0, sizeof *site->walks);
}

void vt_flow_walks_clear(void) {
  vt_sites_each(clear_site);
  misses = 0;
  for (UInt i = 0; i < PARTS; i++)
    if (parts[i]) VG_(memset)(parts[i], 0, sizeof **parts << LG_PART);
}
