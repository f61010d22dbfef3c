/* SPDX-License-Identifier: BSD-2-Clause */
/* The curves of islru and lru for W > d: stack distances (Mattson et al., 1970)
 * with an order-statistic structure for recency (as Bennett and Kruskal, IBM
 * Journal 19(4), 1975), vat/timeline.h.
 *
 * As in vat/recency.h the d + 1 nodes of the last path stand beside the list,
 * which here has all other nodes ever seen, and only the layers 0..top move on
 * which a path differs from the last one.  A new node of these is off the last
 * path; let r be its rank off the path at the time it is accessed.
 *
 * islru: a node misses iff its position at the start of the translation is
 * more than W (vat/islru.c).  That is d + 1 + r.
 *
 * lru: its position when it is accessed, the new path's nodes above layer l
 * having been accessed and left the list: these d - l are in front of it, and
 * so are the top + 1 nodes of the old path that the new one does not have.
 * That is d - l + top + 1 + r.  A layer that did not change is at d + 1, a hit:
 * since its last access the d other nodes of its path were accessed.
 *
 * Nodes are never evicted, so that a page seen before finds all of its path by
 * following parents: one hash look-up a translation. */
#include <stdlib.h>

#include "vat/curve_ops.h"
#include "vat/node_map.h"
#include "vat/recency.h"
#include "vat/timeline.h"

/* A node, packed as the value of a node_map: its slot of the timeline (0: on
 * the path) and, above, the number of its parent among the branches. */
#define SLOT UINT64_C(0xffffffff)

struct recency_curve {
  struct vat_tree tree;
  struct curve_counts *counts;
  struct timeline line;
  struct node_map leaves;  /* page -> packed node, 0 if new */
  struct node_map numbers; /* node above layer 0 -> its number, from 1 */
  uint64_t *branches;      /* packed nodes by number */
  uint64_t branch_room;
  bool started;
  uint64_t last;                     /* page of the path */
  uint64_t *leaf;                    /* its leaf, in `leaves` */
  uint32_t path[VAT_LAYERS_MAX + 1]; /* the branches above it, ended by 0 */
  uint8_t top_of_bit[64];            /* see struct recency */
};

static void destroy(void *state) {
  struct recency_curve *c = state;
  if (!c) return;
  vat_timeline_fini(&c->line);
  vat_node_map_fini(&c->leaves);
  vat_node_map_fini(&c->numbers);
  free(c->branches);
  free(c);
}

static void *create(const struct vat_tree *tree,
                    const struct vat_tc_options *options,
                    struct curve_counts *counts) {
  (void)options;
  struct recency_curve *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->tree = *tree;
  c->counts = counts;
  for (unsigned bit = 0; bit < 64; bit++)
    c->top_of_bit[bit] = (uint8_t)(bit / tree->index_bits);
  if (!vat_timeline_init(&c->line, 0) && !vat_node_map_init(&c->leaves) &&
      !vat_node_map_init(&c->numbers))
    return c;
  destroy(c);
  return NULL;
}

/* Number the present slots anew, in their order, and make room behind them. */
static int compact(struct recency_curve *c) {
  struct timeline fresh;
  if (vat_timeline_init(&fresh, c->line.present)) return -1;
  for (uint64_t i = 0; i < c->leaves.capacity; i++) {
    uint64_t *node = &c->leaves.entries[i].value;
    if (*node & SLOT)
      *node = (*node & ~SLOT) | timeline_age(&c->line, (uint32_t)*node);
  }
  for (uint64_t i = 1; i <= c->numbers.count; i++) {
    uint64_t *node = &c->branches[i];
    if (*node & SLOT)
      *node = (*node & ~SLOT) | timeline_age(&c->line, (uint32_t)*node);
  }
  vat_timeline_fini(&c->line);
  c->line = fresh;
  return 0;
}

/* Room for whatever a block of pages may bring. */
static int reserve(struct recency_curve *c, size_t pages) {
  uint64_t more = pages * c->tree.levels;
  uint64_t need = c->numbers.count + more + 1;
  uint64_t before = c->leaves.capacity;
  if (need > c->branch_room) {
    uint64_t room = need > 2 * c->branch_room ? need : 2 * c->branch_room;
    uint64_t *branches = reallocarray(c->branches, room, sizeof *branches);
    if (!branches) return -1;
    c->branches = branches;
    c->branch_room = room;
  }
  if (vat_node_map_grow(&c->numbers, more) ||
      vat_node_map_grow(&c->leaves, pages))
    return -1;
  if (c->started && c->leaves.capacity != before)
    c->leaf = node_map_at(&c->leaves, vat_tree_key(&c->tree, c->last, 0));
  return vat_curve_counts_reserve(
      c->counts,
      c->tree.levels + 1 + c->leaves.count + c->numbers.count + pages + more);
}

/*
 * A page seen for the first time: enter its leaf, and its branches up to layer
 * `top` as long as they are new.  Returns the layer above them.
 */
