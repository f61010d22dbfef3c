/* SPDX-License-Identifier: BSD-2-Clause */
/* RRMIN, round robin MIN (Jurkiewicz, PhD thesis, section 2.3.7: proof of Lemma
 * 2.17).  It watches a MIN of W > d cells and has W + 1 itself: W regular ones,
 * whose nodes are an initial segment of the tree, and the cell rr.  It loads no
 * more nodes than MIN.
 *
 * A bijection phi takes each node of MIN to an ancestor, or the node itself, in
 * a regular cell.  Of a translation, MIN handles the upper part in its regular
 * phase; once it evicts the node just accessed, its parent makes room for every
 * node still missing: the round robin phase (Corollary 2.23).
 *  - Regular: MIN evicts a.  RRMIN evicts phi(a) or, if that has descendants,
 *    one of them, phi(b), that has none, and phi(b) becomes phi(a).  MIN loads
 *    e.  Follow e, the witness of e (whose phi e is), the witness of that, ...
 *    to the first node g that is in no regular cell; those before it become
 *    their own phi.  RRMIN loads the highest ancestor f of g, or g, that it has
 *    not, and phi(g) is f.  Unlike with other policies a node may be loaded
 *    that is not accessed (the strategy is eager, Definition 2.4).
 *  - Round robin: RRMIN loads what is in no regular cell into rr, one after the
 *    other.  When MIN replaces a by its child g, phi(g) becomes phi(a).
 *
 * What the source leaves open and what is done here:
 *  - Which phi(b)?  From phi(a) down, always to the child loaded last; no
 *    stream tried had more than one to go to.
 *  - Nodes that rr still holds from an earlier translation: a TC is a set of
 *    nodes, so one that the regular phase inserts moves to its regular cell and
 *    leaves rr empty (else it were stored twice, against invariant 5 of section
 *    2.3.8), and one that the round robin phase would put there stays: neither
 *    is a load.
 *  - MIN's own ties: see vat/belady.h.
 *
 * O(log W + d) an access.  A page three times in a row is as good as twice: for
 * W > d MIN loads the path of a page that follows at once without evicting any
 * of it, and the second translation changes nothing but next accesses.  Once
 * and twice differ, as with MIN (vat/min.c).
 *
 * The assertions check all there is to phi: each pair is made of a node in MIN
 * and an ancestor in a regular cell that have no other partner, nothing leaves
 * while it has one, and there are as many pairs as nodes in MIN and as regular
 * cells in use; and that a node is loaded below its parent and evicted without
 * children, whence the initial segment. */
#include "vat/rrmin.h"

#include <assert.h>
#include <stdlib.h>

int vat_rrmin_init(struct rrmin *rrmin, const struct vat_tree *tree,
                   uint64_t nodes, const struct vat_tc_options *options) {
  *rrmin = (struct rrmin){0};
  return vat_belady_init(&rrmin->min, tree, nodes, options);
}

void vat_rrmin_fini(struct rrmin *rrmin) {
  vat_belady_fini(&rrmin->min);
  free(rrmin->nodes);
}

static uint64_t parent_of(const struct rrmin *rrmin, uint64_t node) {
  return rrmin->min.nodes[node].parent;
}

#ifndef NDEBUG
static bool is_above(const struct rrmin *rrmin, uint64_t high, uint64_t node) {
  while (node && node != high) node = parent_of(rrmin, node);
  return node != 0;
}
#endif

static void pair(struct rrmin *rrmin, uint64_t node, uint64_t image) {
  assert(rrmin->min.nodes[node].slot && rrmin->nodes[image].stored);
  assert(!rrmin->nodes[node].image && !rrmin->nodes[image].witness);
  assert(is_above(rrmin, image, node));
  rrmin->nodes[node].image = image;
  rrmin->nodes[image].witness = node;
  rrmin->pairs++;
}

/* Part `node` from its image, which is returned. */
static uint64_t part(struct rrmin *rrmin, uint64_t node) {
  uint64_t image = rrmin->nodes[node].image;
  assert(image && rrmin->nodes[image].witness == node);
  rrmin->nodes[node].image = rrmin->nodes[image].witness = 0;
  rrmin->pairs--;
  return image;
}

static void change(struct rrmin *rrmin, enum rrmin_what what, uint64_t node) {
  rrmin->changes[rrmin->change_count++] = (struct rrmin_change){what, node};
}

static void load(struct rrmin *rrmin, uint64_t name) {
  struct rrmin_node *node = &rrmin->nodes[name];
  struct rrmin_node *parent = &rrmin->nodes[parent_of(rrmin, name)];
  assert(parent->stored && !node->stored && rrmin->used < rrmin->min.limit);
  node->stored = true;
  node->older = parent->child;
  node->newer = 0;
  if (node->older) rrmin->nodes[node->older].newer = name;
  parent->child = name;
  rrmin->used++;
  change(rrmin, rrmin->rr == name ? RRMIN_SETTLE : RRMIN_LOAD, name);
  if (rrmin->rr == name) rrmin->rr = 0;
}

static void evict(struct rrmin *rrmin, uint64_t name) {
  struct rrmin_node *node = &rrmin->nodes[name];
  struct rrmin_node *parent = &rrmin->nodes[parent_of(rrmin, name)];
  assert(node->stored && !node->child && !node->witness);
  node->stored = false;
  if (node->older) rrmin->nodes[node->older].newer = node->newer;
  if (node->newer)
    rrmin->nodes[node->newer].older = node->older;
  else
    parent->child = node->older;
  rrmin->used--;
  change(rrmin, RRMIN_EVICT, name);
}

