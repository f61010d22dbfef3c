/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"
#include "vat/layout.h"
#include "vat/lazy_tc.h"
#include "vat/policy.h"

enum { MOST = 200000 };

static uint64_t state, addresses[MOST], pages[MOST];

static uint64_t below(uint64_t m) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (state >> 33) % m;
}

/* What all of a stream missed by layer, as reported for each access. */
struct told {
  uint64_t misses[LAZY_TC_TREES][VAT_LAYERS_MAX];
};

static struct told *counting;

static void count(const struct lazy_tcs *tcs, unsigned deferred) {
  for (unsigned i = 0; i < deferred; i++)
    for (unsigned t = 0; t < tcs->trees; t++)
      for (unsigned layer = 0; layer < tcs->missed[i][t]; layer++)
        counting->misses[t][layer]++;
}

static void run(struct lazy_tcs *tcs, size_t length, struct told *told) {
  memset(told, 0, sizeof *told);
  counting = told;
  tcs->looked_up = count;
  for (size_t i = 0; i < length; i++) {
    uint64_t random = i * UINT64_C(0x9e3779b97f4a7c15);
    lazy_tcs_access(tcs, addresses[i], i + 1, NULL, NULL);
    if (i & 1024 && random >> 60 == 0) vat_lazy_tcs_look_up(tcs);
  }
  vat_lazy_tcs_look_up(tcs);
}

static const char *const names[] = {
    [LAZY_TC_ISLRU] = "islru", [LAZY_TC_LRU] = "lru"};

static struct lazy_tcs *make(const struct vat_tree *trees,
                             const unsigned *nodes, unsigned count,
                             enum lazy_tc_policy policy) {
  struct lazy_tcs *tcs = malloc(sizeof *tcs);
  vat_lazy_tcs_init(tcs);
  for (unsigned t = 0; t < count; t++)
    vat_lazy_tcs_add(tcs, &trees[t], nodes[t], policy,
                     malloc(vat_lazy_tc_bytes(nodes[t])));
  return tcs;
}

static void destroy(struct lazy_tcs *tcs) {
  for (unsigned t = 0; t < tcs->trees; t++) free(tcs->tc[t].nodes);
  free(tcs);
}

/* By hand: a binary tree of three layers, pages of 16 bytes, W = 4.  Page 0
 * misses three nodes; page 3 two, for which leaf 0 goes; page 1 its leaf, for
 * which leaf 3 goes, and page 0 its leaf, for which goes the inner node above
 * leaf 3; so that at last page 3 misses two. */
static void test_by_hand(void) {
  static const uint64_t stream[] = {5, 15, 48, 16, 0, 48};
  static const uint64_t expected[] = {5, 3, 1};
  const struct vat_tree tree = {1, 4, 2};
  const unsigned nodes = 4;
  struct lazy_tcs *tcs = make(&tree, &nodes, 1, LAZY_TC_ISLRU);
  struct told told;
  memcpy(addresses, stream, sizeof stream);
  run(tcs, sizeof stream / sizeof *stream, &told);
  CU_ASSERT(!memcmp(told.misses[0], expected, sizeof expected));
  destroy(tcs);
}

/* Few addresses that come back, and some anywhere. */
static void make_addresses(size_t count, unsigned bits) {
  uint64_t places[8] = {0};
  uint64_t mask = (UINT64_C(1) << bits) - 1;
  for (size_t i = 0; i < count; i++) {
    uint64_t *place = &places[below(8)];
    if (!below(16)) *place = below(UINT64_C(1) << 31) << 16 | below(1 << 16);
    *place += below(64);
    if (below(4)) *place ^= below(1 + (mask >> below(bits)));
    addresses[i] = *place & mask;
  }
}

static bool agree(const struct lazy_tcs *tcs, unsigned t, size_t count,
                  const struct told *told) {
  const struct lazy_tc *tc = &tcs->tc[t];
  uint64_t misses[VAT_LAYERS_MAX] = {0};
  for (size_t i = 0; i < count; i++)
    pages[i] = addresses[i] >> tc->tree.page_bits;
  reference_of(names[tc->policy])(&tc->tree, pages, count, tc->limit, misses);
  return !memcmp(misses, told->misses[t], sizeof misses);
}

