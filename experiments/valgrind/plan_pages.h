/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/plan_pages.h -- which base pages a plan chooses, and the
 * pages of its tree: see plan.h. */
#pragma once
#include "experiments/valgrind/tool.h"

extern Bool vt_planned; /* there is a plan */

extern UInt vt_plan_page_bits; /* of the larger pages */
/* Of the base pages from `a` on, choose those from `from` to `to`. */
void vt_plan_mark(Addr a, SizeT bytes, Addr from, Addr to);
void vt_plan_moved(Addr from, Addr to, SizeT bytes);

/* That an address is in, of the tree. */
struct lazy_page vt_plan_page(uint64_t address);

/* An access to it missed: is its page the first time? */
Bool vt_plan_touch(UInt *entry, Addr a);
void vt_plan_clear(void); /* what was touched, and missed */

/* Of all accesses that missed n nodes, those on larger pages. */
extern ULong vt_plan_large[VT_MISSED_MOST + 1];

/* Larger pages that were used, as `vat sim --layout` takes them.  Returns how
 * many had base pages, too. */
ULong vt_plan_ranges(void (*tell)(Addr start, Addr end));
