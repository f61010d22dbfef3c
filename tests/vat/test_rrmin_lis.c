/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/reference_rr.h"
#include "tests/vat/suites_vat.h"
#include "vat/rrmin.h"

static uint64_t total(const uint64_t *misses) {
  uint64_t sum = 0;
  for (unsigned layer = 0; layer < VAT_LAYERS_MAX; layer++)
    sum += misses[layer];
  return sum;
}

/* Distinct nodes of the whole stream. */
static uint64_t nodes_of(const struct trace *t) {
  uint64_t distinct = 0;
  for (unsigned layer = 0; layer <= t->tree.levels; layer++) {
    for (size_t i = 0, j; i < t->count; i++) {
      uint64_t node = vat_tree_node(&t->tree, t->pages[i], layer);
      for (j = 0; j < i; j++)
        if (vat_tree_node(&t->tree, t->pages[j], layer) == node) break;
      distinct += j == i;
    }
  }
  return distinct;
}

/* Both policies and the reference on one stream; what a test checks of them. */
struct both {
  uint64_t rrmin, lis; /* misses */
  struct reference_rr reference;
  bool equal;
};

static struct both run_both(const struct trace *t, uint64_t nodes) {
  struct vat_tc_counts rrmin = counts_of(t, vat_policy_find("rrmin"), nodes);
  struct vat_tc_counts lis = counts_of(t, vat_policy_find("lis"), nodes);
  struct both both = {.rrmin = rrmin.misses, .lis = lis.misses};
  both.reference = reference_rr(&t->tree, t->pages, t->count, (unsigned)nodes);
  both.equal = !memcmp(rrmin.misses_by_layer, both.reference.rrmin,
                       sizeof rrmin.misses_by_layer) &&
               !memcmp(lis.misses_by_layer, both.reference.lis,
                       sizeof lis.misses_by_layer);
  return both;
}

/* A check of one stream at one W; false: it fails. */
typedef bool check_stream(const struct trace *t, uint64_t nodes);

static bool check_every_w(const struct trace *t, check_stream *check,
                          const char *what) {
  uint64_t most = nodes_of(t) + 2;
  for (uint64_t nodes = t->tree.levels + 1; nodes <= most; nodes++) {
    bool fine = check(t, nodes);
    CU_ASSERT(fine);
    if (fine) continue;
    report(t, what, nodes);
    return false;
  }
  return true;
}

static void on_random_streams(unsigned seed, unsigned streams, size_t most,
                              check_stream *check, const char *what) {
  struct trace t;
  random_state = seed;
  while (streams-- > 0) {
    random_trace(&t);
    if (t.count > most) t.count = most;
    if (!check_every_w(&t, check, what)) return;
  }
}

/* All streams of `length` pages on K = 2 and height d. */
static void on_all_streams(unsigned d, size_t length, check_stream *check,
                           const char *what) {
  for (uint64_t i = 0; i < UINT64_C(1) << d * length; i++) {
    struct trace t = {.tree = {1, 0, d}, .count = length};
    for (size_t at = 0; at < length; at++)
      t.pages[at] = i >> d * at & ((1u << d) - 1);
    if (!check_every_w(&t, check, what)) return;
  }
}

static bool agrees(const struct trace *t, uint64_t nodes) {
  return run_both(t, nodes).equal;
}

static void test_both_agree_with_their_definitions(void) {
  on_random_streams(11, 1000, 16, agrees, "differs");
  on_random_streams(12, 20, PAGES, agrees, "differs");
  on_all_streams(1, 7, agrees, "differs");
  on_all_streams(2, 5, agrees, "differs");
  on_all_streams(3, 3, agrees, "differs");
}

static bool is_in_order(const struct trace *t, uint64_t nodes) {
  uint64_t d = t->tree.levels;
  uint64_t ismin = misses_of(t, "ismin", nodes + d);
  uint64_t min = misses_of(t, "min", nodes);
  struct both both = run_both(t, nodes);
  return ismin <= both.lis && both.lis <= both.rrmin && both.rrmin <= min;
}

/* The proof of Theorem 2.16, step by step. */
static void test_ismin_lis_rrmin_min(void) {
  on_random_streams(13, 200, 24, is_in_order, "out of order");
  on_all_streams(3, 3, is_in_order, "out of order");
}

