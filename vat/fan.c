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

#include "vat/node_set.h"

enum {
  RADIX_BITS = 8,
  RADIX = 1 << RADIX_BITS,
  FEW = 24, /* are sorted by insertion */
  SPARE = 4 /* batches, between looks for old doors, which take long */
};

/* As many as vat/node_set.c has, and why. */
static unsigned lg_chains(uint64_t nodes) {
  unsigned lg = 1;
  while ((UINT64_C(1) << lg) < 4 * nodes) lg++;
  return lg;
}

size_t vat_fan_tc_bytes(uint64_t nodes) {
  return (nodes + 1) * sizeof(struct fan_node) +
         2 * nodes * sizeof(struct fan_turn) + 3 * nodes * sizeof(uint32_t) +
         (sizeof(uint32_t) << lg_chains(nodes));
}

void vat_fan_init(struct fan *fan) {
  fan->trees = 0;
  fan->page_bits = 63;
  fan->answered = NULL;
  vat_fan_clear(fan);
}

void vat_fan_add(struct fan *fan, const struct vat_tree *tree, uint64_t nodes,
                 void *memory) {
  struct fan_tc *tc = &fan->tc[fan->trees++];
  tc->tree = *tree;
  tc->limit = (uint32_t)nodes;
  tc->shift = 64 - lg_chains(nodes);
  tc->nodes = memory;
  tc->turns = (struct fan_turn *)(tc->nodes + nodes + 1);
  tc->room = tc->turns + nodes;
  tc->queue = (uint32_t *)(tc->room + nodes);
  tc->fresh = tc->queue + nodes;
  tc->late = tc->fresh + nodes;
  tc->chains = tc->late + nodes;
  if (tree->page_bits < fan->page_bits) fan->page_bits = tree->page_bits;
  vat_fan_clear(fan);
}

void vat_fan_clear(struct fan *fan) {
  for (unsigned i = 0; i < FAN_DOORS; i++)
    fan->doors[i] = (struct fan_door){.page = FAN_SHUT};
  for (unsigned t = 0; t < fan->trees; t++) {
    struct fan_tc *tc = &fan->tc[t];
    memset(tc->chains, 0, sizeof *tc->chains << (64 - tc->shift));
    tc->nodes[0] = (struct fan_node){.key = NODE_NONE};
    memset(tc->leaves, 0, sizeof tc->leaves);
    tc->used = tc->queued = tc->next = tc->loaded = tc->passed = 0;
    tc->inner = tc->bare = 0;
    tc->made = 0;
  }
  memset(fan->missed, 0, sizeof fan->missed);
  memset(fan->begun, 0, sizeof fan->begun);
  fan->batch = fan->oldest = 0;
  fan->waiting = fan->only = 0;
  fan->patience = 1;
}

static inline uint32_t *chain_of(const struct fan_tc *tc, uint64_t key) {
  return &tc->chains[node_hash(key) >> tc->shift];
}

static inline uint32_t find(const struct fan_tc *tc, uint64_t key) {
  uint32_t slot = *chain_of(tc, key);
  while (slot && tc->nodes[slot].key != key) slot = tc->nodes[slot].next;
  return slot;
}

static inline void enter(struct fan_tc *tc, uint32_t slot, uint64_t key) {
  uint32_t *chain = chain_of(tc, key);
  tc->nodes[slot].key = key;
  tc->nodes[slot].next = *chain;
  *chain = slot;
}

static inline void leave(struct fan_tc *tc, uint32_t slot) {
  uint32_t *link = chain_of(tc, tc->nodes[slot].key);
  while (*link != slot) link = &tc->nodes[*link].next;
  *link = tc->nodes[slot].next;
}

/* Which is later is anybody's guess, so there is no branch. */
static inline void stamp(struct fan_node *leaf, uint64_t time) {
  leaf->stamp = leaf->stamp < time ? time : leaf->stamp;
}

static inline unsigned door_of(const struct fan *fan, uint64_t address) {
  return address >> fan->page_bits & (FAN_DOORS - 1);
}

static inline uint64_t leaf_key(const struct fan_tc *tc, uint64_t address) {
  return address >> tc->tree.page_bits << 4; /* vat_tree_key() of layer 0 */
}

/* The time on a door goes to the leaf, if that is what the door was opened on
 * last, and looked up. */
static inline void read_door(struct fan_tc *tc, unsigned door,
                             struct fan_door was) {
  struct fan_node *leaf = &tc->nodes[tc->leaves[door]];
  stamp(leaf, leaf->key == leaf_key(tc, was.page) ? was.stamp : 0);
}

static void read_doors(const struct fan *fan, struct fan_tc *tc) {
  for (unsigned i = 0; i < FAN_DOORS; i++) read_door(tc, i, fan->doors[i]);
}

