/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the source says of replacement (Jurkiewicz, PhD thesis, sections 2.3 and
 * 2.5) where it is off as printed, and what an implementation could be tempted
 * to take for granted: each with the least counterexample, and with what holds
 * instead. */
#include <string.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"

enum { STREAMS = 200, ACCESSES = PAGES * VAT_LAYERS_MAX };

static const char *const stack_policies[] = {"lru", "islru", "min", "ismin",
                                             NULL};

/* A stream on a tree of at most 31 nodes. */
static void tiny_trace(struct trace *t) {
  random_trace(t);
  t->tree = (struct vat_tree){1, 0, 1 + (unsigned)below(4)};
  if (t->count > 24) t->count = 24;
  for (size_t i = 0; i < t->count; i++)
    t->pages[i] &= (1u << t->tree.levels) - 1;
}

/* The layers missed by the last translation of `t`, as bits. */
static unsigned last_missed(const struct trace *t, const char *policy,
                            uint64_t nodes) {
  struct trace shorter = *t;
  shorter.count--;
  const struct vat_policy *p = vat_policy_find(policy);
  struct vat_tc_counts after = counts_of(t, p, nodes);
  struct vat_tc_counts before = counts_of(&shorter, p, nodes);
  unsigned missed = 0;
  for (unsigned layer = 0; layer <= t->tree.levels; layer++)
    if (after.misses_by_layer[layer] > before.misses_by_layer[layer])
      missed |= 1u << layer;
  return missed;
}

/* The source: as many as the layer of the highest missing node.  But leaves are
 * on layer 0, and a missing leaf is a miss. */
static void test_lemma_2_8_is_off_by_one(void) {
  struct trace first = trace_of(1, 1, 1, (uint64_t[]){0}), t;
  CU_ASSERT_EQUAL(misses_of(&first, "lru", 2), 2); /* the root is on layer 1 */
  random_state = 21;
  for (unsigned stream = 0; stream < STREAMS; stream++) {
    random_trace(&t);
    for (uint64_t nodes = 1; nodes < 16; nodes++) {
      unsigned missed = last_missed(&t, "lru", nodes);
      CU_ASSERT_EQUAL(missed & (missed + 1),
                      0); /* the highest, and all below */
    }
  }
}

static uint64_t node_of(const struct trace *t, size_t at, unsigned layer) {
  return vat_tree_node(&t->tree, t->pages[at], layer);
}

/* Of `count` nodes of a layer the one whose next access is furthest from `at`.
 */
static size_t furthest(const struct trace *t, size_t at, unsigned layer,
                       const uint64_t *nodes, size_t count) {
  size_t best = 0, distance = 0;
  for (size_t i = 0; i < count; i++) {
    size_t next = at;
    while (next < t->count && node_of(t, next, layer) != nodes[i]) next++;
    if (next > distance) best = i;
    if (next > distance) distance = next;
  }
  return best;
}

/* Belady's misses on the nodes of one layer alone. */
static uint64_t best_on_layer(const struct trace *t, unsigned layer,
                              size_t cells) {
  uint64_t nodes[PAGES], misses = 0;
  size_t used = 0;
  for (size_t at = 0, i; at < t->count; at++) {
    uint64_t node = node_of(t, at, layer);
    for (i = 0; i < used && nodes[i] != node;) i++;
    if (i < used) continue;
    misses++;
    i = used < cells ? used++ : furthest(t, at, layer, nodes, used);
    nodes[i] = node;
  }
  return misses;
}

static uint64_t theorem_2_32(const struct trace *t, size_t a) {
  uint64_t bound = 0;
  for (unsigned layer = 0; layer <= t->tree.levels; layer++)
    bound += best_on_layer(t, layer, a);
  return bound;
}

/* The source shares W cells among d layers, but there are d + 1: with a =
 * floor(W / d), pages 1, 0, 1 on K = 2, d = 1 should cost at most 2 + 1. */
static void test_theorem_2_32_forgets_a_layer(void) {
  struct trace t = trace_of(1, 1, 3, (uint64_t[]){1, 0, 1});
  CU_ASSERT_EQUAL(theorem_2_32(&t, 2 / 1), 3);
  CU_ASSERT_EQUAL(misses_of(&t, "min", 2), 4);
  random_state = 22;
  for (unsigned stream = 0; stream < STREAMS; stream++) {
    random_trace(&t);
    uint64_t d = t.tree.levels;
    for (uint64_t nodes = d + 1; nodes < d + 16; nodes++)
      CU_ASSERT(misses_of(&t, "min", nodes) <=
                theorem_2_32(&t, (nodes - 1) / d));
  }
}

