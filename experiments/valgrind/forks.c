/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/forks.h"

#include "experiments/valgrind/sites.h"
#include "experiments/valgrind/system_calls.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_vki.h"

static Bool is_private(Addr a) {
  const struct vt_site *site = vt_site_at(a);
  if (site->kind == VT_SHARED_MEMORY) return False;
  return site->kind != VT_FILE ||
         VG_(am_is_valid_for_client)(a, 1, VKI_PROT_WRITE);
}

/* What a TC has may have to be looked at anew. */
static void each_page(void (*act)(UInt *entry, Addr a)) {
  for (UWord i = 0; i < VT_PARTS; i++)
    for (UWord j = 0; vt_site_map[i] && j < 1 << VT_LG_PART; j++)
      if (vt_site_map[i][j] & (VT_TOUCHED | VT_SEEN | VT_PLAN_TOUCHED))
        act(&vt_site_map[i][j], (i << VT_LG_PART | j) << VT_LG_PAGE);
  vt_renewed = vt_tcs.tc[0].limit;
}

static void share(UInt *entry, Addr a) {
  if (*entry & VT_TOUCHED && is_private(a))
    *entry = (*entry & ~VT_TOUCHED) | VT_COPIED;
}

void vt_forks_parent(void) {
  if (vt_child_shares) return;
  vt_look_up();
  each_page(share);
}

/* A child of vfork() has the pages of its parent. */
static void leave(UInt *entry, Addr a) {
  if (!vt_child_shares) {
    share(entry, a);
    *entry &= ~VT_TOUCHED;
  }
  *entry &= ~(UInt)(VT_SEEN | VT_PLAN_TOUCHED);
}

void vt_forks_child(void) { each_page(leave); }
