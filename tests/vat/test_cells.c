/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policies that know the cells of a TC: fifo, clock, random and plru. */
#include <string.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"
#include "vat/cells.h"

static const char *const names[] = {"fifo", "clock", "random", "plru"};
enum { NAMES = sizeof names / sizeof *names };

static bool agrees(const struct trace *t, const char *name, uint64_t nodes) {
  uint64_t misses[VAT_LAYERS_MAX] = {0};
  reference_of(name)(&t->tree, t->pages, t->count, (unsigned)nodes, misses);
  struct vat_tc_counts counts = counts_of(t, vat_policy_find(name), nodes);
  bool equal = !memcmp(counts.misses_by_layer, misses, sizeof misses);
  CU_ASSERT(equal);
  if (!equal) report(t, name, nodes);
  return equal;
}

/* All streams of `count` of the pages of a tree. */
static void check_all_streams(unsigned k, unsigned d, size_t count) {
  struct trace t = {.tree = {k, 0, d}, .count = count};
  unsigned bits = k * d;
  for (uint64_t stream = 0; stream < UINT64_C(1) << bits * count; stream++) {
    for (size_t i = 0; i < count; i++)
      t.pages[i] = stream >> bits * i & ((1u << bits) - 1);
    for (uint64_t nodes = 1; nodes <= 7; nodes++)
      for (size_t p = 0; p < NAMES; p++)
        if (!agrees(&t, names[p], nodes)) return;
  }
}

static void test_all_small_streams_agree_with_the_definitions(void) {
  check_all_streams(1, 1, 8);
  check_all_streams(1, 2, 5);
  check_all_streams(1, 3, 3);
}

/* W = 3, d = 1, so that root and leaves share three cells: root R, leaves a, b,
 * c.  Pages a b c b a, hence nodes R a R b R c R b R a.
 * FIFO: R a b load.  c evicts R, R evicts a, b hits, R hits, a evicts b: 6.
 * CLOCK: R a b load, all marked; c clears all three and evicts R, and the hand
 * is at a, b without marks: R evicts a; b hits and is marked; R hits; the hand
 * passes b, and c, marked by its load, and R, clears them, and a evicts b.
 * PLRU: cell 0 is R, on the right of the root of the tree, as cell 0 is node 3;
 * cells 1 and 2, nodes 4 and 5, are on the left.  c evicts what was not
 * accessed last on the left, a; R hits; b hits; R hits; a evicts c: 5. */
static void test_a_case_by_hand(void) {
  struct trace t = trace_of(2, 1, 5, (uint64_t[]){0, 1, 2, 1, 0});
  CU_ASSERT_EQUAL(misses_of(&t, "fifo", 3), 6);
  CU_ASSERT_EQUAL(misses_of(&t, "clock", 3), 6);
  CU_ASSERT_EQUAL(misses_of(&t, "plru", 3), 5);
}

/* Belady's anomaly (Belady, Nelson and Shedler, 1969). */
static void test_larger_caches_can_miss_more_under_fifo(void) {
  struct trace t = trace_of(1, 3, 9, (uint64_t[]){3, 5, 2, 2, 4, 3, 3, 1, 4});
  CU_ASSERT_EQUAL(misses_of(&t, "fifo", 7), 17);
  CU_ASSERT_EQUAL(misses_of(&t, "fifo", 8), 18);
}

/* The root is accessed all the time and yet evicted by the W-th leaf loaded
 * after it: a scan misses it once in W pages, not once. */
static void test_fifo_loses_the_root_once_in_w_loads(void) {
  enum { COUNT = 30000, NODES = 100 };
  struct vat_tree tree = {16, 0, 1};
  struct vat_tc *tc =
      vat_tc_create(vat_policy_find("fifo"), &tree, NODES, NULL);
  for (uint64_t page = 0; page < COUNT; page++)
    CU_ASSERT_EQUAL_FATAL(vat_tc_pages(tc, &page, 1), 0);
  struct vat_tc_counts counts = vat_tc_counts(tc);
  CU_ASSERT_EQUAL(counts.misses_by_layer[0], COUNT);
  CU_ASSERT_EQUAL(counts.misses_by_layer[1], (COUNT - 1) / NODES + 1);
  vat_tc_destroy(tc);
}

/* As Theorem 2.14 has it of LRU: of any nodes in a row of which W are distinct,
 * both miss W at most (Sleator and Tarjan, Communications of the ACM 28(2),
 * 1985). */