/* What doors told before they were changed. */
static void read_knocks(const struct fan *fan, struct fan_tc *tc) {
  for (unsigned i = 0; i < fan->waiting; i++)
    read_door(tc, door_of(fan, fan->knocks[i].address), fan->knocks[i].before);
}

/* Before the first eviction.  Times that leaves do not have yet, those ahead of
 * the knock that is being answered, too: they keep from eviction what cannot be
 * evicted.  Where doors are of the tree's own pages, a victim's own door tells
 * its time, so that only doors that were changed are read. */
static void prepare(const struct fan *fan, struct fan_tc *tc) {
  tc->prepared = true;
  if (tc->tree.page_bits != fan->page_bits) read_doors(fan, tc);
  read_knocks(fan, tc);
}

/* Is the leaf's door open, and its time a later one?  A door that was opened by
 * a knock yet to be answered says nothing. */
static inline bool is_behind(const struct fan *fan, const struct fan_tc *tc,
                             uint32_t slot) {
  uint64_t page = tc->nodes[slot].key >> 4;
  unsigned i = page & (FAN_DOORS - 1);
  const struct fan_door *door = &fan->doors[i];
  return tc->leaves[i] == slot && tc->tree.page_bits == fan->page_bits &&
         door->page == page << fan->page_bits &&
         door->stamp > tc->nodes[slot].stamp;
}

static void sort_few(struct fan_turn *turns, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    struct fan_turn turn = turns[i];
    uint32_t at = i;
    for (; at && turn.stamp < turns[at - 1].stamp; at--)
      turns[at] = turns[at - 1];
    turns[at] = turn;
  }
}

static void sort_by(struct fan_turn *to, const struct fan_turn *from,
                    uint32_t count, unsigned shift) {
  uint32_t ends[RADIX + 1] = {0};
#define DIGIT(turn) ((turn).stamp >> shift & (RADIX - 1))
  for (uint32_t i = 0; i < count; i++) ends[DIGIT(from[i]) + 1]++;
  for (unsigned i = 0; i < RADIX; i++) ends[i + 1] += ends[i];
  for (uint32_t i = 0; i < count; i++) to[ends[DIGIT(from[i])]++] = from[i];
#undef DIGIT
}

/* Returns the sorted one, `turns` or `room`. */
static struct fan_turn *sort(struct fan_turn *turns, struct fan_turn *room,
                             uint32_t count) {
  if (count <= FEW) {
    sort_few(turns, count);
    return turns;
  }
  uint64_t all = UINT64_MAX, any = 0;
  for (uint32_t i = 0; i < count; i++) {
    all &= turns[i].stamp;
    any |= turns[i].stamp;
  }
  for (unsigned shift = 0; shift < 64; shift += RADIX_BITS) {
    if (!((any & ~all) >> shift & (RADIX - 1))) continue;
    sort_by(room, turns, count, shift);
    struct fan_turn *swap = turns;
    turns = room;
    room = swap;
  }
  return turns;
}

/*
 * All leaves are either fresh or were passed over.  Fresh ones that were left
 * alone are in order as they came; so are others, by chance.  The rest is
 * sorted, and both are merged.  The in-order ones are gathered at the end of
 * the fresh, from `alone` on; `turns` gets the others.
 */
static uint32_t part_fresh(struct fan_tc *tc, uint32_t *alone) {
  uint64_t least = UINT64_MAX;
  uint32_t count = 0, top = tc->loaded;
  for (uint32_t i = tc->loaded; i-- > 0;) {
    uint32_t slot = tc->fresh[i];
    uint64_t time = tc->nodes[slot].stamp;
    if (time < least) {
      least = time;
      tc->fresh[--top] = slot;
    } else {
      tc->turns[count++] = (struct fan_turn){time, slot};
    }
  }
  *alone = top;
  return count;
}

static void make_queue(const struct fan *fan, struct fan_tc *tc, uint64_t now) {
  uint32_t alone;
  read_doors(fan, tc);
  read_knocks(fan, tc);
  uint32_t late = part_fresh(tc, &alone);
  for (uint32_t i = 0; i < tc->passed; i++)
    tc->turns[late++] =
        (struct fan_turn){tc->nodes[tc->late[i]].stamp, tc->late[i]};
  const struct fan_turn *b = sort(tc->turns, tc->room, late), *b_end = b + late;
  const uint32_t *a = tc->fresh + alone, *a_end = tc->fresh + tc->loaded;
  uint32_t *to = tc->queue;
  while (a < a_end && b < b_end)
    *to++ = tc->nodes[*a].stamp < b->stamp ? *a++ : b++->slot;
  while (a < a_end) *to++ = *a++;
  while (b < b_end) *to++ = b++->slot;
  tc->queued = (uint32_t)(to - tc->queue);
  tc->next = tc->loaded = tc->passed = 0;
  tc->made = now;
}

