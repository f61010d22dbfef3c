/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of every miss: how long ago its line of the page table was needed, and
 * whether a huge page could be there. */
#include "experiments/valgrind/flow.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum {
  LG_LINE = 15, /* bytes that a line of the page table maps: 8 pages */
  LG_PART = 18,
  PARTS = 1 << (48 - LG_LINE - LG_PART),
  MAPPED_LEAST = 128 << 10 /* malloc() maps at first what is as large */
};

struct table_line {
  UInt last;     /* miss of one of its pages; 0: none yet */
  UChar touched; /* its pages */
};

static struct table_line *parts[PARTS];
static UInt misses;

static struct table_line *line_of(Addr a) {
  UWord line = a >> LG_LINE & ((1ULL << (48 - LG_LINE)) - 1);
  struct table_line **part = &parts[line >> LG_PART];
  if (!*part)
    *part = VG_(am_shadow_alloc)(sizeof(struct table_line) << LG_PART);
  tl_assert(*part);
  return *part + (line & ((1 << LG_PART) - 1));
}

/* Valgrind leaves little room for brk(), where glibc's malloc() has what it
 * does not map by itself: there the program has whole blocks. */
static Bool is_of_heap(const struct vt_site *site) {
  return site->kind == VT_HEAP && site->blocks &&
         site->bytes / site->blocks < MAPPED_LEAST;
}

/* The octave of how many misses ago any page of the line was missed, which is
 * now. */
static UInt octave_of(struct table_line *line) {
  UInt octave = 0;
  misses += misses + 1 != 0;
  for (UInt distance = line->last ? misses - line->last : 0;
       distance && octave < VT_FLOW_OCTAVES - 1; distance >>= 1)
    octave++;
  if (line->last == misses) octave = 1;
  line->last = misses;
  return octave;
}

UInt vt_flow_octave(Addr a) { return octave_of(line_of(a)); }

void vt_flow_missed(const struct deferred_access *access, struct vt_site *site,
                    Bool planned) {
  Addr a = access->address;
  struct table_line *line = line_of(a);
  UChar page = (UChar)(1 << (a >> 12 & 7));
  struct vt_flow_event event = {.site = site->number,
                                .octave = (UChar)octave_of(line)};
  if (!(line->touched & page)) event.flags |= VT_FLOW_FIRST;
  line->touched |= page;
  Bool can = vt_huge_is(a) || is_of_heap(site);
  if (can) event.flags |= VT_FLOW_HUGE;
  if (planned) event.flags |= VT_FLOW_PLAN;
  if (!site->walks)
    site->walks = VG_(calloc)("vat.walks", 1, sizeof *site->walks);
  site->walks->count[can][event.octave]++;
  if (planned) site->walks->count[2][event.octave]++;
  vt_flow_note(access->time, event);
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
