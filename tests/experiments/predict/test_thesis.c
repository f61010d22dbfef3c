/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thesis's own heapify, heapsort and searches (Jurkiewicz, PhD thesis,
 * sections 2.1 and 2.4): our streams of them are those of programs that are
 * written down here as the text has them, and share nothing with cpu_algos but
 * their inputs. */
#include <config.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/queries.h"
#include "experiments/predict/forms.h"
#include "tests/check.h"
#include "tests/experiments/stream/stream_fixture.h"
#include "tests/experiments/suites.h"
#include "vat/policy.h"

#ifdef HAVE_STREAMS
enum { SEED = 24, WORD = 8 };

/* Key i is at base + 8 i; each access goes into a TC. */
struct array {
  uint64_t *keys;
  uint64_t base;
  struct vat_tc *tc;
};

static void touch(const struct array *array, uint64_t i) {
  uint64_t address = array->base + WORD * i;
  if (vat_tc_addresses(array->tc, &address, 1)) abort();
}

static uint64_t load(const struct array *array, uint64_t i) {
  touch(array, i);
  return array->keys[i];
}

static void store(const struct array *array, uint64_t i, uint64_t key) {
  touch(array, i);
  array->keys[i] = key;
}

/* "Repeatedly interchanges z = A[i] with" the larger of its children. */
static void sift(const struct array *heap, uint64_t i, uint64_t n) {
  uint64_t key = load(heap, i), child;
  while ((child = 2 * i) <= n) {
    uint64_t largest = load(heap, child);
    uint64_t right = child < n ? load(heap, child + 1) : 0;
    if (right > largest) {
      largest = right;
      child++;
    }
    if (largest <= key) break;
    store(heap, i, largest);
    i = child;
  }
  store(heap, i, key);
}

static void heapify(const struct array *heap, uint64_t n, uint64_t seed) {
  (void)seed;
  for (uint64_t i = n / 2; i > 0; i--) sift(heap, i, n);
}

static void heapsort(const struct array *heap, uint64_t n, uint64_t seed) {
  heapify(heap, n, seed);
  for (; n > 1; n--) {
    uint64_t last = load(heap, n);
    store(heap, n, load(heap, 1));
    store(heap, 1, last);
    sift(heap, 1, n - 1);
  }
}