static unsigned enter(struct recency_curve *c, uint64_t page, unsigned top,
                      uint64_t *leaf, uint32_t *path) {
  uint64_t *node = leaf;
  for (unsigned layer = 1;; layer++) {
    c->counts->compulsory++;
    if (layer > top) {
      *node = (uint64_t)c->path[layer] << 32;
      return layer;
    }
    uint64_t *number =
        node_map_at(&c->numbers, vat_tree_key(&c->tree, page, layer));
    bool known = *number;
    if (!known) *number = c->numbers.count;
    *node = *number << 32;
    path[layer] = (uint32_t)*number;
    if (known) return layer;
    node = &c->branches[*number];
    *node = 0;
  }
}

/* Take a node out of the list, onto the path, and count it: `before` nodes are
 * in front of the list. */
static inline void count(struct recency_curve *c, unsigned before,
                         uint64_t *node) {
  uint32_t slot = (uint32_t)*node;
  *node &= ~SLOT;
  curve_counts_add(c->counts, before + timeline_take(&c->line, slot) + 1);
}

/* The new nodes of layers first..top are not new to the stream. */
static inline __attribute__((always_inline)) void access_known(
    struct recency_curve *c, uint64_t *leaf, const uint32_t *path,
    unsigned first, unsigned top, bool leaf_first) {
  unsigned levels = c->tree.levels;
  if (leaf_first) { /* a parent is more recent than its children */
    for (unsigned layer = first; layer <= top; layer++)
      count(c, levels + 1, layer ? &c->branches[path[layer]] : leaf);
  } else {
    for (unsigned layer = top + 1; layer-- > first;)
      count(c, levels - layer + top + 1,
            layer ? &c->branches[path[layer]] : leaf);
  }
}

/* The old nodes of layers 0..top go to the front of the list: islru's leaf
 * first, so that parents are in front of it; lru's leaf last. */
static inline __attribute__((always_inline)) void retire(
    struct recency_curve *c, unsigned top, bool leaf_first) {
  if (leaf_first) *c->leaf |= timeline_put(&c->line);
  for (unsigned i = 1; i <= top; i++)
    c->branches[c->path[leaf_first ? i : top + 1 - i]] |=
        timeline_put(&c->line);
  if (!leaf_first) *c->leaf |= timeline_put(&c->line);
}

static inline __attribute__((always_inline)) void step(struct recency_curve *c,
                                                       uint64_t page,
                                                       unsigned top,
                                                       bool leaf_first) {
  uint64_t *leaf = node_map_at(&c->leaves, vat_tree_key(&c->tree, page, 0));
  uint32_t path[VAT_LAYERS_MAX];
  unsigned known = 0;
  if (__builtin_expect(!*leaf, 0))
    known = enter(c, page, top, leaf, path);
  else
    path[1] = (uint32_t)(*leaf >> 32);
  for (unsigned layer = known ? known : 1; layer < top; layer++)
    path[layer + 1] = (uint32_t)(c->branches[path[layer]] >> 32);
  access_known(c, leaf, path, known, top, leaf_first);
  retire(c, top, leaf_first);
  for (unsigned layer = 1; layer <= top; layer++) c->path[layer] = path[layer];
  c->leaf = leaf;
}

/* The first path of all. */
static void start(struct recency_curve *c, uint64_t page) {
  c->leaf = node_map_at(&c->leaves, vat_tree_key(&c->tree, page, 0));
  enter(c, page, c->tree.levels, c->leaf, c->path);
  c->last = page;
  c->started = true;
}

static inline __attribute__((always_inline)) int translate(
    struct recency_curve *c, const uint64_t *pages, size_t length,
    bool leaf_first) {
  if (reserve(c, length)) return -1;
  for (size_t i = 0; i < length; i++) {
    if (!c->started) start(c, pages[i]);
    if (pages[i] == c->last) continue;
    if (!timeline_has_room(&c->line, VAT_LAYERS_MAX) && compact(c)) return -1;
    if (i + RECENCY_AHEAD < length)
      node_map_prefetch(&c->leaves,
                        vat_tree_key(&c->tree, pages[i + RECENCY_AHEAD], 0));
    unsigned top = c->top_of_bit[63 - __builtin_clzll(pages[i] ^ c->last)];
    /* As in vat/islru.c the common cases are unrolled. */
    switch (top) {
      case 0:
        step(c, pages[i], 0, leaf_first);
        break;
      case 1:
        step(c, pages[i], 1, leaf_first);
        break;
      case 2:
        step(c, pages[i], 2, leaf_first);
        break;
      default:
        step(c, pages[i], top, leaf_first);
    }
    c->last = pages[i];
  }
  return 0;
}

static int translate_islru(void *state, const uint64_t *pages, size_t count) {
  return translate(state, pages, count, true);
}

static int translate_lru(void *state, const uint64_t *pages, size_t count) {
  return translate(state, pages, count, false);
}

const struct vat_curve_ops vat_curve_islru = {
    .create = create, .destroy = destroy, .translate = translate_islru};
const struct vat_curve_ops vat_curve_lru = {
    .create = create, .destroy = destroy, .translate = translate_lru};
