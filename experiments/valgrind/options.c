/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options are given by `vat profile`, which has checked them. */
#include "experiments/valgrind/tool.h"
/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"

struct vt_options vt_options = {
    .out = "vat.out", .pages = "4k,2m", .nodes = 1536};

/* "64x4,1536x12,32x4": the levels and the page-walk caches. */
static Bool take_tlb(const HChar *text) {
  struct tlb_shape *tlb = &vt_options.tlb;
  struct tlb_cache_shape *shapes[] = {&tlb->level[0], &tlb->level[1],
                                      &tlb->walk};
  HChar *end;
  for (UInt i = 0; i < 3; i++) {
    shapes[i]->entries = (UInt)VG_(strtoll10)(text, &end);
    if (*end != 'x') return False;
    shapes[i]->ways = (UInt)VG_(strtoll10)(end + 1, &end);
    if (*end != (i < 2 ? ',' : 0)) return False;
    text = end + 1;
  }
  return True;
}

Bool vt_options_take(const HChar *arg) {
  const HChar *tlb;
  if (VG_STR_CLO(arg, "--tlb", tlb)) return take_tlb(tlb);
  if (VG_STR_CLO(arg, "--vat-out", vt_options.out)) return True;
  if (VG_STR_CLO(arg, "--pages", vt_options.pages)) return True;
  if (VG_STR_CLO(arg, "--trace", vt_options.trace)) return True;
  if (VG_XACT_CLO(arg, "--policy=islru", vt_options.lru, False)) return True;
  if (VG_XACT_CLO(arg, "--policy=lru", vt_options.lru, True)) return True;
  if (VG_BOOL_CLO(arg, "--flow", vt_options.flow)) return True;
  return VG_BINT_CLO(arg, "--tc", vt_options.nodes, 6, LAZY_TC_NODES_MAX);
}

void vt_options_usage(void) {
  VG_(printf)
  ("    --vat-out=FILE     output goes to FILE.PID [vat.out]\n"
   "    --pages=4k,2m,1g   page sizes [4k,2m]\n"
   "    --tc=W             nodes of a translation cache [1536]\n"
   "    --policy=islru|lru keeps them [islru]\n"
   "    --flow=yes         what waits for what, for `vat profile --what-if`\n"
   "    --tlb=E1xW1,E2xW2,EPxWP  TLBs and page-walk caches instead [none]\n"
   "    --allocator=NAME=LIKE  a function like malloc, free, ... [none]\n"
   "    --trace=PIPE       accesses, for `vat profile --trace`\n");
}

void vt_options_debug(void) { VG_(printf)("    (none)\n"); }
