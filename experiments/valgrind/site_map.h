/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/site_map.h -- of each page of addresses: whose it is,
 * and what else is known of it. */
#pragma once
#include "pub_tool_basics.h"

/* An entry is a site's number, or, of a page that several share, that of its
 * grains. */
enum {
  VT_LG_PAGE = 12,
  VT_LG_PART = 18, /* pages of a part of the map: 1 GiB */
  VT_PARTS = 1 << (48 - VT_LG_PAGE - VT_LG_PART),
  VT_SITES_MOST = 65535, /* they are numbered; the rest are site 0 */
  /* It was there when the process forked: to write it is a page fault. */
  VT_COPIED = 1 << 26,
  VT_SEEN = 1 << 27, /* the page has been touched, however often mapped */
  VT_PLAN_TOUCHED = 1 << 28, /* as VT_SEEN, in the tree of a plan */
  VT_PLANNED = 1 << 29,      /* the plan chooses the page */
  VT_SHARED = 1 << 30,
  VT_TOUCHED = 1u << 31 /* ... since it was mapped */
};
extern UInt *vt_site_map[VT_PARTS];
UInt *vt_site_new_part(UInt number);

/* Is there a part for it? */
static inline Bool vt_site_is_known(Addr a) {
  return vt_site_map[a >> (VT_LG_PAGE + VT_LG_PART) & (VT_PARTS - 1)] != NULL;
}

static inline UInt *vt_site_entry(Addr a) {
  UWord page = a >> VT_LG_PAGE & ((1ULL << (48 - VT_LG_PAGE)) - 1);
  UInt *part = vt_site_map[page >> VT_LG_PART];
  if (UNLIKELY(!part)) part = vt_site_new_part((UInt)(page >> VT_LG_PART));
  return part + (page & ((1 << VT_LG_PART) - 1));
}
