/* SPDX-License-Identifier: BSD-2-Clause */
/* ISLRU is one list by recency, a path's leaf behind its root (doc/simulator.md
 * has the proof), and nothing but evictions ever reads its order.  So accesses
 * write times only, and the order is made when it is wanted: the nodes, by
 * time, make a queue, from which victims are taken until it is empty; whoever
 * was accessed before its turn came is passed over until the next queue.  What
 * is evicted is exactly the last of the list: all that are not in the queue, or
 * passed over, were accessed after it was made.
 *
 * A node is as recent as the most recent leaf below it.  That is not kept up to
 * date either, as a node with children in the TC is passed over anyway.
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
 * made: between that and a time ahead of it nodes may be loaded, which are not
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
         3 * nodes * sizeof(struct fan_turn) +
         (sizeof(uint32_t) << lg_chains(nodes));
}

void vat_fan_init(struct fan *fan) {
  fan->trees = 0;
  fan->page_bits = 63;
  fan->missed = NULL;
  vat_fan_clear(fan);
}

void vat_fan_add(struct fan *fan, const struct vat_tree *tree, uint64_t nodes,
                 void *memory) {
  struct fan_tc *tc = &fan->tc[fan->trees++];
  tc->tree = *tree;
  tc->limit = (uint32_t)nodes;
  tc->shift = 64 - lg_chains(nodes);
  tc->nodes = memory;
  tc->queue = (struct fan_turn *)(tc->nodes + nodes + 1);
  tc->fresh = tc->queue + nodes;
  tc->late = tc->fresh + nodes;
  tc->chains = (uint32_t *)(tc->late + nodes);
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
    tc->inner = 0;
  }
  memset(fan->begun, 0, sizeof fan->begun);
  fan->batch = fan->oldest = 0;
  fan->waiting = fan->only = 0;
  fan->patience = 1;
}

static uint32_t find(const struct fan_tc *tc, uint64_t key) {
  uint32_t slot = tc->chains[node_hash(key) >> tc->shift];
  while (slot && tc->nodes[slot].key != key) slot = tc->nodes[slot].next;
  return slot;
}

static void leave(struct fan_tc *tc, uint32_t slot) {
  uint32_t *link = &tc->chains[node_hash(tc->nodes[slot].key) >> tc->shift];
  while (*link != slot) link = &tc->nodes[*link].next;
  *link = tc->nodes[slot].next;
}

static void stamp(struct fan_node *node, uint64_t time) {
  if (node->stamp < time) node->stamp = time;
}

static unsigned door_of(const struct fan *fan, uint64_t address) {
  return address >> fan->page_bits & (FAN_DOORS - 1);
}

/* The time on a door goes to the leaf, if that is what the door was opened on
 * last, and looked up.  That is anybody's guess, so there is no branch. */
static inline void read_door(struct fan_tc *tc, unsigned door,
                             struct fan_door was) {
  struct fan_node *leaf = &tc->nodes[tc->leaves[door]];
  uint64_t key = vat_tree_key(&tc->tree, was.page >> tc->tree.page_bits, 0);
  uint64_t time = leaf->key == key ? was.stamp : 0;
  leaf->stamp = leaf->stamp < time ? time : leaf->stamp;
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
  return tc->tree.page_bits == fan->page_bits && tc->leaves[i] == slot &&
         door->page == page << fan->page_bits &&
         door->stamp > tc->nodes[slot].stamp;
}

/* Is `a` before `b`?  Times are those of one path where they are the same: a
 * leaf goes before its ancestors. */
static bool before(const struct fan_turn *a, const struct fan_turn *b) {
  return a->stamp < b->stamp || (a->stamp == b->stamp && a->layer < b->layer);
}

static void sort_few(struct fan_turn *turns, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    struct fan_turn turn = turns[i];
    uint32_t at = i;
    for (; at && before(&turn, &turns[at - 1]); at--) turns[at] = turns[at - 1];
    turns[at] = turn;
  }
}

static void sort_by(struct fan_turn *to, const struct fan_turn *from,
                    uint32_t count, unsigned shift, bool by_layer) {
  uint32_t ends[RADIX + 1] = {0};
#define DIGIT(turn) \
  ((by_layer ? (turn).layer : (turn).stamp >> shift) & (RADIX - 1))
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
  struct fan_turn *swap;
  sort_by(room, turns, count, 0, true);
  swap = turns, turns = room, room = swap;
  for (unsigned shift = 0; shift < 64; shift += RADIX_BITS) {
    if (!((any & ~all) >> shift & (RADIX - 1))) continue;
    sort_by(room, turns, count, shift, false);
    swap = turns, turns = room, room = swap;
  }
  return turns;
}

/* Leaves' times go to their ancestors, a layer after the other; the queue has
 * room to list those.  Which is later is anybody's guess, too. */
static void settle(struct fan_tc *tc) {
  struct fan_node *nodes = tc->nodes;
  struct fan_turn *inner = tc->queue;
  uint32_t count = 0;
  for (uint32_t slot = 1; slot <= tc->used; slot++) {
    struct fan_node *up = &nodes[nodes[slot].parent];
    uint64_t time = nodes[slot].stamp;
    up->stamp = up->stamp < time ? time : up->stamp;
    inner[count].slot = slot;
    count += (nodes[slot].key & 15) > 0;
  }
  for (unsigned layer = 1; layer < tc->tree.levels; layer++)
    for (uint32_t i = 0; i < count; i++)
      stamp(&nodes[nodes[inner[i].slot].parent], nodes[inner[i].slot].stamp);
}

