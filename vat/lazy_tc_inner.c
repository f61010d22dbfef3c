/* SPDX-License-Identifier: BSD-2-Clause */
/* The TC of a tree whose pages are inner nodes of a tree of smaller pages, both
 * under ISLRU.  Nodes are known by their keys in the smallest tree.
 *
 * By recency, nodes of the larger tree are in the order that they have in the
 * smaller one: they are accessed together, leaf first.  The TC holds the first
 * W of them.  Those among the first W or less of the smaller tree's nodes,
 * whose TC holds them, are the most recent; behind these come the others, the
 * rest, in the order in which the smaller TC evicted them.  A walk that finds a
 * node in the smaller TC finds it in the larger one, too, and changes nothing
 * there but the order of what the smaller one holds.
 */
#include "vat/lazy_tc_nodes.h"

unsigned vat_lazy_tc_lift(const struct lazy_tcs *tcs,
                          const struct lazy_tc *tc) {
  const struct vat_tree *tree = &tc->tree, *first = &tcs->tc[0].tree;
  const struct lazy_tc *before = tc - 1;
  if (tc == tcs->tc || (tc > tcs->tc + 1 && !before->lift)) return 0;
  unsigned lift = first->levels - tree->levels;
  bool holds = tree->levels < before->tree.levels &&
               tree->index_bits == first->index_bits &&
               tree->page_bits == first->page_bits + lift * first->index_bits &&
               tc->policy == LAZY_TC_ISLRU && before->policy == LAZY_TC_ISLRU &&
               tc->limit >= before->limit;
  return holds ? lift : 0;
}

/* Besides W nodes there are those of a path for a while. */
void vat_lazy_tc_inner_init(struct lazy_tc *tc, void *memory) {
  uint32_t slots = tc->limit + 1 + VAT_LAYERS_MAX;
  tc->rest = (struct node_set){
      .slots = memory,
      .links = (uint32_t *)((struct node_slot *)memory + slots),
      .chains = slots,
      .shift = tc->shift};
}

void vat_lazy_tc_inner_clear(struct lazy_tc *tc) {
  struct node_set *rest = &tc->rest;
  uint32_t links = rest->chains + (UINT32_C(1) << (64 - rest->shift));
  for (uint32_t i = 0; i < links; i++) rest->links[i] = 0;
  rest->slots[0] = (struct node_slot){.key = NODE_NONE};
  rest->used = tc->spare = 0;
}

void vat_lazy_tc_inner_push(struct lazy_tc *tc, uint64_t key) {
  struct node_set *rest = &tc->rest;
  uint32_t slot = tc->spare;
  if ((key & 15) < tc->lift) return;
  if (slot)
    tc->spare = rest->slots[slot].older;
  else
    slot = ++rest->used;
  node_set_enter(rest, slot, key, node_hash(key));
  node_set_push(rest, slot);
}

static void take_out(struct lazy_tc *tc, uint32_t slot) {
  struct node_set *rest = &tc->rest;
  uint32_t next = rest->links[slot], back = rest->slots[slot].back;
  rest->links[back] = next;
  rest->slots[next].back = back;
  node_set_unlink(rest, slot);
  rest->slots[slot].older = tc->spare;
  tc->spare = slot;
}

void vat_lazy_tc_inner_trim(struct lazy_tc *tc) {
  for (; tc; tc = tc->larger)
    for (; tc->used > tc->limit; tc->used--) {
      uint32_t slot = tc->rest.slots[0].newer;
      if (tc->larger)
        vat_lazy_tc_inner_push(tc->larger, tc->rest.slots[slot].key);
      take_out(tc, slot);
    }
}

void vat_lazy_tc_inner_load(struct lazy_tc *tc, const struct vat_tree *first,
                            uint64_t page, unsigned missed, uint8_t *told) {
  for (; tc; tc = tc->larger) {
    unsigned here = tc->lift; /* the lowest layer of the path in the TC */
    bool found = false;
    for (unsigned layer = here; layer < missed; layer++) {
      uint64_t key = vat_tree_key(first, page, layer);
      uint32_t slot = node_set_find(&tc->rest, key, node_hash(key));
      if (slot) take_out(tc, slot);
      found |= slot > 0;
      here += !found;
    }
    *told = (uint8_t)(here - tc->lift);
    tc->used += *told++;
    missed = here;
  }
}
