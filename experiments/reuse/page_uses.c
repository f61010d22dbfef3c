/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/reuse/page_uses.h"

#include <stdlib.h>

#include "experiments/cli/memory.h"

#define NOWHERE UINT64_MAX

/* Pages whose entries are reached from a line of the i-th table. */
static const unsigned table_shift[REUSE_TABLES] = {3, 12};

void page_uses_init(struct page_uses *pages, unsigned page_bits, uint64_t lines,
                    unsigned every, struct reuse_pages *result) {
  *pages = (struct page_uses){.shift = page_bits - REUSE_LINE_BITS,
                              .last = NOWHERE,
                              .before = NOWHERE,
                              .sampler = sampler_begin(every),
                              .result = result};
  uint64_t count = (lines >> pages->shift) + 1;
  last_uses_init(&pages->uses, count, 0, 0);
  last_uses_init(&pages->tables, (count >> table_shift[0]) + 1, 0, 0);
  for (unsigned i = 0; i < REUSE_TABLES; i++) {
    pages->table_lines[i] = (count >> table_shift[i]) + 1;
    pages->table_at[i] = memory_zeroed(pages->table_lines[i], sizeof(uint32_t));
  }
  result->page_bits = page_bits;
}

void page_uses_fini(struct page_uses *pages) {
  last_uses_fini(&pages->uses, 0);
  last_uses_fini(&pages->tables, 0);
  for (unsigned i = 0; i < REUSE_TABLES; i++) free(pages->table_at[i]);
  *pages = (struct page_uses){0};
}

void page_uses_move(struct page_uses *pages, const struct last_uses *lines) {
  last_uses_move(lines, &pages->before_at, 1);
  for (unsigned i = 0; i < REUSE_TABLES; i++)
    last_uses_move(lines, pages->table_at[i], pages->table_lines[i]);
}

void page_uses_make_room(struct page_uses *pages, uint32_t more) {
  struct last_uses *const both[] = {&pages->uses, &pages->tables};
  for (int i = 0; i < 2; i++) {
    if (last_uses_has_room(both[i], more)) continue;
    last_uses_renumber_begin(both[i]);
    last_uses_renumber_end(both[i]);
  }
}

/* `before` is left: keep when its tables' lines were used.  No page of theirs
 * was accessed later that was left earlier. */
static void leave(struct page_uses *pages) {
  if (pages->before == NOWHERE) return;
  for (unsigned i = 0; i < REUSE_TABLES; i++)
    pages->table_at[i][pages->before >> table_shift[i]] = pages->before_at;
}

/* When a page of the i-th table's line for `page` was last accessed, or 0; the
 * last access was at `now` - 1. */
static uint32_t table_used(const struct page_uses *pages, unsigned i,
                           uint64_t page, uint32_t now) {
  page >>= table_shift[i];
  return page == pages->last >> table_shift[i] ? now - 1
                                               : pages->table_at[i][page];
}

/* Note distances; `old` is the slot of the page's last use, or 0: such are all
 * looked up; `old_table` is that of its table's line. */
static void look_up(struct page_uses *pages, const struct last_uses *lines,
                    const uint32_t used[REUSE_TABLES], uint32_t old,
                    uint32_t old_table) {
  struct reuse_pages *result = pages->result;
  unsigned row = REUSE_COARSE, column = REUSE_COARSE;
  double weight = old ? pages->sampler.every : 1;
  if (old) {
    uint64_t distance = last_uses_since(&pages->uses, old);
    result->pages.count[reuse_bucket(distance)] += weight;
    row = reuse_coarse(distance);
  }
  for (unsigned i = 0; i < REUSE_TABLES; i++) {
    if (!used[i]) continue;
    uint64_t distance = last_uses_since(lines, used[i]);
    result->tables[i].count[reuse_bucket(distance)] += weight;
    if (i == 0) column = reuse_coarse(distance);
  }
  result->joint[row][column] += weight;
  row = old_table ? reuse_coarse(last_uses_since(&pages->tables, old_table))
                  : REUSE_COARSE;
  result->tables_joint[column][row] += weight;
}

void page_uses_change(struct page_uses *pages, const struct last_uses *lines,
                      uint64_t page) {
  uint32_t now = lines->next - 1, used[REUSE_TABLES];
  bool is_far = page != pages->before;
  pages->changed[pages->changes++] = page;
  uint32_t old = last_uses_put(&pages->uses, page);
  uint32_t old_table = last_uses_put(&pages->tables, page >> table_shift[0]);
  if (is_far) {
    leave(pages);
    pages->far++;
    if (!old) pages->result->pages.cold++;
    for (unsigned i = 0; i < REUSE_TABLES; i++) {
      used[i] = table_used(pages, i, page, now);
      if (!used[i]) pages->result->tables[i].cold++;
    }
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
  for (unsigned i = 0; i < REUSE_TABLES; i++)
    scale(result->tables[i].count, REUSE_BUCKETS, far - result->tables[i].cold);
  scale((double *)result->tables_joint,
        sizeof result->tables_joint / sizeof(double), far);
  scale((double *)result->joint, sizeof result->joint / sizeof(double), far);
}
