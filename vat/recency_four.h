/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/recency_four.h -- pages in turns, and the choice of who translates.
 *
 * Algorithms that go through several arrays at a time come back to one of the
 * last four pages again and again.  For W >= 4d + 4 the nodes of these are the
 * most recent ones, so that what was said of two paths (vat/recency.h) goes for
 * four: pages that come back change places, and a fifth takes the place of the
 * one that was translated longest ago.  It takes longer where they do not come
 * back.  Internal to vat/.
 */
#ifndef VAT_RECENCY_FOUR_H
#define VAT_RECENCY_FOUR_H
#include <string.h>

#include "vat/recency.h"

/* From the last one on. */
struct recency_four {
  uint64_t page[4];
  uint32_t *path[4];
};

static inline uint64_t recency_least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* The page at `from` is the last one from now on, or another with its path. */
static inline __attribute__((always_inline)) void recency_move(
    struct recency_four *f, int from, uint64_t page) {
  uint32_t *path = f->path[from];
  if (from > 2) f->page[3] = f->page[2], f->path[3] = f->path[2];
  if (from > 1) f->page[2] = f->page[1], f->path[2] = f->path[1];
  f->page[1] = f->page[0];
  f->path[1] = f->path[0];
  f->page[0] = page;
  f->path[0] = path;
}

/* The highest layer on which the page at `at`, 2 or 3, has a node of its own
 * among those before it. */
static inline __attribute__((always_inline)) int recency_apart(
    const struct recency *r, const struct recency_four *f, int at) {
  uint64_t page = f->page[at];
  uint64_t bits = recency_least(page ^ f->page[0], page ^ f->page[1]);
  if (at == 3) bits = recency_least(bits, page ^ f->page[2]);
  return recency_top(r, bits);
}

/* A fifth page gets the path of the last of the four. */
static inline __attribute__((always_inline)) void recency_fifth(
    struct recency *r, struct node_set *set, const struct recency_four *f,
    uint64_t page, enum recency_order order) {
  uint64_t bits = page ^ f->page[0];
  const uint32_t *near = f->path[0];
  if ((page ^ f->page[1]) < bits) bits = page ^ f->page[1], near = f->path[1];
  if ((page ^ f->page[2]) < bits) bits = page ^ f->page[2], near = f->path[2];
  recency_turn(r, set, page, f->path[3], near, recency_top(r, bits),
               recency_top(r, page ^ f->page[3]), recency_apart(r, f, 3),
               order);
}

/* It begins with two pages, the second of which stands for three: that leaves
 * nothing when it goes while it is still there. */
static inline struct recency_four recency_four_of(struct recency *r) {
  uint32_t *last = r->path[r->newer], *before = r->path[!r->newer];
  memcpy(r->path[2], before, sizeof r->path[2]);
  memcpy(r->path[3], before, sizeof r->path[3]);
  return (struct recency_four){{r->last, r->before, r->before, r->before},
                               {last, before, r->path[2], r->path[3]}};
}

/* It ends with two.  That the others go to the list before another page makes
 * them is all the same: they come in the order of their last accesses. */
static inline __attribute__((always_inline)) void recency_keep_two(
    struct recency *r, struct node_set *set, const struct recency_four *f,
    enum recency_order order) {
  uint32_t kept[2][VAT_LAYERS_MAX];
  recency_retire(set, f->path[3], recency_apart(r, f, 3), order);
  recency_retire(set, f->path[2], recency_apart(r, f, 2), order);
  memcpy(kept[0], f->path[0], sizeof kept[0]);
  memcpy(kept[1], f->path[1], sizeof kept[1]);
  memcpy(r->path, kept, sizeof kept);
  r->newer = 0;
  r->last = f->page[0];
  r->before = f->page[1];
  r->apart = recency_top(r, r->last ^ r->before);
}

/* recency_walk() with four paths.  How often the last two of them served. */
static inline __attribute__((always_inline)) unsigned recency_walk_four(
    struct recency *r, const uint64_t *pages, size_t count,
    enum recency_order order) {
  struct node_set set = r->set;
  struct recency_four f = recency_four_of(r);
  bool far = set.capacity >= RECENCY_FAR;
  unsigned served = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t page = pages[i];
    if (page == f.page[0]) continue;
    if (page == f.page[1]) {
      recency_move(&f, 1, page);
    } else if (page == f.page[2]) {
      served++;
      recency_move(&f, 2, page);
    } else if (page == f.page[3]) {
      served++;
      recency_move(&f, 3, page);
    } else {
      if (far) recency_fetch(&set, pages, i, count);
      recency_fifth(r, &set, &f, page, order);
      recency_move(&f, 3, page);
    }
  }
  recency_keep_two(r, &set, &f, order);
  r->set.used = set.used;
  return served;
}

/* Translate pages: 0, or -1 with errno. */
static inline __attribute__((always_inline)) int recency_translate(
    struct recency *r, const uint64_t *pages, size_t count,
    enum recency_order order) {
  for (size_t done = 0, n; !r->is_short && done < count; done += n) {
    n = count - done < RECENCY_BLOCK ? count - done : RECENCY_BLOCK;
    if (vat_node_set_grow(&r->set, (uint32_t)n * (r->tree.levels + 1)))
      return -1;
    if (!r->started) vat_recency_start(r, pages[0]);
    if (r->untried || !r->holds_four) {
      recency_walk(r, pages + done, n, order);
      r->untried -= r->untried > 0;
    } else if (recency_walk_four(r, pages + done, n, order) < n / 4) {
      r->untried = RECENCY_TRIAL;
    }
  }
  if (r->is_short) vat_short_list_translate(&r->short_list, pages, count);
  return 0;
}
#endif
