/* SPDX-License-Identifier: BSD-2-Clause */
/* ISLRU is one list by recency, a path's leaf behind its root
 * (doc/simulator-internals.md has the proof), and only evictions read its
 * order.  So an access writes a time, and the order is made when an eviction
 * needs it: the leaves are sorted by time into a queue, and victims are taken
 * from its front until it is empty. A leaf that was accessed after the queue
 * was made is skipped, and goes into the next one.  Each victim is exactly the
 * last of the list: all leaves that are not in the queue, or skipped, were
 * accessed later than it.  An eviction costs amortized O(1) plus its share of a
 * radix sort.
 *
 * Inner nodes need neither queue nor time.  One with children in the TC is more
 * recent than these.  When it loses its last child, that child was the most
 * recent leaf below it, so no node is between the two, and it is the next
 * victim, unless a path through it is loaded before.
 *
 * Why accesses may be deferred.  Let there be n inner nodes, at most P deferred
 * accesses and F entries in the table of recent pages, and let k accesses have
 * been deferred since page x was accessed.  A leaf more recent than x's, now or
 * until the deferred accesses are looked up, was deferred since, or was in the
 * table all the time: there are at most k + P + F of them.  At most n + P d
 * more nodes are more recent.  While all these are fewer than W, x is not
 * evicted: it hits whatever came before, and its exact recency does not decide
 * who is evicted.  Other pages are dropped from the table (drop_old_pages()).
 * With too few nodes for that nothing is deferred, and only the last page is in
 * the table.
 *
 * One walk for trees of several page sizes.  A larger page is an inner node of
 * the tree of smaller ones, so the list of the larger tree is that of the
 * smaller one without its lowest layers.  If its TC is not smaller, it holds
 * all inner nodes that the smaller tree's TC holds: only a walk that misses
 * such a node concerns it (vat/lazy_tc_inner.c).
 *
 * The table and the deferred accesses hold times later than the access that is
 * being looked up.  Two things follow.  Where a deferred access has replaced an
 * entry of the table, the access keeps the old entry, so a queue is made from
 * both.  And a queue is in order only up to the time at which it was made:
 * leaves that are not in it may be loaded between that and a later time.  So
 * leaves with later times are skipped, as if accessed after it was made, which
 * they were.
 */
#include "vat/lazy_tc.h"

#include <string.h>

#include "vat/lazy_tc_nodes.h"

enum { SPARE = 4 }; /* batches, between searches for old entries, which cost */

/* Twice as many as vat/node_set.c has: more look-ups find nothing, which an
 * empty chain tells without a branch that is hard to predict. */
static unsigned lg_chains(uint64_t nodes) {
  unsigned lg = 1;
  while ((UINT64_C(1) << lg) < 8 * nodes) lg++;
  return lg;
}

size_t vat_lazy_tc_bytes(uint64_t nodes) {
  return (nodes + 1 + VAT_LAYERS_MAX) * sizeof(struct lazy_node) +
         2 * nodes * sizeof(struct leaf_age) + 3 * nodes * sizeof(uint32_t) +
         (sizeof(uint32_t) << lg_chains(nodes));
}

void vat_lazy_tcs_init(struct lazy_tcs *tcs) {
  tcs->trees = 0;
  tcs->page_bits = 63;
  tcs->recent_mask = LAZY_TC_RECENT - 1;
  tcs->looked_up = NULL;
  vat_lazy_tcs_clear(tcs);
}

void vat_lazy_tcs_add(struct lazy_tcs *tcs, const struct vat_tree *tree,
                      uint64_t nodes, enum lazy_tc_policy policy,
                      void *memory) {
  struct lazy_tc *tc = &tcs->tc[tcs->trees++];
  tc->tree = *tree;
  tc->limit = (uint32_t)nodes;
  tc->policy = policy;
  tc->shift = 64 - lg_chains(nodes);
  tc->nodes = memory;
  tc->mixed = NULL;
  tc->lift = vat_lazy_tc_lift(tcs, tc);
  tc->larger = NULL;
  if (tc->lift) {
    (tc - 1)->larger = tc;
    vat_lazy_tc_inner_init(tc, memory);
    vat_lazy_tcs_clear(tcs);
    return;
  }
  tc->ages = (struct leaf_age *)(tc->nodes + nodes + 1 + VAT_LAYERS_MAX);
  tc->room = tc->ages + nodes;
  tc->queue = (uint32_t *)(tc->room + nodes);
  tc->fresh = tc->queue + nodes;
  tc->skipped = tc->fresh + nodes;
  tc->chains = tc->skipped + nodes;
  if (tree->page_bits < tcs->page_bits) tcs->page_bits = tree->page_bits;
  vat_lazy_tcs_clear(tcs);
}

