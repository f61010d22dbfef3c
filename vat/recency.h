/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/recency.h -- what the recency policies, islru and lru, share.
 *
 * For W >= 2d + 2 the nodes of the last two paths are the most recent ones, so
 * they are kept beside the list.  To translate the page before the last one
 * again is to change the two; that is what algorithms do which go through two
 * arrays at a time, and what is left of a page between them costs nothing.
 * Another page moves only the layers that its path has neither in common with
 * the last path nor with the one before: what only that one had goes to the
 * front of the list, and what is new leaves it.  Internal to vat/.
 */
#pragma once
#include <string.h>

#include "vat/node_set.h"
#include "vat/path.h"
#include "vat/policy.h"
#include "vat/short_list.h"

enum {
  /* Pages ahead whose chains are fetched, and half as many whose slots are, so
   * that each has some 50 ns to arrive. */
  RECENCY_AHEAD = 8,
  /* Nodes from which that pays: with fewer all is in the second-level cache,
   * whose latency the processor hides by itself. */
  RECENCY_FAR = 1 << 14,
  /* Pages for which room is made at a time. */
  RECENCY_BLOCK = 256,
  /* Blocks after which four paths are tried again: where they do not pay they
   * take a third longer (Zen 5), and so rarely that is not felt. */
  RECENCY_TRIAL = 64,
  /* In the array of a path's slots: the layer of its leaf. */
  RECENCY_LEAF = VAT_LAYERS_MAX,
  RECENCY_PATH
};

struct recency {
  struct node_set set;
  struct vat_tree tree;
  uint64_t *misses;
  bool started;
  bool mixed;            /* not all leaves are on layer 0 */
  unsigned newer;        /* which of the paths is the last one */
  uint64_t last, before; /* pages of the last, of the other path */
  /* Slots, also of nodes that both have; two more for recency_walk_four(). */
  uint32_t path[4][RECENCY_PATH];
  int apart; /* the highest layer on which the two differ; -1: nowhere */
  uint8_t top_of_bit[64]; /* the highest layer that a differing bit changes */
  bool holds_four;        /* W >= 4d + 4 */
  unsigned untried;       /* blocks until four paths are tried; 0: that pays */
  bool is_short;          /* W < 2d + 2: all is in short_list instead */
  struct short_list short_list;
};

struct recency *vat_recency_create(const struct vat_tree *tree, uint64_t nodes,
                                   uint64_t *misses, bool initial_segment,
                                   const struct vat_tc_options *options);
void vat_recency_destroy(void *state);

/* Load the first path of all. */
void vat_recency_start(struct recency *r, uint64_t path);

/* Repeats of a page change nothing from W = d + 1, those of two pages in turns
 * from W = 2d + 2. */
uint64_t vat_recency_repeats_free_from(const struct vat_tree *tree);
uint64_t vat_recency_pairs_free_from(const struct vat_tree *tree);

/* In which order the nodes of a path that is left go to the front of the list:
 * the last one is the most recent. */
enum recency_order { RECENCY_ROOT_FIRST, RECENCY_LEAF_FIRST };

/* The leaf's layer of a path.  Code for trees whose leaves are all on layer 0
 * is apart, as it is faster. */
static inline __attribute__((always_inline)) unsigned recency_leaf(
    uint64_t path, bool mixed) {
  return mixed ? path_leaf(path) : 0;
}

/* node_set_push() for layers leaf..top, with the newest in a register. */
static inline __attribute__((always_inline)) void recency_retire(
    struct node_set *set, const uint32_t *path, int top,
    enum recency_order order, bool mixed) {
  struct node_slot *slots = set->slots;
  uint32_t newest = slots[0].older;
  int leaf = mixed ? (int)path[RECENCY_LEAF] : 0;
  for (int i = leaf; i <= top; i++) {
    uint32_t slot = path[order == RECENCY_LEAF_FIRST ? i : top + leaf - i];
    slots[slot].older = newest;
    slots[newest].newer = slot;
    newest = slot;
  }
  slots[newest].newer = 0;
  slots[0].older = newest;
}

/* The slot of the node of `page` on `layer`, which is off the list from now on.
 * No shift is too far: pages differ in a digit of this layer or one above. */