/* The layers of translation `at` that are not in the TC before it. */
static unsigned absent_before(const struct trace *t, const uint64_t *after,
                              size_t at) {
  unsigned layers = t->tree.levels + 1, absent = 0;
  uint64_t there = at ? after[at * layers - 1] : 0;
  for (unsigned layer = 0; layer < layers; layer++) {
    uint64_t index = vat_tree_node(&t->tree, t->pages[at], layer);
    if (!(there & reference_bit(&t->tree, index, layer))) absent |= 1u << layer;
  }
  return absent;
}

/* Under LRU a node of the path may be evicted for another that is above it.
 * K = 2, d = 3, W = 5, pages 0, 2, 0: after 0 and 2 the TC has all but one of
 * the six nodes, (1,0), but (0,0) goes for it. */
static void test_lru_misses_are_not_decided_at_the_start(void) {
  uint64_t after[ACCESSES];
  struct trace t = trace_of(1, 3, 3, (uint64_t[]){0, 2, 0});
  reference_contents("lru", &t.tree, t.pages, 3, 5, after);
  CU_ASSERT_EQUAL(absent_before(&t, after, 2), 1u << 1);
  CU_ASSERT_EQUAL(last_missed(&t, "lru", 5), 1u << 1 | 1u << 0);
  random_state = 23;
  for (unsigned stream = 0; stream < STREAMS; stream++) {
    tiny_trace(&t);
    unsigned d = t.tree.levels;
    for (unsigned nodes = d + 1; nodes < d + 12; nodes++) {
      for (const char *const *p = stack_policies + 1; *p; p++) {
        reference_contents(*p, &t.tree, t.pages, t.count, nodes, after);
        uint64_t missed = 0;
        for (size_t at = 0; at < t.count; at++)
          missed += (unsigned)__builtin_popcount(absent_before(&t, after, at));
        CU_ASSERT_EQUAL(missed, misses_of(&t, *p, nodes));
      }
    }
  }
}

/* TC(W) is part of TC(W + 1) after every access: what lets one pass count the
 * misses of every W. */
static void test_a_larger_tc_has_what_a_smaller_has(void) {
  uint64_t after[ACCESSES], larger[ACCESSES];
  struct trace t;
  random_state = 24;
  for (unsigned stream = 0; stream < STREAMS; stream++) {
    tiny_trace(&t);
    size_t accesses = t.count * (t.tree.levels + 1);
    for (const char *const *p = stack_policies; *p; p++) {
      unsigned least =
          (unsigned)vat_policy_least_nodes(vat_policy_find(*p), &t.tree);
      for (unsigned nodes = least; nodes < least + 16; nodes++) {
        reference_contents(*p, &t.tree, t.pages, t.count, nodes, after);
        reference_contents(*p, &t.tree, t.pages, t.count, nodes + 1, larger);
        bool included = true;
        for (size_t i = 0; i < accesses; i++)
          included &= !(after[i] & ~larger[i]);
        CU_ASSERT(included);
        if (!included) report(&t, *p, nodes);
        if (!included) return;
      }
    }
  }
}

/* K = 2, d = 2, W = 3: a page repeated is not a page once. */
static void test_min_sees_repeats(void) {
  struct trace twice = trace_of(1, 2, 5, (uint64_t[]){0, 0, 2, 2, 0});
  struct trace once = trace_of(1, 2, 3, (uint64_t[]){0, 2, 0});
  CU_ASSERT_EQUAL(misses_of(&twice, "min", 3), 7);
  CU_ASSERT_EQUAL(misses_of(&once, "min", 3), 6);
  /* Nor with room for two paths: 1 13 6 9 9 6 13 1 in twelve nodes. */
  struct trace wide = trace_of(1, 4, 8, (uint64_t[]){1, 13, 6, 9, 9, 6, 13, 1});
  struct trace thin = trace_of(1, 4, 7, (uint64_t[]){1, 13, 6, 9, 6, 13, 1});
  CU_ASSERT_EQUAL(misses_of(&wide, "min", 12), 18);
  CU_ASSERT_EQUAL(misses_of(&thin, "min", 12), 16);
}

/* One path does not fit: its end evicts its beginning, over and over.  K = 2,
 * d = 1, W = 1: page 0 costs two, twice four. */
