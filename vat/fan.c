/* SPDX-License-Identifier: BSD-2-Clause */
/* ISLRU is one list by recency, a path's leaf behind its root (doc/simulator.md
 * has the proof), and nothing but evictions ever reads its order.  So accesses
 * write times only, and the order is made when it is wanted: the leaves, by
 * time, make a queue, from which victims are taken until it is empty; whoever
 * was accessed before its turn came is passed over until the next queue.  What
 * is evicted is exactly the last of the list: all that are not in the queue, or
 * passed over, were accessed after it was made.
 *
 * Inner nodes need neither queue nor time.  One with children in the TC is
 * ahead of these.  When it loses its last, that was the most recent leaf that
 * it ever had, so that nothing is between the two, and it is the next victim,
 * unless a path through it is loaded before.
 *
 * Why knocks may wait.  Let n nodes be inner ones, P knocks wait at most, F
 * doors be there, and k knocks have come since page x was accessed.  Leaves
 * more recent than x's, now or until the knocks are answered, have knocked
 * since, or had their doors open all the time: at most k + P + F.  Nodes more
 * recent are at most as many and n + P d more.  While these are fewer than W, x
 * is not evicted, so that it hits whatever came before; and what its recency is
 * makes no difference to who is.  Doors of other pages are shut (shut_old()).
 * With too few nodes for that nobody waits, and only the last page's door is
 * open.
 *
 * One walk for trees of several page sizes.  A larger page is an inner node of
 * the tree of smaller ones, so that the list of the larger tree is that of the
 * smaller one without its lowest layers.  If it is not cut off earlier, its TC
 * holds all inner nodes that the smaller one's does: only a walk that misses
 * such a node concerns it (vat/fan_rest.c).
 *
 * Doors, and knocks that wait, hence tell times ahead of the knock that is
 * being answered.  Two things follow.  A door that such a knock changed no
 * longer says what it said: the knock does, so that a queue is made of what
 * both say.  And the queue is in order only up to the time at which it was
 * made: between that and a time ahead of it leaves may be loaded, which are not
 * in it.  So who is ahead is passed over, as if accessed after it was made,
 * which it was.
 */
#include "vat/fan.h"

#include <string.h>

#include "vat/fan_tc.h"

enum { SPARE = 4 }; /* batches, between looks for old doors, which take long */

/* Twice as many as vat/node_set.c has: more look-ups find nothing, which an
 * empty chain tells without a branch that is hard to predict. */
static unsigned lg_chains(uint64_t nodes) {
  unsigned lg = 1;
  while ((UINT64_C(1) << lg) < 8 * nodes) lg++;
  return lg;
}

size_t vat_fan_tc_bytes(uint64_t nodes) {
  return (nodes + 1 + VAT_LAYERS_MAX) * sizeof(struct fan_node) +
         2 * nodes * sizeof(struct fan_turn) + 3 * nodes * sizeof(uint32_t) +
         (sizeof(uint32_t) << lg_chains(nodes));
}

void vat_fan_init(struct fan *fan) {
  fan->trees = 0;
  fan->page_bits = 63;
  fan->door_mask = FAN_DOORS - 1;
  fan->answered = NULL;
  vat_fan_clear(fan);
}

void vat_fan_add(struct fan *fan, const struct vat_tree *tree, uint64_t nodes,
                 enum fan_policy policy, void *memory) {
  struct fan_tc *tc = &fan->tc[fan->trees++];
  tc->tree = *tree;
  tc->limit = (uint32_t)nodes;
  tc->policy = policy;
  tc->shift = 64 - lg_chains(nodes);
  tc->nodes = memory;
  tc->lift = vat_fan_lift(fan, tc);
  tc->larger = NULL;
  if (tc->lift) {
    (tc - 1)->larger = tc;
    vat_fan_rest_init(tc, memory);
    vat_fan_clear(fan);
    return;
  }
  tc->turns = (struct fan_turn *)(tc->nodes + nodes + 1 + VAT_LAYERS_MAX);
  tc->room = tc->turns + nodes;
  tc->queue = (uint32_t *)(tc->room + nodes);
  tc->fresh = tc->queue + nodes;
  tc->late = tc->fresh + nodes;
  tc->chains = tc->late + nodes;
  if (tree->page_bits < fan->page_bits) fan->page_bits = tree->page_bits;
  vat_fan_clear(fan);
}

void vat_fan_add_tlb(struct fan *fan, const struct vat_tree *tree,
                     const struct tlb_shape *shape, void *memory) {
  struct fan_tc *tc = &fan->tc[fan->trees++];
  tc->tree = *tree;
  tc->policy = FAN_TLB;
  tc->limit = shape->level[1].entries;
  if (!tc->limit) tc->limit = shape->level[0].entries;
  tc->nodes = memory;
  tc->lift = 0;
  tc->larger = NULL;
  vat_tlb_init(&tc->tlb, shape, tree, memory);
  if (tree->page_bits < fan->page_bits) fan->page_bits = tree->page_bits;
  fan->door_mask = 0;
  vat_fan_clear(fan);
}

