/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a guest's pages are: a permutation that is computed, and frames. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "tests/vat/nested_fixture.h"
#include "tests/vat/suites_vat.h"
#include "vat/guest_memory.h"
#include "vat/nested.h"
#include "vat/policy.h"

/* Does each number below `size` come from one number? */
static bool is_bijective(uint64_t size, uint64_t seed) {
  struct permutation order;
  bool *taken = calloc(size, sizeof *taken), good = true;
  vat_permutation_init(&order, size, seed);
  for (uint64_t i = 0; i < size && good; i++) {
    uint64_t to = vat_permutation_at(&order, i);
    good = to < size && !taken[to];
    if (good) taken[to] = true;
  }
  free(taken);
  return good;
}

static void test_it_is_bijective_for_each_size(void) {
  static const uint64_t large[] = {4095, 4096, 4097, 65537, 100003, 1 << 20};
  for (uint64_t size = 1; size <= 600; size++)
    for (uint64_t seed = 0; seed < 3; seed++)
      CU_ASSERT(is_bijective(size, seed));
  for (size_t i = 0; i < sizeof large / sizeof *large; i++)
    CU_ASSERT(is_bijective(large[i], i));
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Sizes that no table holds: numbers that are far apart or side by side go to
 * different numbers, in each eighth of the range about as many. */
static void test_it_is_injective_for_huge_sizes(void) {
  enum { SAMPLES = 1 << 15 };
  static const uint64_t sizes[] = {(UINT64_C(1) << 36) - 5,
                                   (UINT64_C(1) << 47) + 1, UINT64_C(3) << 57,
                                   UINT64_C(1) << 62, (UINT64_C(1) << 63) + 1};
  static uint64_t to[SAMPLES];
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct permutation order;
    unsigned eighths[8] = {0};
    vat_permutation_init(&order, sizes[i], 7 + i);
    for (uint64_t j = 0; j < SAMPLES; j++) {
      uint64_t from = j % 2 ? j : sizes[i] - 1 - j * (sizes[i] / SAMPLES / 2);
      to[j] = vat_permutation_at(&order, from);
      CU_ASSERT_FATAL(to[j] < sizes[i]);
      eighths[to[j] / (sizes[i] / 8 + 1)]++;
    }
    qsort(to, SAMPLES, sizeof *to, compare);
    for (size_t j = 1; j < SAMPLES; j++) CU_ASSERT(to[j - 1] < to[j]);
    /* 4096 expected, with a standard deviation of 60. */
    for (size_t j = 0; j < 8; j++)
      CU_ASSERT(eighths[j] > 4096 - 300 && eighths[j] < 4096 + 300);
  }
}

/* Over 60000 seeds each of the 6 permutations of 3 numbers is drawn about
 * 10000 times: a standard deviation is 91.  The same of where each of 5 goes:
 * 12000, and 98. */
static void test_seeds_give_each_permutation_alike(void) {
  enum { SEEDS = 60000 };
  unsigned of_three[9] = {0}, of_five[5][5] = {{0}};
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct permutation three, five;
    vat_permutation_init(&three, 3, seed);
    vat_permutation_init(&five, 5, seed);
    of_three[3 * vat_permutation_at(&three, 0) +
             vat_permutation_at(&three, 1)]++;
    for (uint64_t i = 0; i < 5; i++) of_five[i][vat_permutation_at(&five, i)]++;
  }
  for (unsigned i = 0; i < 9; i++) {
    unsigned expected = i % 4 ? SEEDS / 6 : 0; /* 0, 4, 8: twice the same */
    CU_ASSERT(of_three[i] >= expected - expected / 20);
    CU_ASSERT(of_three[i] <= expected + expected / 20);
  }
  for (unsigned i = 0; i < 25; i++)
    CU_ASSERT(abs((int)of_five[i / 5][i % 5] - SEEDS / 5) < 400);
}

/* Of n numbers, a random one is n / 3 away from another on average; the
 * standard deviation of the mean of 4096 is 0.4 % of n. */
static void test_it_scatters(void) {
  enum { SIZE = 4096 };
  struct permutation order;
  double moved = 0, apart = 0;
  vat_permutation_init(&order, SIZE, 1);
  for (uint64_t i = 0; i < SIZE; i++) {
    double to = (double)vat_permutation_at(&order, i);
    moved += fabs(to - (double)i);
    apart += fabs(to - (double)vat_permutation_at(&order, (i + 1) % SIZE));
  }
  CU_ASSERT_DOUBLE_EQUAL(moved / SIZE / SIZE, 1.0 / 3, 0.02);
  CU_ASSERT_DOUBLE_EQUAL(apart / SIZE / SIZE, 1.0 / 3, 0.02);
}

