/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Algorithms are right in blocks of any threads and shared memory that they
 * take; and what they do not take they refuse. */
#include "gpu_algos/blocks.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/gpu_case.h"

static const unsigned threads[] = {0, 32, 96, 1024};
/* The last leaves 64 keys of 64 bits. */
static const unsigned dummies[] = {0, 40000, GPU_SHARED_BYTES - 512};

static void expect_right(const struct gpu_set *runs, size_t index, uint64_t n,
                         unsigned block_threads, unsigned dummy_shared) {
  struct gpu_case c = {gpu_tested(), runs, index, n, n, NULL};
  const struct algo *algo = gpu_algo(&c);
  if (algo->gpu->refuse_block(block_threads, dummy_shared)) return;
  struct algo_run run = gpu_case_open_blocks(&c, block_threads, dummy_shared);
  gpu_case_run(&c, &run);
  const char *wrong = algo->check(&run);
  CU_ASSERT_PTR_NULL(wrong);
  if (wrong)
    fprintf(stderr, "%s n=%llu threads=%u dummy=%u: %s\n", algo->name,
            (unsigned long long)c.n, block_threads, dummy_shared, wrong);
  workspace_close(&run);
}

/* Sizes that are too large for an algorithm are one.  Of the largest the
 * combinations are fewer, each thread count and each size of shared memory. */
static void expect_all_right(const struct gpu_set *runs) {
  static const uint64_t sizes[] = {1, 65, 1000, 5000};
  for (size_t i = 0; gpu_tested()->algos[i]; i++) {
    const struct algo *algo = gpu_tested()->algos[i];
    for (size_t s = 0, last = 0; algo->gpu && s < 4; s++) {
      uint64_t n = gpu_at_most(algo, sizes[s], 1 << 16);
      for (size_t t = 0; n != last && t < 4; t++)
        for (size_t d = 0; d < 3; d++)
          if (sizes[s] < 5000 || t % 3 == d)
            expect_right(runs, i, n, threads[t], dummies[d]);
      last = n;
    }
  }
}

/* Races are found, where kernels are counted, whatever the order. */
static void test_right_in_any_blocks(void) {
  expect_all_right(gpu_counted() ? gpu_counted() : gpu_tested());
  simt_set_order(SIMT_REVERSE);
  expect_all_right(gpu_tested());
  simt_set_order(SIMT_FORWARD);
}

static void test_refused(void) {
  for (size_t i = 0; gpu_tested()->algos[i]; i++) {
    const struct algo *algo = gpu_tested()->algos[i];
    if (!algo->gpu) continue;
    CU_ASSERT_PTR_NULL(algo->gpu->refuse_block(0, 0));
    CU_ASSERT_PTR_NOT_NULL(algo->gpu->refuse_block(33, 0));
    CU_ASSERT_PTR_NOT_NULL(algo->gpu->refuse_block(GPU_BLOCK_MAX + 32, 0));
    CU_ASSERT_PTR_NOT_NULL(algo->gpu->refuse_block(0, GPU_DUMMY_MAX + 1));
  }
  const struct algo *sort = gpu_tested()->algos[gpu_index("merge_sort")];
  CU_ASSERT_PTR_NULL(sort->gpu->refuse_block(0, GPU_SHARED_BYTES - 512));
  CU_ASSERT_PTR_NOT_NULL(sort->gpu->refuse_block(0, GPU_SHARED_BYTES - 511));
}

static const struct check_test tests[] = {
    {"algorithms are right in all blocks that they take",
     test_right_in_any_blocks},
    {"others are refused", test_refused},
    {NULL, NULL},
};
extern const struct check_suite suite_blocks;
const struct check_suite suite_blocks = {"blocks of a choice", tests,
                                         gpu_skip_tested};
