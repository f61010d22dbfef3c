/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vat/suites_vat.h"
#include "vat/curve.h"

enum { PAGES = 128, STREAMS = 900 };

static uint64_t state;

static uint64_t below(uint64_t m) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (state >> 33) % m;
}

struct stream {
  struct vat_tree tree;
  uint64_t *pages;
  size_t count;
};

/* The kinds of a page after `last`, in front of which are `i` others. */
static uint64_t next_page(const uint64_t *pages, size_t i, uint64_t size,
                          unsigned kind) {
  uint64_t fresh = below(size), last = i ? pages[i - 1] : fresh;
  switch (kind) {
    case 0: /* uniform */
      return fresh;
    case 1: /* a walk, with repeats */
      return (last + below(3)) % size;
    case 2: /* back to pages seen before */
      return i && below(2) ? pages[below(i)] : fresh;
    case 3: /* a scan, over and over */
      return (last + 1) % size;
    case 4: /* there and back: nested reuse */
      return i % 32 < 16 ? i % 16 % size : (31 - i % 32) % size;
    case 5: /* runs of repeats */
      return below(3) ? last : fresh;
    default: /* a few pages, rarely others */
      return below(8) ? fresh % 4 % size : fresh;
  }
}

/* A stream of one kind, or one that changes its kind. */
static void fill(struct stream *s, size_t most) {
  uint64_t size = UINT64_C(1) << vat_tree_page_number_bits(&s->tree);
  unsigned kind = (unsigned)below(7);
  bool phases = below(2);
  s->count = 1 + below(most);
  for (size_t i = 0; i < s->count; i++) {
    if (phases && !below(20)) kind = (unsigned)below(7);
    s->pages[i] = next_page(s->pages, i, size, kind);
  }
}

static struct vat_tree random_tree(void) {
  unsigned k = 1 + (unsigned)below(3);
  return (struct vat_tree){k, 0, 1 + (unsigned)below(k == 1 ? 7 : 4)};
}

struct points {
  struct vat_curve_point *at;
  size_t count;
};