/*
 * K = 2, d = 2, P = 16, so that two entries are on a page of tables.  The first
 * address needs a page of each layer, the root's first, and its own.  Page 3
 * has the second entry of layer 1 and the fourth of the leaves: of these pages
 * only the leaves' second one is new.  Page 2 is beside both.
 */
static void test_frames_by_hand(void) {
  const struct vat_tree tree = {1, 4, 2};
  struct guest_memory m;
  uint64_t at[8];
  CU_ASSERT_EQUAL_FATAL(vat_guest_memory_init(&m, &tree, 8 * 16 + 15, 5), 0);
  CU_ASSERT_EQUAL(m.order.size, 8);
  for (uint64_t i = 0; i < 8; i++) at[i] = 16 * vat_permutation_at(&m.order, i);
  CU_ASSERT_EQUAL(vat_guest_memory_provide(&m, 0), 0);
  CU_ASSERT_EQUAL(vat_guest_memory_provide(&m, 3), 0);
  CU_ASSERT_EQUAL(vat_guest_memory_provide(&m, 0), 0);
  CU_ASSERT_EQUAL(m.used, 6);
  CU_ASSERT_EQUAL(vat_guest_memory_provide(&m, 2), 0);
  CU_ASSERT_EQUAL(m.used, 7);
  CU_ASSERT_EQUAL(guest_memory_node(&m, 0, 2), at[0]);
  CU_ASSERT_EQUAL(guest_memory_node(&m, 0, 1), at[1]);
  CU_ASSERT_EQUAL(guest_memory_node(&m, 0, 0), at[2]);
  CU_ASSERT_EQUAL(guest_memory_data(&m, 9), at[3] + 9);
  CU_ASSERT_EQUAL(guest_memory_node(&m, 3, 2), at[0]);
  CU_ASSERT_EQUAL(guest_memory_node(&m, 3, 1), at[1] + 8);
  CU_ASSERT_EQUAL(guest_memory_node(&m, 3, 0), at[4] + 8);
  CU_ASSERT_EQUAL(guest_memory_data(&m, 48), at[5]);
  CU_ASSERT_EQUAL(guest_memory_node(&m, 2, 0), at[4]);
  CU_ASSERT_EQUAL(guest_memory_data(&m, 47), at[6] + 15);
  vat_guest_memory_fini(&m);
}

static struct vat_nested_options machine(uint64_t bytes) {
  return (struct vat_nested_options){.policy = vat_policy_find("lru"),
                                     .guest = {1, 4, 2},
                                     .host = {1, 3, 4},
                                     .guest_nodes = 3,
                                     .host_nodes = 5,
                                     .guest_memory_bytes = bytes,
                                     .table_base = UINT64_MAX};
}

/* In each mode: page 3 needs the sixth frame. */
static void test_a_full_memory_takes_no_more(void) {
  struct vat_nested_options o = machine(5 * 16);
  for (unsigned mode = 0; vat_nested_mode_names[mode]; mode++) {
    o.mode = mode;
    struct vat_nested *nested = vat_nested_create(&o);
    CU_ASSERT_PTR_NOT_NULL_FATAL(nested);
    CU_ASSERT_EQUAL(vat_nested_addresses(nested, (uint64_t[]){0, 15, 48, 0}, 4),
                    -1);
    CU_ASSERT_EQUAL(errno, ENOBUFS);
    CU_ASSERT_EQUAL(vat_nested_guest(nested).translations, 2);
    CU_ASSERT_EQUAL(vat_nested_frames(nested).all, 5);
    CU_ASSERT_EQUAL(vat_nested_frames(nested).used, 5);
    CU_ASSERT_EQUAL(vat_nested_addresses(nested, (uint64_t[]){9}, 1), 0);
    CU_ASSERT_EQUAL(vat_nested_addresses(nested, (uint64_t[]){64}, 1), -1);
    CU_ASSERT_EQUAL(errno, ERANGE); /* beyond the guest's tree */
    vat_nested_destroy(nested);
  }
}

