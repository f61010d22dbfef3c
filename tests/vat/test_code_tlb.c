/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLBs of fetches beside those of data, against their definition. */
#include <stdlib.h>
#include <string.h>

#include "tests/vat/reference_seen.h"
#include "tests/vat/suites_vat.h"
#include "vat/code_tlb.h"

static uint64_t state;

static uint64_t below(uint64_t m) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (state >> 33) % m;
}

enum { BASE_BITS = 12, DIGIT = 9, LEVELS = 4, ACCESSES = 300 };

static struct code_tlbs *make(const struct code_tlbs_shape *shape) {
  struct code_tlbs *tlbs = malloc(sizeof *tlbs + vat_code_tlbs_bytes(shape));
  if (!tlbs) abort();
  vat_code_tlbs_init(tlbs, shape, tlbs + 1);
  return tlbs;
}

/* A processor with code on pages of one size and data on pages of one. */
struct reference {
  unsigned code_bits, data_bits;
  struct seen code[2], data[2], walk[LEVELS];
};

static unsigned beyond(struct reference *r, struct seen *second,
                       uint64_t address, unsigned bits) {
  unsigned read = 1;
  if (seen_touch(second, seen_block(address, bits))) return 0;
  for (unsigned layer = (bits - BASE_BITS) / DIGIT + 1; layer < LEVELS;
       layer++, read++)
    if (seen_touch(&r->walk[layer],
                   seen_block(address, BASE_BITS + DIGIT * layer)))
      break;
  return read;
}

static unsigned access_data(struct reference *r, uint64_t address) {
  if (seen_touch(&r->data[0], seen_block(address, r->data_bits))) return 0;
  return beyond(r, &r->data[1], address, r->data_bits);
}

/* UINT_MAX: the first level has it. */
static unsigned fetch(struct reference *r, uint64_t address) {
  if (seen_touch(&r->code[0], seen_block(address, r->code_bits)))
    return UINT32_MAX;
  return beyond(r, r->code[1].shape.entries ? &r->code[1] : &r->data[1],
                address, r->code_bits);
}

static struct tlb_cache_shape any_cache(bool must) {
  struct tlb_cache_shape shape = {0, 0};
  if (!must && !below(2)) return shape;
  shape.ways = 1 + (uint32_t)below(4);
  shape.entries = shape.ways << below(3);
  return shape;
}

static struct code_tlbs_shape any_shape(void) {
  struct code_tlbs_shape shape = {
      .data = {{any_cache(true), any_cache(false)}, any_cache(false)},
      .code.all = {{any_cache(true), any_cache(false)}, {0, 0}}};
  shape.code.from[0].page_bits = CODE_TLB_LARGE_BITS;
  shape.code.from[0].level[0] = any_cache(false);
  if (shape.code.all.level[1].entries)
    shape.code.from[0].level[1] = any_cache(false);
  for (unsigned i = 0; i < 3; i++)
    if (below(2) || (i == 2 && !shape.sizes))
      shape.size[shape.sizes++] = (struct code_tlb_data){DIGIT * i, i};
  return shape;
}

/* Caches for large pages replace the others where there are some. */
static struct tlb_cache_shape code_cache(const struct code_tlbs_shape *shape,
                                         unsigned level, bool large) {
  const struct tlb_cache_shape *own = &shape->code.from[0].level[level];
  return large && own->entries ? *own : shape->code.all.level[level];
}

static void init(struct reference *r, const struct code_tlbs_shape *shape,
                 unsigned size, bool large) {
  *r = (struct reference){.code_bits = large ? CODE_TLB_LARGE_BITS : BASE_BITS,
                          .data_bits = BASE_BITS + shape->size[size].digits};
  for (unsigned level = 0; level < 2; level++) {
    r->code[level].shape = code_cache(shape, level, large);
    r->data[level].shape = shape->data.level[level];
  }
  for (unsigned i = 0; i < LEVELS; i++) r->walk[i].shape = shape->data.walk;
}

/* One reference for each size of data, and the last for code on large pages. */
struct pair {
  struct code_tlbs *tlbs;
  struct reference *references;
  uint64_t walks_beside_large;
};

static void agree_on_data(struct pair *p, uint64_t address) {
  unsigned sizes = p->tlbs->sizes;
  for (unsigned i = 0; i < sizes; i++)
    CU_ASSERT_EQUAL_FATAL(vat_code_tlbs_data(p->tlbs, i, address >> BASE_BITS),
                          access_data(&p->references[i], address));
  p->walks_beside_large += access_data(&p->references[sizes], address) > 0;
  CU_ASSERT_EQUAL_FATAL(p->tlbs->walks_beside_large, p->walks_beside_large);
}

static void agree_on_fetch(struct pair *p, uint64_t address) {
  unsigned sizes = p->tlbs->sizes;
  unsigned missed = vat_code_tlbs_first(p->tlbs, address >> BASE_BITS);
  unsigned expected[CODE_TLB_PAGES] = {fetch(&p->references[0], address)};
  for (unsigned i = 1; i < sizes; i++) fetch(&p->references[i], address);
  expected[CODE_TLB_LARGE] = fetch(&p->references[sizes], address);
  for (unsigned code = 0; code < CODE_TLB_PAGES; code++) {
    CU_ASSERT_EQUAL_FATAL(missed >> code & 1, expected[code] != UINT32_MAX);
    if (missed >> code & 1)
      CU_ASSERT_EQUAL_FATAL(
          vat_code_tlbs_beyond(p->tlbs, code, address >> BASE_BITS),
          expected[code]);
  }
}