/* Make the others' pages inner nodes of the first tree. */
static void nest(struct vat_tree *trees, unsigned *nodes, unsigned count) {
  for (unsigned t = 1; t < count; t++) {
    unsigned lift = (unsigned)below(trees[0].levels);
    trees[t] = trees[0];
    trees[t].levels -= lift;
    trees[t].page_bits += lift * trees[t].index_bits;
    nodes[t] = trees[0].levels + 1 + (unsigned)below(40);
    if (below(2) && nodes[t] < nodes[t - 1]) nodes[t] = nodes[t - 1];
  }
}

static void test_small_trees_agree_with_the_definition(void) {
  for (unsigned seed = 1; seed <= 1500; seed++) {
    state = seed;
    struct vat_tree trees[3];
    unsigned nodes[3], bits = 4 + (unsigned)below(11), count = 1 + below(3);
    for (unsigned t = 0; t < count; t++) {
      trees[t].page_bits = (unsigned)below(bits - 2);
      trees[t].index_bits = 1 + (unsigned)below(4);
      trees[t].levels = (bits - trees[t].page_bits) / trees[t].index_bits + 1;
      nodes[t] = trees[t].levels + 1 + (unsigned)below(40);
    }
    if (seed & 2) nest(trees, nodes, count);
    struct lazy_tcs *tcs =
        make(trees, nodes, count, seed & 1 ? LAZY_TC_LRU : LAZY_TC_ISLRU);
    struct told told;
    make_addresses(500, bits);
    run(tcs, 500, &told);
    for (unsigned t = 0; t < count; t++)
      if (!agree(tcs, t, 500, &told)) {
        printf("\nseed %u, tree %u\n", seed, t);
        CU_FAIL_FATAL("misses differ");
      }
    destroy(tcs);
  }
  CU_PASS("they are the same");
}

/* As the definition takes too long. */
static bool agrees_with_policy(const struct lazy_tcs *tcs, unsigned t,
                               size_t count, const struct told *told) {
  const struct lazy_tc *tc = &tcs->tc[t];
  struct vat_tc *other = vat_tc_create(vat_policy_find(names[tc->policy]),
                                       &tc->tree, tc->limit, NULL);
  bool same = !vat_tc_addresses(other, addresses, count);
  struct vat_tc_counts counts = vat_tc_counts(other);
  vat_tc_destroy(other);
  if (same)
    same = !memcmp(counts.misses_by_layer, told->misses[t],
                   sizeof counts.misses_by_layer);
  if (!same) printf("\n%u nodes, tree %u: misses differ\n", tc->limit, t);
  return same;
}

static void test_real_trees_agree_with_the_policy(void) {
  const struct vat_tree trees[] = {{9, 12, 4}, {9, 21, 3}, {9, 30, 2}};
  static const unsigned nodes[][3] = {
      {1536, 1536, 1536}, {64, 16, 6}, {700, 300, 40}};
  for (unsigned i = 0; i < 12; i++) {
    struct told told, again;
    struct lazy_tcs *tcs =
        make(trees, nodes[i % 3], 3, i & 1 ? LAZY_TC_LRU : LAZY_TC_ISLRU);
    state = 100 + i;
    make_addresses(MOST, 22 + 2 * i);
    run(tcs, MOST, &told);
    for (unsigned t = 0; t < 3; t++)
      CU_ASSERT(agrees_with_policy(tcs, t, MOST, &told));
    vat_lazy_tcs_clear(tcs);
    run(tcs, MOST, &again);
    CU_ASSERT(!memcmp(&told, &again, sizeof told));
    destroy(tcs);
  }
}

/* Random pages with a sequential part, small and large, with the numbers of
 * nodes around which accesses begin to be deferred and few batches are kept.
 * Queues are made often, while deferred accesses have replaced entries of the
 * table; and pages are accessed that were skipped. */
static void make_skipped_pages(unsigned seed, size_t count) {
  uint64_t next = 1 << 20;
  state = seed;
  uint64_t places = 100 + below(3000), hot = 1 + below(300);
  for (size_t i = 0; i < count; i++) {
    uint64_t kind = below(16), page = below(kind < 9 ? places : hot);
    if (kind < 4) page = next++ / 2;
    if (kind == 9) page = below(9) << 18;
    addresses[i] = page << (below(2) ? 12 : 21) | below(4096);
  }
}

