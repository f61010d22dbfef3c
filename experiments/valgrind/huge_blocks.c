/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/tool.h"

enum { LG_HUGE = 21 };

static UChar huge[1 << (48 - LG_HUGE - 3)]; /* whole blocks of memory */
static Addr heap;                           /* where it began; 0: nowhere yet */

Bool vt_huge_is(Addr a) {
  UWord block = (a & ((1ULL << 48) - 1)) >> LG_HUGE;
  return huge[block >> 3] >> (block & 7) & 1;
}

static void set_huge(UWord block, Bool value) {
  UChar bit = (UChar)(1 << (block & 7));
  if (value)
    huge[block >> 3] |= bit;
  else
    huge[block >> 3] &= (UChar)~bit;
}

/* Whole blocks in a mapping are made huge at their first touch; where a mapping
 * begins or ends in a block, none can be. */
void vt_huge_mapped(Addr a, SizeT bytes, Bool anonymous) {
  UWord first = a >> LG_HUGE, end = ((a + bytes - 1) >> LG_HUGE) + 1;
  const Addr block = 1 << LG_HUGE;
  if (!vt_options.flow || !bytes || bytes >> 40) return;
  for (UWord i = first; i < end && i < 1ULL << (48 - LG_HUGE); i++)
    set_huge(i, anonymous && i * block >= a && (i + 1) * block <= a + bytes);
}

/* malloc() of glibc, told to use huge pages, takes whole blocks at the end. */
void vt_huge_grown(Addr a, SizeT bytes) {
  if (!vt_options.flow || !bytes) return;
  if (!heap || a < heap) heap = a;
  UWord first = (heap + (1 << LG_HUGE) - 1) >> LG_HUGE;
  UWord end = ((a + bytes - 1) >> LG_HUGE) + 1, from = a >> LG_HUGE;
  for (UWord i = from > first ? from : first; i < end; i++) set_huge(i, True);
}

/* Page tables are moved whole where both places lie alike in their blocks. */
void vt_huge_moved(Addr from, Addr to, SizeT bytes) {
  UWord blocks = bytes >> LG_HUGE;
  Bool alike = !((from ^ to) & ((1 << LG_HUGE) - 1));
  if (!vt_options.flow) return;
  for (UWord i = 0; i <= blocks; i++) {
    Addr step = (Addr)i << LG_HUGE;
    if (step < bytes)
      set_huge((to + step) >> LG_HUGE, alike && vt_huge_is(from + step));
  }
}
