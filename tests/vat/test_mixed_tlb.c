/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLBs for pages of several sizes, against their definition. */
#include <stdlib.h>

#include "tests/vat/layout_fixture.h"
#include "tests/vat/reference_seen.h"
#include "tests/vat/suites_vat.h"
#include "vat/mixed_tlb.h"

static uint64_t state;

static uint64_t below(uint64_t m) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (state >> 33) % m;
}

enum { ACCESSES = 150, STREAMS = 2000 };

struct reference {
  struct seen level[2][MIXED_TLB_SIZES + 1], walk[VAT_LAYERS_MAX];
};

static unsigned look_up(struct reference *r,
                        const struct mixed_tlb_shape *shape,
                        const struct vat_tree *tree, uint64_t address,
                        unsigned bits) {
  unsigned leaf = (bits - tree->page_bits) / tree->index_bits, read = 1;
  unsigned entry = bits < shape->coalesce_bits ? shape->coalesce_bits : bits;
  for (unsigned level = 0; level < 2; level++) {
    unsigned which = 0;
    for (unsigned i = 0; i < MIXED_TLB_SIZES; i++)
      if (shape->from[i].page_bits && shape->from[i].page_bits <= bits &&
          shape->from[i].level[level].entries)
        which = i + 1;
    if (seen_touch(&r->level[level][which], seen_block(address, entry)))
      return 0;
  }
  for (unsigned layer = leaf + 1; layer < tree->levels; layer++, read++)
    if (seen_touch(
            &r->walk[layer],
            seen_block(address, tree->page_bits + layer * tree->index_bits)))
      break;
  return read;
}

static struct tlb_cache_shape any_cache(bool must) {
  struct tlb_cache_shape shape = {0, 0};
  if (!must && !below(3)) return shape;
  shape.ways = 1 + (uint32_t)below(4);
  shape.entries = shape.ways << below(3);
  return shape;
}

static struct mixed_tlb_shape any_shape(const struct vat_tree *tree) {
  struct mixed_tlb_shape shape = {
      .all = {{any_cache(true), any_cache(false)}, any_cache(false)}};
  unsigned bits = tree->page_bits;
  for (unsigned i = 0; i < MIXED_TLB_SIZES && below(3); i++) {
    shape.from[i].page_bits = bits += 1 + (unsigned)below(3);
    shape.from[i].level[0] = any_cache(false);
    shape.from[i].level[1] = any_cache(false);
  }
  if (!below(3)) shape.coalesce_bits = tree->page_bits + (unsigned)below(5);
  return shape;
}

static struct reference *reference_of_shape(
    const struct mixed_tlb_shape *shape) {
  struct reference *r = calloc(1, sizeof *r);
  for (unsigned level = 0; level < 2; level++) {
    r->level[level][0].shape = shape->all.level[level];
    for (unsigned i = 0; i < MIXED_TLB_SIZES; i++)
      r->level[level][i + 1].shape = shape->from[i].level[level];
  }
  for (unsigned i = 0; i < VAT_LAYERS_MAX; i++)
    r->walk[i].shape = shape->all.walk;
  return r;
}

static void agree(unsigned seed) {
  state = seed;
  const struct vat_tree tree = {1 + (unsigned)below(4), (unsigned)below(4),
                                1 + (unsigned)below(3)};
  struct given_layout given = random_layout(&tree, below);
  struct mixed_tlb_shape shape = any_shape(&tree);
  struct reference *r = reference_of_shape(&shape);
  void *memory = malloc(vat_mixed_tlb_bytes(&shape, &tree));
  uint64_t end = UINT64_C(1)
                 << (tree.page_bits + tree.index_bits * tree.levels);
  uint64_t at = 0;
  struct mixed_tlb tlb;
  vat_mixed_tlb_init(&tlb, &shape, &tree, memory);
  for (unsigned i = 0; i < ACCESSES; i++) {
    at = below(4) ? (at + below(UINT64_C(3) << tree.page_bits)) % end
                  : below(end);
    unsigned bits = reference_page_bits(&given, at);
    unsigned leaf = (bits - tree.page_bits) / tree.index_bits;
    unsigned expected = look_up(r, &shape, &tree, at, bits);
    if (vat_mixed_tlb_access(&tlb, at >> tree.page_bits, bits - tree.page_bits,
                             leaf) == expected)
      continue;
    printf("\nseed %u, access %u\n", seed, i);
    report_layout(&given);
    CU_FAIL_FATAL("they differ");
  }
  free(memory);
  free(r);
}

static void test_any_shape_agrees_with_the_definition(void) {
  for (unsigned seed = 1; seed <= STREAMS; seed++) agree(seed);
  CU_PASS("they are the same");
}

