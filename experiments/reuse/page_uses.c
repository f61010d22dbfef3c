/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/reuse/page_uses.h"

#include <stdlib.h>

#include "experiments/cli/memory.h"

#define NOWHERE UINT64_MAX

enum { TABLE_SHIFT = 3 /* from pages to lines of their table */ };

void page_uses_init(struct page_uses *pages, unsigned page_bits, uint64_t lines,
                    unsigned every, struct reuse_pages *result) {
  *pages = (struct page_uses){.shift = page_bits - REUSE_LINE_BITS,
                              .last = NOWHERE,
                              .before = NOWHERE,
                              .sampler = sampler_begin(every),
                              .result = result};
  uint64_t count = (lines >> pages->shift) + 1;
  last_uses_init(&pages->uses, count, 0, 0);
  pages->table_lines = (count >> TABLE_SHIFT) + 1;
  pages->table_at = memory_zeroed(pages->table_lines, sizeof(uint32_t));
  last_uses_init(&pages->tables, pages->table_lines, 0, 0);
  result->page_bits = page_bits;
}

void page_uses_fini(struct page_uses *pages) {
  last_uses_fini(&pages->uses, 0);
  last_uses_fini(&pages->tables, 0);
  free(pages->table_at);
}

void page_uses_move(struct page_uses *pages, const struct last_uses *lines) {
  last_uses_move(lines, &pages->before_at, 1);
  last_uses_move(lines, pages->table_at, pages->table_lines);
}

void page_uses_make_room(struct page_uses *pages, uint32_t more) {
  struct last_uses *const both[] = {&pages->uses, &pages->tables};
  for (int i = 0; i < 2; i++) {
    if (last_uses_has_room(both[i], more)) continue;
    last_uses_renumber_begin(both[i]);
    last_uses_renumber_end(both[i]);
  }
}

/* Note distances; `old` is the slot of the page's last use, or 0: such are all
 * looked up; `old_table` is that of its table's line, and `used` that of the
 * last access to a page there. */
static void look_up(struct page_uses *pages, const struct last_uses *lines,
                    uint32_t used, uint32_t old, uint32_t old_table) {
  struct reuse_pages *result = pages->result;
  unsigned row = REUSE_COARSE, column = REUSE_COARSE;
  double weight = old ? pages->sampler.every : 1;
  if (old) {
    uint64_t distance = last_uses_since(&pages->uses, old);
    result->pages.count[reuse_bucket(distance)] += weight;
    row = reuse_coarse(distance);
  }
  if (used) {
    uint64_t distance = last_uses_since(lines, used);
    result->tables.count[reuse_bucket(distance)] += weight;
    column = reuse_coarse(distance);
  }
  result->joint[row][column] += weight;
  row = old_table ? reuse_coarse(last_uses_since(&pages->tables, old_table))
                  : REUSE_COARSE;
  result->tables_joint[column][row] += weight;
}

void page_uses_change(struct page_uses *pages, const struct last_uses *lines,
                      uint64_t page) {
  uint32_t now = lines->next - 1;
  uint64_t table = page >> TABLE_SHIFT;
  bool is_far = page != pages->before;
  pages->changed[pages->changes++] = page;
  uint32_t old = last_uses_put(&pages->uses, page);
  uint32_t old_table = last_uses_put(&pages->tables, table);
  if (is_far) {
    /* Keep when the line of the table for `before`, which is left, was used: no
     * page there was accessed later that was left earlier. */
    if (pages->before != NOWHERE)
      pages->table_at[pages->before >> TABLE_SHIFT] = pages->before_at;
    uint32_t used =
        table == pages->last >> TABLE_SHIFT ? now - 1 : pages->table_at[table];
    pages->far++;
    if (!old) pages->result->pages.cold++;
    if (!used) pages->result->tables.cold++;
    if (!old || sampler_next(&pages->sampler))
      look_up(pages, lines, used, old, old_table);
  }
  pages->before = pages->last;
  pages->before_at = now - 1;
  pages->last = page;
}

static void scale(double *counts, unsigned buckets, double sum) {
  double looked_up = 0;
  for (unsigned i = 0; i < buckets; i++) looked_up += counts[i];
  for (unsigned i = 0; i < buckets && looked_up > 0; i++)
    counts[i] *= sum / looked_up;
}

void page_uses_finish(struct page_uses *pages, uint64_t accesses) {
  struct reuse_pages *result = pages->result;
  double far = (double)pages->far;
  scale(result->pages.count, REUSE_BUCKETS, far - result->pages.cold);
  result->pages.count[0] += (double)accesses - far;
  scale(result->tables.count, REUSE_BUCKETS, far - result->tables.cold);
  scale((double *)result->tables_joint,
        sizeof result->tables_joint / sizeof(double), far);
  scale((double *)result->joint, sizeof result->joint / sizeof(double), far);
}