static void test_accesses_may_be_deferred_with_any_number_of_nodes(void) {
  enum { COUNT = 7000 };
  const struct vat_tree trees[] = {{9, 12, 4}, {9, 21, 3}};
  for (unsigned number = 600; number <= 1000; number++) {
    const unsigned nodes[] = {number, number};
    make_skipped_pages(number, COUNT);
    for (enum lazy_tc_policy policy = LAZY_TC_ISLRU; policy <= LAZY_TC_LRU;
         policy++) {
      struct lazy_tcs *tcs = make(trees, nodes, 2, policy);
      struct told told;
      run(tcs, COUNT, &told);
      for (unsigned t = 0; t < 2; t++)
        CU_ASSERT_FATAL(agrees_with_policy(tcs, t, COUNT, &told));
      destroy(tcs);
    }
  }
}

/* --- pages of several sizes --- */

static const struct vat_tree base_tree = {9, 12, 4};
static const struct vat_layout_range mixed_ranges[] = {
    {3 << 20, 19 << 20, 21},  /* seven whole pages */
    {32 << 20, 33 << 20, 16}, /* neighbouring leaves of layer 0 */
    {40 << 20, 44 << 20, 12}, /* as the rest */
    {1 << 30, UINT64_C(3) << 30, 30},
    {UINT64_C(1) << 40, UINT64_C(1) << 44, 21}};
static struct vat_layout *layout;
static uint64_t mixed_misses[VAT_LAYERS_MAX];

static struct lazy_page page_by_layout(uint64_t address) {
  unsigned bits = vat_layout_page_bits(layout, address);
  uint64_t first = address >> bits << bits;
  return (struct lazy_page){first >> 12, bits - 12, (bits - 12) / 9};
}

static void count_mixed(const struct lazy_tcs *tcs, unsigned deferred) {
  unsigned last = tcs->trees - 1;
  for (unsigned i = 0; i < deferred; i++) {
    struct lazy_page of = page_by_layout(tcs->deferred[i].address);
    uint8_t missed = tcs->missed[i][last];
    bool large = missed & LAZY_TC_LARGE;
    if (missed) CU_ASSERT_FATAL(large == (of.digits > 0));
    for (unsigned n = 0; n < (missed & ~LAZY_TC_LARGE); n++)
      mixed_misses[of.leaf + n]++;
  }
}

static void run_mixed(struct lazy_tcs *tcs, size_t count) {
  memset(mixed_misses, 0, sizeof mixed_misses);
  tcs->looked_up = count_mixed;
  for (size_t i = 0; i < count; i++) {
    lazy_tcs_access(tcs, addresses[i], i + 1, NULL, NULL);
    if (i % 1000 == 999) { /* what changes nothing */
      vat_lazy_tcs_look_up(tcs);
      vat_lazy_tcs_forget(tcs, addresses[i - 500], addresses[i - 500] + 9999);
    }
  }
  vat_lazy_tcs_look_up(tcs);
}

static void mixed_tc_agrees(enum lazy_tc_policy policy, unsigned nodes,
                            size_t count) {
  struct lazy_mixed mixed = {.page_of = page_by_layout};
  struct lazy_tcs *tcs = make(&base_tree, &nodes, 1, policy);
  vat_lazy_tcs_add_mixed(tcs, &base_tree, nodes, policy, &mixed,
                         malloc(vat_lazy_tc_bytes(nodes)));
  run_mixed(tcs, count);
  const struct vat_tc_options options = {.layout = layout};
  struct vat_tc *other = vat_tc_create(vat_policy_find(names[policy]),
                                       &base_tree, nodes, &options);
  CU_ASSERT_FATAL(!vat_tc_addresses(other, addresses, count));
  struct vat_tc_counts counts = vat_tc_counts(other);
  vat_tc_destroy(other);
  destroy(tcs);
  if (!memcmp(counts.misses_by_layer, mixed_misses, sizeof mixed_misses))
    return;
  printf("\n%s, %u nodes: misses differ\n", names[policy], nodes);
  CU_FAIL_FATAL("mixed");
}

