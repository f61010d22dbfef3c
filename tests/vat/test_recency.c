/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"
#include "vat/recency.h"

static uint64_t state;

static uint64_t below(uint64_t m) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (state >> 33) % m;
}

/* Random keys in a set that is nearly always full, so that chains of several
 * come and go: what was loaded is found where it was put, what was evicted is
 * not found. */
static void test_a_set_finds_what_it_holds(void) {
  enum { KEYS = 4096, LIMIT = 1000 };
  static uint64_t key_of[KEYS];
  static uint32_t slot_of[KEYS], held_in[LIMIT + 1];
  struct node_set set;
  state = 1;
  CU_ASSERT_EQUAL_FATAL(vat_node_set_init(&set, LIMIT), 0);
  memset(slot_of, 0, sizeof slot_of);
  for (unsigned i = 0; i < KEYS; i++)
    key_of[i] = (below(UINT64_C(1) << 31) << 29 | i) << 4;
  for (unsigned i = 0; i < 200000; i++) {
    uint32_t n = (uint32_t)below(KEYS);
    uint32_t slot = node_set_find(&set, key_of[n], node_hash(key_of[n]));
    CU_ASSERT_EQUAL_FATAL(slot, slot_of[n]);
    CU_ASSERT_EQUAL_FATAL(vat_node_set_grow(&set, 1), 0);
    if (slot) {
      node_set_unlink(&set, slot);
    } else {
      bool full = set.used == LIMIT;
      slot = node_set_load(&set, key_of[n], node_hash(key_of[n]));
      CU_ASSERT_FATAL(slot >= 1 && slot <= LIMIT);
      if (full) slot_of[held_in[slot]] = 0;
      slot_of[n] = slot;
      held_in[slot] = n;
    }
    node_set_push(&set, slot);
  }
  vat_node_set_fini(&set);
}

/* With so many nodes the walk fetches ahead. */
static void test_large_caches_agree_with_the_definition(void) {
  enum { COUNT = 15000, FRESH = 13500 };
  static uint64_t pages[COUNT];
  static const char *const policies[] = {"lru", "islru"};
  struct vat_tree tree = {6, 0, 3};
  state = 2;
  for (size_t i = 0; i < COUNT; i++)
    pages[i] =
        i < FRESH || below(2) ? below(UINT64_C(1) << 18) : pages[below(i)];
  for (size_t p = 0; p < 2; p++)
    for (unsigned nodes = RECENCY_FAR - 1; nodes <= RECENCY_FAR; nodes++) {
      uint64_t misses[VAT_LAYERS_MAX] = {0};
      reference_of(policies[p])(&tree, pages, COUNT, nodes, misses);
      struct vat_tc *tc =
          vat_tc_create(vat_policy_find(policies[p]), &tree, nodes, NULL);
      CU_ASSERT_EQUAL_FATAL(vat_tc_pages(tc, pages, COUNT), 0);
      struct vat_tc_counts counts = vat_tc_counts(tc);
      CU_ASSERT(counts.misses > nodes); /* it evicts */
      CU_ASSERT(!memcmp(counts.misses_by_layer, misses, sizeof misses));
      vat_tc_destroy(tc);
    }
}

static const struct check_test tests[] = {
    {"a set finds what it holds", test_a_set_finds_what_it_holds},
    {"large caches agree with the definition",
     test_large_caches_agree_with_the_definition},
    {0}};

const struct check_suite suite_recency = {.name = "recency", .tests = tests};