/* Position i stands for its key. */
static void searches(const struct array *array, uint64_t n, uint64_t seed) {
  struct cpu_queries queries = cpu_queries_of(n, seed);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t wanted = cpu_queries_next(&queries), low = 0, high = n;
    while (low < high) {
      uint64_t middle = (low + high) / 2;
      touch(array, middle);
      if (middle < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    CU_ASSERT_EQUAL_FATAL(low, wanted);
  }
}

static const struct program {
  const char *algo;
  void (*run)(const struct array *array, uint64_t n, uint64_t seed);
} programs[] = {{"heapify_levels", heapify},
                {"heapsort_topdown", heapsort},
                {"binary_search_plain", searches}};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static uint64_t misses_by_definition(const struct program *program,
                                     const struct stream_case *c) {
  struct vat_tree tree = stream_case_tree(c);
  struct array array = {
      calloc(c->n + 1, sizeof(uint64_t)), c->base,
      vat_tc_create(vat_policy_find(c->policy), &tree, c->nodes, NULL)};
  CU_ASSERT_TRUE_FATAL(array.keys && array.tc);
  cpu_keys_fill(array.keys + 1, c->n, c->seed);
  program->run(&array, c->n, c->seed);
  CU_ASSERT_EQUAL(vat_tc_finish(array.tc), 0);
  uint64_t misses = vat_tc_counts(array.tc).misses;
  vat_tc_destroy(array.tc);
  free(array.keys);
  return misses;
}

/* Siblings share a page, so that it does not matter which is looked at first.
 */
static void test_streams_are_the_definitions(void) {
  static const uint64_t sizes[] = {1, 2, 3, 100, 255, 256, 1000, 4095};
  static const char *const policies[] = {"islru", "lru", "min"};
  for (size_t p = 0; p < PROGRAMS; p++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      for (unsigned page = 5; page <= 9; page += 2)
        for (size_t k = 0; k < 3; k++) {
          const struct stream_case c = {programs[p].algo, sizes[s], SEED, 4096,
                                        policies[k],      2,        page, 13};
          uint64_t misses = stream_case_counts(&c).misses;
          uint64_t expected = misses_by_definition(&programs[p], &c);
          if (misses != expected)
            printf("\n%s n=%" PRIu64 " %s p=%u:", c.algo, c.n, c.policy, page);
          CU_ASSERT_EQUAL(misses, expected);
        }
}

static struct vat_bounds_case bounds_case_of(const struct stream_case *c) {
  return (struct vat_bounds_case){.n = c->n,
                                  .base = c->base,
                                  .tree = stream_case_tree(c),
                                  .nodes = c->nodes};
}

/* Keys in ascending order: each sift goes down to the bottom, so that a pass
 * looks at all that is below it. */
static void test_heapify_where_each_sift_goes_down(void) {
  static const unsigned trees[][2] = {{1, 7}, {2, 7}, {4, 8}};
  for (size_t t = 0; t < 3; t++)
    for (uint64_t nodes = 20; nodes < 200; nodes *= 2) {
      struct stream_case c = {"heapify_levels", 8191,        SEED, 0, "islru",
                              trees[t][0],      trees[t][1], nodes};
      uint64_t random = stream_case_counts(&c).misses;
      uint64_t misses = stream_case_counts_on(&c, "sorted").misses;
      const struct vat_bounds_case b = bounds_case_of(&c);
      CU_ASSERT(misses >= random);
      CU_ASSERT((double)misses >= vat_bounds_heapify_levels_lower(&b));
      CU_ASSERT((double)misses <= vat_bounds_heapify_levels_upper(&b));
    }
}

/* As random pivots are, whatever the order of the keys; equal ones, which both
 * hands stop at, are split in the middle. */
static void test_quicksort_of_any_order(void) {
  static const char *const orders[] = {"sorted", "reversed", "killer", "equal"};
  for (size_t i = 0; i < 4; i++)
    for (uint64_t nodes = 16; nodes <= 256; nodes *= 4) {
      const struct stream_case c = {
          "quicksort_plain", 20000, SEED, 64, "lru", 3, 9, nodes};
      const struct vat_bounds_case b = bounds_case_of(&c);
      double misses = (double)stream_case_counts_on(&c, orders[i]).misses;
      CU_ASSERT(misses >= vat_bounds_quicksort_lower(&b));
      CU_ASSERT(misses <= vat_bounds_quicksort_plain_upper(&b));
    }
}

/* What "heapify" costs depends on which: n p / P for the thesis's, and n / P
 * for ours.  The numbers are those of doc/bounds.md. */
static void test_levels_cost_p_times_as_much(void) {
  struct stream_case c = {"heapify_levels", 1 << 19, 1,  UINT64_C(1) << 32,
                          "islru",          9,       12, 64};
  uint64_t levels = stream_case_counts(&c).misses;
  c.algo = "heapify";
  uint64_t ours = stream_case_counts(&c).misses;
  CU_ASSERT_EQUAL(levels, 10360);
  CU_ASSERT_EQUAL(ours, 1105);
}
#endif

static const struct check_test tests[] = {
#ifdef HAVE_STREAMS
    {"streams are the definitions'", test_streams_are_the_definitions},
    {"heapify where each sift goes down",
     test_heapify_where_each_sift_goes_down},
    {"quicksort of any order", test_quicksort_of_any_order},
    {"levels cost p times as much", test_levels_cost_p_times_as_much},
#endif
    {0}};

const struct check_suite suite_thesis = {"the thesis's programs", tests, NULL};