static inline __attribute__((always_inline)) uint32_t recency_access(
    struct recency *r, struct node_set *set, uint64_t page, int layer) {
  uint64_t key =
      page >> r->tree.index_bits * (unsigned)layer << 4 | (unsigned)layer;
  uint64_t hash = node_hash(key);
  uint32_t slot = node_set_find(set, key, hash);
  if (slot) {
    node_set_unlink(set, slot);
    return slot;
  }
  r->misses[layer]++;
  return node_set_load(set, key, hash);
}

static inline void recency_fetch(const struct node_set *set,
                                 const struct vat_tree *tree,
                                 const uint64_t *paths, size_t i, size_t count,
                                 bool mixed) {
  if (i + RECENCY_AHEAD >= count) return;
  uint64_t far = paths[i + RECENCY_AHEAD], near = paths[i + RECENCY_AHEAD / 2];
  unsigned far_leaf = recency_leaf(far, mixed);
  unsigned near_leaf = recency_leaf(near, mixed);
  uint64_t chain = node_hash(vat_tree_key(tree, path_page(far), far_leaf));
  uint64_t slot = node_hash(vat_tree_key(tree, path_page(near), near_leaf));
  __builtin_prefetch(&set->links[node_set_chain(set, chain)]);
  __builtin_prefetch(&set->slots[set->links[node_set_chain(set, slot)]]);
}

/* The digits in which two paths differ. */
static inline __attribute__((always_inline)) uint64_t recency_digits(
    uint64_t a, uint64_t b, bool mixed) {
  return mixed ? path_page(a ^ b) : a ^ b;
}

/* The highest layer on which pages differ by `bits`; -1: nowhere. */
static inline int recency_top(const struct recency *r, uint64_t bits) {
  return bits ? r->top_of_bit[63 - __builtin_clzll(bits)] : -1;
}

/*
 * Make `path`, that of the page kept beside the list which was translated
 * longest ago, the path `to`, which differs from it on layers 0..side.  Of the
 * others beside the list that page differs from the nearest, whose path is
 * `near`, on layers 0..top, and from what is nearest to it `path` differs on
 * layers 0..apart.  Layers below a leaf are left out.  What `page` has in
 * common with `path` it has in its place already; what it has in common with
 * `near` only is copied, on layers top + 1 to side; and nodes that only `path`
 * had, on layers up to both `apart` and `side`, go to the list.
 *
 * New nodes are looked for root first, in the order of accesses.  Of islru's
 * initial segment hits are above misses, so they leave the list before a miss
 * evicts.  The common cases are written out.
 */
static inline __attribute__((always_inline)) void recency_turn(
    struct recency *r, struct node_set *set, uint64_t to, uint32_t *path,
    const uint32_t *near, int top, int side, int apart,
    enum recency_order order, bool mixed) {
  int left = apart < side ? apart : side, fresh = top < side ? top : side;
  uint64_t page = mixed ? path_page(to) : to;
  int leaf = (int)recency_leaf(to, mixed);
  if (left == 1)
    recency_retire(set, path, 1, order, mixed);
  else if (left == 0)
    recency_retire(set, path, 0, order, mixed);
  else
    recency_retire(set, path, left, order, mixed);
  if (mixed) path[RECENCY_LEAF] = (uint32_t)leaf;
  for (; __builtin_expect(fresh > 1 && fresh >= leaf, 0); fresh--)
    path[fresh] = recency_access(r, set, page, fresh);
  if (fresh > 0 && leaf < 2) path[1] = recency_access(r, set, page, 1);
  if (leaf < 1) path[0] = recency_access(r, set, page, 0);
  for (int layer = top + 1; layer <= side; layer++) path[layer] = near[layer];
}

/*
 * The loop of all that keep recency.  What it reads of the set is copied, since
 * a compiler that sees words stored through pointers must take them for parts
 * of the original.
 */
static inline __attribute__((always_inline)) void recency_walk(
    struct recency *r, const uint64_t *pages, size_t count,
    enum recency_order order, bool mixed) {
  struct node_set set = r->set;
  uint64_t last = r->last, before = r->before;
  unsigned newer = r->newer;
  int apart = r->apart;
  bool far = set.capacity >= RECENCY_FAR;
  for (size_t i = 0; i < count; i++) {
    uint64_t page = pages[i];
    if (page == last) continue;
    if (page != before) {
      if (far) recency_fetch(&set, &r->tree, pages, i, count, mixed);
      uint64_t on_top = recency_digits(page, last, mixed);
      uint64_t beside = recency_digits(page, before, mixed);
      int top = r->top_of_bit[63 - __builtin_clzll(on_top)];
      int side = r->top_of_bit[63 - __builtin_clzll(beside)];
      recency_turn(r, &set, page, r->path[!newer], r->path[newer], top, side,
                   apart, order, mixed);
      apart = top;
    }
    newer = !newer;
    before = last;
    last = page;
  }
  r->set.used = set.used;
  r->last = last;
  r->before = before;
  r->newer = newer;
  r->apart = apart;
}

