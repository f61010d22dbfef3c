/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/keys.h"
#include "cpu_algos/quick.h"
#include "cpu_algos/random.h"
#include "tests/cpu_algos/patterns.h"
#include "tests/cpu_algos/workspace.h"

static struct cpu_quick_work expect_sorted(uint64_t *keys, uint64_t n) {
  uint64_t *expected = sorted_copy(keys, n);
  struct cpu_quick_work work = cpu_quick_sort(keys, n);
  CU_ASSERT_TRUE(same_keys(keys, expected, n));
  free(expected);
  return work;
}

static void test_partition(void) {
  enum { BASE = 6, MOST = 7 };
  for (uint64_t n = 3, sequences = 216; n <= MOST; n++, sequences *= BASE)
    for (uint64_t s = 0; s < sequences; s++) {
      uint64_t keys[MOST], input[MOST] = {0}, rest = s;
      for (uint64_t i = 0; i < n; i++, rest /= BASE)
        keys[i] = input[i] = rest % BASE;
      uint64_t three[] = {input[0], input[n / 2], input[n - 1]};
      uint64_t *ordered = sorted_copy(three, 3);
      uint64_t pivot = cpu_quick_partition(keys, n);
      bool right = pivot < n && keys[pivot] == ordered[1];
      for (uint64_t i = 0; i < n; i++)
        right &= i < pivot ? keys[i] < keys[pivot] : keys[i] >= keys[pivot];
      qsort(keys, n, sizeof *keys, compare_keys);
      qsort(input, n, sizeof *input, compare_keys);
      CU_ASSERT_TRUE(right && same_keys(keys, input, n));
      free(ordered);
    }
}

static void test_every_size(void) {
  enum { MOST = 300 };
  for (uint64_t n = 0; n <= MOST; n++)
    for (uint64_t values = 1; values <= 64; values *= 4) {
      uint64_t keys[MOST];
      for (uint64_t i = 0; i < n; i++) keys[i] = cpu_random_at(n, i) % values;
      expect_sorted(keys, n);
    }
}

/* At most 2 log2 n partitions deep, whatever the input. */
static void test_patterns(void) {
  enum { N = 30000, DEPTH = 2 * 14 };
  uint64_t *keys = malloc(N * sizeof *keys);
  CU_ASSERT_PTR_NOT_NULL_FATAL(keys);
  for (const struct pattern *p = patterns; p->name; p++)
    for (uint64_t n = N - 2; n <= N; n++) {
      for (uint64_t i = 0; i < n; i++) keys[i] = p->key(i, n);
      CU_ASSERT_TRUE(expect_sorted(keys, n).partitioned <= DEPTH * n);
    }
  free(keys);
}

static void test_no_fallback_on_random_keys(void) {
  enum { N = 1 << 16 };
  uint64_t *keys = malloc(N * sizeof *keys);
  CU_ASSERT_PTR_NOT_NULL_FATAL(keys);
  for (uint64_t seed = 0; seed < 5; seed++) {
    cpu_keys_fill(keys, N, seed);
    struct cpu_quick_work work = expect_sorted(keys, N);
    CU_ASSERT_EQUAL(work.fallbacks, 0);
    /* 1.19 n log2 n for the median of three, less what is left to insertion */
    CU_ASSERT_TRUE(work.partitioned < 19.0 * N);
  }
  free(keys);
}

/* One pass finds each value, a second splits off its equals. */
static void test_equal_keys_are_cheap(void) {
  enum { N = 1 << 16, VALUES = 8 };
  uint64_t *keys = malloc(N * sizeof *keys);
  CU_ASSERT_PTR_NOT_NULL_FATAL(keys);
  for (uint64_t i = 0; i < N; i++) keys[i] = 7;
  CU_ASSERT_TRUE(expect_sorted(keys, N).partitioned <= 2 * N);
  for (uint64_t i = 0; i < N; i++) keys[i] = cpu_random_at(1, i) % VALUES;
  CU_ASSERT_TRUE(expect_sorted(keys, N).partitioned <= 2 * VALUES * N);
  free(keys);
}

/*
 * Make n distinct keys of which each partition splits off only the least two:
 * from such keys for n - 2, where `from` tells how partitioning moves places.
 * The least two sit where the median of three is taken from.
 */
static void lengthen_killer(uint64_t *killer, uint64_t n, uint64_t *from,
                            uint64_t *longer) {
  for (uint64_t i = 0; i < n; i++) from[i] = 2 + i;
  from[0] = 1;
  from[n / 2] = 0;
  CU_ASSERT_EQUAL_FATAL(cpu_quick_partition(from, n), 1);
  longer[0] = 1;
  longer[n / 2] = 0;
  for (uint64_t i = 2; i < n; i++) longer[from[i] - 2] = killer[i - 2] + 2;
  memcpy(killer, longer, n * sizeof *killer);
}

static void test_killer_enters_the_fallback(void) {
  enum { N = 4096, DEPTH = 2 * 12 };
  uint64_t *killer = malloc(3 * N * sizeof *killer);
  CU_ASSERT_PTR_NOT_NULL_FATAL(killer);
  for (uint64_t i = 0; i < CPU_QUICK_CUTOFF; i++) killer[i] = i;
  for (uint64_t n = CPU_QUICK_CUTOFF + 2; n <= N; n += 2)
    lengthen_killer(killer, n, killer + N, killer + 2 * (uint64_t)N);
  struct cpu_quick_work work = expect_sorted(killer, N);
  CU_ASSERT_EQUAL(work.fallbacks, 1);
  /* n + (n - 2) + ...: all the depth there is, and no more. */
  CU_ASSERT_EQUAL(work.partitioned, DEPTH * N - DEPTH * (DEPTH - 1));
  free(killer);
}

static const struct check_test tests[] = {
    {"a partition is about the median of three", test_partition},
    {"every size is sorted", test_every_size},
    {"hostile inputs are sorted in n log n", test_patterns},
    {"random keys need no fall-back", test_no_fallback_on_random_keys},
    {"equal keys are split off at once", test_equal_keys_are_cheap},
    {"keys that defeat quicksort are left to heapsort after 2 log2 n",
     test_killer_enters_the_fallback},
    {NULL, NULL},
};
extern const struct check_suite suite_quick;
const struct check_suite suite_quick = {"quick", tests, NULL};