static void test_repeats_count_where_a_path_does_not_fit(void) {
  struct trace twice = trace_of(1, 1, 2, (uint64_t[]){0, 0});
  struct trace once = trace_of(1, 1, 1, (uint64_t[]){0});
  for (const char *const *p = stack_policies; strcmp(*p, "ismin"); p++) {
    CU_ASSERT_EQUAL(misses_of(&twice, *p, 1), 4);
    CU_ASSERT_EQUAL(misses_of(&once, *p, 1), 2);
  }
}

/* Nodes by recency: each translation moves its path to the front, leaf first
 * and root last; a node misses when it is behind the first W - as it is
 * reached, or as it was when the translation began. */
static uint64_t list_misses(const struct trace *t, size_t nodes, bool at_once) {
  uint64_t list[ACCESSES], misses = 0;
  size_t used = 0, place[VAT_LAYERS_MAX] = {0};
  unsigned layers = t->tree.levels + 1;
  for (size_t i = 0; i < t->count * 2 * layers; i++) {
    size_t at = 0, page = i / (2 * layers);
    unsigned layer = i % layers;
    bool moving = i / layers % 2;
    uint64_t key = vat_tree_key(&t->tree, t->pages[page], layer);
    while (at < used && list[at] != key) at++;
    if (!moving) place[layer] = at == used ? SIZE_MAX : at;
    if (!moving) continue;
    if (at_once && place[layer] != SIZE_MAX) place[layer] = at;
    misses += place[layer] >= nodes;
    used += at == used;
    memmove(&list[1], &list[0], at * sizeof *list);
    list[0] = key;
  }
  return misses;
}

/* ISLRU is that list with misses decided when the translation begins.  Where a
 * leaf evicts at once it may evict its own ancestor, and that gives LRU's
 * count. */
static void test_leaf_to_root_a_leaf_must_not_evict_its_ancestor(void) {
  struct trace t = trace_of(1, 3, 3, (uint64_t[]){0, 2, 0});
  CU_ASSERT_EQUAL(list_misses(&t, 5, false), 7);
  CU_ASSERT_EQUAL(list_misses(&t, 5, true), 8);
  CU_ASSERT_EQUAL(misses_of(&t, "islru", 5), 7);
  CU_ASSERT_EQUAL(misses_of(&t, "lru", 5), 8);
  random_state = 25;
  for (unsigned stream = 0; stream < STREAMS; stream++) {
    random_trace(&t);
    unsigned least = t.tree.levels + 1;
    for (unsigned nodes = least; nodes < least + 16; nodes++) {
      CU_ASSERT_EQUAL(list_misses(&t, nodes, false),
                      misses_of(&t, "islru", nodes));
      CU_ASSERT_EQUAL(list_misses(&t, nodes, true),
                      misses_of(&t, "lru", nodes));
    }
  }
}

/* Section 2.6.3: c levels more above a tree cost c cells and c misses, whatever
 * the program. */
static void test_levels_above_cost_a_cell_and_a_miss_each(void) {
  static const char *const names[] = {"lru", "islru", "min", "ismin"};
  struct trace t;
  random_state = 26;
  for (unsigned stream = 0; stream < STREAMS; stream++) {
    random_trace(&t);
    struct trace higher = t;
    unsigned more = 1 + (unsigned)below(5), d = t.tree.levels;
    higher.tree.levels += more;
    for (unsigned nodes = d + 1; nodes < d + 12; nodes++)
      for (size_t p = 0; p < sizeof names / sizeof *names; p++)
        CU_ASSERT_EQUAL(misses_of(&higher, names[p], nodes + more),
                        misses_of(&t, names[p], nodes) + more);
  }
}

static const struct check_test tests[] = {
    {"Lemma 2.8 is off by one", test_lemma_2_8_is_off_by_one},
    {"Theorem 2.32 forgets a layer", test_theorem_2_32_forgets_a_layer},
    {"LRU's misses are not decided at the start",
     test_lru_misses_are_not_decided_at_the_start},
    {"a larger TC has what a smaller has",
     test_a_larger_tc_has_what_a_smaller_has},
    {"MIN sees repeats", test_min_sees_repeats},
    {"repeats count where a path does not fit",
     test_repeats_count_where_a_path_does_not_fit},
    {"leaf to root, a leaf must not evict its ancestor",
     test_leaf_to_root_a_leaf_must_not_evict_its_ancestor},
    {"levels above cost a cell and a miss each",
     test_levels_above_cost_a_cell_and_a_miss_each},
    {0}};

const struct check_suite suite_theory = {.name = "theory", .tests = tests};
