/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of cache-oblivious algorithms that were analysed for tall caches, and
 * of the programs beside them: by hand, and against what doc/cache-oblivious.md
 * says of their growth. */
#include <math.h>

#include "tests/vat/suites_vat.h"
#include "vat/bounds.h"
#include "vat/bounds_parts.h"

/*
 * 8 x 8, pages of 8 words, K = 2: matrices of 8 pages, 24 + 12 + 6 + 3 + 2 + 1
 * nodes in all.  A column has 8 leaves, and above them at most 5, 3, 2, 2, 1
 * nodes.  W = 20 holds no column and its row: each of 64 elements misses a
 * column and itself, on 5 layers; rows of a cross 8, 4, 2, 1, 1 borders.
 */
static void test_product_by_hand(void) {
  struct vat_bounds_case c = {.n = 8, .tree = {1, 6, 5}, .nodes = 20};
  CU_ASSERT_EQUAL(vat_bounds_product_rows_lower(&c), 48);
  CU_ASSERT_EQUAL(
      vat_bounds_product_rows_upper(&c),
      48 + 64 * (9 + 6 + 4 + 3 + 3) + 8 * (16 + 8 + 4 + 2 + 2) + 5 * 8);
  c.nodes = 6; /* LRU misses 8 leaves and 4 nodes above, MIN all but 6 */
  CU_ASSERT_EQUAL(vat_bounds_product_rows_lower(&c), 64 * (8 + 4));
  c.policy = VAT_BOUNDS_MIN;
  CU_ASSERT_EQUAL(vat_bounds_product_rows_lower(&c),
                  64 * (8 + 4 + 2 + 1 + 1 + 1 - 6));
  CU_ASSERT_EQUAL(vat_bounds_product_rows_upper(&c), (2 * 512 + 64) * 6);
  c.nodes = 48;
  CU_ASSERT_EQUAL(vat_bounds_product_rows_upper(&c), 48);
}

/*
 * 4 numbers and 4 roots, a page each, K = 2: 15 nodes.  A pair changes places.
 * The passes touch 4 + 2 + 1 nodes of numbers, and of roots 1, and 2 + 1.
 */
static void test_fft_by_hand(void) {
  struct vat_bounds_case c = {.n = 4, .tree = {1, 4, 3}, .nodes = 4};
  CU_ASSERT_EQUAL(vat_bounds_fft_lower(&c), (8 - 4) + (10 - 4));
  CU_ASSERT_EQUAL(vat_bounds_fft_upper(&c), 2 * (4 + 5 * 4) * 4);
  c.nodes = 12; /* the exchange, and each of four butterflies */
  CU_ASSERT_EQUAL(vat_bounds_fft_upper(&c), 1 + 2 * 3 + 4 * 3 * 3);
  c.nodes = 15;
  CU_ASSERT_EQUAL(vat_bounds_fft_upper(&c), 15);
}

/*
 * 64 numbers of a page each, K = 2, W = 8.  Of the exchanges, runs of 8 are
 * best: on 4 layers 8 nodes each, then 4, 2, 1, and 1/2 for the root, of which
 * 1/8 is left out; less 4 + 1 + 1/2 + 1/4 + 1/8, and W.  The passes touch 127
 * nodes of numbers and 1, 3, ... 63 of roots; the last three cost more by
 * blocks, of 31 + 15, 63 + 31 and 127 + 63 nodes.
 */
static void test_exchanges_by_hand(void) {
  const struct vat_bounds_case c = {.n = 64, .tree = {1, 4, 7}, .nodes = 8};
  double most = 4 * 8 + 4 + 2 + 1 + 0.5, less = 4 + 1 + 0.5 + 0.25 + 0.125 + 8;
  double first = most * 7 / 8 - less;
  double passes = (120 + 122 + 126) + 4 * (31 + 15 - 8) + 2 * (63 + 31 - 8) +
                  (127 + 63 - 8);
  CU_ASSERT_DOUBLE_EQUAL(vat_bounds_fft_lower(&c),
                         8 * first * first / (2 * most) + passes, 1e-9);
}

/*
 * 32 numbers on a page, and so are the answer and the roots of the whole; K =
 * 2: 4 + 2 + 1 nodes.  W = 6 holds all but one of them: two transposes of 2
 * pages and 2 nodes above, one of 3 pages, and twice the small transforms, with
 * a page of roots; and the root.
 */
static void test_split_by_hand(void) {
  struct vat_bounds_case c = {.n = 32, .tree = {1, 9, 2}, .nodes = 6};
  CU_ASSERT_EQUAL(vat_bounds_fft_split_lower(&c), 2 + 1 + 1 + 1);
  CU_ASSERT_EQUAL(vat_bounds_fft_split_upper(&c),
                  2 * (2 + 2) + (3 + 2) + 2 * (3 + 2) + 1);
  c.nodes = 7;
  CU_ASSERT_EQUAL(vat_bounds_fft_split_upper(&c), 7);
}

