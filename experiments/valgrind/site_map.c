/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/site_map.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"

UInt *vt_site_map[VT_PARTS];

UInt *vt_site_new_part(UInt number) {
  UInt *part = VG_(am_shadow_alloc)(sizeof(UInt) << VT_LG_PART);
  tl_assert(part);
  return vt_site_map[number] = part;
}
