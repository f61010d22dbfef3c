/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat/parallel.h, and the theorems of doc/parallel-vat.md on processors. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"
#include "vat/parallel.h"

enum { PROCESSORS = 5 };

/* What each processor accesses, straight from the definition. */
struct dealt {
  uint64_t pages[PROCESSORS][PAGES];
  size_t count[PROCESSORS];
};

static void deal(const struct trace *t, unsigned processors, uint64_t chunk,
                 struct dealt *dealt) {
  memset(dealt, 0, sizeof *dealt);
  if (!chunk) chunk = (t->count + processors - 1) / processors;
  for (size_t i = 0; i < t->count; i++) {
    unsigned to = (unsigned)(i / chunk % processors);
    dealt->pages[to][dealt->count[to]++] = t->pages[i];
  }
}

/* By rounds; `whose` is the processor of each access. */
static struct trace interleave(const struct trace *t, unsigned processors,
                               const struct dealt *dealt,
                               unsigned whose[PAGES]) {
  struct trace all = {.tree = t->tree};
  for (size_t round = 0; round < PAGES; round++)
    for (unsigned i = 0; i < processors; i++)
      if (round < dealt->count[i]) {
        whose[all.count] = i;
        all.pages[all.count++] = dealt->pages[i][round];
      }
  return all;
}

static uint64_t reference_sum(const struct trace *t, const char *policy,
                              const uint64_t *pages, size_t count,
                              uint64_t nodes) {
  uint64_t misses[VAT_LAYERS_MAX] = {0}, sum = 0;
  reference_of(policy)(&t->tree, pages, count, (unsigned)nodes, misses);
  for (unsigned layer = 0; layer <= t->tree.levels; layer++)
    sum += misses[layer];
  return sum;
}

static void expect_private(const struct trace *t, const char *policy,
                           unsigned processors, const struct dealt *dealt,
                           uint64_t nodes, uint64_t misses[PROCESSORS]) {
  for (unsigned i = 0; i < processors; i++)
    misses[i] =
        reference_sum(t, policy, dealt->pages[i], dealt->count[i], nodes);
}

/* An access misses what the stream up to it misses more than that before: so it
 * is for policies that know the past.  Returns the misses of all. */
static uint64_t expect_shared(const struct trace *all, const char *policy,
                              const unsigned whose[PAGES], uint64_t nodes,
                              uint64_t misses[PROCESSORS]) {
  uint64_t before = 0;
  for (size_t i = 0; i < all->count; i++) {
    uint64_t now = reference_sum(all, policy, all->pages, i + 1, nodes);
    misses[whose[i]] += now - before;
    before = now;
  }
  return before;
}

/* The same by a MIN that looks ahead node by node.  Nodes that are accessed
 * again have different next accesses, so that it has no choice. */
static void expect_min(const struct trace *all, const unsigned whose[PAGES],
                       uint64_t nodes, uint64_t misses[PROCESSORS]) {
  static uint64_t node[PAGES * VAT_LAYERS_MAX];
  uint64_t held[PAGES];
  size_t path = all->tree.levels + 1, used = 0;
  for (size_t i = 0; i < all->count * path; i++)
    node[i] = vat_tree_key(&all->tree, all->pages[i / path],
                           (unsigned)(path - 1 - i % path));
  for (size_t i = 0; i < all->count * path; i++) {
    size_t furthest = 0, at = 0;
    for (size_t k = 0, best = 0; k < used; k++) {
      size_t next = i;
      while (next < all->count * path && node[next] != held[k]) next++;
      if (next == i) at = k + 1;
      if (next >= best) best = next, furthest = k;
    }
    if (at) continue;
    misses[whose[i / path]]++;
    held[used < nodes ? used++ : furthest] = node[i];
  }
}

static struct vat_parallel *run(const struct vat_parallel_options *o,
                                const uint64_t *pages, size_t count) {
  struct vat_parallel *parallel = vat_parallel_create(o);
  CU_ASSERT_PTR_NOT_NULL_FATAL(parallel);
  for (size_t i = 0, n; i < count; i += n) {
    n = 1 + below(9) < count - i ? 1 : count - i;
    CU_ASSERT_EQUAL_FATAL(vat_parallel_addresses(parallel, &pages[i], n), 0);
  }
  CU_ASSERT_EQUAL(vat_parallel_finish(parallel), 0);
  return parallel;
}

