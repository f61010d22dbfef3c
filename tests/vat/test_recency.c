/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"
#include "vat/recency.h"

static uint64_t state;

static uint64_t below(uint64_t m) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (state >> 33) % m;
}

/* Random keys in a set that is nearly always full, so that chains of several
 * come and go: what was loaded is found where it was put, what was evicted is
 * not found. */
static void test_a_set_finds_what_it_holds(void) {
  enum { KEYS = 4096, LIMIT = 1000 };
  static uint64_t key_of[KEYS];
  static uint32_t slot_of[KEYS], held_in[LIMIT + 1];
  struct node_set set;
  state = 1;
  CU_ASSERT_EQUAL_FATAL(vat_node_set_init(&set, LIMIT), 0);
  memset(slot_of, 0, sizeof slot_of);
  for (unsigned i = 0; i < KEYS; i++)
    key_of[i] = (below(UINT64_C(1) << 31) << 29 | i) << 4;
  for (unsigned i = 0; i < 200000; i++) {
    uint32_t n = (uint32_t)below(KEYS);
    uint32_t slot = node_set_find(&set, key_of[n], node_hash(key_of[n]));
    CU_ASSERT_EQUAL_FATAL(slot, slot_of[n]);
    CU_ASSERT_EQUAL_FATAL(vat_node_set_grow(&set, 1), 0);
    if (slot) {
      node_set_unlink(&set, slot);
    } else {
      bool full = set.used == LIMIT;
      slot = node_set_load(&set, key_of[n], node_hash(key_of[n]));
      CU_ASSERT_FATAL(slot >= 1 && slot <= LIMIT);
      if (full) slot_of[held_in[slot]] = 0;
      slot_of[n] = slot;
      held_in[slot] = n;
    }
    node_set_push(&set, slot);
  }
  vat_node_set_fini(&set);
}

/* With so many nodes the walk fetches ahead. */
static void test_large_caches_agree_with_the_definition(void) {
  enum { COUNT = 15000, FRESH = 13500 };
  static uint64_t pages[COUNT];
  static const char *const policies[] = {"lru", "islru"};
  struct vat_tree tree = {6, 0, 3};
  state = 2;
  for (size_t i = 0; i < COUNT; i++)
    pages[i] =
        i < FRESH || below(2) ? below(UINT64_C(1) << 18) : pages[below(i)];
  for (size_t p = 0; p < 2; p++)
    for (unsigned nodes = RECENCY_FAR - 1; nodes <= RECENCY_FAR; nodes++) {
      uint64_t misses[VAT_LAYERS_MAX] = {0};
      reference_of(policies[p])(&tree, pages, COUNT, nodes, misses);
      struct vat_tc *tc =
          vat_tc_create(vat_policy_find(policies[p]), &tree, nodes, NULL);
      CU_ASSERT_EQUAL_FATAL(vat_tc_pages(tc, pages, COUNT), 0);
      struct vat_tc_counts counts = vat_tc_counts(tc);
      CU_ASSERT(counts.misses > nodes); /* it evicts */
      CU_ASSERT(!memcmp(counts.misses_by_layer, misses, sizeof misses));
      vat_tc_destroy(tc);
    }
}

enum { IN_TURNS = 400 };

/* Pages that mostly come back to one of the last two, the others from few. */
static void make_turns(uint64_t *pages, const struct vat_tree *tree) {
  uint64_t most = UINT64_C(1) << vat_tree_page_number_bits(tree);
  uint64_t from = 2 + below(most < 40 ? most - 1 : 39);
  for (size_t i = 0; i < IN_TURNS; i++) {
    uint64_t back = below(4);
    pages[i] = i > 1 && back < 3 ? pages[i - 1 - back / 2] : below(from);
  }
}

/* Without what is free; how many are left. */
static size_t leave_out(const uint64_t *pages, uint64_t *left) {
  size_t count = 0;
  for (size_t i = 0; i < IN_TURNS; i++) {
    left[count++] = pages[i];
    bool changed = true;
    while (changed) {
      changed = count > 1 && left[count - 1] == left[count - 2];
      count -= changed;
      if (count > 3 && left[count - 1] == left[count - 3] &&
          left[count - 2] == left[count - 4]) {
        count -= 2;
        changed = true;
      }
    }
  }
  return count;
}

static struct vat_tc_counts counts_of(struct vat_tc *tc, const uint64_t *pages,
                                      size_t count) {
  CU_ASSERT_EQUAL(vat_tc_pages(tc, pages, count), 0);
  CU_ASSERT_EQUAL(vat_tc_finish(tc), 0);
  vat_tc_left_out(tc, IN_TURNS - count);
  struct vat_tc_counts counts = vat_tc_counts(tc);
  vat_tc_destroy(tc);
  return counts;
}

