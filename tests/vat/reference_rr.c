/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/vat/reference_rr.h"

#include <string.h>

#include "tests/vat/reference.h"

struct cell {
  bool full;
  bool marked;    /* LIS eager: its mark; lazy: the node may go */
  uint64_t node;  /* index * 16 + layer */
  uint64_t since; /* when it was loaded, or marked */
};

struct cells {
  unsigned count;
  struct cell cell[REFERENCE_NODES];
};

struct pair {
  uint64_t node, image;
};

struct run {
  const struct vat_tree *tree;
  const uint64_t *pages;
  size_t count, now; /* now: the current translation */
  struct cells min, regular, eager, lazy;
  struct cell rr;
  struct pair phi[REFERENCE_NODES];
  unsigned pairs;
  bool round_robin;
  uint64_t clock;
  struct reference_rr result;
};

static unsigned layer_of(uint64_t node) { return node % 16; }

static uint64_t on_path(const struct run *r, size_t translation,
                        unsigned layer) {
  if (!reference_reaches(translation, layer)) return UINT64_MAX;
  return vat_tree_node(r->tree, r->pages[translation], layer) * 16 + layer;
}

static uint64_t up(const struct run *r, uint64_t node) {
  return vat_tree_node(r->tree, node / 16, 1) * 16 + layer_of(node) + 1;
}

static bool above(const struct run *r, uint64_t high, uint64_t node) {
  while (layer_of(node) < layer_of(high)) node = up(r, node);
  return node == high;
}

static struct cell *find(struct cells *cells, uint64_t node) {
  for (unsigned i = 0; i < cells->count; i++)
    if (cells->cell[i].full && cells->cell[i].node == node)
      return &cells->cell[i];
  return NULL;
}

static struct cell *empty(struct cells *cells, bool marked) {
  for (unsigned i = 0; i < cells->count; i++)
    if (!cells->cell[i].full && cells->cell[i].marked == marked)
      return &cells->cell[i];
  return NULL;
}

static bool has_descendant(const struct run *r, const struct cells *cells,
                           uint64_t node) {
  for (unsigned i = 0; i < cells->count; i++)
    if (cells->cell[i].full && cells->cell[i].node != node &&
        above(r, node, cells->cell[i].node))
      return true;
  return false;
}

static void fill(struct run *r, struct cell *cell, uint64_t node) {
  cell->full = true;
  cell->node = node;
  cell->since = ++r->clock;
}

/* Nodes that the lazy TC has and the eager strategy has not, without
 * descendants: marked, with the time since when. */
static void look_for_spare_nodes(struct run *r) {
  for (unsigned i = 0; i < r->lazy.count; i++) {
    struct cell *cell = &r->lazy.cell[i];
    bool spare = cell->full && !find(&r->eager, cell->node) &&
                 !has_descendant(r, &r->lazy, cell->node);
    if (spare && !cell->marked) cell->since = ++r->clock;
    cell->marked = spare;
  }
}

static struct cell *longest_marked(struct run *r, bool rotating) {
  struct cell *best = NULL;
  for (unsigned i = 0; i < r->eager.count; i++) {
    struct cell *cell = &r->eager.cell[i];
    if (!cell->full || !cell->marked ||
        has_descendant(r, &r->eager, cell->node))
      continue;
    if (rotating ? cell->node == on_path(r, r->now, layer_of(cell->node))
                 : r->rr.full && r->rr.node == cell->node)
      continue;
    if (!best || cell->since < best->since) best = cell;
  }
  return best;
}

/* Case 1. */
static void eager_evicts(struct run *r, uint64_t a) {
  struct cell *cell = find(&r->eager, a);
  if (has_descendant(r, &r->eager, a)) {
    struct cell *other = empty(&r->eager, true);
    struct cell *full = longest_marked(r, false);
    if (!full) r->result.empty_mark++;
    if (!other) other = full;
    cell->marked = true;
    cell->since = ++r->clock;
    cell = other;
    cell->marked = false;
  }
  cell->full = false;
  look_for_spare_nodes(r);
}

/* Case 2. */
static void eager_loads(struct run *r, uint64_t c) {
  struct cell *cell = find(&r->eager, c), *room = empty(&r->eager, false);
  if (cell) {
    cell->marked = false;
    room->marked = true;
  } else {
    fill(r, room, c);
    r->result.eager_lis[layer_of(c)]++;
  }
  look_for_spare_nodes(r);
}

/* Case 3. */
static void eager_rotates(struct run *r, uint64_t node) {
  if (find(&r->eager, node)) return;
  struct cell *cell = empty(&r->eager, true);
  if (!cell) cell = longest_marked(r, true);
  fill(r, cell, node);
  r->result.eager_lis[layer_of(node)]++;
  look_for_spare_nodes(r);
}