void vat_fan_clear(struct fan *fan) {
  for (unsigned i = 0; i < FAN_DOORS; i++)
    fan->doors[i] = (struct fan_door){.page = FAN_SHUT};
  for (unsigned t = 0; t < fan->trees; t++) {
    struct fan_tc *tc = &fan->tc[t];
    tc->used = 0;
    if (tc->policy == FAN_TLB) {
      vat_tlb_clear(&tc->tlb);
      continue;
    }
    if (tc->lift) {
      vat_fan_rest_clear(tc);
      continue;
    }
    memset(tc->chains, 0, sizeof *tc->chains << (64 - tc->shift));
    tc->nodes[0] = (struct fan_node){.key = NODE_NONE};
    memset(tc->leaves, 0, sizeof tc->leaves);
    tc->queued = tc->next = tc->loaded = tc->passed = 0;
    tc->inner = tc->bare = tc->tail = tc->held = tc->freed = 0;
    tc->made = 0;
  }
  memset(fan->missed, 0, sizeof fan->missed);
  memset(fan->begun, 0, sizeof fan->begun);
  fan->batch = fan->oldest = 0;
  fan->in_batch = FAN_KNOCKS;
  fan->only = 0;
  fan->next = fan->knocks;
  fan->full = fan->knocks + 1;
}

static inline unsigned door_of(const struct fan *fan, uint64_t address) {
  return address >> fan->page_bits & (FAN_DOORS - 1);
}

/* The slot of the least recent node, which leaves. */
static inline __attribute__((always_inline)) uint32_t evict(
    const struct fan *fan, struct fan_tc *tc, uint64_t now) {
  struct fan_node *nodes = tc->nodes;
  uint32_t slot = tc->bare;
  if (__builtin_expect(slot && !nodes[slot].children, 0)) {
    tc->inner--;
    if (tc->larger) vat_fan_rest_push(tc->larger, nodes[slot].key);
  } else {
    slot = next_leaf(fan, tc, now);
  }
  leave(tc, slot);
  uint32_t parent = nodes[slot].parent;
  tc->bare = --nodes[parent].children ? 0 : parent;
  return slot;
}

/* Load a node, the parent of `children` nodes. */
static inline __attribute__((always_inline)) uint32_t load(
    const struct fan *fan, struct fan_tc *tc, uint64_t key, uint32_t parent,
    uint32_t children, uint64_t now) {
  uint32_t slot = __builtin_expect(tc->used < tc->limit, 0)
                      ? ++tc->used
                      : evict(fan, tc, now);
  uint32_t *chain = chain_of(tc, key);
  tc->nodes[slot] = (struct fan_node){key, now, *chain, parent, children, 0};
  return *chain = slot;
}

/* Load the inner nodes of the path to `page` that are not there, layer 1 being
 * one; returns that of layer 1, the parent of a leaf.  Above the first that is
 * there all are. */
static __attribute__((noinline)) uint32_t load_inner(const struct fan *fan,
                                                     struct fan_tc *tc,
                                                     uint64_t page,
                                                     uint64_t now,
                                                     uint8_t *missed) {
  uint32_t parent = 0;
  unsigned layer = 1;
  while (!parent && ++layer <= tc->tree.levels)
    parent = find(tc, vat_tree_key(&tc->tree, page, layer));
  *missed = (uint8_t)layer;
  if (tc->larger)
    vat_fan_rest_load(tc->larger, &fan->tc->tree, page, layer, missed + 1);
  tc->inner += layer - 1;
  tc->nodes[parent].children++;
  while (--layer > 0)
    parent =
        load(fan, tc, vat_tree_key(&tc->tree, page, layer), parent, 1, now);
  return parent;
}

/* Load the nodes of the path to `page` that are not there, the leaf being one;
 * tells how many.  Most often the leaf is all. */
static inline __attribute__((always_inline)) uint32_t load_path(
    const struct fan *fan, struct fan_tc *tc, uint64_t page, uint64_t now,
    uint8_t *missed) {
  uint32_t parent = find(tc, page >> tc->tree.index_bits << 4 | 1);
  bool inner = !parent;
  if (__builtin_expect(inner, 0)) {
    parent = load_inner(fan, tc, page, now, missed);
  } else {
    *missed = 1;
    tc->nodes[parent].children++;
  }
  uint32_t leaf = load(fan, tc, page << 4, parent, 0, now);
  if (__builtin_expect(inner && tc->larger, 0)) vat_fan_rest_trim(tc->larger);
  return tc->fresh[tc->loaded++] = leaf;
}

/* The knocks, in one tree.  What was behind a door has been looked up by then,
 * and has not left. */