void vat_lazy_tcs_add_mixed(struct lazy_tcs *tcs, const struct vat_tree *tree,
                            uint64_t nodes, enum lazy_tc_policy policy,
                            struct lazy_mixed *mixed, void *memory) {
  vat_lazy_tcs_add(tcs, tree, nodes, policy, memory);
  tcs->tc[tcs->trees - 1].mixed = mixed;
}

void vat_lazy_tcs_clear(struct lazy_tcs *tcs) {
  for (unsigned i = 0; i < LAZY_TC_RECENT; i++)
    tcs->recent[i] = (struct recent_page){.page = NO_RECENT_PAGE};
  for (unsigned t = 0; t < tcs->trees; t++) {
    struct lazy_tc *tc = &tcs->tc[t];
    tc->used = 0;
    if (tc->policy == LAZY_TC_TLB && tc->mixed)
      vat_mixed_tlb_clear(&tc->mixed->tlb);
    else if (tc->policy == LAZY_TC_TLB)
      vat_tlb_clear(&tc->tlb);
    if (tc->policy == LAZY_TC_CODE_TLB) vat_code_tlbs_clear(tc->code);
    if (tc->policy >= LAZY_TC_TLB) continue;
    if (tc->lift) {
      vat_lazy_tc_inner_clear(tc);
      continue;
    }
    memset(tc->chains, 0, sizeof *tc->chains << (64 - tc->shift));
    tc->nodes[0] = (struct lazy_node){.key = NODE_NONE};
    memset(tc->leaves, 0, sizeof tc->leaves);
    tc->queued = tc->next = tc->loaded = tc->skipped_count = 0;
    tc->inner = tc->bare = tc->tail = tc->held = tc->freed = 0;
    tc->made = 0;
  }
  memset(tcs->missed, 0, sizeof tcs->missed);
  memset(tcs->begun, 0, sizeof tcs->begun);
  tcs->batch = tcs->oldest = 0;
  tcs->in_batch = LAZY_TC_DEFERRED;
  tcs->only = 0;
  tcs->next = tcs->deferred;
  tcs->full = tcs->deferred + 1;
}

static inline unsigned recent_index(const struct lazy_tcs *tcs,
                                    uint64_t address) {
  return address >> tcs->page_bits & (LAZY_TC_RECENT - 1);
}

/* The slot of the least recent node, which leaves. */
static inline __attribute__((always_inline)) uint32_t evict(
    const struct lazy_tcs *tcs, struct lazy_tc *tc, uint64_t now) {
  struct lazy_node *nodes = tc->nodes;
  uint32_t slot = tc->bare;
  if (__builtin_expect(slot && !nodes[slot].children, 0)) {
    tc->inner--;
    if (tc->larger) vat_lazy_tc_inner_push(tc->larger, nodes[slot].key);
  } else {
    slot = next_leaf(tcs, tc, now);
  }
  leave(tc, slot);
  uint32_t parent = nodes[slot].parent;
  tc->bare = --nodes[parent].children ? 0 : parent;
  return slot;
}

/* Load a node, the parent of `children` nodes. */
static inline __attribute__((always_inline)) uint32_t load(
    const struct lazy_tcs *tcs, struct lazy_tc *tc, uint64_t key,
    uint32_t parent, uint32_t children, uint64_t now) {
  uint32_t slot = __builtin_expect(tc->used < tc->limit, 0)
                      ? ++tc->used
                      : evict(tcs, tc, now);
  uint32_t *chain = chain_of(tc, key);
  tc->nodes[slot] = (struct lazy_node){key, now, *chain, parent, children, 0};
  return *chain = slot;
}

/* Load the inner nodes of the path to `page` that are not there, that above the
 * layer `bottom` of the leaf being one; returns it, the parent of the leaf.
 * Above the first that is there all are. */
static __attribute__((noinline)) uint32_t load_inner(
    const struct lazy_tcs *tcs, struct lazy_tc *tc, uint64_t page,
    unsigned bottom, uint64_t now, uint8_t *missed) {
  uint32_t parent = 0;
  unsigned layer = bottom + 1;
  while (!parent && ++layer <= tc->tree.levels)
    parent = find(tc, vat_tree_key(&tc->tree, page, layer));
  *missed = (uint8_t)(layer - bottom);
  if (tc->larger)
    vat_lazy_tc_inner_load(tc->larger, &tcs->tc->tree, page, layer, missed + 1);
  tc->inner += layer - bottom - 1;
  tc->nodes[parent].children++;
  while (--layer > bottom)
    parent =
        load(tcs, tc, vat_tree_key(&tc->tree, page, layer), parent, 1, now);
  return parent;
}

