/* SPDX-License-Identifier: BSD-2-Clause */
/* LIS, lazy with the initial segment property (Jurkiewicz, PhD thesis, section
 * 2.3.8: proof of Lemma 2.18).  It watches an RRMIN of W + 1 cells, beside a
 * MIN of W > d, and has W + d itself: all its nodes are an initial segment, and
 * it misses no more than RRMIN: ISMIN(W + d) <= LIS <= RRMIN <= MIN(W).
 *
 * First there is an eager strategy.  Of its cells exactly d are marked; the
 * others hold what RRMIN's regular cells hold, and the node in RRMIN's cell rr
 * is among the marked ones.  It does as RRMIN does, but:
 *  1. RRMIN evicts a node that has (marked) descendants here: it becomes
 *     marked, and one marked cell is emptied and unmarked, that of a node
 *     without descendants that is not in rr.  The source overlooks that
 *     marked cells may be empty, and then there need not be such a node
 *     (K = 2, d = 3, W = 4, pages 0, 2, 0): use the empty cell.
 *  2. RRMIN loads a node that is marked here: it becomes unmarked, and the
 *     empty cell marked.
 *  3. RRMIN loads a node into rr that is not marked here: it goes to an empty
 *     marked cell, or replaces a marked node that has no descendants and is off
 *     the current path.
 * The source leaves the choice of the marked node open: it is the one marked
 * for longest.
 *
 * Then that strategy is made lazy by Lemma 2.7, and this is the TC whose misses
 * are counted: a node is loaded when it is accessed, and if the TC is full
 * then, a node without descendants goes that the eager strategy does not hold
 * at the end of the translation.  Of several (open, too) it is the one that has
 * been such a node for longest.
 *
 * O(d) a change on top of RRMIN.  Repeats of a page: see there; from the second
 * on nothing changes here, either.
 *
 * The assertions check both strategies: a node is loaded below its parent and
 * evicted without children, whence the initial segment; and the invariants of
 * section 2.3.8 for each node as it is touched. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "vat/rrmin.h"

enum lis_cell { ABSENT, UNMARKED, MARKED };

struct lis_node {
  enum lis_cell cell; /* of the eager strategy */
  bool stored;        /* in the lazy TC */
  uint64_t children, stored_children;
  uint64_t before, after; /* if spare, see below */
};

struct lis {
  struct rrmin rrmin;
  struct lis_node *nodes; /* by name; [0] is above the root and always there,
                           * and heads the list of spare nodes: stored, without
                           * stored children, ABSENT */
  uint64_t room;
  uint64_t marked[VAT_LAYERS_MAX]; /* nodes, the longest marked first */
  unsigned marked_count, marked_empty;
  uint64_t unmarked_empty;
  uint64_t rr;            /* RRMIN's */
  uint64_t stored, limit; /* nodes in the lazy TC, and W + d */
  uint64_t *misses;
};

static uint64_t parent_of(const struct lis *lis, uint64_t node) {
  return lis->rrmin.min.nodes[node].parent;
}

static bool is_spare(const struct lis *lis, uint64_t name) {
  const struct lis_node *node = &lis->nodes[name];
  return node->stored && !node->stored_children && node->cell == ABSENT;
}

static void spare_add(struct lis *lis, uint64_t name) {
  struct lis_node *node = &lis->nodes[name];
  assert(is_spare(lis, name));
  node->after = 0;
  node->before = lis->nodes[0].before;
  lis->nodes[node->before].after = lis->nodes[0].before = name;
}

static void spare_remove(struct lis *lis, uint64_t name) {
  struct lis_node *node = &lis->nodes[name];
  lis->nodes[node->before].after = node->after;
  lis->nodes[node->after].before = node->before;
}

static void mark(struct lis *lis, uint64_t node) {
  lis->nodes[node].cell = MARKED;
  lis->marked[lis->marked_count++] = node;
}

static void unmark(struct lis *lis, uint64_t node) {
  unsigned at = 0;
  while (lis->marked[at] != node) at++;
  memmove(&lis->marked[at], &lis->marked[at + 1],
          (--lis->marked_count - at) * sizeof *lis->marked);
  lis->nodes[node].cell = UNMARKED;
}

/* The eager strategy loads and evicts. */
static void enter(struct lis *lis, uint64_t name) {
  struct lis_node *node = &lis->nodes[name];
  struct lis_node *parent = &lis->nodes[parent_of(lis, name)];
  assert(node->cell == ABSENT && parent->cell != ABSENT);
  if (is_spare(lis, name)) spare_remove(lis, name);
  node->cell = UNMARKED;
  parent->children++;
}

static void leave(struct lis *lis, uint64_t name) {
  struct lis_node *node = &lis->nodes[name];
  assert(node->cell == UNMARKED && !node->children);
  node->cell = ABSENT;
  lis->nodes[parent_of(lis, name)].children--;
  if (is_spare(lis, name)) spare_add(lis, name);
}

static bool on_path(const struct lis *lis, uint64_t node) {
  const struct belady *min = &lis->rrmin.min;
  unsigned layer = min->nodes[node].layer;
  return layer >= min->cursor.leaf && min->path[layer] == node;
}

/*
 * Evict a marked node without descendants to use its cell: one off the current
 * path (case 3), or one that is not in rr (case 1).  No marked cell is empty.
 * Were there no such node, all marked ones would lie on one path.  In case 3
 * that is the current one, where the d of them leave out nothing but the root,
 * while the node to be loaded is not marked; in case 1 it is that of rr, the
 * one just marked is the (d + 1)th of them, hence the root, which never goes.
 */
