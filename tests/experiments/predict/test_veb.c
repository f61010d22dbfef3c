/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches in the van Emde Boas layout cost what section 2.5 of Jurkiewicz's
 * PhD thesis says, and less than binary searches. */
#include <config.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cpu_algos/queries.h"
#include "tests/check.h"
#include "tests/experiments/predict/bounds_fixture.h"
#include "tests/experiments/suites.h"
#include "vat/bounds.h"
#include "vat/policy.h"

enum { SEED = 25, WORD = 8, NODE = 8 };

/* What is printed is a bound only up to a constant; what is counted is less
 * than what is closed: at sizes, too, that nobody would simulate here. */
static void test_bounds_agree(void) {
  for (int lg_n = 3; lg_n < 40; lg_n++)
    for (unsigned k = 1; k < 10; k++)
      for (int lg_page = 3; lg_page < 12; lg_page++) {
        struct vat_bounds_case c = {.n = (UINT64_C(1) << lg_n) + 1,
                                    .tree = {k, (unsigned)lg_page + 3, 1}};
        while (lg_page + (int)(k * c.tree.levels) < lg_n + 1) c.tree.levels++;
        CU_ASSERT(vat_bounds_veb_any(&c) <= vat_bounds_veb_closed(&c));
        CU_ASSERT(vat_bounds_veb_closed(&c) <= 9 * vat_bounds_veb_printed(&c));
        c.nodes = c.tree.levels + 1;
        CU_ASSERT_EQUAL(vat_bounds_veb_min(&c), vat_bounds_veb_any(&c));
        double last = INFINITY;
        for (; c.nodes < UINT64_C(1) << 24; c.nodes *= 3) {
          double min = vat_bounds_veb_min(&c);
          CU_ASSERT(min <= last);
          last = min;
        }
      }
}

/* 73 nodes: a root and 8, each with 8 below.  In blocks of 128 words two levels
 * of nodes are one tree of 72 words: of a height of 4, cut 2 | 2, at most four
 * blocks are met, and of 3, cut 1 | 2, three. */
static void test_bounds_by_hand(void) {
  struct vat_bounds_case c = {.n = 511, .tree = {6, 10, 1}};
  CU_ASSERT_EQUAL(vat_bounds_veb_any(&c), 511 * (3 + 2));
  c.n = 512;
  CU_ASSERT_EQUAL(vat_bounds_veb_any(&c), 512 * (4 + 2));
  CU_ASSERT_EQUAL(vat_bounds_veb_closed(&c), 512 * (4 + 2));
  /* 9 blocks of the layer of leaves: the top tree of 2, kept, is above 2. */
  c.nodes = 2 + 2 + 1;
  CU_ASSERT_EQUAL(vat_bounds_veb_min(&c), 2 + 512 * 2 + 1);
}

#ifdef HAVE_STREAMS
static struct vat_bounds_case bounds_case_of(const struct stream_case *c) {
  return (struct vat_bounds_case){.n = c->n,
                                  .base = c->base,
                                  .tree = stream_case_tree(c),
                                  .nodes = c->nodes};
}

static void check_within(const struct stream_case *c,
                         const struct bounds_policy *policy) {
  struct vat_bounds_case b = bounds_case_of(c);
  b.policy = policy->kind;
  double misses = (double)stream_case_counts(c).misses;
  double low = vat_bounds_veb_lower(&b), high = vat_bounds_veb_upper(&b);
  if (low > misses || misses > high)
    printf("\nn=%" PRIu64 " %s k=%u p=%u d=%u W=%" PRIu64
           ": %.0f not in [%.0f, %.0f]\n",
           c->n, c->policy, c->index_bits, c->page_bits, b.tree.levels,
           c->nodes, misses, low, high);
  CU_ASSERT(low <= misses && misses <= high);
  CU_ASSERT(high <= vat_bounds_veb_closed(&b));
}