/*
 * 17 keys and as many words behind them, then a funnel of 40: 10 pages of 8
 * words, K = 2, so that 10 + 5 + 3 + 2 + 1 nodes are above.  A merger and its
 * three streams are on all nodes but 5 leaves of them, 16; so W = 16 leaves
 * room for one that is new.  Two rows of mergers: the root is asked twice, and
 * the others 17 / 8 + 2 times.
 */
static void test_funnel_by_hand(void) {
  struct vat_bounds_case c = {.n = 17, .tree = {1, 6, 4}, .nodes = 16};
  double visits = 2 + 17 / 8.0 + 2, streamed = 0;
  for (int span = 8; span <= 64; span *= 2)
    streamed += 2 * (2 * 17.0 / span + visits) + 4;
  double merge = (2 * visits + streamed) * 15 + streamed;
  double build = 6 + 4 + 3 + 2, pair_of_segments = 6 + 4 + 3 + 2;
  CU_ASSERT_DOUBLE_EQUAL(vat_bounds_funnel_upper(&c),
                         1 + 2 * pair_of_segments + merge + build, 1e-9);
  CU_ASSERT_EQUAL(vat_bounds_funnel_lower(&c), 5 + 3 + 2 + 1 + 1);
  c.nodes = 15;
  CU_ASSERT(isinf(vat_bounds_funnel_upper(&c)));
  c.nodes = 21;
  CU_ASSERT_EQUAL(vat_bounds_funnel_upper(&c), 10 + 5 + 3 + 2 + 1);
}

/* Of usual trees, and W from 16 to half a million. */
static bool next_case(struct vat_bounds_case *c) {
  static const struct vat_tree trees[] = {
      {9, 12, 4}, {4, 12, 9}, {9, 21, 3}, {11, 14, 3}, {13, 16, 2}};
  static unsigned tree;
  if (!c->n) *c = (struct vat_bounds_case){.n = 1 << 10}, tree = 0;
  c->nodes = c->nodes ? 4 * c->nodes : 32;
  if (c->nodes > 1 << 20) c->nodes = 32, c->n *= 8;
  if (c->n > UINT64_C(1) << 40) c->n = 1 << 10, tree++;
  if (tree == sizeof trees / sizeof *trees) return false;
  c->tree = trees[tree];
  return true;
}

/* The number of layers of which W holds less than half of the nodes, and the
 * sum of 1 / (P K^i) of all that have several, for so many words. */
static double narrow(const struct vat_bounds_case *c, double words) {
  double count = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    count += vat_bounds_above(c, i, words) > (double)c->nodes / 4;
  return count;
}

/*
 * FFT, with a = W / (d + 1): N (sum of 1 / (P K^i), and 1 / a for each layer
 * that is not held) for a transpose, and log N / log (a P) as much.
 */
static void test_growth_of_the_split_fft(void) {
  double worst = 0;
  for (struct vat_bounds_case c = {0}; next_case(&c);) {
    double n = (double)c.n, words = 8 * n;
    double a = (double)c.nodes / (c.tree.levels + 1);
    double each = vat_bounds_density(&c, words) + narrow(&c, words) / a;
    double times = fmax(1, log(n) / log(a * vat_bounds_span(&c, 0)));
    double grown = n * each * times + vat_bounds_all(&c, words);
    worst = fmax(worst, vat_bounds_fft_split_upper(&c) / grown);
  }
  CU_ASSERT(worst <= 30);
}

/* Streams of the largest funnel that W holds with a node each, on all layers.
 */
static double streams_held(const struct vat_bounds_case *c) {
  double streams = 1;
  for (double cells = 0; cells <= (double)c->nodes; streams *= 2) {
    cells = 0;
    for (unsigned i = 0; i < c->tree.levels; i++)
      cells += 4 * streams * (1 + 2 * streams / vat_bounds_span(c, i));
  }
  return streams / 2;
}

/*
 * Funnelsort, with s streams of the largest funnel that W holds: its tree is
 * halved to funnels of more than sqrt(s), of which each visit moves s^1.5 keys.
 */
static void test_growth_of_funnelsort(void) {
  double worst = 0;
  for (struct vat_bounds_case c = {0}; next_case(&c);) {
    double n = (double)c.n, words = 3 * n, s = streams_held(&c);
    double each = vat_bounds_density(&c, words) + narrow(&c, words) / s;
    double times = fmax(1, log(n) / log(fmax(2, s)));
    double grown = n * each * times + vat_bounds_all(&c, words);
    double upper = vat_bounds_funnel_upper(&c);
    if (s < 4) continue;
    worst = fmax(worst, upper / grown);
  }
  CU_ASSERT(worst <= 5);
}

static const struct check_test tests[] = {
    {"the product by rows, by hand", test_product_by_hand},
    {"the FFT of radix 2, by hand", test_fft_by_hand},
    {"the exchanges of the FFT, by hand", test_exchanges_by_hand},
    {"the FFT that is split, by hand", test_split_by_hand},
    {"funnelsort, by hand", test_funnel_by_hand},
    {"the FFT grows as its theorem says", test_growth_of_the_split_fft},
    {"funnelsort grows as its theorem says", test_growth_of_funnelsort},
    {0}};

const struct check_suite suite_bounds_oblivious = {
    "bounds of cache-oblivious algorithms", tests, NULL};
