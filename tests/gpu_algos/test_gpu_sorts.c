/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts on the least and the largest keys, which are also what they fill
 * streams up with and what limits and pivots are next to. */
#include "cpu_algos/random.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/gpu_case.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The upper halves of these are the keys of 32 bits. */
static const uint64_t ends[] = {0, UINT64_MAX, UINT64_C(1) << 32,
                                UINT64_MAX - (UINT64_C(1) << 32)};

/* Of the first `kinds` of them, the last one seldom if `few`. */
static void fill(uint64_t *keys, uint64_t n, size_t kinds, bool few,
                 uint64_t seed) {
  struct cpu_random random = {seed};
  for (uint64_t i = 0; i < n; i++) {
    bool last = few && cpu_random_below(&random, 100) == 0;
    uint64_t kind = cpu_random_below(&random, few && !last ? kinds - 1 : kinds);
    keys[i] = ends[last ? kinds - 1 : kind];
  }
}

static void expect_sorted(size_t index, const uint64_t *keys, uint64_t n) {
  const struct algo_data given = {.count = n, .items = keys};
  struct gpu_case c = {gpu_tested(), gpu_tested(), index, n, 1, NULL};
  struct algo_run run = workspace_open(gpu_algo(&c), n, 1);
  run.given = &given;
  gpu_algo(&c)->setup(&run);
  gpu_case_run(&c, &run);
  const char *wrong = gpu_algo(&c)->check(&run);
  CU_ASSERT_PTR_NULL(wrong);
  if (wrong)
    fprintf(stderr, "%s n=%llu, of keys 0 and all ones: %s\n",
            gpu_algo(&c)->name, (unsigned long long)n, wrong);
  workspace_close(&run);
}

/* Those that fit the registers: two kinds, and all. */
static void test_small(void) {
  static const uint64_t sizes[] = {1, 32, 33, 1500};
  static uint64_t keys[1500];
  for (size_t i = 0; gpu_tested()->algos[i]; i++)
    for (size_t s = 0; s < COUNT(sizes); s++)
      for (size_t kinds = 2; kinds <= COUNT(ends); kinds += 2)
        for (int few = 0; few < 2; few++) {
          fill(keys, sizes[s], kinds, few, s);
          if (gpu_sorts(gpu_tested()->algos[i]))
            expect_sorted(i, keys, sizes[s]);
        }
}

/* Those that are parted by all processors first. */
static void test_large(void) {
  enum { LARGE = 17000 };
  static uint64_t keys[3][LARGE];
  fill(keys[0], LARGE, 2, true, 1);
  fill(keys[1], LARGE, COUNT(ends), false, 2);
  for (uint64_t i = 0; i < LARGE; i++) keys[2][i] = UINT64_MAX;
  for (size_t i = 0; gpu_tested()->algos[i]; i++)
    for (size_t k = 0; gpu_sorts(gpu_tested()->algos[i]) && k < 3; k++)
      expect_sorted(i, keys[k], LARGE);
}

static const struct check_test tests[] = {
    {"keys 0 and all ones", test_small},
    {"and where there are many", test_large},
    {NULL, NULL},
};
extern const struct check_suite suite_gpu_sorts;
const struct check_suite suite_gpu_sorts = {"sorts by warps", tests,
                                            gpu_skip_tested};
