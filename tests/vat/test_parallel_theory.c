/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The theorems of doc/parallel-vat.md on several processors. */
#include "tests/vat/policy_fixture.h"
#include "tests/vat/suites_vat.h"
#include "vat/parallel.h"

enum { LONG = 1 << 13 };

/* A part of a stream. */
struct piece {
  const uint64_t *pages;
  size_t count;
};

static uint64_t nodes_of(const struct vat_tree *tree, struct piece piece) {
  uint64_t nodes = 0;
  for (size_t i = 0; i < piece.count; i++)
    for (unsigned layer = 0; layer <= tree->levels; layer++) {
      uint64_t node = vat_tree_node(tree, piece.pages[i], layer);
      bool met = false;
      for (size_t k = 0; k < i; k++)
        met |= vat_tree_node(tree, piece.pages[k], layer) == node;
      nodes += !met;
    }
  return nodes;
}

/* Misses of a TC that has translated `before` already. */
static uint64_t misses_after(const char *policy, const struct vat_tree *tree,
                             uint64_t nodes, struct piece before,
                             struct piece piece) {
  struct vat_tc *tc = vat_tc_create(vat_policy_find(policy), tree, nodes, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(tc);
  vat_tc_pages(tc, before.pages, before.count);
  uint64_t misses = vat_tc_counts(tc).misses;
  vat_tc_pages(tc, piece.pages, piece.count);
  vat_tc_finish(tc);
  misses = vat_tc_counts(tc).misses - misses;
  vat_tc_destroy(tc);
  return misses;
}

static uint64_t misses_in(const char *policy, const struct vat_tree *tree,
                          uint64_t nodes, struct piece piece) {
  return misses_after(policy, tree, nodes, (struct piece){piece.pages, 0},
                      piece);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Cut t at random; sum over pieces of misses from what other streams have left,
 * and of what the theorem allows them more than the whole. */
static void run_pieces(const char *policy, const struct trace *t,
                       uint64_t nodes, uint64_t *misses, uint64_t *allowed) {
  struct trace other;
  *misses = 0;
  *allowed =
      misses_in(policy, &t->tree, nodes, (struct piece){t->pages, t->count});
  for (size_t at = 0, n; at < t->count; at += n) {
    n = least(1 + below(30), t->count - at);
    struct piece piece = {t->pages + at, n};
    random_trace(&other);
    for (size_t i = 0; i < other.count; i++)
      other.pages[i] &=
          (UINT64_C(1) << vat_tree_page_number_bits(&t->tree)) - 1;
    size_t before = below(2) ? other.count : 0;
    *misses += misses_after(policy, &t->tree, nodes,
                            (struct piece){other.pages, before}, piece);
    if (at) *allowed += least(nodes, nodes_of(&t->tree, piece));
  }
}

static void test_pieces_miss_at_most_their_nodes_more(void) {
  static const char *const policies[] = {"lru", "islru"};
  struct trace t;
  random_state = 321;
  for (unsigned i = 0; i < 4000; i++) {
    const char *policy = policies[i & 1];
    uint64_t misses, allowed;
    random_trace(&t);
    uint64_t nodes = (i & 1 ? t.tree.levels + 1 : 1) + below(24);
    run_pieces(policy, &t, nodes, &misses, &allowed);
    CU_ASSERT(misses <= allowed);
    if (misses > allowed) report(&t, policy, nodes);
  }
}

/* MIN may empty its TC before each piece. */
static void test_dealt_chunks_are_pieces(void) {
  static const char *const policies[] = {"lru", "islru", "min", "ismin"};
  struct trace t;
  random_state = 322;
  for (unsigned i = 0; i < 2000; i++) {
    random_trace(&t);
    struct vat_parallel_options o = {.policy = vat_policy_find(policies[i % 4]),
                                     .tree = t.tree,
                                     .nodes = t.tree.levels + 1 + below(20),
                                     .processors = 1 + (unsigned)below(5),
                                     .chunk = 1 + below(20)};
    uint64_t allowed = misses_in(policies[i % 4], &t.tree, o.nodes,
                                 (struct piece){t.pages, t.count});
    for (size_t at = o.chunk; at < t.count; at += o.chunk) {
      struct piece piece = {t.pages + at, least(o.chunk, t.count - at)};
      allowed += least(o.nodes, nodes_of(&t.tree, piece));
    }
    struct vat_parallel *parallel = vat_parallel_create(&o);
    vat_parallel_addresses(parallel, t.pages, t.count);
    CU_ASSERT_EQUAL(vat_parallel_finish(parallel), 0);
    CU_ASSERT(vat_parallel_counts(parallel).misses <= allowed);
    vat_parallel_destroy(parallel);
  }
}

/* Each piece accesses the same W nodes. */
static void test_w_more_misses_are_needed(void) {
  static const char *const policies[] = {"lru", "islru", "min"};
  static const uint64_t pages[] = {0, 1, 5, 0, 1, 5, 0, 1, 5};
  const struct vat_tree tree = {2, 0, 2};
  for (unsigned i = 0; i < 3; i++) {
    /* The root, two inner nodes, three leaves. */
    CU_ASSERT_EQUAL(misses_in(policies[i], &tree, 6, (struct piece){pages, 9}),
                    6);
    CU_ASSERT_EQUAL(misses_in(policies[i], &tree, 6, (struct piece){pages, 3}),
                    6);
  }
}

/* A FIFO queue that began otherwise never comes to hold the same. */
static void test_fifo_has_no_such_bound(void) {
  static const uint64_t cycle[] = {0, 1, 2, 0, 1, 2};
  static uint64_t pages[LONG];
  const struct vat_tree tree = {2, 0, 1};
  pages[0] = 2, pages[1] = 1, pages[2] = 2;
  for (unsigned rounds = 1; rounds < 1000; rounds *= 10) {
    for (size_t i = 0; i < 6 * rounds; i++) pages[3 + i] = cycle[i % 6];
    uint64_t whole =
        misses_in("fifo", &tree, 3, (struct piece){pages, 3 + 6 * rounds});
    uint64_t parts =
        misses_in("fifo", &tree, 3, (struct piece){pages, 1}) +
        misses_in("fifo", &tree, 3, (struct piece){pages + 1, 2 + 6 * rounds});
    CU_ASSERT(parts >= whole + 4 * rounds);
  }
}

/* A random schedule of two processors; translations are not interrupted. */
static void schedule(struct trace *mixed, struct trace mine[2]) {
  for (unsigned i = 0; i < 2; i++) {
    mine[i].tree = mixed->tree;
    mine[i].count = 0;
  }
  for (size_t i = 0; i < mixed->count; i++) {
    struct trace *to = &mine[below(2)];
    to->pages[to->count++] = mixed->pages[i];
  }
}

static void test_shared_min_against_private_min(void) {
  struct trace t, mine[2];
  random_state = 323;
  for (unsigned i = 0; i < 3000; i++) {
    random_trace(&t);
    schedule(&t, mine);
    uint64_t nodes = 1 + below(16);
    uint64_t private =
        misses_of(&mine[0], "min", nodes) + misses_of(&mine[1], "min", nodes);
    bool good = misses_of(&t, "min", 2 * nodes) <= private &&
                private <= 2 * misses_of(&t, "min", nodes) &&
                misses_of(&t, "lru", 4 * nodes) <= 2 * private;
    CU_ASSERT(good);
    if (!good) report(&t, "shared against private", nodes);
  }
}

/* Processor 0 goes round W - 1 pages, each twice in a row; processor 1 to and
 * fro over W + 1 others. */
static uint64_t rounds(uint64_t w, bool shared) {
  static uint64_t pages[LONG];
  size_t half = LONG / 2;
  for (size_t i = 0; i < half; i++) {
    uint64_t at = i % (2 * (w + 1));
    pages[i] = i / 2 % (w - 1);
    pages[half + i] = w - 1 + (at <= w ? at : 2 * w + 1 - at);
  }
  struct vat_parallel_options o = {.policy = vat_policy_find("lru"),
                                   .tree = {10, 0, 1},
                                   .nodes = shared ? 2 * w : w,
                                   .processors = 2,
                                   .shared = shared};
  struct vat_parallel *parallel = vat_parallel_create(&o);
  vat_parallel_addresses(parallel, pages, LONG);
  CU_ASSERT_EQUAL(vat_parallel_finish(parallel), 0);
  uint64_t misses = vat_parallel_counts(parallel).misses;
  vat_parallel_destroy(parallel);
  return misses;
}

static void test_shared_lru_may_miss_w_times_as_much(void) {
  for (uint64_t w = 16; w <= 64; w *= 2)
    CU_ASSERT(rounds(w, true) * 8 >= rounds(w, false) * w);
}

static void test_private_may_miss_p_times_as_much(void) {
  static uint64_t pages[4 * 500];
  for (size_t i = 0; i < 4 * 500; i++) pages[i] = i % 500;
  struct vat_parallel_options o = {.policy = vat_policy_find("lru"),
                                   .tree = {10, 0, 1},
                                   .nodes = 20,
                                   .processors = 4};
  for (int shared = 0; shared < 2; shared++) {
    o.shared = shared;
    struct vat_parallel *parallel = vat_parallel_create(&o);
    vat_parallel_addresses(parallel, pages, 4 * 500);
    CU_ASSERT_EQUAL(vat_parallel_finish(parallel), 0);
    CU_ASSERT_EQUAL(vat_parallel_counts(parallel).misses,
                    (shared ? 1 : 4) * 501);
    vat_parallel_destroy(parallel);
  }
}

/* Misses of a scan of n keys, of which 2^p are on a page. */
static uint64_t scan(struct vat_parallel_options *o, size_t n) {
  static uint64_t keys[LONG];
  for (size_t i = 0; i < n; i++) keys[i] = i;
  struct vat_parallel *parallel = vat_parallel_create(o);
  vat_parallel_addresses(parallel, keys, n);
  CU_ASSERT_EQUAL(vat_parallel_finish(parallel), 0);
  uint64_t misses = vat_parallel_counts(parallel).misses;
  vat_parallel_destroy(parallel);
  return misses;
}

/* Nodes that the last key of a block and the first of the next have in common,
 * over all blocks. */
static uint64_t common(const struct vat_parallel_options *o, size_t n) {
  size_t block = (n + o->processors - 1) / o->processors;
  uint64_t sum = 0;
  for (size_t key = block; key < n; key += block)
    for (unsigned layer = 0; layer <= o->tree.levels; layer++)
      sum += vat_tree_node(&o->tree, (key - 1) >> o->tree.page_bits, layer) ==
             vat_tree_node(&o->tree, key >> o->tree.page_bits, layer);
  return sum;
}

static void test_scans_by_blocks_and_by_chunks(void) {
  random_state = 324;
  for (unsigned i = 0; i < 500; i++) {
    struct vat_parallel_options o = {
        .policy = vat_policy_find("lru"), .tree = {2, 4, 4}, .processors = 1};
    size_t n = 1 + below(LONG / 2);
    o.nodes = 5 + below(40);
    o.policy = vat_policy_find(below(2) ? "lru" : "islru");
    uint64_t alone = scan(&o, n);
    o.processors = 1 + (unsigned)below(16);
    uint64_t blocks = scan(&o, n);
    CU_ASSERT_EQUAL(blocks, alone + common(&o, n));
    n = (n + 15) / 16 * 16; /* whole pages, which all access */
    o.processors = 1;
    alone = scan(&o, n);
    o.processors = 1u << below(5);
    o.chunk = 1;
    CU_ASSERT_EQUAL(scan(&o, n), o.processors * alone);
    o.shared = true;
    CU_ASSERT_EQUAL(scan(&o, n), alone);
  }
}

static const struct check_test tests[] = {
    {"pieces miss at most their nodes more",
     test_pieces_miss_at_most_their_nodes_more},
    {"dealt chunks are pieces", test_dealt_chunks_are_pieces},
    {"W more misses are needed", test_w_more_misses_are_needed},
    {"FIFO has no such bound", test_fifo_has_no_such_bound},
    {"shared MIN against private MIN", test_shared_min_against_private_min},
    {"shared LRU may miss W / 8 times as much",
     test_shared_lru_may_miss_w_times_as_much},
    {"private TCs may miss p times as much",
     test_private_may_miss_p_times_as_much},
    {"scans by blocks and by chunks", test_scans_by_blocks_and_by_chunks},
    {0}};

const struct check_suite suite_parallel_theory = {.name = "parallel theory",
                                                  .tests = tests};