/*
 * All nodes are either fresh or were passed over.  Fresh ones that were left
 * alone are in order as they came; the others are sorted, and both merged.  The
 * old queue is empty, so that its room is free until then.
 */
static void make_queue(const struct fan *fan, struct fan_tc *tc, uint64_t now) {
  read_doors(fan, tc);
  read_knocks(fan, tc);
  settle(tc);
  uint32_t alone = 0, late = tc->passed, loaded = tc->loaded;
  for (uint32_t i = 0; i < late; i++)
    tc->late[i].stamp = tc->nodes[tc->late[i].slot].stamp;
  for (uint32_t i = 0; i < loaded; i++) {
    struct fan_turn turn = tc->fresh[i];
    bool same = turn.stamp == tc->nodes[turn.slot].stamp;
    turn.stamp = tc->nodes[turn.slot].stamp;
    if (same)
      tc->fresh[alone++] = turn;
    else
      tc->late[late++] = turn;
  }
  struct fan_turn *a = tc->fresh, *b = sort(tc->late, tc->queue, late);
  if (b == tc->queue) { /* merging is into the queue */
    tc->queue = tc->late;
    tc->late = b;
  }
  struct fan_turn *a_end = a + alone, *b_end = b + late, *to = tc->queue;
  while (a < a_end && b < b_end) *to++ = before(a, b) ? *a++ : *b++;
  while (a < a_end) *to++ = *a++;
  while (b < b_end) *to++ = *b++;
  tc->queued = alone + late;
  tc->next = tc->loaded = tc->passed = 0;
  tc->made = now;
}

/* The slot of the least recent node, which leaves. */
static uint32_t evict(const struct fan *fan, struct fan_tc *tc, uint64_t now) {
  if (!tc->prepared) prepare(fan, tc);
  for (;;) {
    if (tc->next == tc->queued) make_queue(fan, tc, now);
    struct fan_turn turn = tc->queue[tc->next++];
    struct fan_node *node = &tc->nodes[turn.slot];
    if (node->children || node->stamp != turn.stamp || turn.stamp > tc->made ||
        (!turn.layer && is_behind(fan, tc, turn.slot))) {
      tc->late[tc->passed++] = turn;
      continue;
    }
    leave(tc, turn.slot);
    tc->inner -= turn.layer > 0;
    tc->nodes[node->parent].children--;
    if (node->parent) stamp(&tc->nodes[node->parent], node->stamp);
    return turn.slot;
  }
}

/* Load the nodes of the path to `page` that are not there, the leaf being one;
 * returns how many.  They are looked for leaf first: above the first that is
 * there all are. */
static unsigned load(const struct fan *fan, struct fan_tc *tc, uint64_t page,
                     uint64_t now, uint32_t *leaf) {
  uint32_t slots[VAT_LAYERS_MAX], parent = 0;
  unsigned missed = 1;
  for (; missed <= tc->tree.levels; missed++)
    if ((parent = find(tc, vat_tree_key(&tc->tree, page, missed)))) break;
  tc->nodes[parent].children++;
  for (unsigned layer = missed; layer-- > 0;) {
    uint32_t slot = tc->used < tc->limit ? ++tc->used : evict(fan, tc, now);
    uint64_t key = vat_tree_key(&tc->tree, page, layer);
    uint32_t *chain = &tc->chains[node_hash(key) >> tc->shift];
    tc->nodes[slot] = (struct fan_node){.key = key,
                                        .stamp = now,
                                        .next = *chain,
                                        .parent = parent,
                                        .children = layer > 0};
    *chain = slots[layer] = parent = slot;
  }
  tc->inner += missed - 1;
  for (unsigned layer = 0; layer < missed; layer++)
    tc->fresh[tc->loaded++] = (struct fan_turn){now, slots[layer], layer};
  *leaf = slots[0];
  return missed;
}

/* Doors of `first` and later times were opened since the last answers, and
 * could not be read in advance. */
static void look_up(struct fan *fan, const struct fan_knock *knock,
                    uint64_t first) {
  uint8_t missed[FAN_TREES] = {0};
  bool any = false;
  unsigned door = door_of(fan, knock->address);
  for (unsigned t = 0; t < fan->trees; t++) {
    struct fan_tc *tc = &fan->tc[t];
    uint64_t page = knock->address >> tc->tree.page_bits;
    if (!tc->prepared || knock->before.stamp >= first)
      read_door(tc, door, knock->before);
    uint32_t leaf = find(tc, vat_tree_key(&tc->tree, page, 0));
    if (leaf)
      stamp(&tc->nodes[leaf], knock->time);
    else
      missed[t] = (uint8_t)load(fan, tc, page, knock->time, &leaf);
    any |= missed[t];
    tc->leaves[door] = leaf;
  }
  if (any) fan->missed(knock, missed);
}

static void shut(struct fan *fan, unsigned door) {
  for (unsigned t = 0; t < fan->trees; t++) {
    read_door(&fan->tc[t], door, fan->doors[door]);
    fan->tc[t].leaves[door] = 0;
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

/* Of what was accessed before `from`. */
static void shut_before(struct fan *fan, uint64_t from) {
  for (unsigned i = 0; i < FAN_DOORS; i++)
    if (fan->doors[i].stamp < from && fan->doors[i].page != FAN_SHUT)
      shut(fan, i);
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
  uint64_t first = fan->knocks[0].time;
  for (unsigned t = 0; t < fan->trees; t++) fan->tc[t].prepared = false;
  fan->begun[fan->batch++ & (FAN_BATCHES - 1)] = first;
  for (unsigned i = 0; i < count; i++) look_up(fan, &fan->knocks[i], first);
  fan->waiting = 0;
  shut_old(fan, &fan->knocks[count - 1]);
}
