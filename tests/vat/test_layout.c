/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of several sizes in one tree. */
#include <errno.h>
#include <string.h>

#include "tests/vat/layout_fixture.h"
#include "tests/vat/policy_fixture.h"
#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"
#include "vat/curve.h"
#include "vat/layout.h"
#include "vat/one_cache.h"
#include "vat/parallel.h"
#include "vat/table.h"

enum { TRACES = 2000 };

static struct vat_tc_counts mixed_counts(const struct trace *t,
                                         const struct vat_policy *policy,
                                         uint64_t nodes,
                                         const struct vat_layout *layout) {
  const struct vat_tc_options options = {.layout = layout};
  return counts_with(t, policy, nodes, &options);
}

/* The stream as the reference takes it: the first page of each leaf, and the
 * leaf's layer. */
static struct trace canonical(const struct trace *t,
                              const struct given_layout *given,
                              unsigned *leaves) {
  struct trace same = *t;
  for (size_t i = 0; i < t->count; i++) {
    unsigned bits = reference_page_bits(given, t->pages[i]);
    same.pages[i] = t->pages[i] >> bits << bits;
    leaves[i] = bits / t->tree.index_bits;
  }
  return same;
}

/* Does a policy agree with its definition for some W? */
static bool agrees(const struct trace *t, const struct given_layout *given,
                   const struct vat_policy *policy, uint64_t nodes) {
  unsigned leaves[PAGES];
  uint64_t misses[VAT_LAYERS_MAX] = {0};
  struct trace same = canonical(t, given, leaves);
  struct vat_layout *layout = layout_of(given);
  CU_ASSERT_PTR_NOT_NULL_FATAL(layout);
  reference_leaves = leaves;
  reference_of(policy->name)(&t->tree, same.pages, t->count, (unsigned)nodes,
                             misses);
  reference_leaves = NULL;
  struct vat_tc_counts counts = mixed_counts(t, policy, nodes, layout);
  vat_layout_destroy(layout);
  return !memcmp(counts.misses_by_layer, misses, sizeof misses);
}

static void test_every_policy_agrees_with_its_definition(void) {
  random_state = 11;
  for (unsigned i = 0; i < TRACES; i++) {
    struct trace t;
    random_trace(&t);
    struct given_layout given = random_layout(&t.tree, below);
    for (size_t p = 0; vat_policies[p]; p++) {
      uint64_t nodes =
          vat_policy_least_nodes(vat_policies[p], &t.tree) + below(24);
      if (agrees(&t, &given, vat_policies[p], nodes)) continue;
      report_layout(&given);
      report(&t, vat_policies[p]->name, nodes);
      CU_FAIL_FATAL("they differ");
    }
  }
  CU_PASS("they are the same");
}

static void test_pages_are_where_their_definition_puts_them(void) {
  random_state = 12;
  for (unsigned i = 0; i < TRACES; i++) {
    struct vat_tree tree = {1 + (unsigned)below(4), (unsigned)below(3),
                            1 + (unsigned)below(3)};
    struct given_layout given = random_layout(&tree, below);
    struct vat_layout *layout = layout_of(&given);
    uint64_t end = UINT64_C(1)
                   << (tree.page_bits + tree.index_bits * tree.levels);
    CU_ASSERT_PTR_NOT_NULL_FATAL(layout);
    for (unsigned n = 0; n < 50; n++) {
      uint64_t at = below(end);
      unsigned bits = reference_page_bits(&given, at);
      if (vat_layout_page_bits(layout, at) == bits) continue;
      report_layout(&given);
      printf("%llx: %u, not %u\n", (unsigned long long)at,
             vat_layout_page_bits(layout, at), bits);
      CU_FAIL_FATAL("they differ");
    }
    vat_layout_destroy(layout);
  }
  CU_PASS("they are the same");
}

/* All pages of one size, on layer m: the tree without its lowest m layers. */
static void test_a_uniform_layout_is_the_tree_of_that_size(void) {
  random_state = 13;
  for (unsigned i = 0; i < TRACES / 4; i++) {
    struct trace t, large;
    random_trace(&t);
    unsigned leaf = (unsigned)below(t.tree.levels);
    unsigned bits = leaf * t.tree.index_bits;
    struct vat_layout *layout = vat_layout_create(&t.tree, NULL, 0, bits);
    large = t;
    large.tree.levels -= leaf;
    for (size_t j = 0; j < t.count; j++) large.pages[j] >>= bits;
    for (size_t p = 0; vat_policies[p]; p++) {
      uint64_t nodes =
          vat_policy_least_nodes(vat_policies[p], &t.tree) + below(24);
      struct vat_tc_counts mixed =
          mixed_counts(&t, vat_policies[p], nodes, layout);
      if (!strcmp(vat_policies[p]->name, "lis")) continue; /* W + d cells */
      struct vat_tc_counts plain = counts_of(&large, vat_policies[p], nodes);
      for (unsigned layer = 0; layer <= t.tree.levels; layer++)
        CU_ASSERT_EQUAL(mixed.misses_by_layer[layer],
                        layer < leaf ? 0 : plain.misses_by_layer[layer - leaf]);
    }
    vat_layout_destroy(layout);
  }
}