/* By hand: one entry for pages of any size, one for pages of 4 on.  A page of
 * one page evicts only that of two. */
static void test_by_hand(void) {
  static const struct {
    uint64_t page;
    unsigned digits, leaf, read;
  } steps[] = {{0, 0, 0, 3}, {4, 2, 1, 2}, {0, 0, 0, 0}, {5, 2, 1, 0},
               {8, 1, 0, 3}, {9, 1, 0, 0}, {0, 0, 0, 3}, {7, 2, 1, 0}};
  const struct vat_tree tree = {2, 12, 3};
  const struct mixed_tlb_shape shape = {.all.level[0] = {1, 1},
                                        .from[0] = {14, {{1, 1}, {0, 0}}}};
  struct mixed_tlb tlb;
  void *memory = malloc(vat_mixed_tlb_bytes(&shape, &tree));
  vat_mixed_tlb_init(&tlb, &shape, &tree, memory);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    CU_ASSERT_EQUAL(vat_mixed_tlb_access(&tlb, steps[i].page, steps[i].digits,
                                         steps[i].leaf),
                    steps[i].read);
  free(memory);
}

/* By hand: four pages share an entry, and are walked as they are. */
static void test_coalescing_by_hand(void) {
  static const uint64_t pages[] = {0, 3, 4, 7, 1, 16, 6};
  static const unsigned read[] = {2, 0, 2, 0, 0, 2, 2};
  const struct vat_tree tree = {4, 12, 2};
  const struct mixed_tlb_shape shape = {.all.level[0] = {2, 2},
                                        .coalesce_bits = 14};
  struct mixed_tlb tlb;
  void *memory = malloc(vat_mixed_tlb_bytes(&shape, &tree));
  vat_mixed_tlb_init(&tlb, &shape, &tree, memory);
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
    CU_ASSERT_EQUAL(vat_mixed_tlb_access(&tlb, pages[i], 0, 0), read[i]);
  free(memory);
}

/* Pages of one size, on layer m: the plain TLB on the tree without its lowest m
 * layers. */
static void test_uniform_pages_are_those_of_a_plain_tlb(void) {
  for (unsigned seed = 1; seed <= 200; seed++) {
    state = seed;
    unsigned leaf = (unsigned)below(3);
    const struct vat_tree tree = {3, 0, 4}, large = {3, 3 * leaf, 4 - leaf};
    const struct mixed_tlb_shape shape = {
        .all = {{any_cache(true), any_cache(false)}, any_cache(false)}};
    struct mixed_tlb tlb;
    struct tlb plain;
    void *memory[] = {malloc(vat_mixed_tlb_bytes(&shape, &tree)),
                      malloc(vat_tlb_bytes(&shape.all, &large))};
    vat_mixed_tlb_init(&tlb, &shape, &tree, memory[0]);
    vat_tlb_init(&plain, &shape.all, &large, memory[1]);
    for (uint64_t i = 0, page = 0; i < 400; i++) {
      page = below(4) ? (page + below(9)) % 4096 : below(4096);
      CU_ASSERT_EQUAL(vat_mixed_tlb_access(&tlb, page, 3 * leaf, leaf),
                      vat_tlb_access(&plain, page >> 3 * leaf));
    }
    CU_ASSERT_EQUAL(tlb.second_hits, plain.second_hits);
    free(memory[0]);
    free(memory[1]);
  }
}

/* Page numbers of 60 bits, all of which tell. */
static void test_high_pages_are_different_entries(void) {
  const struct vat_tree tree = {10, 0, 6};
  const struct mixed_tlb_shape shape = {.all.level[0] = {2, 2}};
  struct mixed_tlb tlb;
  void *memory = malloc(vat_mixed_tlb_bytes(&shape, &tree));
  CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
  vat_mixed_tlb_init(&tlb, &shape, &tree, memory);
  CU_ASSERT_EQUAL(vat_mixed_tlb_access(&tlb, 0, 0, 0), 6);
  CU_ASSERT_EQUAL(vat_mixed_tlb_access(&tlb, UINT64_C(1) << 58, 0, 0), 6);
  CU_ASSERT_EQUAL(vat_mixed_tlb_access(&tlb, 0, 0, 0), 0);
  free(memory);
}

static const struct check_test tests[] = {
    {"by hand", test_by_hand},
    {"coalescing by hand", test_coalescing_by_hand},
    {"any shape agrees with the definition",
     test_any_shape_agrees_with_the_definition},
    {"uniform pages are those of a plain TLB",
     test_uniform_pages_are_those_of_a_plain_tlb},
    {"high pages are different entries", test_high_pages_are_different_entries},
    {NULL, NULL}};

const struct check_suite suite_mixed_tlb = {"mixed_tlb", tests, NULL};
