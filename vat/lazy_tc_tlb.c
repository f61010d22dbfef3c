/* SPDX-License-Identifier: BSD-2-Clause */
/* TLBs instead of TCs: accesses are deferred, and looked up one by one. */
#include "vat/lazy_tc_nodes.h"

/* What all that have no nodes of their own have in common. */
static struct lazy_tc *add_tlb(struct lazy_tcs *tcs,
                               const struct vat_tree *tree,
                               enum lazy_tc_policy policy) {
  struct lazy_tc *tc = &tcs->tc[tcs->trees++];
  tc->tree = *tree;
  tc->policy = policy;
  tc->nodes = NULL;
  tc->mixed = NULL;
  tc->lift = 0;
  tc->larger = NULL;
  if (tree->page_bits < tcs->page_bits) tcs->page_bits = tree->page_bits;
  tcs->recent_mask = 0;
  return tc;
}

void vat_lazy_tcs_add_tlb(struct lazy_tcs *tcs, const struct vat_tree *tree,
                          const struct tlb_shape *shape, void *memory) {
  struct lazy_tc *tc = add_tlb(tcs, tree, LAZY_TC_TLB);
  tc->limit = shape->level[1].entries;
  if (!tc->limit) tc->limit = shape->level[0].entries;
  tc->nodes = memory;
  vat_tlb_init(&tc->tlb, shape, tree, memory);
  vat_lazy_tcs_clear(tcs);
}

void vat_lazy_tcs_add_code_tlb(struct lazy_tcs *tcs,
                               const struct vat_tree *tree,
                               struct code_tlbs *code) {
  struct lazy_tc *tc = add_tlb(tcs, tree, LAZY_TC_CODE_TLB);
  const struct tlb_cache *last = code->data[0].level[1];
  if (!last->sets) last = code->data[0].level[0];
  tc->limit = last->sets * last->ways;
  tc->code = code;
  vat_lazy_tcs_clear(tcs);
}

void vat_lazy_tcs_add_mixed_tlb(struct lazy_tcs *tcs,
                                const struct vat_tree *tree,
                                const struct mixed_tlb_shape *shape,
                                struct lazy_mixed *mixed, void *memory) {
  struct lazy_tc *tc = add_tlb(tcs, tree, LAZY_TC_TLB);
  tc->limit = shape->all.level[1].entries;
  if (!tc->limit) tc->limit = shape->all.level[0].entries;
  tc->nodes = memory;
  tc->mixed = mixed;
  vat_mixed_tlb_init(&mixed->tlb, shape, tree, memory);
  vat_lazy_tcs_clear(tcs);
}

uint64_t vat_lazy_tcs_second_hits(const struct lazy_tcs *tcs, unsigned t) {
  const struct lazy_tc *tc = &tcs->tc[t];
  if (tc->policy == LAZY_TC_CODE_TLB) return tc->code->data[t].second_hits;
  if (tc->policy != LAZY_TC_TLB) return 0;
  return tc->mixed ? tc->mixed->tlb.second_hits : tc->tlb.second_hits;
}

static void walk(struct lazy_tcs *tcs, unsigned t) {
  struct tlb *tlb = &tcs->tc[t].tlb;
  unsigned count = (unsigned)(tcs->next - tcs->deferred);
  for (unsigned i = 0; i < count; i++)
    tcs->missed[i][t] = (uint8_t)vat_tlb_access(
        tlb, tcs->deferred[i].address >> tlb->tree.page_bits);
}

static void walk_mixed(struct lazy_tcs *tcs, unsigned t) {
  struct lazy_mixed *mixed = tcs->tc[t].mixed;
  unsigned count = (unsigned)(tcs->next - tcs->deferred);
  for (unsigned i = 0; i < count; i++) {
    struct lazy_page of = mixed->page_of(tcs->deferred[i].address);
    unsigned nodes =
        vat_mixed_tlb_access(&mixed->tlb, of.page, of.digits, of.leaf);
    if (nodes && of.digits) nodes |= LAZY_TC_LARGE;
    tcs->missed[i][t] = (uint8_t)nodes;
  }
}

static void walk_beside_code(struct lazy_tcs *tcs, unsigned t) {
  unsigned count = (unsigned)(tcs->next - tcs->deferred);
  for (unsigned i = 0; i < count; i++)
    tcs->missed[i][t] = (uint8_t)vat_code_tlbs_data(
        tcs->tc[t].code, t,
        tcs->deferred[i].address >> code_tlb_tree.page_bits);
}

void vat_lazy_tc_walk(struct lazy_tcs *tcs, unsigned t) {
  if (tcs->tc[t].policy == LAZY_TC_CODE_TLB)
    walk_beside_code(tcs, t);
  else if (tcs->tc[t].mixed)
    walk_mixed(tcs, t);
  else
    walk(tcs, t);
}
