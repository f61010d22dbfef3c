/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat/one_cache.h, and the theorems of doc/one-cache.md on it. */
#include <errno.h>
#include <string.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"
#include "vat/one_cache.h"

enum { ACCESSES = 40, LINES = ACCESSES * (VAT_LAYERS_MAX + 1) };

struct accesses {
  struct vat_tree tree;
  uint64_t address[ACCESSES];
  size_t count;
};

/* Pages of 64 to 256 bytes; some locality, since few places are accessed. */
static void random_accesses(struct accesses *a) {
  a->tree = (struct vat_tree){1 + (unsigned)below(4), 6 + (unsigned)below(3),
                              1 + (unsigned)below(4)};
  uint64_t bytes = UINT64_C(1)
                   << (a->tree.index_bits * a->tree.levels + a->tree.page_bits);
  uint64_t span = below(2) ? bytes : 1 + below(bytes);
  a->count = 1 + below(ACCESSES);
  for (size_t i = 0; i < a->count; i++)
    a->address[i] =
        i && below(2) ? a->address[below(i)] ^ below(64) : below(span);
}

/* The lines of an access, from the definition, each a number of its own: 8
 * consecutive nodes of a layer are a line, and 64 bytes of data. */
static size_t lines_of(const struct accesses *a, size_t i, uint64_t *lines) {
  size_t path = a->tree.levels + 1;
  uint64_t node = a->address[i] >> a->tree.page_bits;
  for (size_t layer = 0; layer < path; layer++) {
    lines[path - 1 - layer] = node / 8 * 32 + layer;
    node /= UINT64_C(1) << a->tree.index_bits;
  }
  lines[path] = a->address[i] / 64 * 32 + 31;
  return path + 1;
}

static size_t all_lines(const struct accesses *a, uint64_t *lines) {
  size_t filled = 0;
  for (size_t i = 0; i < a->count; i++)
    filled += lines_of(a, i, lines + filled);
  return filled;
}

/* Misses of a cache of W lines that accesses these, by a reference. */
static uint64_t cache_misses(const char *policy, const uint64_t *lines,
                             size_t count, uint64_t nodes) {
  static const struct vat_tree of_lines = {60, 0, 0};
  uint64_t misses[VAT_LAYERS_MAX] = {0};
  reference_of(policy)(&of_lines, lines, count, (unsigned)nodes, misses);
  return misses[0];
}

/* A line misses what the stream up to it misses more than that before: so it is
 * for policies that know the past. */
static void expect_online(const char *policy, const uint64_t *lines,
                          size_t count, uint64_t nodes, bool *missed) {
  uint64_t before = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t now = cache_misses(policy, lines, i + 1, nodes);
    missed[i] = now != before;
    before = now;
  }
}

/* Lines that are accessed again are so at different times, so that MIN has no
 * choice. */
static void expect_min(const uint64_t *lines, size_t count, uint64_t nodes,
                       bool *missed) {
  uint64_t held[LINES];
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    size_t furthest = 0, best = 0;
    missed[i] = true;
    for (size_t k = 0; k < used; k++) {
      size_t next = i;
      while (next < count && lines[next] != held[k]) next++;
      if (next == i) missed[i] = false;
      if (next >= best) best = next, furthest = k;
    }
    if (missed[i]) held[used < nodes ? used++ : furthest] = lines[i];
  }
}

static struct vat_one_cache_counts counts_of_cache(
    const struct vat_one_cache_options *o, const struct accesses *a) {
  struct vat_one_cache *cache = vat_one_cache_create(o);
  CU_ASSERT_PTR_NOT_NULL_FATAL(cache);
  for (size_t i = 0, n; i < a->count; i += n) {
    n = 1 + below(9) < a->count - i ? 1 : a->count - i;
    CU_ASSERT_EQUAL(vat_one_cache_addresses(cache, &a->address[i], n), 0);
  }
  CU_ASSERT_EQUAL(vat_one_cache_finish(cache), 0);
  struct vat_one_cache_counts counts = vat_one_cache_counts(cache);
  CU_ASSERT_EQUAL(counts.tables.translations, a->count);
  vat_one_cache_destroy(cache);
  return counts;
}

static struct vat_one_cache_counts simulated(const struct accesses *a,
                                             const char *policy,
                                             uint64_t lines) {
  struct vat_one_cache_options o = {
      .policy = vat_policy_find(policy), .tree = a->tree, .lines = lines};
  return counts_of_cache(&o, a);
}

