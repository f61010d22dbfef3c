/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"

enum { TREES = 200 };

static void test_every_policy_agrees_with_its_definition(void) {
  struct trace t;
  random_state = 1;
  for (unsigned tree = 0; tree < TREES; tree++) {
    random_trace(&t);
    for (size_t p = 0; vat_policies[p]; p++) {
      const struct vat_policy *policy = vat_policies[p];
      uint64_t nodes = vat_policy_least_nodes(policy, &t.tree);
      for (uint64_t most = nodes + 24; nodes < most; nodes++) {
        uint64_t misses[VAT_LAYERS_MAX] = {0};
        reference_of(policy->name)(&t.tree, t.pages, t.count, (unsigned)nodes,
                                   misses);
        struct vat_tc_counts counts = counts_of(&t, policy, nodes);
        bool equal = !memcmp(counts.misses_by_layer, misses, sizeof misses);
        CU_ASSERT(equal);
        if (!equal) report(&t, policy->name, nodes);
        if (!equal) return;
      }
    }
  }
}

/* MIN(W) <= ISMIN(W) <= ISLRU(W) <= LRU(W) <= 2 MIN(W/2); and remark 2.11, for
 * fewer nodes than a path has. */
static void test_theorem_2_14(void) {
  struct trace t;
  random_state = 2;
  for (unsigned tree = 0; tree < TREES; tree++) {
    random_trace(&t);
    uint64_t least = t.tree.levels + 1;
    for (uint64_t nodes = 1; nodes < least; nodes++)
      CU_ASSERT(misses_of(&t, "islru", nodes) <= misses_of(&t, "lru", nodes));
    for (uint64_t nodes = least; nodes < least + 12; nodes++) {
      uint64_t min = misses_of(&t, "min", nodes);
      uint64_t ismin = misses_of(&t, "ismin", nodes);
      uint64_t islru = misses_of(&t, "islru", nodes);
      uint64_t lru = misses_of(&t, "lru", nodes);
      CU_ASSERT(min <= ismin && ismin <= islru && islru <= lru);
      if (nodes / 2) CU_ASSERT(lru <= 2 * misses_of(&t, "min", nodes / 2));
    }
  }
}

/* Lemma 2.15 and Theorem 2.16 with W + d - 1 for W + d: doc/proofs.md has the
 * proofs, test_extra_nodes.c more of it. */
static void test_lemma_2_15_and_theorem_2_16(void) {
  struct trace t;
  random_state = 3;
  for (unsigned tree = 0; tree < TREES; tree++) {
    random_trace(&t);
    uint64_t d = t.tree.levels;
    for (uint64_t nodes = d + 1; nodes < d + 12; nodes++) {
      CU_ASSERT(misses_of(&t, "lru", nodes + d - 1) <=
                misses_of(&t, "islru", nodes));
      CU_ASSERT(misses_of(&t, "ismin", nodes + d - 1) <=
                misses_of(&t, "min", nodes));
    }
  }
}

/* LIS can, see test_rrmin_lis.c, and nothing is claimed of RRMIN. */
static void test_larger_caches_miss_no_more(void) {
  static const char *const names[] = {"lru", "islru", "min", "ismin"};
  struct trace t;
  random_state = 4;
  for (unsigned tree = 0; tree < TREES / 4; tree++) {
    random_trace(&t);
    for (size_t p = 0; p < sizeof names / sizeof *names; p++) {
      uint64_t last = UINT64_MAX, least = t.tree.levels + 1;
      for (uint64_t nodes = least; nodes < least + 40; nodes++) {
        uint64_t misses = misses_of(&t, names[p], nodes);
        CU_ASSERT(misses <= last);
        last = misses;
      }
    }
  }
}

/* n pages in a row: ceil(n / K^l) nodes on layer l, each missed once, whatever
 * the policy of the theory; for the others see test_cells.c. */
static void test_a_sequential_scan_misses_each_node_once(void) {
  static const char *const names[] = {"lru",   "islru", "min",
                                      "ismin", "rrmin", "lis"};
  static uint64_t pages[5000];
  for (size_t i = 0; i < 5000; i++) pages[i] = i / 3;
  struct vat_tree tree = {3, 0, 5};
  for (size_t p = 0; p < sizeof names / sizeof *names; p++) {
    struct vat_tc *tc =
        vat_tc_create(vat_policy_find(names[p]), &tree, 6, NULL);
    CU_ASSERT_EQUAL_FATAL(vat_tc_pages(tc, pages, 5000), 0);
    CU_ASSERT_EQUAL(vat_tc_finish(tc), 0);
    struct vat_tc_counts counts = vat_tc_counts(tc);
    for (unsigned layer = 0; layer <= 5; layer++)
      CU_ASSERT_EQUAL(counts.misses_by_layer[layer],
                      (1667 + (1u << 3 * layer) - 1) >> 3 * layer);
    vat_tc_destroy(tc);
  }
}