/* Load the nodes of the path to `page` that are not there, the leaf on layer
 * `bottom` being one; tells how many.  Most often the leaf is all. */
static inline __attribute__((always_inline)) uint32_t load_path(
    const struct lazy_tcs *tcs, struct lazy_tc *tc, uint64_t page,
    unsigned bottom, uint64_t now, uint8_t *missed) {
  uint32_t parent = find(tc, vat_tree_key(&tc->tree, page, bottom + 1));
  bool inner = !parent;
  if (__builtin_expect(inner, 0)) {
    parent = load_inner(tcs, tc, page, bottom, now, missed);
  } else {
    *missed = 1;
    tc->nodes[parent].children++;
  }
  uint32_t leaf =
      load(tcs, tc, vat_tree_key(&tc->tree, page, bottom), parent, 0, now);
  if (__builtin_expect(inner && tc->larger, 0))
    vat_lazy_tc_inner_trim(tc->larger);
  return tc->fresh[tc->loaded++] = leaf;
}

/* Look up the deferred accesses in one tree.  The page that an entry of the
 * table had has been looked up by then, and has not been evicted. */
static inline void look_up(struct lazy_tcs *tcs, unsigned t, bool lru) {
  struct lazy_tc *tc = &tcs->tc[t];
  struct lazy_node *nodes = tc->nodes;
  unsigned bits = tc->tree.page_bits, recent_bits = tcs->page_bits;
  const struct deferred_access *access = tcs->deferred, *end = tcs->next;
  tc->prepared = false;
  for (uint8_t *missed = &tcs->missed[0][t]; access < end;
       access++, missed += LAZY_TC_TREES) {
    uint64_t page = access->address >> bits;
    uint32_t *recent_leaf =
        &tc->leaves[access->address >> recent_bits & (LAZY_TC_RECENT - 1)];
    stamp(&nodes[*recent_leaf], access->before.stamp);
    uint32_t leaf = find(tc, page << 4); /* vat_tree_key(), of layer 0 */
    if (leaf && !(lru && leaf == tc->tail)) {
      stamp(&nodes[leaf], access->time);
    } else {
      *recent_leaf = 0;
      leaf = lru ? vat_lazy_tc_load_lru(tcs, tc, page, 0, access->time, missed)
                 : load_path(tcs, tc, page, 0, access->time, missed);
    }
    *recent_leaf = leaf;
  }
}

/* The same, with pages of several sizes. */
static void look_up_mixed(struct lazy_tcs *tcs, unsigned t) {
  struct lazy_tc *tc = &tcs->tc[t];
  struct lazy_node *nodes = tc->nodes;
  const bool lru = tc->policy == LAZY_TC_LRU;
  const struct deferred_access *access = tcs->deferred, *end = tcs->next;
  tc->prepared = false;
  for (uint8_t *missed = &tcs->missed[0][t]; access < end;
       access++, missed += LAZY_TC_TREES) {
    uint64_t base = access->address >> tc->tree.page_bits;
    uint64_t recent = access->address >> tcs->page_bits & (LAZY_TC_RECENT - 1);
    struct lazy_page of = tc->mixed->page_of(access->address);
    stamp(&nodes[tc->leaves[recent]], access->before.stamp);
    uint32_t leaf = find(tc, vat_tree_key(&tc->tree, of.page, of.leaf));
    if (leaf && !(lru && leaf == tc->tail)) {
      stamp(&nodes[leaf], access->time);
    } else {
      tc->leaves[recent] = 0;
      leaf = lru ? vat_lazy_tc_load_lru(tcs, tc, of.page, of.leaf, access->time,
                                        missed)
                 : load_path(tcs, tc, of.page, of.leaf, access->time, missed);
      if (of.digits) *missed |= LAZY_TC_LARGE;
    }
    tc->leaves[recent] = leaf;
    tc->mixed->looked_up[recent] = base;
  }
}

static void drop_recent(struct lazy_tcs *tcs, unsigned recent) {
  for (unsigned t = 0; t < tcs->trees; t++) {
    struct lazy_tc *tc = &tcs->tc[t];
    if (tc->lift || tc->policy >= LAZY_TC_TLB) continue;
    stamp(&tc->nodes[tc->leaves[recent]], tcs->recent[recent].stamp);
    tc->leaves[recent] = 0;
  }
  tcs->recent[recent].page = NO_RECENT_PAGE;
}