/* The eager strategy behind LIS is in between, as Lemma 2.7 has it. */
static bool is_no_worse_lazy(const struct trace *t, uint64_t nodes) {
  struct reference_rr r =
      reference_rr(&t->tree, t->pages, t->count, (unsigned)nodes);
  return total(r.lis) <= total(r.eager_lis) &&
         total(r.eager_lis) <= total(r.rrmin) &&
         total(r.min) == misses_of(t, "min", nodes);
}

static void test_lemma_2_7_loses_nothing(void) {
  on_random_streams(14, 200, 24, is_no_worse_lazy, "lazy is worse");
}

static bool is_segment_with_path(const struct trace *t, uint64_t nodes) {
  struct reference_rr r =
      reference_rr(&t->tree, t->pages, t->count, (unsigned)nodes);
  return r.segments && r.path_there && r.invariants;
}

static void test_lis_is_an_initial_segment_after_every_translation(void) {
  on_random_streams(15, 200, 24, is_segment_with_path, "no segment");
}

/* RRMIN's state as vat/rrmin.c has it, after a translation. */
struct watched {
  struct rrmin rrmin;
  bool fine;
};

static bool is_above(const struct rrmin *r, uint64_t high, uint64_t node) {
  while (node && node != high) node = r->min.nodes[node].parent;
  return node == high;
}

/* phi is a bijection from MIN's nodes to the regular cells, always upwards;
 * those are an initial segment of at most W; the leaf just translated is there
 * or in rr; and never is a node in both. */
static int look(void *state) {
  struct watched *w = state;
  const struct rrmin *r = &w->rrmin;
  uint64_t stored = 0;
  for (uint64_t i = 1; i <= r->min.count; i++) {
    const struct rrmin_node *node = &r->nodes[i];
    bool in_min = r->min.nodes[i].slot != 0;
    stored += node->stored;
    w->fine &= in_min == (node->image != 0);
    w->fine &= node->stored == (node->witness != 0);
    if (in_min) w->fine &= r->nodes[node->image].witness == i;
    if (in_min) w->fine &= is_above(r, node->image, i);
    if (node->stored) w->fine &= r->nodes[r->min.nodes[i].parent].stored;
    if (r->rr == i) w->fine &= !node->stored;
  }
  uint64_t leaf = r->min.path[0];
  w->fine &= r->nodes[leaf].stored || r->rr == leaf;
  w->fine &= stored == r->used && stored <= r->min.limit;
  return 0;
}

static bool keeps_its_invariants(const struct trace *t, uint64_t nodes) {
  static const struct vat_tc_options none;
  struct watched w = {.fine = true};
  CU_ASSERT_EQUAL_FATAL(vat_rrmin_init(&w.rrmin, &t->tree, nodes, &none), 0);
  CU_ASSERT_EQUAL(vat_future_add(&w.rrmin.min.future, t->pages, t->count), 0);
  CU_ASSERT_EQUAL(vat_rrmin_replay(&w.rrmin, look, &w), 0);
  vat_rrmin_fini(&w.rrmin);
  return w.fine &&
         reference_rr(&t->tree, t->pages, t->count, (unsigned)nodes).bijection;
}

static void test_rrmin_keeps_its_invariants(void) {
  on_random_streams(16, 200, 24, keeps_its_invariants, "invariants broken");
}

/* The same stream with every page of a run of more than two dropped. */
static bool is_twice_enough(const struct trace *t, uint64_t nodes) {
  struct trace full = {.tree = t->tree};
  for (size_t i = 0; i < t->count; i++)
    for (unsigned times = 1 + (unsigned)below(4); times-- > 0;)
      if (full.count < PAGES) full.pages[full.count++] = t->pages[i];
  struct trace kept = {.tree = t->tree};
  for (size_t i = 0; i < full.count; i++)
    if (i < 2 || full.pages[i] != full.pages[i - 1] ||
        full.pages[i] != full.pages[i - 2])
      kept.pages[kept.count++] = full.pages[i];
  struct both all = run_both(&full, nodes), two = run_both(&kept, nodes);
  return all.equal && two.equal &&
         !memcmp(all.reference.rrmin, two.reference.rrmin,
                 sizeof all.reference.rrmin) &&
         !memcmp(all.reference.lis, two.reference.lis,
                 sizeof all.reference.lis);
}