/* Pages of code, of data, and some that are both. */
static void test_any_shape_agrees_with_the_definition(void) {
  struct reference *references = calloc(4, sizeof *references);
  for (unsigned seed = 1; seed <= 300; seed++) {
    state = seed;
    struct code_tlbs_shape shape = any_shape();
    struct pair pair = {make(&shape), references, 0};
    uint64_t code = 0, data = 0;
    for (unsigned i = 0; i < shape.sizes; i++)
      init(&references[i], &shape, i, false);
    init(&references[shape.sizes], &shape, 0, true);
    for (unsigned i = 0; i < ACCESSES; i++) {
      uint64_t far = below(1200) << BASE_BITS;
      if (below(2))
        agree_on_data(&pair, data = below(4) ? data + below(9000) : far);
      else
        agree_on_fetch(&pair, code = below(4) ? code + below(9000) : far);
    }
    free(pair.tlbs);
  }
  free(references);
}

/* By hand: one entry in either first level, two in the second, which both
 * share.  What the columns are: see step(). */
static const struct step {
  char kind;
  uint64_t page;
  int base, large;             /* nodes read; -1: the ITLB has it */
} steps[] = {{'I', 0, 4, 3},   /* second level: 0; with large pages L0 */
             {'D', 1, 4, 1},   /* 1 0; 1 L0 */
             {'I', 2, 4, -1},  /* 2 1; as before */
             {'I', 0, 4, -1},  /* 0 2 */
             {'D', 2, 0, 1},   /* 2 0, which code has loaded; 2 1 */
             {'I', 512, 4, 3}, /* 512 2; L1 2 */
             {'I', 2, 0, 3},   /* 2 512; L0 L1 */
             {'D', 2, 0, 1}};  /* the first level has it; so it has there */

static void test_by_hand(void) {
  const struct code_tlbs_shape shape = {.data = {{{1, 1}, {2, 2}}, {0, 0}},
                                        .code.all.level[0] = {1, 1},
                                        .size = {{0, 0}},
                                        .sizes = 1};
  struct code_tlbs *tlbs = make(&shape);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    const struct step *s = &steps[i];
    const int expected[CODE_TLB_PAGES] = {s->base, s->large};
    uint64_t before = tlbs->walks_beside_large;
    if (s->kind == 'D') {
      CU_ASSERT_EQUAL(vat_code_tlbs_data(tlbs, 0, s->page), (unsigned)s->base);
      CU_ASSERT_EQUAL(tlbs->walks_beside_large - before,
                      i + 1 < sizeof steps / sizeof *steps);
      continue;
    }
    unsigned missed = vat_code_tlbs_first(tlbs, s->page);
    for (unsigned code = 0; code < CODE_TLB_PAGES; code++) {
      CU_ASSERT_EQUAL(missed >> code & 1, expected[code] >= 0);
      if (missed >> code & 1)
        CU_ASSERT_EQUAL(vat_code_tlbs_beyond(tlbs, code, s->page),
                        (unsigned)expected[code]);
    }
  }
  free(tlbs);
}

/* Data alone are what a plain TLB has; code that stays on a page misses once.
 */
static void test_either_alone(void) {
  for (unsigned seed = 1; seed <= 50; seed++) {
    state = seed;
    struct code_tlbs_shape shape = any_shape();
    shape.sizes = 1;
    shape.size[0] = (struct code_tlb_data){0, 0};
    struct code_tlbs *tlbs = make(&shape);
    struct tlb plain;
    void *memory = malloc(vat_tlb_bytes(&shape.data, &code_tlb_tree));
    unsigned missed = 0;
    vat_tlb_init(&plain, &shape.data, &code_tlb_tree, memory);
    for (uint64_t i = 0, page = 0; i < 400; i++) {
      page = below(4) ? (page + below(9)) % 4096 : below(4096);
      CU_ASSERT_EQUAL(vat_code_tlbs_data(tlbs, 0, page),
                      vat_tlb_access(&plain, page));
    }
    CU_ASSERT_EQUAL(tlbs->data[0].second_hits, plain.second_hits);
    vat_code_tlbs_clear(tlbs);
    CU_ASSERT_EQUAL(tlbs->walks_beside_large, 0);
    for (int i = 0; i < 100; i++) {
      missed += vat_code_tlbs_first(tlbs, 77) != 0;
      vat_code_tlbs_data(tlbs, 0, below(4096));
    }
    CU_ASSERT_EQUAL(missed, 1);
    free(memory);
    free(tlbs);
  }
}

static const struct check_test tests[] = {
    {"by hand", test_by_hand},
    {"any shape agrees with the definition",
     test_any_shape_agrees_with_the_definition},
    {"data alone, and code on one page", test_either_alone},
    {NULL, NULL}};

const struct check_suite suite_code_tlb = {"code_tlb", tests, NULL};