/* Its misses and translations are these, which sum to `sum`. */
static bool agrees(const struct vat_parallel *parallel,
                   const struct vat_parallel_options *o,
                   const struct dealt *dealt, const uint64_t *misses,
                   uint64_t sum) {
  struct vat_tc_counts all = vat_parallel_counts(parallel);
  uint64_t layers = 0, translations = 0;
  bool good = all.misses == sum;
  for (unsigned layer = 0; layer <= o->tree.levels; layer++)
    layers += all.misses_by_layer[layer];
  for (unsigned i = 0; i < o->processors; i++) {
    struct vat_tc_counts one = vat_parallel_processor(parallel, i);
    uint64_t of_one = 0;
    for (unsigned layer = 0; layer <= o->tree.levels; layer++)
      of_one += one.misses_by_layer[layer];
    good &= one.translations == dealt->count[i] && one.misses == of_one;
    if (vat_parallel_attributes(parallel)) good &= one.misses == misses[i];
    translations += one.translations;
  }
  return good && layers == sum && all.translations == translations;
}

static bool is_right(const struct trace *t,
                     const struct vat_parallel_options *o) {
  const char *policy = o->policy->name;
  struct dealt dealt;
  unsigned whose[PAGES];
  uint64_t misses[PROCESSORS] = {0}, sum = 0;
  deal(t, o->processors, o->chunk, &dealt);
  struct trace all = interleave(t, o->processors, &dealt, whose);
  if (!o->shared)
    expect_private(t, policy, o->processors, &dealt, o->nodes, misses);
  else if (o->policy->offline)
    sum = reference_sum(&all, policy, all.pages, all.count, o->nodes);
  else
    sum = expect_shared(&all, policy, whose, o->nodes, misses);
  if (o->shared && !strcmp(policy, "min"))
    expect_min(&all, whose, o->nodes, misses);
  for (unsigned i = 0; !o->shared && i < o->processors; i++) sum += misses[i];
  struct vat_parallel *parallel = run(o, t->pages, t->count);
  if (o->shared && !strcmp(policy, "ismin")) /* may choose between leaves */
    for (unsigned i = 0; i < o->processors; i++)
      misses[i] = vat_parallel_processor(parallel, i).misses;
  bool good = agrees(parallel, o, &dealt, misses, sum);
  vat_parallel_destroy(parallel);
  return good;
}

static void test_every_policy_agrees_with_the_definition(void) {
  static const struct vat_tc_options tight = {.memory_bytes = 1};
  struct trace t;
  random_state = 301;
  for (unsigned i = 0; i < 300; i++) {
    random_trace(&t);
    for (size_t p = 0; vat_policies[p]; p++) {
      struct vat_parallel_options o = {
          .policy = vat_policies[p],
          .tree = t.tree,
          .nodes = vat_policy_least_nodes(vat_policies[p], &t.tree) + below(20),
          .processors = 1 + (unsigned)below(PROCESSORS),
          .chunk = below(2) ? 0 : 1 + below(12),
          .shared = below(2),
          .tc = below(2) ? tight : (struct vat_tc_options){0}};
      o.tc.seed = REFERENCE_SEED;
      bool right = is_right(&t, &o);
      CU_ASSERT(right);
      if (!right) report(&t, o.policy->name, o.nodes);
    }
  }
}

/* d = 1, two processors, chunks of two: 0 1 goes to one, 2 3 to the other, 0 4
 * to the first. */
static void test_a_case_by_hand(void) {
  static const uint64_t pages[] = {0, 1, 2, 3, 0, 4};
  struct vat_parallel_options o = {.policy = vat_policy_find("lru"),
                                   .tree = {3, 0, 1},
                                   .nodes = 3,
                                   .processors = 2,
                                   .chunk = 2};
  struct vat_parallel *parallel = run(&o, pages, 6);
  /* Root, 0, 1, then 0 hits and 4 misses; root, 2, 3. */
  CU_ASSERT_EQUAL(vat_parallel_processor(parallel, 0).misses, 4);
  CU_ASSERT_EQUAL(vat_parallel_processor(parallel, 1).misses, 3);
  CU_ASSERT_EQUAL(vat_parallel_counts(parallel).misses_by_layer[1], 2);
  CU_ASSERT_EQUAL(vat_parallel_counts(parallel).translations, 6);
  CU_ASSERT_EQUAL(vat_parallel_chunk(parallel), 2);
  vat_parallel_destroy(parallel);
  o.shared = true; /* 0 2 1 3 0 4: two leaves are kept, so 0 misses again */
  parallel = run(&o, pages, 6);
  CU_ASSERT_EQUAL(vat_parallel_processor(parallel, 0).misses, 1 + 2 + 2);
  CU_ASSERT_EQUAL(vat_parallel_processor(parallel, 1).misses, 2);
  vat_parallel_destroy(parallel);
  o.chunk = 0; /* blocks of three, 0 3 1 0 2 4: with three leaves, 0 hits */
  o.nodes = 4;
  parallel = run(&o, pages, 6);
  CU_ASSERT_EQUAL(vat_parallel_processor(parallel, 0).misses, 1 + 3);
  CU_ASSERT_EQUAL(vat_parallel_processor(parallel, 1).misses, 2);
  CU_ASSERT_EQUAL(vat_parallel_chunk(parallel), 3);
  vat_parallel_destroy(parallel);
}