static struct pair *pair_to(struct run *r, uint64_t image) {
  for (unsigned i = 0; i < r->pairs; i++)
    if (r->phi[i].image == image) return &r->phi[i];
  return NULL;
}

static struct pair *pair_of(struct run *r, uint64_t node) {
  for (unsigned i = 0; i < r->pairs; i++)
    if (r->phi[i].node == node) return &r->phi[i];
  return NULL;
}

static struct cell *last_child(struct run *r, uint64_t node) {
  struct cell *best = NULL;
  for (unsigned i = 0; i < r->regular.count; i++) {
    struct cell *cell = &r->regular.cell[i];
    if (cell->full && layer_of(cell->node) + 1 == layer_of(node) &&
        up(r, cell->node) == node && (!best || cell->since > best->since))
      best = cell;
  }
  return best;
}

static void min_evicts(struct run *r, uint64_t a) {
  struct pair *pair = pair_of(r, a);
  uint64_t image = pair->image;
  *pair = r->phi[--r->pairs];
  struct cell *lowest = find(&r->regular, image), *child;
  while ((child = last_child(r, lowest->node))) lowest = child;
  if (lowest->node != image) pair_to(r, lowest->node)->image = image;
  lowest->full = false;
  eager_evicts(r, lowest->node);
}

static void min_loads(struct run *r, uint64_t e) {
  uint64_t g = e;
  while (find(&r->regular, g)) {
    struct pair *pair = pair_to(r, g);
    uint64_t witness = pair->node;
    pair->node = g;
    g = witness;
  }
  uint64_t f = g;
  for (uint64_t h = g; layer_of(h) < r->tree->levels; h = up(r, h))
    if (!find(&r->regular, up(r, h))) f = up(r, h);
  fill(r, empty(&r->regular, false), f);
  r->phi[r->pairs++] = (struct pair){g, f};
  if (r->rr.full && r->rr.node == f) {
    r->rr.full = false;
    r->result.settled++;
  } else {
    r->result.rrmin[layer_of(f)]++;
  }
  eager_loads(r, f);
}

static void rotate(struct run *r, uint64_t node) {
  if (find(&r->regular, node) || (r->rr.full && r->rr.node == node)) return;
  fill(r, &r->rr, node);
  r->result.rrmin[layer_of(node)]++;
  eager_rotates(r, node);
}

/* The translation of the next access to `node` once `layer` of the current
 * translation has been reached; SIZE_MAX if there is none. */
static size_t next_use(const struct run *r, uint64_t node, unsigned layer) {
  for (size_t t = r->now + (layer_of(node) >= layer); t < r->count; t++)
    if (on_path(r, t, layer_of(node)) == node) return t;
  return SIZE_MAX;
}

static size_t last_use(const struct run *r, uint64_t node, unsigned layer) {
  size_t t = r->now + (layer_of(node) > layer);
  while (on_path(r, t - 1, layer_of(node)) != node) t--;
  return t - 1;
}

/* Does MIN evict a rather than b at an access to `layer`? */
static bool goes_before(const struct run *r, uint64_t a, uint64_t b,
                        unsigned layer) {
  size_t next_a = next_use(r, a, layer), next_b = next_use(r, b, layer);
  if (next_a != next_b) return next_a > next_b;
  if (next_a == SIZE_MAX) {
    size_t last_a = last_use(r, a, layer), last_b = last_use(r, b, layer);
    if (last_a != last_b) return last_a < last_b;
  }
  return layer_of(a) < layer_of(b);
}

static struct cell *min_victim(struct run *r, unsigned layer) {
  struct cell *best = &r->min.cell[0];
  for (unsigned i = 1; i < r->min.count; i++)
    if (goes_before(r, r->min.cell[i].node, best->node, layer))
      best = &r->min.cell[i];
  return best;
}

static void access(struct run *r, unsigned layer) {
  uint64_t node = on_path(r, r->now, layer);
  if (!reference_reaches(r->now, layer)) return;
  if (!find(&r->min, node)) {
    struct cell *cell = empty(&r->min, false);
    if (!cell) {
      cell = min_victim(r, layer);
      r->round_robin |= layer < r->tree->levels && cell->node == up(r, node);
      if (r->round_robin)
        pair_of(r, cell->node)->node = node;
      else
        min_evicts(r, cell->node);
    }
    fill(r, cell, node);
    r->result.min[layer]++;
    if (!r->round_robin) min_loads(r, node);
  }
  if (r->round_robin) rotate(r, node);
}