/* K = 2, d = 2, W = 3: as with MIN, a page repeated is not a page once. */
static void test_a_page_three_times_is_twice_but_not_once(void) {
  on_random_streams(17, 200, 8, is_twice_enough, "three times is not twice");
  struct trace twice = trace_of(1, 2, 5, (uint64_t[]){0, 0, 2, 2, 0});
  struct trace once = trace_of(1, 2, 3, (uint64_t[]){0, 2, 0});
  CU_ASSERT_EQUAL(misses_of(&twice, "rrmin", 3), 7);
  CU_ASSERT_EQUAL(misses_of(&once, "rrmin", 3), 6);
}

/* Misses by layer, leaves first. */
static void expect(const struct trace *t, const char *policy, uint64_t nodes,
                   const uint64_t *by_layer) {
  struct vat_tc_counts counts = counts_of(t, vat_policy_find(policy), nodes);
  for (unsigned layer = 0; layer <= t->tree.levels; layer++)
    CU_ASSERT_EQUAL(counts.misses_by_layer[layer], by_layer[layer]);
}

/*
 * K = 2, d = 3, W = 4, pages 0, 2, 0.  Page 2: MIN evicts (0,0) for (1,1), and
 * (1,1) itself for (0,2), which RRMIN puts into rr; (1,1) is its phi.  Page 0:
 * MIN evicts (0,2) for (0,0), hence RRMIN (1,1).  In LIS that one has a marked
 * descendant, (0,2), the only marked node and the one in rr: case 1 of the
 * source would find nothing to evict, but two marked cells are empty.  Made
 * lazy, LIS with seven cells still has (0,0) then.
 */
static void test_lis_case_1_uses_an_empty_marked_cell(void) {
  struct trace t = trace_of(1, 3, 3, (uint64_t[]){0, 2, 0});
  expect(&t, "min", 4, (uint64_t[]){3, 2, 1, 1});
  expect(&t, "rrmin", 4, (uint64_t[]){3, 2, 1, 1});
  expect(&t, "lis", 4, (uint64_t[]){2, 2, 1, 1});
  struct reference_rr r = reference_rr(&t.tree, t.pages, t.count, 4);
  CU_ASSERT_EQUAL(r.empty_mark, 1);
  CU_ASSERT_EQUAL(r.eager_lis[0], 3);
}

/*
 * K = 2, d = 2, W = 4, pages 2, 0, 2, 0.  The first page 0 ends with (0,0) in
 * rr, where it still is when MIN loads (1,0) for the second.  RRMIN has (1,0),
 * whose witness (0,0) is then moved to a regular cell: five nodes, each loaded
 * once, where MIN loads (1,0) twice.
 */
static void test_a_node_settles_from_rr_without_a_load(void) {
  struct trace t = trace_of(1, 2, 4, (uint64_t[]){2, 0, 2, 0});
  expect(&t, "min", 4, (uint64_t[]){2, 3, 1});
  expect(&t, "rrmin", 4, (uint64_t[]){2, 2, 1});
  expect(&t, "lis", 4, (uint64_t[]){2, 2, 1});
  CU_ASSERT_EQUAL(reference_rr(&t.tree, t.pages, 4, 4).settled, 1);
}

/*
 * K = 2, d = 2, W = 3, pages 2, 1, 2, 0.  Page 1 leaves (0,1) in rr and (1,0)
 * in a regular cell; the second page 2 evicts (1,0) and loads (0,2); page 0
 * loads (1,0) again, which LIS has kept in a marked cell (case 2), and (0,0).
 * Lazy, LIS has also kept (0,2).
 */
static void test_lis_case_2_saves_a_load(void) {
  struct trace t = trace_of(1, 2, 4, (uint64_t[]){2, 1, 2, 0});
  expect(&t, "min", 3, (uint64_t[]){4, 3, 1});
  expect(&t, "rrmin", 3, (uint64_t[]){4, 3, 1});
  expect(&t, "lis", 3, (uint64_t[]){3, 2, 1});
  struct reference_rr r = reference_rr(&t.tree, t.pages, t.count, 3);
  CU_ASSERT_EQUAL(r.eager_lis[0], 4);
  CU_ASSERT_EQUAL(r.eager_lis[1], 2);
}