/* More than one part of the spool, and just as much, in memory and not. */
static void test_long_streams(void) {
  enum { MOST = 6200 };
  static const size_t counts[] = {2047, 2048, 2049, 4096, MOST};
  static uint64_t pages[MOST], mine[MOST];
  random_state = 302;
  for (size_t i = 0; i < MOST; i++) pages[i] = below(64);
  for (unsigned k = 0; k < 5 * 4; k++) {
    size_t count = counts[k / 4], filled = 0;
    struct vat_parallel_options o = {.policy = vat_policy_find("lru"),
                                     .tree = {3, 0, 2},
                                     .nodes = 20,
                                     .processors = 3,
                                     .chunk = k & 1 ? 7 : 700,
                                     .tc.memory_bytes = k & 2 ? 1 : 0};
    for (size_t i = 0; i < count; i++)
      if (i / o.chunk % 3 == 2) mine[filled++] = pages[i];
    struct vat_tc *tc = vat_tc_create(o.policy, &o.tree, o.nodes, NULL);
    CU_ASSERT_EQUAL(vat_tc_pages(tc, mine, filled), 0);
    struct vat_parallel *parallel = run(&o, pages, count);
    CU_ASSERT_EQUAL(vat_parallel_processor(parallel, 2).misses,
                    vat_tc_counts(tc).misses);
    CU_ASSERT_EQUAL(vat_parallel_counts(parallel).translations, count);
    vat_parallel_destroy(parallel);
    vat_tc_destroy(tc);
  }
}

static bool refused(const struct vat_parallel_options *o) {
  errno = 0;
  return !vat_parallel_create(o) && errno == EINVAL;
}

static void test_what_cannot_be_simulated_is_refused(void) {
  struct vat_parallel_options good = {.policy = vat_policy_find("ismin"),
                                      .tree = {3, 0, 2},
                                      .nodes = 3,
                                      .processors = 2};
  struct vat_parallel_options bad = good;
  bad.policy = NULL;
  CU_ASSERT(refused(&bad));
  bad = good, bad.nodes = 2; /* ismin needs d + 1 */
  CU_ASSERT(refused(&bad));
  bad.shared = true;
  CU_ASSERT(refused(&bad));
  bad = good, bad.processors = 0;
  CU_ASSERT(refused(&bad));
  bad = good, bad.processors = VAT_PROCESSORS_MAX + 1;
  CU_ASSERT(refused(&bad));
  bad = good, bad.tree.levels = 0;
  CU_ASSERT(refused(&bad));
  struct vat_parallel *parallel = vat_parallel_create(&good);
  uint64_t pages[] = {1, 64};
  errno = 0;
  CU_ASSERT_EQUAL(vat_parallel_addresses(parallel, pages, 2), -1);
  CU_ASSERT_EQUAL(errno, ERANGE);
  CU_ASSERT_EQUAL(vat_parallel_finish(parallel), -1);
  vat_parallel_destroy(parallel);
  parallel = vat_parallel_create(&good); /* nothing is dealt */
  CU_ASSERT_EQUAL(vat_parallel_finish(parallel), 0);
  CU_ASSERT_EQUAL(vat_parallel_counts(parallel).misses, 0);
  CU_ASSERT_EQUAL(vat_parallel_addresses(parallel, pages, 1), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  vat_parallel_destroy(parallel);
  vat_parallel_destroy(NULL);
}

static const struct check_test tests[] = {
    {"every policy agrees with the definition",
     test_every_policy_agrees_with_the_definition},
    {"a case by hand", test_a_case_by_hand},
    {"long streams", test_long_streams},
    {"what cannot be simulated is refused",
     test_what_cannot_be_simulated_is_refused},
    {0}};

const struct check_suite suite_parallel = {.name = "parallel", .tests = tests};