/* ... of two paths; and x y x y x is as good as x y x where they are free. */
static void check_turns(unsigned seed, const struct vat_policy *policy) {
  uint64_t pages[IN_TURNS], left[IN_TURNS], misses[VAT_LAYERS_MAX] = {0};
  state = seed;
  struct vat_tree tree = {1 + (unsigned)below(3), 0, 1 + (unsigned)below(5)};
  uint64_t nodes = tree.levels + 1 + below(3 * tree.levels);
  make_turns(pages, &tree);
  reference_of(policy->name)(&tree, pages, IN_TURNS, nodes, misses);
  struct vat_tc *tc = vat_tc_create(policy, &tree, nodes, NULL);
  bool free = vat_tc_free(tc) == VAT_TC_PAIRS_FREE;
  CU_ASSERT_EQUAL(free, nodes >= 2 * (tree.levels + 1));
  struct vat_tc_counts counts = counts_of(tc, pages, IN_TURNS);
  bool same = !memcmp(counts.misses_by_layer, misses, sizeof misses);
  if (free) {
    tc = vat_tc_create(policy, &tree, nodes, NULL);
    counts = counts_of(tc, left, leave_out(pages, left));
    same &= !memcmp(counts.misses_by_layer, misses, sizeof misses) &&
            counts.translations == IN_TURNS;
  }
  if (!same) printf("\n%s, seed %u", policy->name, seed);
  CU_ASSERT(same);
}

static void test_pages_in_turns_agree_with_the_definition(void) {
  for (unsigned seed = 0; seed < 3000; seed++) {
    check_turns(seed, vat_policy_find("lru"));
    check_turns(seed, vat_policy_find("islru"));
  }
}

enum { IN_FOURS = 3000 };

/* A while of pages that mostly come back to one of the last six, a while of
 * others; in blocks of a few pages, so that who translates them changes, too.
 */
static void check_fours(unsigned seed, const struct vat_policy *policy) {
  uint64_t pages[IN_FOURS], misses[VAT_LAYERS_MAX] = {0};
  state = seed;
  struct vat_tree tree = {1 + (unsigned)below(3), 0, 1 + (unsigned)below(4)};
  uint64_t least = 4 * (tree.levels + 1), most = 16;
  uint64_t nodes = least - 1 + below(3) * below(20);
  unsigned bits = vat_tree_page_number_bits(&tree);
  most = bits > 8 ? most + below(200) : recency_least(most, 1U << bits);
  for (size_t i = 0, times = 0; i < IN_FOURS; i++) {
    if (!(i % 1000)) times = 2 + below(10);
    uint64_t ago = 1 + below(6);
    bool back = ago <= i && i % 1000 < 500 && below(times);
    pages[i] = back ? pages[i - ago] : below(most);
  }
  reference_of(policy->name)(&tree, pages, IN_FOURS, nodes, misses);
  struct vat_tc *tc = vat_tc_create(policy, &tree, nodes, NULL);
  for (size_t done = 0, n; done < IN_FOURS; done += n) {
    n = 1 + below(seed % 2 ? 9 : 600);
    if (n > IN_FOURS - done) n = IN_FOURS - done;
    CU_ASSERT_EQUAL(vat_tc_pages(tc, pages + done, n), 0);
  }
  struct vat_tc_counts counts = vat_tc_counts(tc);
  bool same = !memcmp(counts.misses_by_layer, misses, sizeof misses);
  if (!same) printf("\n%s, seed %u", policy->name, seed);
  CU_ASSERT(same);
  vat_tc_destroy(tc);
}

static void test_four_pages_in_turns_agree_with_the_definition(void) {
  for (unsigned seed = 0; seed < 400; seed++) {
    check_fours(seed, vat_policy_find("lru"));
    check_fours(seed, vat_policy_find("islru"));
  }
}

static void test_policies_say_what_is_free(void) {
  static const struct vat_tree tree = {2, 0, 3};
  static const struct {
    const char *policy;
    uint64_t nodes;
    enum vat_tc_free free;
  } cases[] = {
      {"islru", 3, VAT_TC_NOTHING_FREE},  {"islru", 4, VAT_TC_REPEATS_FREE},
      {"islru", 7, VAT_TC_REPEATS_FREE},  {"islru", 8, VAT_TC_PAIRS_FREE},
      {"lru", 7, VAT_TC_REPEATS_FREE},    {"lru", 8, VAT_TC_PAIRS_FREE},
      {"ismin", 99, VAT_TC_REPEATS_FREE}, {"min", 99, VAT_TC_NOTHING_FREE},
      {"rrmin", 99, VAT_TC_NOTHING_FREE}, {"lis", 99, VAT_TC_NOTHING_FREE}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct vat_tc *tc = vat_tc_create(vat_policy_find(cases[i].policy), &tree,
                                      cases[i].nodes, NULL);
    CU_ASSERT_EQUAL(vat_tc_free(tc), cases[i].free);
    vat_tc_destroy(tc);
  }
}

static const struct check_test tests[] = {
    {"a set finds what it holds", test_a_set_finds_what_it_holds},
    {"large caches agree with the definition",
     test_large_caches_agree_with_the_definition},
    {"pages in turns agree with the definition",
     test_pages_in_turns_agree_with_the_definition},
    {"four pages in turns agree with the definition",
     test_four_pages_in_turns_agree_with_the_definition},
    {"policies say what is free", test_policies_say_what_is_free},
    {0}};

const struct check_suite suite_recency = {.name = "recency", .tests = tests};