/* The least recent leaf. */
static inline uint32_t next_leaf(const struct fan *fan, struct fan_tc *tc,
                                 uint64_t now) {
  if (!tc->prepared) prepare(fan, tc);
  for (;;) {
    if (tc->next == tc->queued) make_queue(fan, tc, now);
    uint32_t slot = tc->queue[tc->next++];
    if (tc->nodes[slot].stamp <= tc->made && !is_behind(fan, tc, slot))
      return slot;
    tc->late[tc->passed++] = slot;
  }
}

/* The slot of the least recent node, which leaves. */
static inline uint32_t evict(const struct fan *fan, struct fan_tc *tc,
                             uint64_t now) {
  uint32_t slot = tc->bare;
  if (slot && !tc->nodes[slot].children)
    tc->inner--;
  else
    slot = next_leaf(fan, tc, now);
  leave(tc, slot);
  uint32_t parent = tc->nodes[slot].parent;
  tc->bare = --tc->nodes[parent].children ? 0 : parent;
  return slot;
}

/* Load the nodes of the path to `address` that are not there, the leaf being
 * one; returns how many.  They are looked for leaf first: above the first that
 * is there all are. */
static inline unsigned load(const struct fan *fan, struct fan_tc *tc,
                            uint64_t address, uint64_t now, uint32_t *leaf) {
  uint64_t page = address >> tc->tree.page_bits;
  uint32_t slot = 0, parent = 0;
  unsigned missed = 1;
  for (; missed <= tc->tree.levels; missed++)
    if ((parent = find(tc, vat_tree_key(&tc->tree, page, missed)))) break;
  tc->nodes[parent].children++;
  for (unsigned layer = missed; layer-- > 0;) {
    slot = tc->used < tc->limit ? ++tc->used : evict(fan, tc, now);
    tc->nodes[slot].stamp = now;
    tc->nodes[slot].parent = parent;
    tc->nodes[slot].children = layer > 0;
    enter(tc, slot, vat_tree_key(&tc->tree, page, layer));
    parent = slot;
  }
  tc->inner += missed - 1;
  tc->fresh[tc->loaded++] = *leaf = slot;
  return missed;
}

/* The knocks, in one tree.  What was behind a door has been looked up by then,
 * and has not left. */
static void look_up(struct fan *fan, unsigned t) {
  struct fan_tc *tc = &fan->tc[t];
  tc->prepared = false;
  for (unsigned i = 0; i < fan->waiting; i++) {
    const struct fan_knock *knock = &fan->knocks[i];
    uint32_t *behind = &tc->leaves[door_of(fan, knock->address)];
    stamp(&tc->nodes[*behind], knock->before.stamp);
    uint32_t leaf = find(tc, leaf_key(tc, knock->address));
    fan->missed[i][t] = 0;
    if (leaf)
      stamp(&tc->nodes[leaf], knock->time);
    else
      fan->missed[i][t] =
          (uint8_t)load(fan, tc, knock->address, knock->time, &leaf);
    *behind = leaf;
  }
}

static void shut(struct fan *fan, unsigned door) {
  for (unsigned t = 0; t < fan->trees; t++) {
    struct fan_tc *tc = &fan->tc[t];
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
    int64_t nodes = FAN_KNOCKS * (int64_t)(tc->tree.levels + 1) + FAN_DOORS;
    int64_t batches = ((int64_t)tc->limit - 1 - tc->inner - nodes) / FAN_KNOCKS;
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

/* `last` has been looked up, and nothing was accessed since. */
static void shut_old(struct fan *fan, const struct fan_knock *last) {
  uint64_t kept = batches_kept(fan);
  unsigned door = door_of(fan, last->address);
  if (!kept && fan->patience > 1) {
    shut_before(fan, last->time);
  } else if (!kept && fan->only != door) {
    shut(fan, fan->only);
  } else if (kept && fan->batch - fan->oldest > kept) {
    fan->oldest = fan->batch - (kept > SPARE ? kept - SPARE : 1);
    shut_before(fan, fan->begun[fan->oldest & (FAN_BATCHES - 1)]);
  }
  if (!kept) fan->oldest = fan->batch;
  fan->only = door;
  fan->patience = kept ? FAN_KNOCKS : 1;
}

void vat_fan_answer(struct fan *fan) {
  unsigned count = fan->waiting;
  if (!count) return;
  fan->begun[fan->batch++ & (FAN_BATCHES - 1)] = fan->knocks[0].time;
  for (unsigned t = 0; t < fan->trees; t++) look_up(fan, t);
  fan->answered(fan, count);
  fan->waiting = 0;
  shut_old(fan, &fan->knocks[count - 1]);
}
