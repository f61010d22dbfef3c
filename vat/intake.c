/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/intake.h"

#include <limits.h>
#include <stdlib.h>

int vat_intake_init(struct intake *intake, const struct vat_tree *tree,
                    const struct vat_tc_options *options) {
  intake->tree = *tree;
  return options
             ? vat_layout_find_create(&intake->layout, options->layout, tree)
             : 0;
}

void vat_intake_fini(struct intake *intake) { free(intake->layout); }

/*
 * Copy pages that are not repeats into the block until it is full.  Returns how
 * many were consumed; stops early at one outside the tree.  Whether a page is a
 * repeat is anybody's guess, so the copy has no branch on it.
 */
static inline __attribute__((always_inline)) size_t take(
    struct intake *intake, struct layout_find *layout, const uint64_t *from,
    size_t count, unsigned shift, size_t *filled) {
  uint64_t last = intake->last;
  unsigned bits = vat_tree_page_number_bits(&intake->tree);
  unsigned repeats = intake->repeats, kept = intake->repeats_kept;
  size_t i = 0, out = 0;
  if (!intake->started) last = UINT64_MAX; /* no path */
  for (; i < count && out < INTAKE_BLOCK; i++) {
    uint64_t page = from[i] >> shift;
    if (__builtin_expect(page >> bits != 0, 0)) break;
    if (layout) page = layout_path(layout, page);
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
    size_t taken =
        intake->layout
            ? take(intake, intake->layout, from, count, shift, &filled)
            : take(intake, NULL, from, count, shift, &filled);
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