/* In blocks of random sizes, which must not matter. */
static struct points curve_of(const struct stream *s,
                              const struct vat_policy *policy, size_t block) {
  struct points points = {0};
  struct vat_curve *curve = vat_curve_create(policy, &s->tree, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(curve);
  for (size_t i = 0, n; i < s->count; i += n) {
    n = 1 + below(block);
    if (n > s->count - i) n = s->count - i;
    CU_ASSERT_EQUAL(vat_curve_pages(curve, &s->pages[i], n), 0);
  }
  CU_ASSERT_EQUAL(vat_curve_finish(curve), 0);
  CU_ASSERT_EQUAL(vat_curve_translations(curve), s->count);
  CU_ASSERT_EQUAL(vat_curve_points(curve, &points.at, &points.count), 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(points.at);
  vat_curve_destroy(curve);
  return points;
}

static uint64_t misses_at(const struct points *points, uint64_t nodes) {
  size_t i = points->count - 1;
  while (points->at[i].nodes > nodes) i--;
  return points->at[i].misses;
}

static uint64_t misses_of_tc(const struct stream *s,
                             const struct vat_policy *policy, uint64_t nodes) {
  struct vat_tc *tc = vat_tc_create(policy, &s->tree, nodes, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(tc);
  CU_ASSERT_EQUAL(vat_tc_pages(tc, s->pages, s->count), 0);
  CU_ASSERT_EQUAL(vat_tc_finish(tc), 0);
  uint64_t misses = vat_tc_counts(tc).misses;
  vat_tc_destroy(tc);
  return misses;
}

static void report(const struct stream *s, const struct vat_policy *policy,
                   uint64_t nodes) {
  printf("%s k=%u d=%u W=%llu:", policy->name, s->tree.index_bits,
         s->tree.levels, (unsigned long long)nodes);
  for (size_t i = 0; i < s->count; i++)
    printf(" %llu", (unsigned long long)s->pages[i]);
  puts("");
}

/* Distinct nodes, by looking at all pages before. */
static uint64_t distinct(const struct stream *s) {
  uint64_t count = 0;
  for (unsigned layer = 0; layer <= s->tree.levels; layer++)
    for (size_t i = 0; i < s->count; i++) {
      size_t j = 0;
      while (vat_tree_node(&s->tree, s->pages[j], layer) !=
             vat_tree_node(&s->tree, s->pages[i], layer))
        j++;
      count += j == i;
    }
  return count;
}

/* One entry per change, from W = d + 1 down to the compulsory misses. */
static bool well_formed(const struct stream *s, const struct points *points) {
  const struct vat_curve_point *at = points->at;
  bool good = points->count && at[0].nodes == s->tree.levels + 1;
  for (size_t i = 1; i < points->count; i++)
    good &= at[i].nodes > at[i - 1].nodes && at[i].misses < at[i - 1].misses;
  return good && at[points->count - 1].misses == distinct(s);
}

static void test_a_curve_is_every_single_run(void) {
  uint64_t pages[PAGES];
  struct stream s = {.pages = pages};
  state = 1;
  for (unsigned stream = 0; stream < STREAMS; stream++) {
    s.tree = random_tree();
    fill(&s, stream % 8 ? PAGES / 4 : PAGES);
    for (size_t p = 0; vat_policies[p]; p++) {
      const struct vat_policy *policy = vat_policies[p];
      if (!policy->curve) continue;
      struct points points = curve_of(&s, policy, 9);
      uint64_t nodes = s.tree.levels + 1, misses;
      bool equal = well_formed(&s, &points);
      do {
        misses = misses_of_tc(&s, policy, nodes);
        equal &= misses == misses_at(&points, nodes);
        CU_ASSERT(equal);
        if (!equal) report(&s, policy, nodes);
        if (!equal) return;
        nodes++;
      } while (misses > points.at[points.count - 1].misses);
      CU_ASSERT(points.at[points.count - 1].nodes == nodes - 1);
      free(points.at);
    }
  }
}

/* Enough translations that slots run out and are numbered anew, that blocks
 * fill and groups of blocks have groups; at some W. */
static void test_long_streams_agree_at_some_sizes(void) {
  enum { COUNT = 60000 };
  struct stream s = {{3, 0, 5}, malloc(COUNT * sizeof(uint64_t)), COUNT};
  state = 2;
  for (unsigned kind = 0; kind < 7; kind++) {
    for (size_t i = 0; i < COUNT; i++) {
      uint64_t size = i < COUNT / 2 ? 6000 : 1 << 15;
      s.pages[i] = next_page(s.pages, i, size, kind);
    }
    for (size_t p = 0; vat_policies[p]; p++) {
      if (!vat_policies[p]->curve) continue;
      struct points points = curve_of(&s, vat_policies[p], 5000);
      for (uint64_t nodes = 6; nodes < 60000; nodes = nodes * 5 / 2 + 1)
        CU_ASSERT_EQUAL(misses_at(&points, nodes),
                        misses_of_tc(&s, vat_policies[p], nodes));
      free(points.at);
    }
  }
  free(s.pages);
}

/* There and back over many pages: all of a long list moves by one. */
static void test_nested_reuse_agrees(void) {
  enum { SPAN = 5000, COUNT = 4 * SPAN };
  struct stream s = {{9, 0, 2}, malloc(COUNT * sizeof(uint64_t)), COUNT};
  for (size_t i = 0; i < COUNT; i++)
    s.pages[i] = i / SPAN % 2 ? SPAN - 1 - i % SPAN : i % SPAN;
  for (size_t p = 0; vat_policies[p]; p++) {
    if (!vat_policies[p]->curve) continue;
    struct points points = curve_of(&s, vat_policies[p], 5000);
    for (uint64_t nodes = 3; nodes < SPAN + 20; nodes += 311)
      CU_ASSERT_EQUAL(misses_at(&points, nodes),
                      misses_of_tc(&s, vat_policies[p], nodes));
    free(points.at);
  }
  free(s.pages);
}

struct expected {
  const char *policy;
  size_t count;
  struct vat_curve_point points[6];
};

static void check_expected(const struct stream *s,
                           const struct expected *expected) {
  for (; expected->policy; expected++) {
    struct points points =
        curve_of(s, vat_policy_find(expected->policy), s->count + 1);
    bool equal = points.count == expected->count;
    for (size_t i = 0; equal && i < points.count; i++)
      equal = points.at[i].nodes == expected->points[i].nodes &&
              points.at[i].misses == expected->points[i].misses;
    CU_ASSERT(equal);
    if (!equal) report(s, vat_policy_find(expected->policy), 0);
    free(points.at);
  }
}

/* K = 2, d = 3, pages 0, 2, 0: root, A, B, leaf; root, A, B', leaf'; and the
 * first again.  Four of six nodes: lru and islru have lost B and leaf.  Five:
 * lru evicts B for leaf', and when B comes back, leaf for it; islru evicts the
 * leaf alone.  min gives leaf' the place of B', which is not needed again. */
static void test_two_paths_by_hand(void) {
  uint64_t pages[] = {0, 2, 0};
  struct stream s = {{1, 0, 3}, pages, 3};
  check_expected(&s, (struct expected[]){{"lru", 2, {{4, 8}, {6, 6}}},
                                         {"islru", 3, {{4, 8}, {5, 7}, {6, 6}}},
                                         {"min", 2, {{4, 7}, {5, 6}}},
                                         {"ismin", 3, {{4, 8}, {5, 7}, {6, 6}}},
                                         {0}});
}

/* K = 2, d = 2: as long as a page is repeated, all of its path is needed soon,
 * so that min in four nodes loses the other leaf. */
static void test_repeats_by_hand(void) {
  uint64_t once[] = {0, 2, 0}, twice[] = {0, 0, 2, 2, 0},
           often[] = {0, 0, 0, 2, 2, 2, 2, 0, 0};
  struct stream s[] = {
      {{1, 0, 2}, once, 3}, {{1, 0, 2}, twice, 5}, {{1, 0, 2}, often, 9}};
  struct expected repeated[] = {{"min", 3, {{3, 7}, {4, 6}, {5, 5}}},
                                {"ismin", 3, {{3, 7}, {4, 6}, {5, 5}}},
                                {"islru", 3, {{3, 7}, {4, 6}, {5, 5}}},
                                {"lru", 2, {{3, 7}, {5, 5}}},
                                {0}};
  check_expected(&s[0], (struct expected[]){{"min", 2, {{3, 6}, {4, 5}}}, {0}});
  check_expected(&s[0], repeated + 1);
  check_expected(&s[1], repeated);
  check_expected(&s[2], repeated);
}

static void test_nothing_and_one_page(void) {
  uint64_t pages[] = {5, 5, 5};
  struct stream s = {{2, 0, 4}, pages, 0};
  for (size_t p = 0; vat_policies[p]; p++) {
    if (!vat_policies[p]->curve) continue;
    const char *name = vat_policies[p]->name;
    s.count = 0;
    check_expected(&s, (struct expected[]){{name, 1, {{5, 0}}}, {0}});
    s.count = 1;
    check_expected(&s, (struct expected[]){{name, 1, {{5, 5}}}, {0}});
    s.count = 3;
    check_expected(&s, (struct expected[]){{name, 1, {{5, 5}}}, {0}});
  }
}

/* The largest trees have page numbers of 60 bits and paths of 16 nodes. */
static void test_tall_and_wide_trees_agree(void) {
  static const struct vat_tree trees[] = {
      {4, 0, 15}, {1, 0, 15}, {32, 0, 1}, {32, 0, 15}, {13, 0, 5}};
  uint64_t pages[PAGES];
  state = 3;
  for (size_t t = 0; t < sizeof trees / sizeof *trees; t++) {
    struct stream s = {trees[t], pages, PAGES};
    unsigned bits = vat_tree_page_number_bits(&s.tree);
    for (size_t i = 0; i < PAGES; i++)
      pages[i] = i && below(3)
                     ? pages[below(i)]
                     : (below(1 << 30) << 30 | below(1 << 30)) >> (60 - bits);
    for (size_t p = 0; vat_policies[p]; p++) {
      if (!vat_policies[p]->curve) continue;
      struct points points = curve_of(&s, vat_policies[p], 50);
      CU_ASSERT(well_formed(&s, &points));
      for (uint64_t nodes = s.tree.levels + 1; nodes < 2000; nodes += 37)
        CU_ASSERT_EQUAL(misses_at(&points, nodes),
                        misses_of_tc(&s, vat_policies[p], nodes));
      free(points.at);
    }
  }
}

/* Addresses are pages and offsets; what does not fit memory goes to a file. */
static void test_addresses_and_spilling_change_nothing(void) {
  enum { COUNT = 20000 };
  static uint64_t pages[COUNT], addresses[COUNT];
  struct stream s = {{3, 6, 5}, pages, COUNT};
  state = 4;
  for (size_t i = 0; i < COUNT; i++) {
    pages[i] = next_page(pages, i, 1 << 15, 2);
    addresses[i] = pages[i] << 6 | below(64);
  }
  for (size_t p = 0; vat_policies[p]; p++) {
    if (!vat_policies[p]->curve) continue;
    struct points one = curve_of(&s, vat_policies[p], 5000), other = {0};
    struct vat_tc_options tight = {.memory_bytes = 1 << 15};
    struct vat_curve *curve =
        vat_curve_create(vat_policies[p], &s.tree, &tight);
    CU_ASSERT_EQUAL(vat_curve_addresses(curve, addresses, COUNT), 0);
    CU_ASSERT_EQUAL(vat_curve_finish(curve), 0);
    CU_ASSERT_EQUAL(vat_curve_points(curve, &other.at, &other.count), 0);
    CU_ASSERT(one.count == other.count &&
              !memcmp(one.at, other.at, one.count * sizeof *one.at));
    vat_curve_destroy(curve);
    free(one.at);
    free(other.at);
  }
}

static void test_what_has_no_curve_is_refused(void) {
  struct vat_tree tree = {9, 12, 4}, bad = {0, 12, 4};
  struct vat_policy without = *vat_policies[0];
  without.curve = NULL;
  errno = 0;
  CU_ASSERT_PTR_NULL(vat_curve_create(&without, &tree, NULL));
  CU_ASSERT_EQUAL(errno, ENOTSUP);
  errno = 0;
  CU_ASSERT_PTR_NULL(vat_curve_create(vat_policies[0], &bad, NULL));
  CU_ASSERT_EQUAL(errno, EINVAL);
  struct vat_curve *curve = vat_curve_create(vat_policies[0], &tree, NULL);
  uint64_t addresses[] = {0, 1, 4096, UINT64_C(1) << 48, 0};
  struct vat_curve_point *points;
  size_t count;
  errno = 0;
  CU_ASSERT_EQUAL(vat_curve_addresses(curve, addresses, 5), -1);
  CU_ASSERT_EQUAL(errno, ERANGE);
  CU_ASSERT_EQUAL(vat_curve_translations(curve), 3);
  CU_ASSERT_EQUAL_FATAL(vat_curve_points(curve, &points, &count), 0);
  CU_ASSERT_EQUAL(points[0].misses, 6);
  free(points);
  vat_curve_destroy(curve);
  vat_curve_destroy(NULL);
}

static const struct check_test tests[] = {
    {"a curve is every single run", test_a_curve_is_every_single_run},
    {"long streams agree at some sizes", test_long_streams_agree_at_some_sizes},
    {"nested reuse agrees", test_nested_reuse_agrees},
    {"two paths by hand", test_two_paths_by_hand},
    {"repeats by hand", test_repeats_by_hand},
    {"nothing and one page", test_nothing_and_one_page},
    {"tall and wide trees agree", test_tall_and_wide_trees_agree},
    {"addresses and spilling change nothing",
     test_addresses_and_spilling_change_nothing},
    {"what has no curve is refused", test_what_has_no_curve_is_refused},
    {0}};

const struct check_suite suite_curves = {.name = "curves", .tests = tests};