static void evict_marked(struct lis *lis, bool rotating) {
  uint64_t node;
  for (unsigned i = 0;; i++) {
    assert(i < lis->marked_count);
    node = lis->marked[i];
    if (lis->nodes[node].children) continue;
    if (rotating ? !on_path(lis, node) : node != lis->rr) break;
  }
  unmark(lis, node);
  leave(lis, node);
}

static void follow_eviction(struct lis *lis, uint64_t a) {
  assert(lis->nodes[a].cell == UNMARKED);
  lis->unmarked_empty++;
  if (!lis->nodes[a].children) {
    leave(lis, a);
    return;
  }
  mark(lis, a);
  if (lis->marked_empty)
    lis->marked_empty--;
  else
    evict_marked(lis, false);
}

static void follow_load(struct lis *lis, uint64_t c) {
  assert(lis->unmarked_empty);
  lis->unmarked_empty--;
  if (lis->nodes[c].cell == MARKED) {
    unmark(lis, c);
    lis->marked_empty++;
  } else {
    enter(lis, c);
  }
  if (lis->rr == c) lis->rr = 0;
}

static void follow_rotation(struct lis *lis, uint64_t node) {
  lis->rr = node;
  assert(lis->nodes[node].cell != UNMARKED);
  if (lis->nodes[node].cell == MARKED) return;
  if (lis->marked_empty)
    lis->marked_empty--;
  else
    evict_marked(lis, true);
  enter(lis, node);
  mark(lis, node);
}

static void follow(struct lis *lis, struct rrmin_change change) {
  switch (change.what) {
    case RRMIN_EVICT:
      follow_eviction(lis, change.node);
      break;
    case RRMIN_SETTLE:
      assert(lis->rr == change.node && lis->nodes[change.node].cell == MARKED);
      follow_load(lis, change.node);
      break;
    case RRMIN_LOAD:
      follow_load(lis, change.node);
      break;
    case RRMIN_ROTATE:
      follow_rotation(lis, change.node);
  }
  assert(lis->marked_count + lis->marked_empty ==
         lis->rrmin.min.future.tree.levels);
  assert(!lis->rr || lis->nodes[lis->rr].cell == MARKED);
}

/* The lazy TC evicts and loads. */
static void evict_spare(struct lis *lis) {
  uint64_t name = lis->nodes[0].after, parent = parent_of(lis, name);
  assert(name && is_spare(lis, name));
  spare_remove(lis, name);
  lis->nodes[name].stored = false;
  lis->nodes[parent].stored_children--;
  if (is_spare(lis, parent)) spare_add(lis, parent);
}

static void access(struct lis *lis, unsigned layer) {
  uint64_t name = lis->rrmin.min.path[layer];
  struct lis_node *node = &lis->nodes[name];
  struct lis_node *parent = &lis->nodes[parent_of(lis, name)];
  assert(node->cell != ABSENT && parent->stored);
  if (node->stored) return;
  lis->misses[layer]++;
  if (lis->stored < lis->limit)
    lis->stored++;
  else
    evict_spare(lis);
  node->stored = true;
  parent->stored_children++;
}

static int changed(void *state) {
  struct lis *lis = state;
  struct lis_node *nodes = vat_belady_array_grow(
      lis->nodes, &lis->room, lis->rrmin.min.count, sizeof *nodes);
  if (!nodes) return -1;
  lis->nodes = nodes;
  nodes[0].cell = UNMARKED;
  nodes[0].stored = true;
  for (unsigned i = 0; i < lis->rrmin.change_count; i++)
    follow(lis, lis->rrmin.changes[i]);
  assert(lis->unmarked_empty == lis->rrmin.min.limit - lis->rrmin.used);
  const struct belady *min = &lis->rrmin.min;
  for (unsigned layer = min->future.tree.levels + 1;
       layer-- > min->cursor.leaf;)
    access(lis, layer);
  return 0;
}

static void *lis_create(const struct vat_tree *tree, uint64_t nodes,
                        const struct vat_tc_options *options,
                        uint64_t *misses) {
  struct lis *lis = calloc(1, sizeof *lis);
  if (!lis) return NULL;
  lis->marked_empty = tree->levels;
  lis->unmarked_empty = nodes;
  lis->limit = nodes + tree->levels;
  if (lis->limit < nodes) lis->limit = UINT64_MAX;
  lis->misses = misses;
  if (!vat_rrmin_init(&lis->rrmin, tree, nodes, options)) return lis;
  free(lis);
  return NULL;
}

static void lis_destroy(void *state) {
  struct lis *lis = state;
  if (!lis) return;
  vat_rrmin_fini(&lis->rrmin);
  free(lis->nodes);
  free(lis);
}

static int lis_record(void *state, const uint64_t *pages, size_t count) {
  struct lis *lis = state;
  return vat_future_add(&lis->rrmin.min.future, pages, count);
}

static int lis_finish(void *state) {
  struct lis *lis = state;
  return vat_rrmin_replay(&lis->rrmin, changed, lis);
}

static uint64_t cells(const struct vat_tree *tree, uint64_t nodes) {
  return nodes + tree->levels;
}

const struct vat_policy vat_policy_lis = {
    .name = "lis",
    .summary = "RRMIN made an initial segment altogether by d cells (W + d)",
    .offline = true,
    .cells = cells,
    .least_nodes = vat_rrmin_least_nodes,
    .collapse_from = vat_rrmin_least_nodes,
    .create = lis_create,
    .destroy = lis_destroy,
    .translate = lis_record,
    .finish = lis_finish,
};
