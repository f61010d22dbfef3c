/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/reuse/page_uses.h -- reuse distances of pages of one size. */
#pragma once
#include "experiments/reuse/last_uses.h"
#include "experiments/reuse/reuse.h"
#include "experiments/reuse/sampler.h"

enum { REUSE_BLOCK = 1024 /* lines that are gone through at a time */ };

/*
 * The last two pages are kept apart, since nothing that goes to them is worth a
 * thought.  When each page was left is told by the slots of the lines.
 */
struct page_uses {
  unsigned shift;                /* from lines to pages */
  uint64_t last, before;         /* pages */
  uint32_t before_at;            /* when `before` was accessed last */
  struct last_uses uses, tables; /* of pages; of lines of their table */
  size_t table_lines;
  uint32_t *table_at; /* when each line's pages were, or 0 */
  struct sampler sampler;
  uint64_t far; /* changes to another than the last two */
  struct reuse_pages *result;
  size_t changes;                    /* noted for TCs */
  uint64_t changed[REUSE_BLOCK + 1]; /* one may have waited */
};

/* For a workspace of `lines`. */
void page_uses_init(struct page_uses *pages, unsigned page_bits, uint64_t lines,
                    unsigned every, struct reuse_pages *result);
void page_uses_fini(struct page_uses *pages);
/* All slots of lines that it keeps move with those. */
void page_uses_move(struct page_uses *pages, const struct last_uses *lines);
/* For as many changes. */
void page_uses_make_room(struct page_uses *pages, uint32_t more);

/* The access that took the last slot of `lines` went to another page than the
 * last. */
void page_uses_change(struct page_uses *pages, const struct last_uses *lines,
                      uint64_t page);

/* Scale, so that the histogram is that of `accesses`. */
void page_uses_finish(struct page_uses *pages, uint64_t accesses);
