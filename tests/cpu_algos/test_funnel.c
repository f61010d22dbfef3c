/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "cpu_algos/funnel.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "tests/cpu_algos/patterns.h"
#include "tests/cpu_algos/workspace.h"

/* The least h such that 2^(3 h) >= n. */
static void test_heights_by_hand(void) {
  static const struct {
    uint64_t n;
    unsigned height;
  } cases[] = {{0, 1},
               {8, 1},
               {9, 2},
               {64, 2},
               {65, 3},
               {512, 3},
               {513, 4},
               {UINT64_C(1) << 63, 21},
               {(UINT64_C(1) << 63) + 1, 22}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT_EQUAL(cpu_funnel_height(cases[i].n), cases[i].height);
}

/*
 * A merger takes 8 words.  4 streams: a merger, and two with 8 keys each: 8 + 2
 * (8 + 8).  8 streams: upper 2 levels, and 4 mergers with 8 keys: 40 + 4 (8 +
 * 8).  16 streams: 40, and 4 funnels of 2 levels with 64 keys.
 */
static void test_words_by_hand(void) {
  CU_ASSERT_EQUAL(cpu_funnel_words(1), 8);
  CU_ASSERT_EQUAL(cpu_funnel_words(2), 8 + 2 * (8 + 8));
  CU_ASSERT_EQUAL(cpu_funnel_words(3), 40 + 4 * (8 + 8));
  CU_ASSERT_EQUAL(cpu_funnel_words(4), 40 + 4 * (64 + 40));
}

/* What the text says of it: O(k^2) words, for k^3 keys. */
static void test_words_are_few(void) {
  for (unsigned height = 1; height < 20; height++)
    CU_ASSERT(cpu_funnel_words(height) <= UINT64_C(8) << 2 * height);
}

/* Sorts of n keys: levels of mergers that each key goes through, segments that
 * are sorted by insertion, and mergers of all funnels. */
struct shape {
  uint64_t merged, by_insertion, mergers;
};

static void add_shape(uint64_t n, struct shape *shape) {
  if (n <= CPU_FUNNEL_CUTOFF) {
    shape->by_insertion += n * (n - !!n) / 2;
    return;
  }
  unsigned height = cpu_funnel_height(n);
  uint64_t segments = UINT64_C(1) << height;
  shape->merged += height * n;
  shape->mergers += segments - 1;
  for (uint64_t i = 0; i < segments; i++)
    add_shape(n / segments + (i < n % segments), shape);
}

static uint64_t *room_for(uint64_t n) {
  uint64_t words = 2 * n + cpu_funnel_words(cpu_funnel_height(n));
  uint64_t *keys = malloc(words * sizeof *keys);
  CU_ASSERT_PTR_NOT_NULL_FATAL(keys);
  return keys;
}

/*
 * Each key goes through each level once, which compares once at most; a merger
 * but the root fills 8 keys at least each time but the last.
 */
static void expect_sorted(uint64_t *keys, uint64_t n) {
  struct shape shape = {0, 0, 0};
  uint64_t *expected = sorted_copy(keys, n);
  struct cpu_funnel_work work = cpu_funnel_sort(keys, n);
  double nlogn = n ? (double)n * log2((double)n) : 0;
  add_shape(n, &shape);
  CU_ASSERT_TRUE(same_keys(keys, expected, n));
  CU_ASSERT_EQUAL(work.merged, shape.merged);
  CU_ASSERT(work.fills <= shape.merged / 8 + shape.mergers);
  CU_ASSERT(work.comparisons <= shape.merged + shape.by_insertion);
  CU_ASSERT((double)work.comparisons <= nlogn + 4 * (double)n);
  free(expected);
}

static void test_every_size(void) {
  enum { MOST = 600 };
  for (uint64_t n = 0; n <= MOST; n++)
    for (uint64_t values = 1; values <= 256; values *= 16) {
      uint64_t *keys = room_for(n);
      for (uint64_t i = 0; i < n; i++) keys[i] = cpu_random_at(n, i) % values;
      expect_sorted(keys, n);
      free(keys);
    }
}

static void test_patterns(void) {
  static const uint64_t sizes[] = {4095, 4097, 30000, 32768, 0};
  for (const struct pattern *p = patterns; p->name; p++)
    for (const uint64_t *n = sizes; *n; n++) {
      uint64_t *keys = room_for(*n);
      for (uint64_t i = 0; i < *n; i++) keys[i] = p->key(i, *n);
      expect_sorted(keys, *n);
      free(keys);
    }
}

/* Levels of all merges and log2 of what insertion sort is left with are log2 n,
 * but for rounding: at sizes, too, that nobody would sort here. */
static void test_levels_are_log2_n(void) {
  for (unsigned lg = 5; lg < 48; lg++)
    for (uint64_t n = UINT64_C(1) << lg, i = 0; i < 3; i++, n += n / 4 + 1) {
      unsigned levels = 0;
      uint64_t keys = n;
      while (keys > CPU_FUNNEL_CUTOFF) {
        unsigned height = cpu_funnel_height(keys);
        levels += height;
        keys = ((keys - 1) >> height) + 1;
      }
      CU_ASSERT(levels + log2((double)keys) <= log2((double)n) + 1);
    }
}

static const struct check_test tests[] = {
    {"heights of funnels by hand", test_heights_by_hand},
    {"words of funnels by hand", test_words_by_hand},
    {"a funnel of k^3 keys takes O(k^2) words", test_words_are_few},
    {"every size is sorted in n log2 n + 4 n comparisons", test_every_size},
    {"so are hostile inputs", test_patterns},
    {"a key goes through log2 n levels", test_levels_are_log2_n},
    {NULL, NULL},
};
extern const struct check_suite suite_funnel;
const struct check_suite suite_funnel = {"funnel", tests, NULL};