static void test_searches_are_within(void) {
  static const uint64_t sizes[] = {511, 512, 1500, 4095, 5000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (unsigned k = 1; k <= 4; k++)
      for (unsigned p = 6; p <= 12; p += 2)
        for (uint64_t nodes = 40; nodes <= 640; nodes *= 4)
          for (size_t j = 0; j < BOUNDS_POLICIES; j++) {
            const struct stream_case c = {"veb_search",
                                          sizes[i],
                                          SEED,
                                          64 * (i % 3),
                                          bounds_policies[j].name,
                                          k,
                                          p,
                                          nodes};
            check_within(&c, &bounds_policies[j]);
          }
}

/* Words of a complete tree, and where the node of `level` that is reached by
 * `path`, an octal digit a node, lies in it: by the definition of the layout.
 */
static uint64_t words(unsigned height) {
  uint64_t nodes = 0;
  for (unsigned i = 0; i < height; i++) nodes = NODE * nodes + 1;
  return NODE * nodes;
}

static uint64_t place_of(unsigned height, unsigned level, uint64_t path) {
  unsigned top = height / 2;
  if (!level) return 0;
  if (level < top) return place_of(top, level, path);
  unsigned below = 3 * (level - top);
  return words(top) + (path >> below) * words(height - top) +
         place_of(height - top, level - top,
                  path & ((UINT64_C(1) << below) - 1));
}

/* The misses of n searches that access each node on their way once. */
static uint64_t misses_by_definition(const struct stream_case *c) {
  struct vat_tree tree = stream_case_tree(c);
  struct vat_tc *tc =
      vat_tc_create(vat_policy_find(c->policy), &tree, c->nodes, NULL);
  struct cpu_queries queries = cpu_queries_of(c->n, c->seed);
  unsigned height = 1;
  while (UINT64_C(1) << (3 * height) <= c->n) height++;
  for (uint64_t i = 0; i < c->n; i++) {
    uint64_t position = cpu_queries_next(&queries);
    for (unsigned level = 0; level < height; level++) {
      uint64_t path = position >> (3 * (height - level));
      uint64_t address = c->base + WORD * place_of(height, level, path);
      CU_ASSERT_EQUAL_FATAL(vat_tc_addresses(tc, &address, 1), 0);
    }
  }
  uint64_t misses = vat_tc_counts(tc).misses;
  vat_tc_destroy(tc);
  return misses;
}

static void test_the_stream_is_the_definition_s(void) {
  static const uint64_t sizes[] = {7, 8, 300, 511, 512, 4000, 40000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (unsigned p = 6; p <= 12; p++) {
      const struct stream_case c = {"veb_search", sizes[i], SEED, 4096,
                                    "islru",      3,        p,    40};
      CU_ASSERT_EQUAL(stream_case_counts(&c).misses, misses_by_definition(&c));
    }
}

/* Its constant cannot be 1: a tree that fits a page may lie in two, and have
 * half the height of what would fill it. */
static void test_the_printed_form_is_asymptotic(void) {
  struct stream_case c = {"veb_search", 4096, SEED, 0, "islru", 1, 9, 8};
  struct vat_bounds_case b = bounds_case_of(&c);
  double misses = (double)stream_case_counts(&c).misses;
  CU_ASSERT_EQUAL(c.nodes, b.tree.levels + 1);
  CU_ASSERT(misses > 1.3 * vat_bounds_veb_printed(&b));
  CU_ASSERT(misses < vat_bounds_veb_any(&b));
}

/* A machine in small: of 64 words a page and 8 children a node, so that 2^16
 * keys are on 1024 pages, the searches of either layout. */
static void test_it_beats_binary_search_at_every_w(void) {
  struct stream_case c = {"veb_search", 1 << 16, SEED, 0, "islru", 3, 9, 0};
  size_t veb_count, binary_count;
  struct vat_curve_point *veb = stream_case_curve(&c, &veb_count);
  c.algo = "binary_search";
  struct vat_curve_point *binary = stream_case_curve(&c, &binary_count);
  for (uint64_t nodes = 8; nodes <= 256; nodes++)
    CU_ASSERT(10 * stream_curve_at(veb, veb_count, nodes) <
              6 * stream_curve_at(binary, binary_count, nodes));
  free(veb);
  free(binary);
}
#endif

static const struct check_test tests[] = {
    {"bounds agree", test_bounds_agree},
    {"bounds by hand", test_bounds_by_hand},
#ifdef HAVE_STREAMS
    {"searches are within", test_searches_are_within},
    {"the stream is the definition's", test_the_stream_is_the_definition_s},
    {"the printed form is asymptotic", test_the_printed_form_is_asymptotic},
    {"it beats binary search at every W",
     test_it_beats_binary_search_at_every_w},
#endif
    {0}};

const struct check_suite suite_veb = {"van Emde Boas, section 2.5", tests,
                                      NULL};
