/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/fetch.h -- the pages that instructions are fetched from,
 * for `vat profile --code`.
 *
 * A fetch is of the bytes of an instruction: of their first page, and then of
 * their second, if they lie on two; before the instruction's own accesses.
 * Fetches from the page that was fetched from last change nothing, so a
 * superblock tells only where it leaves a page: fetch_code.c puts that into the
 * code.  What the ITLB misses is looked up behind it when all data accesses
 * before are (vat/code_tlb.h).
 */
#pragma once
#include "experiments/valgrind/sites.h"
/* In this order. */
#include "pub_tool_tooliface.h"

enum { VT_FETCH_OCTAVES = 32 }; /* as VT_FLOW_OCTAVES */

/* With code on base pages and on large ones: what the ITLB missed, and what was
 * walked; of each, how many were the first fetch of the page.  `huge` are those
 * with base pages where a huge page could be. */
struct vt_fetches {
  ULong missed[CODE_TLB_PAGES], first_missed[CODE_TLB_PAGES];
  ULong walked[CODE_TLB_PAGES], first_walked[CODE_TLB_PAGES];
  ULong huge_missed, huge_walked;
};

/* Walks with base pages: [where no huge page can be, where one can], by octaves
 * as those of data (flow.h). */
struct vt_fetch_object {
  struct vt_fetch_object *next;
  const HChar *name; /* interned */
  ULong walks[2][VT_FETCH_OCTAVES];
};

extern struct vt_fetch_object *vt_fetch_objects;
extern ULong vt_fetch_page; /* that was fetched from last */
extern ULong vt_fetch_instructions, vt_fetch_changes;

/* fetch.c: while it runs. */
void vt_fetch(struct vt_line *line, Addr a); /* another page than before */
void vt_fetch_forget(void);                  /* which page that was */
void vt_fetch_clear(void);

/* fetch_code.c: while a superblock is instrumented. */
void vt_fetch_begin(void);
/* Is an instruction told to be fetched?  Then accesses before it have to be in
 * the code. */
Bool vt_fetch_leaves(Addr instruction, UInt bytes);
void vt_fetch_instruction(IRSB *out, Addr instruction, UInt bytes);
void vt_fetch_count(IRSB *out); /* before each branch, and at the end */