/*
 * Four paths instead of two.  Algorithms that go through several arrays at a
 * time come back to one of the last four pages again and again.  For W >= 4d +
 * 4 the nodes of these are the most recent ones, so all that holds for two
 * paths holds for four: a page that comes back changes places, and a fifth page
 * takes the place of the one translated longest ago.  It takes longer where
 * pages do not come back.
 */

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
    const struct recency *r, const struct recency_four *f, int at, bool mixed) {
  uint64_t page = f->page[at];
  uint64_t bits = recency_least(recency_digits(page, f->page[0], mixed),
                                recency_digits(page, f->page[1], mixed));
  if (at == 3)
    bits = recency_least(bits, recency_digits(page, f->page[2], mixed));
  return recency_top(r, bits);
}

/* A fifth page gets the path of the last of the four. */
static inline __attribute__((always_inline)) void recency_fifth(
    struct recency *r, struct node_set *set, const struct recency_four *f,
    uint64_t page, enum recency_order order, bool mixed) {
  uint64_t bits = recency_digits(page, f->page[0], mixed);
  uint64_t second = recency_digits(page, f->page[1], mixed);
  uint64_t third = recency_digits(page, f->page[2], mixed);
  const uint32_t *near = f->path[0];
  if (second < bits) bits = second, near = f->path[1];
  if (third < bits) bits = third, near = f->path[2];
  recency_turn(r, set, page, f->path[3], near, recency_top(r, bits),
               recency_top(r, recency_digits(page, f->page[3], mixed)),
               recency_apart(r, f, 3, mixed), order, mixed);
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
    enum recency_order order, bool mixed) {
  uint32_t kept[2][RECENCY_PATH];
  recency_retire(set, f->path[3], recency_apart(r, f, 3, mixed), order, mixed);
  recency_retire(set, f->path[2], recency_apart(r, f, 2, mixed), order, mixed);
  memcpy(kept[0], f->path[0], sizeof kept[0]);
  memcpy(kept[1], f->path[1], sizeof kept[1]);
  memcpy(r->path, kept, sizeof kept);
  r->newer = 0;
  r->last = f->page[0];
  r->before = f->page[1];
  r->apart = recency_top(r, recency_digits(r->last, r->before, mixed));
}

/* recency_walk() with four paths.  How often the last two of them served. */
static inline __attribute__((always_inline)) unsigned recency_walk_four(
    struct recency *r, const uint64_t *pages, size_t count,
    enum recency_order order, bool mixed) {
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
      if (far) recency_fetch(&set, &r->tree, pages, i, count, mixed);
      recency_fifth(r, &set, &f, page, order, mixed);
      recency_move(&f, 3, page);
    }
  }
  recency_keep_two(r, &set, &f, order, mixed);
  r->set.used = set.used;
  return served;
}

/* Translate pages: 0, or -1 with errno. */
static inline __attribute__((always_inline)) int recency_blocks(
    struct recency *r, const uint64_t *pages, size_t count,
    enum recency_order order, bool mixed) {
  for (size_t done = 0, n; !r->is_short && done < count; done += n) {
    n = count - done < RECENCY_BLOCK ? count - done : RECENCY_BLOCK;
    if (vat_node_set_grow(&r->set, (uint32_t)n * (r->tree.levels + 1)))
      return -1;
    if (!r->started) vat_recency_start(r, pages[0]);
    if (r->untried || !r->holds_four) {
      recency_walk(r, pages + done, n, order, mixed);
      r->untried -= r->untried > 0;
    } else if (recency_walk_four(r, pages + done, n, order, mixed) < n / 4) {
      r->untried = RECENCY_TRIAL;
    }
  }
  if (r->is_short) vat_short_list_translate(&r->short_list, pages, count);
  return 0;
}

static inline __attribute__((always_inline)) int recency_translate(
    struct recency *r, const uint64_t *pages, size_t count,
    enum recency_order order) {
  return r->mixed ? recency_blocks(r, pages, count, order, true)
                  : recency_blocks(r, pages, count, order, false);
}