/*
 * K = 2, d = 4, W = 6: pages 10 and 1 in turn, then 11.  The paths' nodes on
 * layers 3 to 0 be A3..A0 and B3..B0.  The fifth translation leaves MIN with
 * the root, A3, A2, A0, B1 and B0, and phi makes A1, B3 and B2 of the last
 * three.  The sixth then evicts A0 (RRMIN: A1) for B3 (RRMIN,
 * which has B3: B1), and B3 for B2.  Page 11 needs a node on layer 1: MIN
 * evicts B0, whose phi, B2, has B1 below it: that goes, and B2 is now the phi
 * of B1.
 */
static void test_rrmin_evicts_below_the_phi_of_what_min_evicts(void) {
  struct trace t = trace_of(1, 4, 7, (uint64_t[]){10, 1, 10, 1, 10, 1, 11});
  expect(&t, "min", 6, (uint64_t[]){4, 4, 4, 4, 1});
  expect(&t, "rrmin", 6, (uint64_t[]){6, 5, 3, 2, 1});
}

/* MIN and ISMIN never miss more for one node more; LIS can.  K = 2, d = 3,
 * pages 4, 2, 7, 6, 2: of ten nodes, the five regular cells of W = 5 have let
 * go (0,2) by the time that the lazy TC has to evict something for page 6. */
static void test_a_larger_lis_can_miss_more(void) {
  struct trace t = trace_of(1, 3, 5, (uint64_t[]){4, 2, 7, 6, 2});
  CU_ASSERT_EQUAL(misses_of(&t, "lis", 4), 10);
  CU_ASSERT_EQUAL(misses_of(&t, "lis", 5), 11);
}

static void test_a_path_is_the_least(void) {
  struct trace t = trace_of(1, 3, 1, (uint64_t[]){0});
  for (const char *const *name = (const char *const[]){"rrmin", "lis", NULL};
       *name; name++) {
    const struct vat_policy *policy = vat_policy_find(*name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(policy);
    CU_ASSERT_EQUAL(vat_policy_least_nodes(policy, &t.tree), 4);
    CU_ASSERT_PTR_NULL(vat_tc_create(policy, &t.tree, 3, NULL));
    CU_ASSERT_EQUAL(errno, EINVAL);
    expect(&t, *name, 4, (uint64_t[]){1, 1, 1, 1});
    expect(&t, *name, UINT64_MAX, (uint64_t[]){1, 1, 1, 1});
    t.count = 0;
    expect(&t, *name, 4, (uint64_t[]){0, 0, 0, 0});
    t.count = 1;
  }
}

static const struct check_test tests[] = {
    {"both agree with their definitions",
     test_both_agree_with_their_definitions},
    {"ISMIN(W + d) <= LIS <= RRMIN <= MIN(W)", test_ismin_lis_rrmin_min},
    {"Lemma 2.7 loses nothing", test_lemma_2_7_loses_nothing},
    {"LIS is an initial segment after every translation",
     test_lis_is_an_initial_segment_after_every_translation},
    {"RRMIN keeps its invariants", test_rrmin_keeps_its_invariants},
    {"a page three times is a page twice, but not once",
     test_a_page_three_times_is_twice_but_not_once},
    {"LIS case 1 uses an empty marked cell",
     test_lis_case_1_uses_an_empty_marked_cell},
    {"a node settles from rr without a load",
     test_a_node_settles_from_rr_without_a_load},
    {"RRMIN evicts below the phi of what MIN evicts",
     test_rrmin_evicts_below_the_phi_of_what_min_evicts},
    {"LIS case 2 saves a load", test_lis_case_2_saves_a_load},
    {"a larger LIS can miss more", test_a_larger_lis_can_miss_more},
    {"a path is the least", test_a_path_is_the_least},
    {0}};

const struct check_suite suite_rrmin_lis = {.name = "rrmin, lis",
                                            .tests = tests};