void vat_lazy_tcs_forget(struct lazy_tcs *tcs, uint64_t start, uint64_t end) {
  uint64_t first = start >> tcs->page_bits << tcs->page_bits;
  for (unsigned i = 0; i <= tcs->recent_mask; i++)
    if (tcs->recent[i].page - first < end - first) drop_recent(tcs, i);
}

/* How many batches ago a page of the table may have been accessed; 0: too few
 * to defer any access. */
static uint64_t batches_kept(const struct lazy_tcs *tcs) {
  int64_t least = LAZY_TC_BATCHES - 1;
  for (unsigned t = 0; t < tcs->trees; t++) {
    const struct lazy_tc *tc = &tcs->tc[t];
    if (tc->lift) continue;
    int64_t nodes =
        LAZY_TC_DEFERRED * (int64_t)(tc->tree.levels + 1) + LAZY_TC_RECENT;
    int64_t batches =
        ((int64_t)tc->limit - 2 - tc->inner - nodes) / LAZY_TC_DEFERRED;
    if (batches < least) least = batches;
  }
  return least > 0 ? (uint64_t)least : 0;
}

/* Pages accessed before `from`.  They are gathered first, since a branch on
 * each would be hard to predict. */
static void drop_recent_before(struct lazy_tcs *tcs, uint64_t from) {
  uint16_t old[LAZY_TC_RECENT];
  unsigned count = 0;
  for (unsigned i = 0; i < LAZY_TC_RECENT; i++) {
    old[count] = (uint16_t)i;
    count +=
        (tcs->recent[i].stamp < from) & (tcs->recent[i].page != NO_RECENT_PAGE);
  }
  for (unsigned i = 0; i < count; i++) drop_recent(tcs, old[i]);
}

/* Where nothing is deferred, the page in the table was the last to be accessed
 * before this one. */
static void drop_other_pages(struct lazy_tcs *tcs, unsigned recent) {
  if (tcs->only != recent) drop_recent(tcs, tcs->only);
}

/* `last` has been looked up.  When deferring stops, other pages of the table
 * may have been accessed since. */
static void drop_old_pages(struct lazy_tcs *tcs,
                           const struct deferred_access *last) {
  uint64_t kept = batches_kept(tcs);
  if (!kept && tcs->full > tcs->deferred + 1) {
    drop_recent_before(tcs, UINT64_MAX);
  } else if (kept && tcs->batch - tcs->oldest > kept) {
    tcs->oldest = tcs->batch - (kept > SPARE ? kept - SPARE : 1);
    drop_recent_before(tcs, tcs->begun[tcs->oldest & (LAZY_TC_BATCHES - 1)]);
  }
  if (!kept) {
    tcs->oldest = tcs->batch;
    tcs->in_batch = LAZY_TC_DEFERRED;
  }
  tcs->only = recent_index(tcs, last->address);
  tcs->full = tcs->deferred + (kept ? LAZY_TC_DEFERRED : 1);
}

/* A few that the caller had looked up early belong to the batch before, if
 * there is room. */
static void count_batch(struct lazy_tcs *tcs, unsigned count) {
  if (tcs->in_batch + count > LAZY_TC_DEFERRED) {
    tcs->begun[tcs->batch++ & (LAZY_TC_BATCHES - 1)] = tcs->deferred[0].time;
    tcs->in_batch = 0;
  }
  tcs->in_batch += count;
}

void vat_lazy_tcs_look_up(struct lazy_tcs *tcs) {
  unsigned count = (unsigned)(tcs->next - tcs->deferred);
  if (!count) return;
  count_batch(tcs, count);
  if (tcs->recent_mask && tcs->full == tcs->deferred + 1)
    drop_other_pages(tcs, recent_index(tcs, tcs->deferred[0].address));
  memset(tcs->missed, 0, count * sizeof tcs->missed[0]);
  for (unsigned t = 0; t < tcs->trees; t++) {
    if (tcs->tc[t].policy >= LAZY_TC_TLB)
      vat_lazy_tc_walk(tcs, t);
    else if (tcs->tc[t].mixed)
      look_up_mixed(tcs, t);
    else if (tcs->tc[t].policy == LAZY_TC_LRU)
      look_up(tcs, t, true);
    else if (!tcs->tc[t].lift)
      look_up(tcs, t, false);
  }
  tcs->looked_up(tcs, count);
  tcs->next = tcs->deferred;
  if (tcs->recent_mask)
    drop_old_pages(tcs, &tcs->deferred[count - 1]);
  else
    tcs->full = tcs->deferred + LAZY_TC_DEFERRED;
}
