/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/vat/reference_tlb.h"
#include "tests/vat/suites_vat.h"
#include "vat/lazy_tc.h"
#include "vat/tlb.h"

static uint64_t state;

static uint64_t below(uint64_t m) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (state >> 33) % m;
}

static struct tlb_cache_shape any_shape(bool must) {
  struct tlb_cache_shape shape = {0, 0};
  if (!must && !below(3)) return shape;
  shape.ways = 1 + (uint32_t)below(5);
  shape.entries = shape.ways << below(4);
  return shape;
}

/* Pages that are near each other, and some anywhere. */
static uint64_t any_page(uint64_t *last) {
  if (!below(6)) *last = below(TLB_REFERENCE_KEYS);
  return *last = (*last + below(5)) % TLB_REFERENCE_KEYS;
}

/* By hand: two entries in two sets, then eight in one.  Pages 0 and 2 share a
 * set of the first level; the second still has 0 when it comes back, and the
 * walks to 1 and 2 find the node of layer 1 that the walk to 0 read. */
static void test_by_hand(void) {
  static const uint64_t pages[] = {0, 0, 1, 2, 0, 8, 1, 9, 4, 2};
  static const unsigned nodes[] = {3, 0, 1, 1, 0, 2, 0, 1, 2, 0};
  const struct vat_tree tree = {2, 12, 3};
  const struct tlb_shape shape = {{{2, 1}, {8, 8}}, {4, 4}};
  struct tlb tlb;
  void *memory = malloc(vat_tlb_bytes(&shape, &tree));
  vat_tlb_init(&tlb, &shape, &tree, memory);
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
    CU_ASSERT_EQUAL(vat_tlb_access(&tlb, pages[i]), nodes[i]);
  CU_ASSERT_EQUAL(tlb.second_hits, 2); /* of 0 and 2, when they come back */
  vat_tlb_clear(&tlb);
  CU_ASSERT_EQUAL(tlb.second_hits, 0);
  free(memory);
}

static void test_any_shape_agrees_with_the_definition(void) {
  static struct tlb_reference all;
  for (unsigned seed = 1; seed <= 300; seed++) {
    const struct vat_tree tree = {3, 12, 4};
    state = seed;
    struct tlb_shape shape = {{any_shape(true), any_shape(false)},
                              any_shape(false)};
    struct tlb tlb;
    void *memory = malloc(vat_tlb_bytes(&shape, &tree));
    vat_tlb_init(&tlb, &shape, &tree, memory);
    tlb_reference_init(&all, &tree, &shape);
    uint64_t page = 0;
    for (uint64_t now = 1; now <= 1000; now++) {
      uint64_t next = any_page(&page);
      if (vat_tlb_access(&tlb, next) == tlb_reference_access(&all, next, now))
        continue;
      printf("\nseed %u, access %u\n", seed, (unsigned)now);
      CU_FAIL_FATAL("they differ");
    }
    free(memory);
  }
  CU_PASS("they are the same");
}

static uint64_t told[LAZY_TC_TREES][8];

static void count(const struct lazy_tcs *tcs, unsigned deferred) {
  for (unsigned i = 0; i < deferred; i++)
    for (unsigned t = 0; t < tcs->trees; t++) told[t][tcs->missed[i][t]]++;
}

/* Accesses to the recent page are those that change nothing. */
static void test_several_at_once_report_the_same(void) {
  static const struct vat_tree trees[] = {{9, 12, 4}, {9, 21, 3}};
  const struct tlb_shape shape = {{{64, 4}, {96, 12}}, {8, 2}};
  struct lazy_tcs *tcs = malloc(sizeof *tcs);
  struct tlb tlb[2];
  uint64_t expected[2][8] = {{0}}, last = 0;
  vat_lazy_tcs_init(tcs);
  tcs->looked_up = count;
  for (unsigned t = 0; t < 2; t++) {
    size_t bytes = vat_tlb_bytes(&shape, &trees[t]);
    vat_lazy_tcs_add_tlb(tcs, &trees[t], &shape, malloc(bytes));
    vat_tlb_init(&tlb[t], &shape, &trees[t], malloc(bytes));
  }
  state = 7;
  for (uint64_t i = 1; i <= 50000; i++) {
    uint64_t address = any_page(&last) << 18 | below(3) << 12 | below(4096);
    lazy_tcs_access(tcs, address, i, NULL, NULL);
    for (unsigned t = 0; t < 2; t++)
      expected[t][vat_tlb_access(&tlb[t], address >> trees[t].page_bits)]++;
  }
  vat_lazy_tcs_look_up(tcs);
  for (unsigned t = 0; t < 2; t++) {
    CU_ASSERT(!memcmp(told[t] + 1, expected[t] + 1, 7 * sizeof **told));
    free(tlb[t].level[0].keys);
    free(tcs->tc[t].nodes);
  }
  free(tcs);
}

static void test_shapes_that_cannot_be(void) {
  static const struct tlb_cache_shape wrong[] = {
      {0, 4}, {4, 0}, {10, 4}, {12, 4}, {4096, 2048}};
  static const struct tlb_cache_shape right[] = {{64, 4}, {1536, 12}, {96, 96}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    CU_ASSERT(!vat_tlb_shape_check(&wrong[i]));
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    CU_ASSERT(vat_tlb_shape_check(&right[i]));
}

static const struct check_test tests[] = {
    {"a short stream by hand", test_by_hand},
    {"any shape agrees with the definition",
     test_any_shape_agrees_with_the_definition},
    {"several at once report the same", test_several_at_once_report_the_same},
    {"shapes that cannot be", test_shapes_that_cannot_be},
    {NULL, NULL}};

const struct check_suite suite_tlb = {"tlb", tests, NULL};
