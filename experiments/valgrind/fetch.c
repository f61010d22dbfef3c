/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/fetch.h"

#include "experiments/valgrind/flow.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_mallocfree.h"

#define NO_PAGE (~0ULL)

ULong vt_fetch_page = NO_PAGE;
ULong vt_fetch_instructions, vt_fetch_changes;
struct vt_fetch_object *vt_fetch_objects;

/* A page of code that was fetched from, by its number and its size. */
struct fetched {
  VgHashNode node;
  Bool huge; /* a base page: a huge one could be there */
};
static VgHashTable *fetched;

/* A block of 2 MiB that all is code of one mapping. */
static Bool huge_is(Addr a) {
  const Addr block = (Addr)1 << CODE_TLB_LARGE_BITS, from = a & -block;
  const NSegment *segment = VG_(am_find_nsegment)(a);
  return segment && segment->hasX && segment->start <= from &&
         segment->end >= from + block - 1;
}

/* Is it the first fetch of the page? */
static struct fetched *find(Addr a, UInt code, Bool *first) {
  UInt bits = code == CODE_TLB_BASE ? VT_LG_PAGE : CODE_TLB_LARGE_BITS;
  UWord key = a >> bits << 1 | code;
  if (!fetched) fetched = VG_(HT_construct)("vat.fetched");
  struct fetched *page = VG_(HT_lookup)(fetched, key);
  *first = !page;
  if (page) return page;
  page = VG_(malloc)("vat.fetched", sizeof *page);
  *page = (struct fetched){{.key = key}, code == CODE_TLB_BASE && huge_is(a)};
  VG_(HT_add_node)(fetched, page);
  return page;
}

static struct vt_fetch_object *object_of(const struct vt_line *line) {
  struct vt_fetch_object **at = &vt_fetch_objects;
  while (*at && (*at)->name != line->object) at = &(*at)->next;
  if (!*at) {
    *at = VG_(calloc)("vat.fetches", 1, sizeof **at);
    (*at)->name = line->object;
  }
  return *at;
}

static struct vt_fetches *fetches_of(struct vt_line *line) {
  if (!line->fetches)
    line->fetches = VG_(calloc)("vat.fetches", 1, sizeof *line->fetches);
  return line->fetches;
}

static void count(struct vt_line *line, Addr a, UInt code, Bool walked) {
  struct vt_fetches *counts = fetches_of(line);
  Bool first;
  const struct fetched *page = find(a, code, &first);
  counts->missed[code]++;
  counts->first_missed[code] += first;
  counts->walked[code] += walked;
  counts->first_walked[code] += first && walked;
  counts->huge_missed += page->huge;
  counts->huge_walked += page->huge && walked;
  if (vt_options.flow && walked && code == CODE_TLB_BASE)
    object_of(line)->walks[page->huge][vt_flow_octave(a)]++;
}

void vt_fetch(struct vt_line *line, Addr a) {
  ULong page = a >> VT_LG_PAGE;
  vt_fetch_page = page;
  vt_fetch_changes++;
  UInt missed = vat_code_tlbs_first(vt_tcs.tc[0].code, page);
  if (LIKELY(!missed)) return;
  vt_look_up();
  for (UInt code = 0; code < CODE_TLB_PAGES; code++)
    if (missed >> code & 1)
      count(line, a, code,
            vat_code_tlbs_beyond(vt_tcs.tc[0].code, code, page) > 0);
}

void vt_fetch_forget(void) { vt_fetch_page = NO_PAGE; }

static void clear_line(struct vt_line *line) {
  if (line->fetches) *line->fetches = (struct vt_fetches){.huge_missed = 0};
}

void vt_fetch_clear(void) {
  vt_lines_each(clear_line);
  for (struct vt_fetch_object *o = vt_fetch_objects; o; o = o->next)
    *o = (struct vt_fetch_object){o->next, o->name, {{0}}};
  if (fetched) VG_(HT_destruct)(fetched, VG_(free));
  fetched = NULL;
  vt_fetch_instructions = vt_fetch_changes = 0;
  vt_fetch_forget();
}
