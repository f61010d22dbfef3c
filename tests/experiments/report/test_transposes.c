/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.7 in the model (Jurkiewicz, PhD thesis, section 2.6.2): what the
 * transpose by rows misses grows in jumps, a factor K of n apart, and the
 * recursive layout's stays level. */
#include <config.h>
#include <inttypes.h>
#include <math.h>

#include "tests/check.h"
#include "tests/experiments/stream/stream_fixture.h"
#include "tests/experiments/suites.h"

#ifdef HAVE_STREAMS
static uint64_t misses(const char *algo, uint64_t n, unsigned index_bits,
                       unsigned page_bits, uint64_t nodes) {
  const struct stream_case c = {algo,    n,          1,         0,
                                "islru", index_bits, page_bits, nodes};
  return stream_case_counts(&c).misses;
}

static double per_element(const char *algo, uint64_t n, unsigned index_bits,
                          uint64_t nodes) {
  return (double)misses(algo, n, index_bits, 9, nodes) / (double)(n * n);
}

struct bounds {
  uint64_t low, high;
};

/*
 * The writes of column `j` of the transpose of n x n doubles go to one element
 * in each row.  A node of the tree above r of these rows is missed at most
 * once: between two of its accesses lie one read and one write, two paths.  And
 * it is missed, since since the column before the leaves of all other rows were
 * accessed, if n - r > W.  This takes leaves of one row each.
 */
static void add_column(struct bounds *bounds, uint64_t n, uint64_t j,
                       unsigned shift, uint64_t nodes) {
  for (uint64_t i = 0, end; i < n; i = end) {
    uint64_t node = 8 * (n * n + i * n + j) >> shift;
    for (end = i; end < n; end++)
      if (8 * (n * n + end * n + j) >> shift != node) break;
    bounds->high++;
    bounds->low += n - (end - i) > nodes;
  }
}

/* And the reads are a scan. */
static struct bounds bounds_of(uint64_t n, const struct vat_tree *tree,
                               uint64_t nodes) {
  struct bounds bounds = {0, 0};
  for (unsigned layer = 0; layer <= tree->levels; layer++) {
    unsigned shift = tree->page_bits + layer * tree->index_bits;
    for (uint64_t j = 0; j < n; j++) add_column(&bounds, n, j, shift, nodes);
    bounds.high += ((8 * n * n - 1) >> shift) + 1;
  }
  return bounds;
}

static void test_rows_cost_what_each_layer_adds(void) {
  static const unsigned sizes[] = {65, 80, 100, 128, 130, 200};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (unsigned k = 2; k <= 6; k++)
      for (unsigned p = 6; p <= 9; p++) {
        const struct stream_case c = {"transpose_rows", sizes[i], 1, 0,
                                      "islru",          k,        p, 40};
        struct vat_tree tree = stream_case_tree(&c);
        struct bounds bounds = bounds_of(c.n, &tree, c.nodes);
        uint64_t count = stream_case_counts(&c).misses;
        bool within = bounds.low <= count && count <= bounds.high;
        if (!within)
          printf("\nn=%u k=%u p=%u: %" PRIu64 " not in [%" PRIu64 ", %" PRIu64
                 "]\n",
                 sizes[i], k, p, count, bounds.low, bounds.high);
        CU_ASSERT(within);
        CU_ASSERT(bounds.low > c.n * (c.n - 1)); /* the leaves, and more */
      }
}

/* P = 64 doubles, K = 16, W = 32: 32 rows of 32 doubles are 16 pages, and fit;
 * 64 rows of 64 do not; 1024 of 1024 have a parent each. */
static void test_rows_grow_in_jumps_with_n(void) {
  CU_ASSERT(per_element("transpose_rows", 32, 4, 32) < 0.05);
  for (uint64_t n = 64; n <= 256; n += 64) {
    double ramp = 1 + (double)n / 1024;
    CU_ASSERT(per_element("transpose_rows", n, 4, 32) > ramp);
    CU_ASSERT(per_element("transpose_rows", n, 4, 32) < ramp + 0.1);
  }
  CU_ASSERT(per_element("transpose_rows", 1030, 4, 32) > 2);
  CU_ASSERT(per_element("transpose_rows", 1030, 4, 32) < 2.1);
}

/* The sizes are those of the test above. */
static void test_the_recursive_layout_stays_level(void) {
  double compulsory = 2.0 / 64;
  for (uint64_t n = 64; n <= 1024; n *= 2) {
    double morton = per_element("transpose_morton", n, 4, 32);
    double halves = per_element("transpose_recursive", n, 4, 32);
    double rows = per_element("transpose_rows", n, 4, 32);
    CU_ASSERT(morton >= compulsory && morton < 1.3 * compulsory);
    CU_ASSERT(morton < halves && halves < rows / 4);
  }
}

/* A row of n doubles is n / 64 pages, and n / (64 K^i) nodes of layer i: one
 * that is longer than a node's span meets another for each element, a shorter
 * one shares it, until all rows but W do. */
static double layers_added(double n, unsigned index_bits, double nodes) {
  double sum = 0;
  for (double span = 64; span / n < n - nodes; span *= 1 << index_bits)
    sum += fmin(1, n / span);
  return sum;
}

/* 5.0 nodes an element for K = 2, 1.3 for K = 32. */
static void test_rows_grow_in_jumps_with_k(void) {
  for (unsigned k = 1; k <= 6; k++) {
    double rows = per_element("transpose_rows", 600, k, 64);
    double added = layers_added(600, k, 64);
    if (fabs(rows - added) > 0.1) printf("\nk=%u: %g, %g\n", k, rows, added);
    CU_ASSERT(fabs(rows - added) <= 0.1);
    CU_ASSERT(per_element("transpose_morton", 600, k, 64) < 0.09);
  }
}

/* amd64, 4 KiB: as long as a TC has a leaf for each row, it meets them again
 * in the next column. */
static void test_the_jump_of_a_machine_is_where_n_is_w(void) {
  double before = (double)misses("transpose_rows", 600, 9, 12, 640) / 360000;
  double behind = (double)misses("transpose_rows", 680, 9, 12, 640) / 462400;
  CU_ASSERT(before < 0.02);
  CU_ASSERT(behind > 1 && behind < 1.02);
}

static const char *no_streams(void) { return NULL; }
#else
static const char *no_streams(void) { return "built without address streams"; }
#endif

static const struct check_test tests[] = {
#ifdef HAVE_STREAMS
    {"by rows, it costs what each layer adds",
     test_rows_cost_what_each_layer_adds},
    {"by rows, it grows in jumps with n", test_rows_grow_in_jumps_with_n},
    {"by rows, it grows in jumps with K", test_rows_grow_in_jumps_with_k},
    {"the recursive layout stays level", test_the_recursive_layout_stays_level},
    {"the jump of a machine is where n is W",
     test_the_jump_of_a_machine_is_where_n_is_w},
#endif
    {0}};

const struct check_suite suite_transposes = {"figure 2.7, simulated", tests,
                                             no_streams};
