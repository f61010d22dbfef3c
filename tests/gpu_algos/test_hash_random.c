/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random hashing in any grid of any blocks, and what is counted of it. */
#include <string.h>

#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/gpu_case.h"

enum { N = 1 << 14 };

static struct simt_counters run_once(const char *generator,
                                     unsigned block_threads,
                                     unsigned grid_blocks, uint64_t n,
                                     const struct gpu_set *runs) {
  struct gpu_case c = {gpu_tested(), runs, gpu_index("hash_random"), n, n,
                       generator};
  struct algo_run run = gpu_case_open_blocks(&c, block_threads, 0);
  struct simt_counters counters;
  run.gpu.grid_blocks = grid_blocks;
  simt_reset_counters();
  gpu_case_run(&c, &run);
  simt_read_counters(&counters);
  CU_ASSERT_PTR_NULL(gpu_algo(&c)->check(&run));
  workspace_close(&run);
  return counters;
}

/* Fewer look-ups than threads or blocks, and ranges that are not even, too. */
static void test_any_grid(void) {
  static const unsigned threads[] = {32, 96, 960, 1024};
  static const unsigned blocks[] = {1, 2, 15, 16, 90, 300};
  static const uint64_t sizes[] = {1, 33, 1000, N};
  static const char *const tables[] = {"shared-48k", "global-1m"};
  for (size_t i = 0; i < 4 * 6 * 4 * 2; i++)
    run_once(tables[i / 96], threads[i % 4], blocks[i / 4 % 6],
             sizes[i / 24 % 4], gpu_tested());
}

/* Blocks of as many threads as were asked for. */
static void test_grid_is_as_asked(void) {
  struct simt_counters c = run_once("shared-8k", 64, 15, N, gpu_counted());
  CU_ASSERT_EQUAL(c.thread_blocks, 15);
  CU_ASSERT_EQUAL(c.threads, 15 * 64);
  c = run_once("global-8k", 0, 0, N, gpu_counted());
  CU_ASSERT_EQUAL(c.threads, c.thread_blocks * 256);
}

/* Warps that look up in shared memory touch it once a look-up, and write the
 * table there before; others never do. */
static void test_where_the_table_is(void) {
  const unsigned table = (8 << 10) / 4, blocks = 4;
  struct simt_counters in =
      run_once("shared-8k", 256, blocks, N, gpu_counted());
  CU_ASSERT_EQUAL(in.shared_instructions, (N + blocks * table) / 32);
  CU_ASSERT_EQUAL(in.loads, (N + blocks * table) / 32);
  CU_ASSERT(in.bank_waves > in.shared_instructions);
  struct simt_counters out =
      run_once("global-8k", 256, blocks, N, gpu_counted());
  CU_ASSERT_EQUAL(out.shared_instructions, 0);
  CU_ASSERT_EQUAL(out.loads, 2 * N / 32);
  /* 32 places of 64 lines, and of 8192, which hardly ever meet. */
  struct simt_counters wide =
      run_once("global-1m", 256, blocks, N, gpu_counted());
  CU_ASSERT(out.lines_read > 20 * N / 32 && out.lines_read < 30 * N / 32);
  CU_ASSERT(wide.lines_read > 32 * N / 32 && wide.lines_read <= 33 * N / 32);
}

static const struct check_test tests[] = {
    {"sums are right in any grid", test_any_grid},
    {NULL, NULL},
};
static const struct check_test counted_tests[] = {
    {"grids are as asked for", test_grid_is_as_asked},
    {"tables are where they should be", test_where_the_table_is},
    {NULL, NULL},
};
extern const struct check_suite suite_hash_random, suite_hash_random_counted;
const struct check_suite suite_hash_random = {"random hashing", tests,
                                              gpu_skip_tested};
const struct check_suite suite_hash_random_counted = {
    "random hashing, counted", counted_tests, gpu_skip_counted};