static void with_layout(void (*act)(enum lazy_tc_policy, unsigned, size_t)) {
  enum { COUNT = 20000 };
  layout = vat_layout_create(&base_tree, mixed_ranges,
                             sizeof mixed_ranges / sizeof *mixed_ranges, 12);
  for (unsigned i = 0; i < 80; i++) {
    if (i & 1) {
      make_skipped_pages(i, COUNT);
    } else {
      state = i;
      make_addresses(COUNT, 22 + i / 4);
    }
    act(i & 2 ? LAZY_TC_LRU : LAZY_TC_ISLRU, 6 + 13 * i, COUNT);
  }
  vat_layout_destroy(layout);
}

static void test_mixed_pages_agree_with_the_policy(void) {
  with_layout(mixed_tc_agrees);
  CU_PASS("they are the same");
}

/* A layout of nothing but 2 MiB is the tree of these, its layers one higher. */
static void test_mixed_pages_of_one_size(void) {
  const struct vat_tree large_tree = {9, 21, 3};
  const unsigned nodes = 300;
  struct lazy_mixed mixed = {.page_of = page_by_layout};
  layout = vat_layout_create(&base_tree, NULL, 0, 21);
  for (enum lazy_tc_policy policy = LAZY_TC_ISLRU; policy <= LAZY_TC_LRU;
       policy++) {
    struct lazy_tcs *tcs = make(&large_tree, &nodes, 1, policy);
    struct told told;
    make_skipped_pages(7, 20000);
    run(tcs, 20000, &told);
    destroy(tcs);
    tcs = make(&base_tree, &nodes, 1, policy);
    vat_lazy_tcs_add_mixed(tcs, &base_tree, nodes, policy, &mixed,
                           malloc(vat_lazy_tc_bytes(nodes)));
    run_mixed(tcs, 20000);
    destroy(tcs);
    CU_ASSERT_EQUAL(mixed_misses[0], 0);
    CU_ASSERT(!memcmp(mixed_misses + 1, told.misses[0],
                      sizeof mixed_misses - sizeof *mixed_misses));
  }
  vat_layout_destroy(layout);
}

static void mixed_tlb_agrees(enum lazy_tc_policy unused, unsigned seed,
                             size_t count) {
  const struct mixed_tlb_shape shape = {
      .all = {{{64, 4}, {1 << seed % 8, 1}}, {32, 4}}};
  size_t bytes = vat_mixed_tlb_bytes(&shape, &base_tree);
  struct lazy_mixed mixed = {.page_of = page_by_layout};
  struct lazy_tcs *tcs = malloc(sizeof *tcs);
  struct mixed_tlb tlb;
  uint64_t misses[VAT_LAYERS_MAX] = {0};
  (void)unused;
  vat_lazy_tcs_init(tcs);
  vat_lazy_tcs_add_mixed_tlb(tcs, &base_tree, &shape, &mixed, malloc(bytes));
  run_mixed(tcs, count);
  destroy(tcs);
  void *memory = malloc(bytes);
  vat_mixed_tlb_init(&tlb, &shape, &base_tree, memory);
  for (size_t i = 0; i < count; i++) {
    struct lazy_page of = page_by_layout(addresses[i]);
    unsigned read = vat_mixed_tlb_access(&tlb, of.page, of.digits, of.leaf);
    while (read > 0) misses[of.leaf + --read]++;
  }
  free(memory);
  CU_ASSERT_FATAL(!memcmp(misses, mixed_misses, sizeof misses));
}

static void test_mixed_tlbs_agree(void) {
  with_layout(mixed_tlb_agrees);
  CU_PASS("they are the same");
}

static const struct check_test tests[] = {
    {"a short stream by hand", test_by_hand},
    {"small trees agree with the definition",
     test_small_trees_agree_with_the_definition},
    {"real trees agree with the policy, also when cleared",
     test_real_trees_agree_with_the_policy},
    {"accesses may be deferred with any number of nodes",
     test_accesses_may_be_deferred_with_any_number_of_nodes},
    {"pages of several sizes agree with the policy",
     test_mixed_pages_agree_with_the_policy},
    {"if all are large, with the tree of these", test_mixed_pages_of_one_size},
    {"and with TLBs for them", test_mixed_tlbs_agree},
    {NULL, NULL}};

const struct check_suite suite_lazy_tc = {"lazy TCs", tests, NULL};
