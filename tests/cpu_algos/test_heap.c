/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/heap.h"
#include "cpu_algos/random.h"
#include "tests/cpu_algos/patterns.h"
#include "tests/cpu_algos/workspace.h"

/* Level by level and top-down: the same heap, as sifts of disjoint subtrees
 * may change places, and the same order. */
static void expect_sorted_by_levels(const uint64_t *keys, uint64_t n) {
  uint64_t *expected = sorted_copy(keys, n), *other = sorted_copy(keys, n);
  uint64_t *levels = sorted_copy(keys, n);
  if (n) memcpy(levels, keys, n * sizeof *levels);
  if (n) memcpy(other, keys, n * sizeof *other);
  cpu_heap_build(other, n);
  cpu_heap_build_levels(levels, n);
  CU_ASSERT_TRUE(same_keys(levels, other, n));
  cpu_heap_unwind_topdown(levels, n);
  CU_ASSERT_TRUE(same_keys(levels, expected, n));
  free(levels);
  free(other);
  free(expected);
}

/* Build and unwind keys[0..n) against qsort(3). */
static void expect_sorted(uint64_t *keys, uint64_t n) {
  uint64_t *expected = sorted_copy(keys, n);
  expect_sorted_by_levels(keys, n);
  cpu_heap_build(keys, n);
  CU_ASSERT_TRUE(cpu_heap_is(keys, n));
  uint64_t *same = sorted_copy(keys, n);
  CU_ASSERT_TRUE(same_keys(same, expected, n));
  cpu_heap_unwind(keys, n);
  CU_ASSERT_TRUE(same_keys(keys, expected, n));
  free(same);
  free(expected);
}

/* All sequences of n digits below `base`, among them all orders. */
static void test_every_small_input(void) {
  enum { BASE = 6, N = 6 };
  for (uint64_t n = 0; n <= N; n++) {
    uint64_t sequences = 1;
    for (uint64_t i = 0; i < n; i++) sequences *= BASE;
    for (uint64_t s = 0; s < sequences; s++) {
      uint64_t keys[N], rest = s;
      for (uint64_t i = 0; i < n; i++, rest /= BASE) keys[i] = rest % BASE;
      expect_sorted(keys, n);
    }
  }
}

/* Every shape of the lowest two levels comes up. */
static void test_every_size(void) {
  for (uint64_t n = 0; n <= 600; n++) {
    uint64_t keys[600];
    for (uint64_t i = 0; i < n; i++) keys[i] = cpu_random_at(n, i) % (n + 1);
    expect_sorted(keys, n);
  }
}

/* Large enough for the branching part of the way down. */
static void test_patterns(void) {
  enum { N = 20000 };
  uint64_t *keys = malloc(N * sizeof *keys);
  CU_ASSERT_PTR_NOT_NULL_FATAL(keys);
  for (const struct pattern *p = patterns; p->name; p++)
    for (uint64_t n = N - 3; n <= N; n++) {
      for (uint64_t i = 0; i < n; i++) keys[i] = p->key(i, n);
      expect_sorted(keys, n);
    }
  free(keys);
}

/* Popping the largest by searching all keys gives the same order. */
static void test_slow_reference(void) {
  enum { N = 500 };
  uint64_t keys[N], left[N];
  for (uint64_t i = 0; i < N; i++) keys[i] = left[i] = cpu_random_at(3, i) % 90;
  cpu_heap_build(keys, N);
  cpu_heap_unwind(keys, N);
  for (uint64_t n = N; n > 0; n--) {
    uint64_t most = 0;
    for (uint64_t i = 0; i < n; i++)
      if (left[i] > left[most]) most = i;
    CU_ASSERT_EQUAL(keys[n - 1], left[most]);
    left[most] = left[n - 1];
  }
}

static void test_heap_is(void) {
  uint64_t keys[] = {9, 8, 7, 6, 5, 4, 3};
  CU_ASSERT_TRUE(cpu_heap_is(NULL, 0));
  CU_ASSERT_TRUE(cpu_heap_is(keys, 1));
  CU_ASSERT_TRUE(cpu_heap_is(keys, 7));
  for (uint64_t i = 1; i < 7; i++) {
    uint64_t key = keys[i];
    keys[i] = keys[(i - 1) / 2] + 1;
    CU_ASSERT_FALSE(cpu_heap_is(keys, 7));
    CU_ASSERT_TRUE(cpu_heap_is(keys, i));
    keys[i] = key;
  }
}

static const struct check_test tests[] = {
    {"every short input is built and sorted", test_every_small_input},
    {"every size is built and sorted", test_every_size},
    {"hostile inputs are built and sorted", test_patterns},
    {"unwinding is taking the largest again and again", test_slow_reference},
    {"a heap is told from what is none", test_heap_is},
    {NULL, NULL},
};
extern const struct check_suite suite_heap;
const struct check_suite suite_heap = {"heap", tests, NULL};