static void test_fifo_and_clock_are_at_most_twice_min_of_half(void) {
  struct trace t;
  random_state = 13;
  for (unsigned i = 0; i < 300; i++) {
    random_trace(&t);
    for (uint64_t nodes = 2; nodes < 30; nodes++) {
      uint64_t most = 2 * misses_of(&t, "min", nodes / 2);
      CU_ASSERT(misses_of(&t, "fifo", nodes) <= most);
      CU_ASSERT(misses_of(&t, "clock", nodes) <= most);
    }
  }
}

/* Steps per access, over any beginning of the stream. */
static void test_costs_are_constant_or_logarithmic(void) {
  struct vat_tree tree = {2, 0, 6};
  random_state = 11;
  for (uint64_t nodes = 1; nodes < 300; nodes += 1 + nodes / 3)
    for (size_t p = 0; p < NAMES; p++) {
      uint64_t misses[VAT_LAYERS_MAX] = {0}, accesses = 0, lg = 0, most;
      const struct vat_policy *policy = vat_policy_find(names[p]);
      static const struct vat_tc_options none;
      struct cells *cells = policy->create(&tree, nodes, &none, misses);
      while (UINT64_C(1) << lg < nodes) lg++;
      most = !strcmp(names[p], "clock") ? 2 : 1;
      if (!strcmp(names[p], "plru")) most = 2 * lg;
      for (unsigned i = 0; i < 3000; i++) {
        uint64_t page = i % 5 ? below(1 << 12) : below(4);
        CU_ASSERT_EQUAL_FATAL(policy->translate(cells, &page, 1), 0);
        accesses += tree.levels + 1;
        CU_ASSERT(cells->steps <= most * accesses);
      }
      CU_ASSERT(cells->steps > 0 || nodes == 1);
      policy->destroy(cells);
    }
}

static uint64_t with_seed(uint64_t seed) {
  struct vat_tree tree = {4, 0, 2};
  struct vat_tc_options options = {.seed = seed};
  struct vat_tc *tc =
      vat_tc_create(vat_policy_find("random"), &tree, 40, &options);
  random_state = 12;
  for (unsigned i = 0; i < 5000; i++) {
    uint64_t page = below(256);
    CU_ASSERT_EQUAL_FATAL(vat_tc_pages(tc, &page, 1), 0);
  }
  uint64_t misses = vat_tc_counts(tc).misses;
  vat_tc_destroy(tc);
  return misses;
}

static void test_a_seed_decides_what_random_draws(void) {
  CU_ASSERT_EQUAL(with_seed(1), with_seed(1));
  CU_ASSERT(with_seed(1) != with_seed(2) || with_seed(1) != with_seed(3));
}

/* Chi-square with 15 degrees of freedom is above 37.7 for one seed in a
 * thousand, and below 3.5 for another. */
static void test_random_evicts_all_cells_alike(void) {
  enum { CELLS = 16, COUNT = 32000 };
  struct vat_tree tree = {20, 0, 1};
  static const struct vat_tc_options options = {.seed = 5};
  uint64_t misses[VAT_LAYERS_MAX] = {0}, count[CELLS] = {0};
  const struct vat_policy *policy = vat_policy_find("random");
  struct cells *cells = policy->create(&tree, CELLS, &options, misses);
  double chi = 0;
  for (unsigned i = 0; i < COUNT; i++) count[cells->ops->victim(cells)]++;
  for (unsigned i = 0; i < CELLS; i++) {
    double off = (double)count[i] - COUNT / CELLS;
    chi += off * off / (COUNT / CELLS);
  }
  CU_ASSERT(chi < 37.7 && chi > 3.5);
  policy->destroy(cells);
}

static const struct check_test tests[] = {
    {"all small streams agree with the definitions",
     test_all_small_streams_agree_with_the_definitions},
    {"a case by hand", test_a_case_by_hand},
    {"larger caches can miss more under fifo",
     test_larger_caches_can_miss_more_under_fifo},
    {"fifo loses the root once in W loads",
     test_fifo_loses_the_root_once_in_w_loads},
    {"fifo and clock miss at most twice what MIN misses with half the nodes",
     test_fifo_and_clock_are_at_most_twice_min_of_half},
    {"costs are constant or logarithmic",
     test_costs_are_constant_or_logarithmic},
    {"a seed decides what random draws", test_a_seed_decides_what_random_draws},
    {"random evicts all cells alike", test_random_evicts_all_cells_alike},
    {0}};

const struct check_suite suite_cells = {.name = "cells", .tests = tests};
