/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any policy on W cells is followed by an initial segment with the extra cells
 * of the theorem of doc/extra-cells.md, which never has more misses: its proof,
 * step by step, beside policies that evict whatever they like. */
#include <string.h>

#include "tests/vat/isp_game.h"
#include "tests/vat/policy_fixture.h"
#include "tests/vat/suites_vat.h"

enum { STREAMS = 400, TRANSLATIONS = 60 };

struct follow {
  struct isp_tree tree;
  unsigned nodes, limit;  /* W, and with the extra cells */
  struct isp_state rival; /* M, as its cells */
  uint32_t segment, lazy; /* S, and the set of the lazy strategy */
  uint8_t phi[ISP_NODES]; /* of the nodes of M: into S, itself or above */
  uint32_t mapped;        /* nodes that have a phi */
  uint64_t rival_misses, loads, lazy_misses;
};

static uint32_t bit(unsigned node) { return UINT32_C(1) << node; }

static uint32_t path_of(const struct isp_tree *tree, unsigned page) {
  uint32_t path = 0;
  for (unsigned layer = 0; layer <= tree->levels; layer++)
    path |= bit(isp_tree_node(tree, page, layer));
  return path;
}

static unsigned parent(const struct isp_tree *tree, unsigned node) {
  return (node - 1) / tree->children;
}

static bool is_above(const struct isp_tree *tree, unsigned above,
                     unsigned node) {
  while (node > above) node = parent(tree, node);
  return node == above;
}

static bool is_segment(const struct isp_tree *tree, uint32_t nodes) {
  for (unsigned node = 1; node < tree->nodes; node++)
    if (nodes & bit(node) && !(nodes & bit(parent(tree, node)))) return false;
  return true;
}

static bool has_children(const struct isp_tree *tree, uint32_t nodes,
                         unsigned node) {
  for (unsigned child = node + 1; child < tree->nodes; child++)
    if (nodes & bit(child) && parent(tree, child) == node) return true;
  return false;
}

/* Whose image a node is; tree.nodes: nobody's. */
static unsigned source(const struct follow *f, unsigned image) {
  unsigned node = 0;
  while (node < f->tree.nodes &&
         (!(f->mapped & bit(node)) || f->phi[node] != image))
    node++;
  return node;
}

/* Step 1: map `e`, a node of the path that has no image, for one load. */
static void map_node(struct follow *f, unsigned e) {
  unsigned g = e, x;
  f->mapped |= bit(e);
  f->phi[e] = UINT8_MAX; /* no image yet */
  while ((x = source(f, g)) < f->tree.nodes && x != g) {
    f->phi[g] = (uint8_t)g;
    f->phi[x] = UINT8_MAX;
    g = x;
  }
  unsigned to = g;
  for (unsigned node = g; !(f->segment & bit(g)) && node > 0;) {
    node = parent(&f->tree, node);
    if (!(f->segment & bit(node))) to = node;
  }
  f->loads += !(f->segment & bit(to));
  f->segment |= bit(to);
  f->phi[g] = (uint8_t)to;
}

/* A node without children in S, off the path, that is `under` or below it;
 * tree.nodes: none. */
static unsigned lowest(const struct follow *f, uint32_t path, unsigned under) {
  for (unsigned node = f->tree.nodes; node-- > under;)
    if (f->segment & ~path & bit(node) && is_above(&f->tree, under, node) &&
        !has_children(&f->tree, f->segment, node))
      return node;
  return f->tree.nodes;
}

/* Whoever is mapped to `from` is mapped to `to`, and `from` leaves S. */
static void move_up(struct follow *f, unsigned from, unsigned to) {
  unsigned node = source(f, from);
  if (node < f->tree.nodes) f->phi[node] = (uint8_t)to;
  f->segment &= ~bit(from);
}

/* Step 2: a node fewer; false: the rule does not apply. */
static bool shrink(struct follow *f, uint32_t path) {
  for (unsigned node = 0; node < f->tree.nodes; node++) {
    if (!(f->segment & bit(node)) || source(f, node) < f->tree.nodes) continue;
    unsigned out = lowest(f, path, node);
    if (out == f->tree.nodes) continue;
    move_up(f, out, node);
    return true;
  }
  return false;
}

static bool is_upward_injection(const struct follow *f) {
  uint32_t images = 0;
  for (unsigned node = 0; node < f->tree.nodes; node++) {
    if (!(f->mapped & bit(node))) continue;
    unsigned image = f->phi[node];
    if (images & bit(image) || !is_above(&f->tree, image, node)) return false;
    images |= bit(image);
  }
  return !(images & ~f->segment);
}