static bool is_right(const struct accesses *a, const struct vat_policy *policy,
                     uint64_t nodes) {
  uint64_t lines[LINES], layer[VAT_LAYERS_MAX + 1] = {0}, tables = 0;
  bool missed[LINES];
  size_t count = all_lines(a, lines), path = a->tree.levels + 1;
  if (policy->offline) /* ismin is min where there is no tree */
    expect_min(lines, count, nodes, missed);
  else
    expect_online(policy->name, lines, count, nodes, missed);
  for (size_t i = 0; i < count; i++)
    layer[i % (path + 1)] += missed[i]; /* from the root on */
  struct vat_one_cache_counts c = simulated(a, policy->name, nodes);
  bool good = c.data_misses == layer[path];
  for (size_t i = 0; i < path; i++) {
    good &= c.tables.misses_by_layer[i] == layer[path - 1 - i];
    tables += layer[i];
  }
  return good && c.tables.misses == tables;
}

static void print_accesses(const struct accesses *a, const char *what) {
  printf("%s k=%u p=%u d=%u:", what, a->tree.index_bits, a->tree.page_bits,
         a->tree.levels);
  for (size_t i = 0; i < a->count; i++)
    printf(" %llu", (unsigned long long)a->address[i]);
  puts("");
}

static void test_every_policy_agrees_with_the_definition(void) {
  struct accesses a;
  random_state = 311;
  for (unsigned i = 0; i < 60; i++) {
    random_accesses(&a);
    for (size_t p = 0; vat_policies[p]; p++) {
      if (vat_policies[p]->cells) continue;
      bool right = is_right(&a, vat_policies[p], 1 + below(20));
      CU_ASSERT(right);
      if (!right) print_accesses(&a, vat_policies[p]->name);
    }
  }
}

/* d = 1, pages of 64 bytes: pages 0..7 have one line of leaves, and all pages
 * one line of the root. */
static void test_a_case_by_hand(void) {
  struct accesses a = {{4, 6, 1}, {0, 8, 64, 512, 0}, 5};
  struct vat_one_cache_counts c = simulated(&a, "lru", 4);
  /* Root, leaves 0, data 0; all hit; data 1; leaves 1 evict data 0, and data 8
   * leaves 0, which both miss at last. */
  CU_ASSERT_EQUAL(c.tables.misses_by_layer[1], 1);
  CU_ASSERT_EQUAL(c.tables.misses_by_layer[0], 1 + 1 + 1);
  CU_ASSERT_EQUAL(c.data_misses, 1 + 1 + 1 + 1);
  c = simulated(&a, "lru", 6);
  CU_ASSERT_EQUAL(c.tables.misses, 3);
  CU_ASSERT_EQUAL(c.data_misses, 3);
}

/* Tables apart from data, each in a cache of its own. */
static void apart(const struct accesses *a, const char *policy, uint64_t w1,
                  uint64_t w2, uint64_t *tables, uint64_t *data) {
  uint64_t lines[LINES], of_tables[LINES], of_data[LINES];
  size_t count = all_lines(a, lines), path = a->tree.levels + 1, n = 0, m = 0;
  for (size_t i = 0; i < count; i++)
    if (i % (path + 1) == path)
      of_data[m++] = lines[i];
    else
      of_tables[n++] = lines[i];
  *tables = cache_misses(policy, of_tables, n, w1);
  *data = cache_misses(policy, of_data, m, w2);
}

static uint64_t sum_of(struct vat_one_cache_counts c) {
  return c.tables.misses + c.data_misses;
}

/* The lines of the tables are the nodes of a tree of pages 8 times as large. */
static void test_tables_apart_are_a_tc(void) {
  struct accesses a;
  random_state = 312;
  for (unsigned i = 0; i < 300; i++) {
    uint64_t tables, data, w = 1 + below(12);
    random_accesses(&a);
    struct vat_tree tree = a.tree;
    tree.page_bits += VAT_LINE_ENTRY_BITS;
    apart(&a, "lru", w, 1, &tables, &data);
    struct vat_tc *tc = vat_tc_create(vat_policy_find("lru"), &tree, w, NULL);
    CU_ASSERT_EQUAL(vat_tc_addresses(tc, a.address, a.count), 0);
    CU_ASSERT_EQUAL(vat_tc_counts(tc).misses, tables);
    vat_tc_destroy(tc);
  }
}

