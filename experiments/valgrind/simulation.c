/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was asked for, the translation caches that are simulated, the clock, and
 * memory near to generated code. */
#include "experiments/valgrind/tool.h"
/* In this order. */
#include "pub_tool_mallocfree.h"

struct vt_options vt_options = {
    .out = "vat.out", .pages = "4k,2m", .nodes = 1536};
struct lazy_tcs vt_tcs, *vt_resting[VT_THREADS];
UInt vt_running;
ULong vt_clock;
struct vt_counts vt_totals;
struct vt_correction vt_corrections[VT_GROUPS];
UInt vt_corrections_due;

void *vt_nearby_new(struct vt_nearby *nearby, SizeT bytes) {
  SizeT words = (bytes + sizeof(ULong) - 1) / sizeof(ULong);
  if (words > (SizeT)(nearby->end - nearby->next))
    return VG_(calloc)("vat.far", words, sizeof(ULong));
  nearby->next += words;
  return nearby->next - words;
}

void vt_correct_times(void) {
  for (UInt i = 0; i < vt_corrections_due; i++)
    if (vt_corrections[i].page->stamp == vt_corrections[i].wrong)
      vt_corrections[i].page->stamp = vt_corrections[i].right;
  vt_corrections_due = 0;
}

void vt_look_up(void) {
  vt_correct();
  vat_lazy_tcs_look_up(&vt_tcs);
}

void vt_forget(Addr start, Addr end) {
  vat_lazy_tcs_forget(&vt_tcs, start, end);
  for (UInt i = 0; i < VT_THREADS; i++)
    if (vt_resting[i] && i != vt_running)
      vat_lazy_tcs_forget(vt_resting[i], start, end);
}