/* The lazy strategy loads what the path lacks, and evicts what S has not. */
static bool follow_lazily(struct follow *f, uint32_t path) {
  for (unsigned layer = f->tree.levels + 1; layer-- > 0;) {
    uint32_t node = path & ~f->lazy & -(path & ~f->lazy); /* the highest */
    if (!node) break;
    if ((unsigned)__builtin_popcount(f->lazy) == f->limit) {
      unsigned victim = f->tree.nodes;
      for (unsigned i = 0; i < f->tree.nodes; i++)
        if (f->lazy & ~f->segment & bit(i) &&
            !has_children(&f->tree, f->lazy, i))
          victim = i;
      if (victim == f->tree.nodes) return false;
      f->lazy &= ~bit(victim);
    }
    f->lazy |= node;
    f->lazy_misses++;
  }
  return is_segment(&f->tree, f->lazy) && !(path & ~f->lazy);
}

/* The rival translates; what it evicts, where it has the choice, is drawn. */
static unsigned rival_translates(struct follow *f,
                                 const struct isp_rival *rival, unsigned page) {
  struct isp_state next[ISP_CELLS];
  unsigned misses = 0;
  for (unsigned layer = f->tree.levels + 1; layer-- > 0;) {
    unsigned node = isp_tree_node(&f->tree, page, layer);
    misses += !isp_state_has(&f->rival, node);
    f->rival = next[below(rival->access(&f->rival, f->nodes, node, next))];
  }
  return misses;
}

/* One translation; false: a claim of the proof fails. */
static bool translate(struct follow *f, const struct isp_rival *rival,
                      unsigned page) {
  uint32_t path = path_of(&f->tree, page);
  uint64_t loads = f->loads;
  unsigned misses = rival_translates(f, rival, page);
  for (unsigned layer = f->tree.levels + 1; layer-- > 0;) {
    unsigned node = isp_tree_node(&f->tree, page, layer);
    if (!(f->mapped & bit(node))) map_node(f, node);
    if (f->phi[node] != node) return false;
  }
  if (f->loads - loads > misses || !is_upward_injection(f)) return false;
  for (unsigned node = 0; node < f->tree.nodes; node++)
    if (!isp_state_has(&f->rival, node)) f->mapped &= ~bit(node);
  while ((unsigned)__builtin_popcount(f->segment) > f->limit)
    if (!shrink(f, path)) return false;
  f->rival_misses += misses;
  return !(path & ~f->segment) && is_segment(&f->tree, f->segment) &&
         is_upward_injection(f) && follow_lazily(f, path) &&
         f->loads <= f->rival_misses && f->lazy_misses <= f->loads;
}

static const unsigned trees[][2] = {{2, 1}, {2, 2}, {2, 3}, {2, 4},
                                    {3, 1}, {3, 2}, {5, 2}, {30, 1}};

/* `fewer` cells than the theorem has; returns the streams on which a claim
 * fails. */
static unsigned follow_all(const struct isp_rival *rival, unsigned fewer) {
  unsigned failed = 0;
  for (unsigned i = 0; i < STREAMS; i++) {
    struct follow f = {.nodes = 2 + (unsigned)below(ISP_CELLS - 1)};
    const unsigned *shape = trees[below(sizeof trees / sizeof *trees)];
    CU_ASSERT_EQUAL_FATAL(isp_tree_init(&f.tree, shape[0], shape[1]), 0);
    unsigned more = isp_extra_cells(shape[0], shape[1], f.nodes);
    if (more < fewer) continue;
    f.limit = f.nodes + more - fewer;
    if (f.limit <= f.tree.levels) continue;
    unsigned page = 0, kind = (unsigned)below(3);
    for (unsigned t = 0; t < TRANSLATIONS; t++) {
      unsigned fresh = (unsigned)below(f.tree.pages);
      page = kind == 1 ? (page + (unsigned)below(2)) % f.tree.pages : fresh;
      if (kind == 2 && below(2)) page %= 3;
      if (translate(&f, rival, page)) continue;
      failed++;
      break;
    }
  }
  return failed;
}

static void test_every_policy_is_followed_by_a_segment(void) {
  random_state = 41;
  for (const struct isp_rival *rival = isp_rivals; rival->name; rival++)
    CU_ASSERT_EQUAL(follow_all(rival, 0), 0);
}

static void test_with_a_cell_less_it_cannot_go_on(void) {
  random_state = 42;
  CU_ASSERT(follow_all(isp_rival_find("any"), 1) > 0);
  CU_ASSERT(follow_all(isp_rival_find("lifo"), 1) > 0);
}

static const struct check_test tests[] = {
    {"every policy is followed by an initial segment",
     test_every_policy_is_followed_by_a_segment},
    {"with a cell less it cannot go on", test_with_a_cell_less_it_cannot_go_on},
    {0}};

const struct check_suite suite_isp_follow = {.name = "ISP: follow",
                                             .tests = tests};