/* By hand: K = 4, d = 2, pages 4 to 7 are one, so a node of layer 1; 8 and 9
 * are one, 10 and 11 are one.  W = 4 and lru: root, node 0, leaf 0; root, the
 * leaf on layer 1 (4 nodes); root, node 2, whose leaf 8 evicts node 0 and leaf
 * 0; root, node 2, leaf 8 all hit; root, node 2, leaf 10 evicts the page of
 * four; root, page of four evicts leaf 8. */
static void test_by_hand(void) {
  static const uint64_t pages[] = {0, 5, 8, 9, 11, 7};
  static const struct vat_layout_range ranges[] = {{8, 12, 1}, {4, 8, 2}};
  struct trace t = trace_of(2, 2, 6, pages);
  struct vat_layout *layout = vat_layout_create(&t.tree, ranges, 2, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(layout);
  struct vat_tc_counts counts =
      mixed_counts(&t, vat_policy_find("lru"), 4, layout);
  CU_ASSERT_EQUAL(counts.misses_by_layer[2], 1);
  CU_ASSERT_EQUAL(counts.misses_by_layer[1], 4);
  CU_ASSERT_EQUAL(counts.misses_by_layer[0], 3);
  vat_layout_destroy(layout);
}

static void test_layouts_that_cannot_be(void) {
  const struct vat_tree tree = {9, 12, 4}, deep = {1, 12, 15};
  const struct vat_layout_range twice[] = {{0, 8192, 12}, {4096, 9000, 12}};
  const struct vat_layout_range back = {8192, 4096, 12};
  const struct {
    const struct vat_tree *tree;
    const struct vat_layout_range *ranges;
    size_t count;
    unsigned bits;
    int error;
  } wrong[] = {{&tree, NULL, 0, 11, EINVAL},  {&tree, NULL, 0, 48, EINVAL},
               {&tree, twice, 2, 12, EEXIST}, {&tree, &back, 1, 12, ERANGE},
               {&deep, NULL, 0, 20, EINVAL},  {&tree, NULL, 0, 99, EINVAL}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    errno = 0;
    CU_ASSERT_PTR_NULL(vat_layout_create(wrong[i].tree, wrong[i].ranges,
                                         wrong[i].count, wrong[i].bits));
    CU_ASSERT_EQUAL(errno, wrong[i].error);
  }
}

/* Of another tree, or where one cannot be had. */
static void test_refused(void) {
  const struct vat_tree tree = {9, 12, 4}, other = {9, 12, 3};
  const struct vat_policy *lru = vat_policy_find("lru");
  struct vat_layout *layout = vat_layout_create(&tree, NULL, 0, 21);
  const struct vat_tc_options options = {.layout = layout};
  CU_ASSERT_PTR_NULL(vat_tc_create(lru, &other, 64, &options));
  CU_ASSERT_EQUAL(errno, EINVAL);
  CU_ASSERT_PTR_NULL(vat_curve_create(lru, &tree, &options));
  CU_ASSERT_EQUAL(errno, ENOTSUP);
  const struct vat_table_options table = {lru, VAT_TABLE_HASHED, 12, 64,
                                          0.5, options};
  CU_ASSERT_PTR_NULL(vat_table_create(&table));
  const struct vat_one_cache_options one = {
      .policy = lru, .tree = tree, .lines = 64, .tc = options};
  CU_ASSERT_PTR_NULL(vat_one_cache_create(&one));
  const struct vat_parallel_options parallel = {
      .policy = lru, .tree = tree, .nodes = 64, .processors = 2, .tc = options};
  CU_ASSERT_PTR_NULL(vat_parallel_create(&parallel));
  vat_layout_destroy(layout);
}

static const struct check_test tests[] = {
    {"by hand", test_by_hand},
    {"every policy agrees with its definition",
     test_every_policy_agrees_with_its_definition},
    {"pages are where their definition puts them",
     test_pages_are_where_their_definition_puts_them},
    {"a uniform layout is the tree of that size",
     test_a_uniform_layout_is_the_tree_of_that_size},
    {"layouts that cannot be", test_layouts_that_cannot_be},
    {"refused", test_refused},
    {NULL, NULL}};

const struct check_suite suite_layout = {"layout", tests, NULL};