/* In its regular phase MIN has evicted `a`. */
static void follow_eviction(struct rrmin *rrmin, uint64_t a) {
  uint64_t image = part(rrmin, a), lowest = image;
  while (rrmin->nodes[lowest].child) lowest = rrmin->nodes[lowest].child;
  if (lowest != image) {
    uint64_t b = rrmin->nodes[lowest].witness;
    part(rrmin, b);
    pair(rrmin, b, image);
  }
  evict(rrmin, lowest);
}

/* In its regular phase MIN has loaded `e`. */
static void follow_load(struct rrmin *rrmin, uint64_t e) {
  uint64_t g = e;
  while (rrmin->nodes[g].stored) {
    uint64_t witness = rrmin->nodes[g].witness;
    part(rrmin, witness);
    pair(rrmin, g, g);
    g = witness;
  }
  uint64_t f = g;
  while (!rrmin->nodes[parent_of(rrmin, f)].stored) f = parent_of(rrmin, f);
  load(rrmin, f);
  pair(rrmin, g, f);
}

static void rotate(struct rrmin *rrmin, uint64_t node) {
  if (rrmin->nodes[node].stored || rrmin->rr == node) return;
  rrmin->rr = node;
  change(rrmin, RRMIN_ROTATE, node);
}

static void translate(struct rrmin *rrmin) {
  struct belady *min = &rrmin->min;
  uint64_t last = 0; /* accessed; 0: none */
  bool round_robin = false;
  rrmin->change_count = 0;
  for (unsigned layer = min->future.tree.levels + 1;
       layer-- > min->cursor.leaf;) {
    uint64_t node = min->path[layer];
    struct belady_access access = vat_belady_access(min, layer);
    /* Lemma 2.22: MIN goes on as it began. */
    assert(!round_robin || !access.evicted || access.evicted == last);
    if (access.evicted && access.evicted == last) {
      round_robin = true;
      pair(rrmin, node, part(rrmin, last));
    } else {
      if (access.evicted) follow_eviction(rrmin, access.evicted);
      if (access.miss) follow_load(rrmin, node);
    }
    if (round_robin) rotate(rrmin, node);
    /* Proposition 2.24: all accesses are safe. */
    assert(rrmin->nodes[node].stored || rrmin->rr == node);
    last = node;
  }
  assert(rrmin->pairs == min->used && rrmin->used == min->used);
}

int vat_rrmin_replay(struct rrmin *rrmin, int (*changed)(void *state),
                     void *state) {
  if (vat_belady_start(&rrmin->min)) return -1;
  int more;
  while ((more = vat_belady_step(&rrmin->min)) > 0) {
    void *nodes = vat_belady_array_grow(rrmin->nodes, &rrmin->room,
                                        rrmin->min.count, sizeof *rrmin->nodes);
    if (!nodes) return -1;
    rrmin->nodes = nodes;
    rrmin->nodes[0].stored = true;
    translate(rrmin);
    if (changed(state)) return -1;
  }
  return more;
}

uint64_t vat_rrmin_least_nodes(const struct vat_tree *tree) {
  return (uint64_t)tree->levels + 1;
}

/* The policy counts what is loaded. */
struct rrmin_policy {
  struct rrmin rrmin;
  uint64_t *misses;
};

static int count(void *state) {
  const struct rrmin_policy *p = state;
  for (unsigned i = 0; i < p->rrmin.change_count; i++) {
    struct rrmin_change c = p->rrmin.changes[i];
    if (c.what == RRMIN_LOAD || c.what == RRMIN_ROTATE)
      p->misses[p->rrmin.min.nodes[c.node].layer]++;
  }
  return 0;
}

static void *rrmin_create(const struct vat_tree *tree, uint64_t nodes,
                          const struct vat_tc_options *options,
                          uint64_t *misses) {
  struct rrmin_policy *p = malloc(sizeof *p);
  if (!p) return NULL;
  p->misses = misses;
  if (!vat_rrmin_init(&p->rrmin, tree, nodes, options)) return p;
  free(p);
  return NULL;
}

static void rrmin_destroy(void *state) {
  struct rrmin_policy *p = state;
  if (!p) return;
  vat_rrmin_fini(&p->rrmin);
  free(p);
}

static int rrmin_record(void *state, const uint64_t *pages, size_t n) {
  struct rrmin_policy *p = state;
  return vat_future_add(&p->rrmin.min.future, pages, n);
}

static int rrmin_finish(void *state) {
  struct rrmin_policy *p = state;
  return vat_rrmin_replay(&p->rrmin, count, p);
}

static uint64_t cells(const struct vat_tree *tree, uint64_t nodes) {
  (void)tree;
  return nodes + 1;
}

const struct vat_policy vat_policy_rrmin = {
    .name = "rrmin",
    .summary =
        "MIN of W nodes made an initial segment by one cell more (W + 1)",
    .offline = true,
    .cells = cells,
    .least_nodes = vat_rrmin_least_nodes,
    .collapse_from = vat_rrmin_least_nodes,
    .create = rrmin_create,
    .destroy = rrmin_destroy,
    .translate = rrmin_record,
    .finish = rrmin_finish,
};