/* Lemma 2.7. */
static void access_lazily(struct run *r, unsigned layer) {
  uint64_t node = on_path(r, r->now, layer);
  if (!reference_reaches(r->now, layer)) return;
  if (find(&r->lazy, node)) return;
  struct cell *cell = empty(&r->lazy, false);
  for (unsigned i = 0; i < r->lazy.count; i++) {
    struct cell *other = &r->lazy.cell[i];
    if (other->full && other->marked && (!cell || other->since < cell->since))
      if (!empty(&r->lazy, false)) cell = other;
  }
  cell->marked = false;
  fill(r, cell, node);
  r->result.lis[layer]++;
  look_for_spare_nodes(r);
}

static bool is_segment(const struct run *r, struct cells *cells) {
  for (unsigned i = 0; i < cells->count; i++)
    if (cells->cell[i].full && layer_of(cells->cell[i].node) < r->tree->levels)
      if (!find(cells, up(r, cells->cell[i].node))) return false;
  return true;
}

static bool is_bijection(struct run *r) {
  unsigned in_min = 0, in_regular = 0;
  for (unsigned i = 0; i < r->min.count; i++) {
    in_min += r->min.cell[i].full;
    in_regular += r->regular.cell[i].full;
  }
  for (unsigned i = 0; i < r->pairs; i++) {
    const struct pair *p = &r->phi[i];
    if (!find(&r->min, p->node) || !find(&r->regular, p->image) ||
        !above(r, p->image, p->node) || pair_of(r, p->node) != p ||
        pair_to(r, p->image) != p)
      return false;
  }
  return r->pairs == in_min && r->pairs == in_regular;
}

/* Invariants 1, 2, 3 and 5 of section 2.3.8. */
static bool lis_is_in_order(struct run *r) {
  unsigned marked = 0;
  for (unsigned i = 0; i < r->eager.count; i++) {
    struct cell *cell = &r->eager.cell[i];
    marked += cell->marked;
    if (!cell->full) continue;
    if (find(&r->eager, cell->node) != cell) return false;
    if (!cell->marked != !!find(&r->regular, cell->node)) return false;
  }
  for (unsigned i = 0; i < r->regular.count; i++)
    if (r->regular.cell[i].full && !find(&r->eager, r->regular.cell[i].node))
      return false;
  struct cell *rr = r->rr.full ? find(&r->eager, r->rr.node) : NULL;
  return marked == r->tree->levels && (!r->rr.full || (rr && rr->marked));
}

static void look(struct run *r) {
  struct reference_rr *result = &r->result;
  result->bijection &= is_bijection(r);
  result->segments &= is_segment(r, &r->regular) && is_segment(r, &r->eager) &&
                      is_segment(r, &r->lazy);
  result->invariants &= lis_is_in_order(r);
  for (unsigned layer = 0; layer <= r->tree->levels; layer++) {
    uint64_t node = on_path(r, r->now, layer);
    if (!reference_reaches(r->now, layer)) continue;
    result->path_there &= find(&r->eager, node) && find(&r->lazy, node);
  }
}

struct reference_rr reference_rr(const struct vat_tree *tree,
                                 const uint64_t *pages, size_t count,
                                 unsigned nodes) {
  static struct run r;
  memset(&r, 0, sizeof r);
  r.tree = tree;
  r.pages = pages;
  r.count = count;
  r.min.count = r.regular.count = nodes;
  r.eager.count = r.lazy.count = nodes + tree->levels;
  for (unsigned i = 0; i < tree->levels; i++) r.eager.cell[i].marked = true;
  r.result.bijection = r.result.segments = true;
  r.result.invariants = r.result.path_there = true;
  for (; r.now < count; r.now++) {
    r.round_robin = false;
    for (unsigned layer = tree->levels + 1; layer-- > 0;) access(&r, layer);
    for (unsigned layer = tree->levels + 1; layer-- > 0;)
      access_lazily(&r, layer);
    look(&r);
  }
  return r.result;
}

void reference_rrmin(const struct vat_tree *tree, const uint64_t *pages,
                     size_t count, unsigned nodes, uint64_t *misses) {
  struct reference_rr result = reference_rr(tree, pages, count, nodes);
  memcpy(misses, result.rrmin, sizeof result.rrmin);
}

void reference_lis(const struct vat_tree *tree, const uint64_t *pages,
                   size_t count, unsigned nodes, uint64_t *misses) {
  struct reference_rr result = reference_rr(tree, pages, count, nodes);
  memcpy(misses, result.lis, sizeof result.lis);
}