/* The host translates 2^7 bytes. */
static void test_memories_that_cannot_be(void) {
  struct vat_nested_options o = machine(16);
  CU_ASSERT_EQUAL(nested_refusal(&o), 0);
  o = machine(15);
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
  o = machine(128);
  CU_ASSERT_EQUAL(nested_refusal(&o), 0);
  o = machine(129);
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
  o = machine(128);
  o.table_base = 0;
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
  o = machine(128);
  o.guest = (struct vat_tree){4, 4, 15}; /* of 2^64 addresses */
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
  o.guest = (struct vat_tree){4, 6, 14}; /* of 2^62 */
  CU_ASSERT_EQUAL(nested_refusal(&o), 0);
}

enum { PAGES = 512, TC_NODES = 32 };

static int heavier(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* Of PAGES pages one is drawn, each alike: the share of paths that a node is on
 * is its weight.  A TC of W nodes that knows only the past hits, on average, at
 * most the weights of the W heaviest nodes (doc/virtual-machines.md). */
static double floor_of(const struct vat_tree *tree, const uint64_t *pages) {
  static double weights[PAGES * VAT_LAYERS_MAX];
  size_t count = 0;
  double misses = tree->levels + 1;
  for (unsigned layer = 0; layer <= tree->levels; layer++)
    for (size_t i = 0, under; i < PAGES; i++) {
      uint64_t node = vat_tree_node(tree, pages[i], layer);
      bool first = true;
      for (size_t j = under = 0; j < PAGES; j++) {
        bool here = vat_tree_node(tree, pages[j], layer) == node;
        first &= !here || j >= i;
        under += here;
      }
      if (first) weights[count++] = (double)under / PAGES;
    }
  qsort(weights, count, sizeof *weights, heavier);
  for (size_t i = 0; i < TC_NODES; i++) misses -= weights[i];
  return misses;
}

/* Misses of a translation, over 40000 of pages drawn at random. */
static double drawn(const char *policy, const struct vat_tree *tree,
                    const uint64_t *pages) {
  enum { DRAWS = 40000 };
  uint64_t random = 3;
  struct vat_tc *tc =
      vat_tc_create(vat_policy_find(policy), tree, TC_NODES, NULL);
  for (size_t i = 0; i < DRAWS; i++) {
    random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
    CU_ASSERT_FATAL(!vat_tc_pages(tc, &pages[(random >> 33) % PAGES], 1));
  }
  double misses = (double)vat_tc_counts(tc).misses / DRAWS;
  vat_tc_destroy(tc);
  return misses;
}

/* A doubling of the memory is a level and a miss more.  For pages in a row the
 * new level has a node that all paths share, which takes the place of one of
 * weight 1/16 in the TC. */
static void test_random_accesses_miss_the_floor_at_least(void) {
  static uint64_t scattered[PAGES], row[PAGES];
  double before = 0, before_row = 0;
  for (unsigned levels = 11; levels <= 14; levels++) {
    struct vat_tree tree = {1, 0, levels};
    struct permutation order;
    vat_permutation_init(&order, UINT64_C(1) << levels, 1);
    for (uint64_t i = 0; i < PAGES; i++) {
      scattered[i] = vat_permutation_at(&order, i);
      row[i] = i;
    }
    double least = floor_of(&tree, scattered), of_row = floor_of(&tree, row);
    CU_ASSERT(drawn("lru", &tree, scattered) > least - 0.05);
    CU_ASSERT(drawn("islru", &tree, scattered) > least - 0.05);
    CU_ASSERT(drawn("islru", &tree, scattered) < levels + 1);
    if (before > 0) {
      CU_ASSERT_DOUBLE_EQUAL(least - before, 1, 0.05);
      CU_ASSERT_DOUBLE_EQUAL(of_row, before_row, 0.07);
    }
    before = least;
    before_row = of_row;
  }
}

static const struct check_test tests[] = {
    {"it is bijective for each size", test_it_is_bijective_for_each_size},
    {"it is injective for huge sizes", test_it_is_injective_for_huge_sizes},
    {"seeds give each permutation alike",
     test_seeds_give_each_permutation_alike},
    {"it scatters", test_it_scatters},
    {"frames by hand", test_frames_by_hand},
    {"a full memory takes no more", test_a_full_memory_takes_no_more},
    {"memories that cannot be", test_memories_that_cannot_be},
    {"random accesses miss the floor at least",
     test_random_accesses_miss_the_floor_at_least},
    {0}};

const struct check_suite suite_guest_memory = {.name = "guest memory",
                                               .tests = tests};
