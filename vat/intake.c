/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/intake.h"

#include <limits.h>

/*
 * Copy pages that are not repeats into the block until it is full.  Returns how
 * many were consumed; stops early at one outside the tree.  Whether a page is a
 * repeat is anybody's guess, so the copy has no branch on it.
 */
static inline size_t take(struct intake *intake, const uint64_t *from,
                          size_t count, unsigned shift, size_t *filled) {
  uint64_t last = intake->last;
  unsigned bits = vat_tree_page_number_bits(&intake->tree);
  unsigned repeats = intake->repeats, kept = intake->repeats_kept;
  size_t i = 0, out = 0;
  if (!intake->started && count) last = ~(from[0] >> shift);
  for (; i < count && out < INTAKE_BLOCK; i++) {
    uint64_t page = from[i] >> shift;
    if (__builtin_expect(page >> bits != 0, 0)) break;
    intake->block[out] = page;
    repeats = page == last ? repeats + (repeats < UINT_MAX) : 0;
    out += repeats <= kept;
    last = page;
  }
  if (i) intake->started = true;
  intake->last = last;
  intake->repeats = repeats;
  *filled = out;
  return i;
}

int vat_intake_feed(struct intake *intake, const uint64_t *from, size_t count,
                    unsigned shift,
                    int (*translate)(void *state, const uint64_t *pages,
                                     size_t count),
                    void *state) {
  if (stream_end_check(&intake->end)) return -1;
  while (count) {
    size_t filled;
    size_t taken = take(intake, from, count, shift, &filled);
    if (filled && translate(state, intake->block, filled))
      return vat_stream_end_fail(&intake->end);
    intake->translations += taken;
    from += taken;
    count -= taken;
    if (count && !filled) {
      errno = ERANGE;
      return -1;
    }
  }
  return 0;
}