static inline void look_up(struct fan *fan, unsigned t, bool lru) {
  struct fan_tc *tc = &fan->tc[t];
  struct fan_node *nodes = tc->nodes;
  unsigned bits = tc->tree.page_bits, door_bits = fan->page_bits;
  const struct fan_knock *knock = fan->knocks, *end = fan->next;
  tc->prepared = false;
  for (uint8_t *missed = &fan->missed[0][t]; knock < end;
       knock++, missed += FAN_TREES) {
    uint64_t page = knock->address >> bits;
    uint32_t *behind =
        &tc->leaves[knock->address >> door_bits & (FAN_DOORS - 1)];
    stamp(&nodes[*behind], knock->before.stamp);
    uint32_t leaf = find(tc, page << 4); /* vat_tree_key(), of layer 0 */
    if (leaf && !(lru && leaf == tc->tail)) {
      stamp(&nodes[leaf], knock->time);
    } else {
      *behind = 0;
      leaf = lru ? vat_fan_load_lru(fan, tc, page, knock->time, missed)
                 : load_path(fan, tc, page, knock->time, missed);
    }
    *behind = leaf;
  }
}

static void walk(struct fan *fan, unsigned t) {
  struct tlb *tlb = &fan->tc[t].tlb;
  unsigned count = (unsigned)(fan->next - fan->knocks);
  for (unsigned i = 0; i < count; i++)
    fan->missed[i][t] = (uint8_t)vat_tlb_access(
        tlb, fan->knocks[i].address >> tlb->tree.page_bits);
}

static void shut(struct fan *fan, unsigned door) {
  for (unsigned t = 0; t < fan->trees; t++) {
    struct fan_tc *tc = &fan->tc[t];
    if (tc->lift) continue;
    stamp(&tc->nodes[tc->leaves[door]], fan->doors[door].stamp);
    tc->leaves[door] = 0;
  }
  fan->doors[door].page = FAN_SHUT;
}

/* How many batches ago a page may have been accessed whose door is open; 0: too
 * few for anybody to wait. */
static uint64_t batches_kept(const struct fan *fan) {
  int64_t least = FAN_BATCHES - 1;
  for (unsigned t = 0; t < fan->trees; t++) {
    const struct fan_tc *tc = &fan->tc[t];
    if (tc->lift) continue;
    int64_t nodes = FAN_KNOCKS * (int64_t)(tc->tree.levels + 1) + FAN_DOORS;
    int64_t batches = ((int64_t)tc->limit - 2 - tc->inner - nodes) / FAN_KNOCKS;
    if (batches < least) least = batches;
  }
  return least > 0 ? (uint64_t)least : 0;
}

/* Of what was accessed before `from`.  They are gathered first, as which they
 * are is hard to predict. */
static void shut_before(struct fan *fan, uint64_t from) {
  uint16_t old[FAN_DOORS];
  unsigned count = 0;
  for (unsigned i = 0; i < FAN_DOORS; i++) {
    old[count] = (uint16_t)i;
    count += (fan->doors[i].stamp < from) & (fan->doors[i].page != FAN_SHUT);
  }
  for (unsigned i = 0; i < count; i++) shut(fan, old[i]);
}

/* Where nobody waits, the page whose door is open was the last to be accessed,
 * until this one. */
static void shut_others(struct fan *fan, unsigned door) {
  if (fan->only != door) shut(fan, fan->only);
}

/* `last` has been looked up.  When nobody waits any more, other pages may have
 * been accessed since, through doors that were open. */
static void shut_old(struct fan *fan, const struct fan_knock *last) {
  uint64_t kept = batches_kept(fan);
  if (!kept && fan->full > fan->knocks + 1) {
    shut_before(fan, UINT64_MAX);
  } else if (kept && fan->batch - fan->oldest > kept) {
    fan->oldest = fan->batch - (kept > SPARE ? kept - SPARE : 1);
    shut_before(fan, fan->begun[fan->oldest & (FAN_BATCHES - 1)]);
  }
  if (!kept) {
    fan->oldest = fan->batch;
    fan->in_batch = FAN_KNOCKS;
  }
  fan->only = door_of(fan, last->address);
  fan->full = fan->knocks + (kept ? FAN_KNOCKS : 1);
}

/* Who was asked to answer a few belongs to the batch before, if there is room.
 */
static void count_batch(struct fan *fan, unsigned count) {
  if (fan->in_batch + count > FAN_KNOCKS) {
    fan->begun[fan->batch++ & (FAN_BATCHES - 1)] = fan->knocks[0].time;
    fan->in_batch = 0;
  }
  fan->in_batch += count;
}

void vat_fan_answer(struct fan *fan) {
  unsigned count = (unsigned)(fan->next - fan->knocks);
  if (!count) return;
  count_batch(fan, count);
  if (fan->door_mask && fan->full == fan->knocks + 1)
    shut_others(fan, door_of(fan, fan->knocks[0].address));
  memset(fan->missed, 0, count * sizeof fan->missed[0]);
  for (unsigned t = 0; t < fan->trees; t++) {
    if (fan->tc[t].policy == FAN_TLB)
      walk(fan, t);
    else if (fan->tc[t].policy == FAN_LRU)
      look_up(fan, t, true);
    else if (!fan->tc[t].lift)
      look_up(fan, t, false);
  }
  fan->answered(fan, count);
  fan->next = fan->knocks;
  if (fan->door_mask)
    shut_old(fan, &fan->knocks[count - 1]);
  else
    fan->full = fan->knocks + FAN_KNOCKS;
}
