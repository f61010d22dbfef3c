/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options are given by `vat profile`, which has checked them. */
#include "experiments/valgrind/tool.h"
/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"

struct vt_options vt_options = {
    .out = "vat.out", .pages = "4k,2m", .nodes = 1536};

Bool vt_options_take(const HChar *arg) {
  if (VG_STR_CLO(arg, "--vat-out", vt_options.out)) return True;
  if (VG_STR_CLO(arg, "--pages", vt_options.pages)) return True;
  if (VG_STR_CLO(arg, "--trace", vt_options.trace)) return True;
  if (VG_XACT_CLO(arg, "--policy=islru", vt_options.lru, False)) return True;
  if (VG_XACT_CLO(arg, "--policy=lru", vt_options.lru, True)) return True;
  if (VG_BOOL_CLO(arg, "--flow", vt_options.flow)) return True;
  return VG_BINT_CLO(arg, "--tc", vt_options.nodes, 6, FAN_NODES_MAX);
}

void vt_options_usage(void) {
  VG_(printf)
  ("    --vat-out=FILE     output goes to FILE.PID [vat.out]\n"
   "    --pages=4k,2m,1g   page sizes [4k,2m]\n"
   "    --tc=W             nodes of a translation cache [1536]\n"
   "    --policy=islru|lru keeps them [islru]\n"
   "    --flow=yes         what waits for what, for `vat profile --what-if`\n"
   "    --trace=PIPE       accesses, for `vat profile --trace`\n");
}

void vt_options_debug(void) { VG_(printf)("    (none)\n"); }