/* Access by access: what misses is the datum and the lines up to some layer. */
static void test_lru_misses_no_table_where_the_datum_hits(void) {
  struct accesses a;
  random_state = 313;
  unsigned partly = 0;
  for (unsigned i = 0; i < 400; i++) {
    random_accesses(&a);
    struct vat_one_cache_options o = {.policy = vat_policy_find("lru"),
                                      .tree = a.tree,
                                      .lines = 1 + below(24)};
    struct vat_one_cache *cache = vat_one_cache_create(&o);
    struct vat_one_cache_counts before = {0}, now;
    for (size_t k = 0; k < a.count; k++, before = now) {
      vat_one_cache_addresses(cache, &a.address[k], 1);
      now = vat_one_cache_counts(cache);
      uint64_t below_it = now.data_misses - before.data_misses;
      for (unsigned layer = 0; layer <= a.tree.levels; layer++) {
        uint64_t missed = now.tables.misses_by_layer[layer] -
                          before.tables.misses_by_layer[layer];
        CU_ASSERT(missed <= below_it);
        partly += missed < below_it;
        below_it = missed;
      }
    }
    vat_one_cache_destroy(cache);
  }
  CU_ASSERT(partly > 100);
}

/* Leaves of pages 0 and 8 are different lines, and W = d + 3. */
static void test_min_does(void) {
  struct accesses a = {{4, 6, 1}, {0, 512, 0, 512}, 4};
  struct vat_one_cache_counts c = simulated(&a, "min", 4);
  CU_ASSERT_EQUAL(c.data_misses, 2);
  CU_ASSERT_EQUAL(c.tables.misses_by_layer[0], 3);
}

static void test_one_cache_against_two(void) {
  struct accesses a;
  random_state = 314;
  for (unsigned i = 0; i < 1000; i++) {
    uint64_t w1 = 1 + below(12), w2 = 1 + below(12), tables, data;
    random_accesses(&a);
    apart(&a, "min", w1, w2, &tables, &data);
    bool good =
        sum_of(simulated(&a, "min", w1 + w2)) <= tables + data &&
        sum_of(simulated(&a, "lru", 2 * (w1 + w2))) <= 2 * (tables + data);
    apart(&a, "lru", w1, w2, &tables, &data);
    uint64_t common = simulated(&a, "lru", w1 + w2).tables.misses;
    good &= common <= tables + a.tree.levels * data;
    CU_ASSERT(good);
    if (!good) print_accesses(&a, "one cache against two");
  }
}

static bool refused(const struct vat_one_cache_options *o, int error) {
  errno = 0;
  return !vat_one_cache_create(o) && errno == error;
}

static void test_what_cannot_be_simulated_is_refused(void) {
  struct vat_one_cache_options good = {
      .policy = vat_policy_find("lru"), .tree = {9, 12, 6}, .lines = 1};
  struct vat_one_cache_options bad = good;
  bad.policy = NULL;
  CU_ASSERT(refused(&bad, EINVAL));
  bad = good, bad.lines = 0;
  CU_ASSERT(refused(&bad, EINVAL));
  bad = good, bad.tree.page_bits = VAT_LINE_BITS - 1;
  CU_ASSERT(refused(&bad, EINVAL));
  bad = good, bad.tree.levels = 0;
  CU_ASSERT(refused(&bad, EINVAL));
  bad = good, bad.policy = vat_policy_find("rrmin");
  CU_ASSERT(refused(&bad, ENOTSUP));
  struct vat_one_cache *cache = vat_one_cache_create(&good);
  uint64_t address[] = {(UINT64_C(1) << 61) - 1, UINT64_C(1) << 61};
  errno = 0;
  CU_ASSERT_EQUAL(vat_one_cache_addresses(cache, address, 2), -1);
  CU_ASSERT_EQUAL(errno, ERANGE);
  CU_ASSERT_EQUAL(vat_one_cache_counts(cache).tables.translations, 1);
  CU_ASSERT_EQUAL(vat_one_cache_counts(cache).tables.misses, 7);
  CU_ASSERT_EQUAL(vat_one_cache_finish(cache), 0);
  CU_ASSERT_EQUAL(vat_one_cache_addresses(cache, address, 1), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  vat_one_cache_destroy(cache);
  vat_one_cache_destroy(NULL);
}

static const struct check_test tests[] = {
    {"every policy agrees with the definition",
     test_every_policy_agrees_with_the_definition},
    {"a case by hand", test_a_case_by_hand},
    {"tables apart from data are a TC", test_tables_apart_are_a_tc},
    {"LRU misses no table where the datum hits",
     test_lru_misses_no_table_where_the_datum_hits},
    {"MIN does", test_min_does},
    {"one cache against two", test_one_cache_against_two},
    {"what cannot be simulated is refused",
     test_what_cannot_be_simulated_is_refused},
    {0}};

const struct check_suite suite_one_cache = {.name = "one cache",
                                            .tests = tests};