/* Enough nodes that tables grow, buckets overflow and chunks fill: uniform
 * pages, where a TC of all nodes misses each once. */
static void test_large_streams_miss_each_node_once_in_a_large_cache(void) {
  enum { COUNT = 300000, SPAN = 1 << 16 };
  uint64_t *pages = malloc(COUNT * sizeof *pages);
  static bool seen[5][SPAN];
  uint64_t distinct[5] = {0};
  struct vat_tree tree = {4, 12, 4};
  random_state = 5;
  memset(seen, 0, sizeof seen);
  for (size_t i = 0; i < COUNT; i++) {
    uint64_t page = below(SPAN);
    pages[i] = page << 12 | below(4096);
    for (unsigned layer = 0; layer <= 4; layer++) {
      bool *node = &seen[layer][page >> 4 * layer];
      distinct[layer] += !*node;
      *node = true;
    }
  }
  for (size_t p = 0; vat_policies[p]; p++) {
    struct vat_tc_options tight = {.memory_bytes = 1 << 20};
    for (int spill = 0; spill < 2; spill++) {
      struct vat_tc *tc =
          vat_tc_create(vat_policies[p], &tree, 1 << 20, spill ? &tight : NULL);
      CU_ASSERT_EQUAL_FATAL(vat_tc_addresses(tc, pages, COUNT), 0);
      CU_ASSERT_EQUAL(vat_tc_finish(tc), 0);
      struct vat_tc_counts counts = vat_tc_counts(tc);
      CU_ASSERT_EQUAL(counts.translations, COUNT);
      for (unsigned layer = 0; layer <= 4; layer++)
        CU_ASSERT_EQUAL(counts.misses_by_layer[layer], distinct[layer]);
      vat_tc_destroy(tc);
    }
  }
  free(pages);
}

static void test_what_cannot_be_simulated_is_refused(void) {
  struct vat_tree tree = {9, 12, 4}, bad = {0, 12, 4};
  const struct vat_policy *lru = vat_policy_find("lru");
  const struct vat_policy *none = vat_policy_find("typo");
  errno = 0;
  CU_ASSERT_PTR_NULL(vat_tc_create(lru, &tree, 0, NULL));
  CU_ASSERT_EQUAL(errno, EINVAL);
  errno = 0;
  CU_ASSERT_PTR_NULL(vat_tc_create(none, &tree, 8, NULL));
  CU_ASSERT_EQUAL(errno, EINVAL);
  CU_ASSERT_PTR_NULL(vat_tc_create(lru, &bad, 8, NULL));
  CU_ASSERT_PTR_NULL(vat_tc_create(vat_policy_find("ismin"), &tree, 4, NULL));
  CU_ASSERT_PTR_NULL(vat_policy_find("lfu"));
  struct vat_tc *tc = vat_tc_create(lru, &tree, 8, NULL);
  uint64_t addresses[] = {0, 1, 4096, UINT64_C(1) << 48, 0};
  errno = 0;
  CU_ASSERT_EQUAL(vat_tc_addresses(tc, addresses, 5), -1);
  CU_ASSERT_EQUAL(errno, ERANGE);
  CU_ASSERT_EQUAL(vat_tc_counts(tc).translations, 3);
  vat_tc_destroy(tc);
  vat_tc_destroy(NULL);
}

static const struct check_test tests[] = {
    {"every policy agrees with its definition",
     test_every_policy_agrees_with_its_definition},
    {"Theorem 2.14", test_theorem_2_14},
    {"Lemma 2.15 and Theorem 2.16", test_lemma_2_15_and_theorem_2_16},
    {"larger caches miss no more", test_larger_caches_miss_no_more},
    {"a sequential scan misses each node once",
     test_a_sequential_scan_misses_each_node_once},
    {"large streams miss each node once in a large cache",
     test_large_streams_miss_each_node_once_in_a_large_cache},
    {"what cannot be simulated is refused",
     test_what_cannot_be_simulated_is_refused},
    {0}};

const struct check_suite suite_policies = {.name = "policies", .tests = tests};
