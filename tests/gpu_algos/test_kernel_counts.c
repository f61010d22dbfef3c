/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the emulator counts of kernels is what can be computed by hand. */
#include <math.h>
#include <string.h>

#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/gpu_case.h"

enum { N = 1 << 16, WARPS = N / 32 };

static struct simt_counters count_blocks(uint64_t n, const char *name,
                                         const char *generator,
                                         unsigned dummy_shared) {
  struct gpu_case c = {gpu_emu(), gpu_counted(), gpu_index(name), n,
                       1,         generator};
  struct algo_run run = gpu_case_open_blocks(&c, 0, dummy_shared);
  struct simt_counters counters;
  simt_reset_counters();
  gpu_case_run(&c, &run);
  simt_read_counters(&counters);
  workspace_close(&run);
  return counters;
}

static struct simt_counters count_at(uint64_t n, const char *name,
                                     const char *generator) {
  return count_blocks(n, name, generator, 0);
}

static struct simt_counters count(const char *name, const char *generator) {
  return count_at(N, name, generator);
}

/* 16 bytes a thread: 512 a warp. */
static void test_copy(void) {
  struct simt_counters c = count("copy", NULL);
  CU_ASSERT_EQUAL(c.sectors_read, N / 8);
  CU_ASSERT_EQUAL(c.sectors_written, N / 8);
  CU_ASSERT_EQUAL(c.lines_read, N / 32);
  CU_ASSERT_EQUAL(c.lines_written, N / 32);
  CU_ASSERT_EQUAL(c.loads, WARPS / 4);
  CU_ASSERT_EQUAL(c.accesses, 2 * N / 4);
  CU_ASSERT_EQUAL(c.bank_waves, 0);
  CU_ASSERT_EQUAL(c.barriers, 0);
}

/* A warp that goes side by side in groups of `stride` words touches 32 / stride
 * lines, in each of them stride / 8 sectors, and at least one. */
static void expect_stride(const char *generator, unsigned stride) {
  unsigned lines = 32 / stride;
  unsigned sectors = lines * (stride < 8 ? 1 : stride / 8);
  struct simt_counters c = count("coalescing", generator);
  CU_ASSERT_EQUAL(c.loads, 2 * WARPS - WARPS);
  CU_ASSERT_EQUAL(c.sectors_read, WARPS * sectors);
  CU_ASSERT_EQUAL(c.sectors_written, WARPS * sectors);
  CU_ASSERT_EQUAL(c.lines_read, WARPS * lines);
  CU_ASSERT_EQUAL(c.lines_written, WARPS * lines);
  CU_ASSERT_EQUAL(c.accesses, 2 * N);
}

static void test_coalescing(void) {
  expect_stride("stride-1", 1);
  expect_stride("stride-2", 2);
  expect_stride("stride-4", 4);
  expect_stride("stride-8", 8);
  expect_stride("stride-16", 16);
  expect_stride("stride-32", 32);
}

static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }

/* 32 writes and a read, each as many waves as threads meet in a bank. */
static void test_bank_conflicts(void) {
  for (unsigned bank = 1; bank <= 16; bank++) {
    char generator[16];
    snprintf(generator, sizeof generator, "bank-%u", bank);
    struct simt_counters c = count("bank_conflicts", generator);
    CU_ASSERT_EQUAL(c.shared_instructions, WARPS * 33);
    CU_ASSERT_EQUAL(c.bank_waves, WARPS * 33 * gcd(bank, 32));
    CU_ASSERT_EQUAL(c.sectors_read, N / 8);
  }
}

/* A million reads: of the only word a sector a warp; of a word in each page
 * fewer lines than lanes, whose sectors they are; of all words more sectors
 * than lines.  The window begins anywhere in a page, and behind it is the sum.
 */
static void test_random_window(void) {
  enum { READS = 1 << 20, PIECES = N / 1024 };
  CU_ASSERT_EQUAL(simt_set_page_bytes(4096), 0);
  struct simt_counters c = count_at(1, "random_window", NULL);
  CU_ASSERT_EQUAL(c.loads, READS / 32);
  CU_ASSERT_EQUAL(c.sectors_read, READS / 32);
  CU_ASSERT_EQUAL(c.pages, 1);
  c = count_at(N, "random_window", "stride-4k");
  CU_ASSERT(c.pages > PIECES / 2 && c.pages <= PIECES + 2);
  CU_ASSERT_EQUAL(c.sectors_read, c.lines_read);
  CU_ASSERT(c.lines_read > READS / 2 && c.lines_read < READS);
  c = count_at(N, "random_window", "uniform");
  CU_ASSERT(c.pages >= PIECES + 1 && c.pages <= PIECES + 2);
  CU_ASSERT(c.sectors_read > c.lines_read);
  CU_ASSERT_EQUAL(simt_set_page_bytes(2 << 20), 0);
}

/* 8192 words a block, each of which adds one number to the sum. */
static void test_reduce(void) {
  struct simt_counters c = count("reduce", NULL);
  CU_ASSERT_EQUAL(c.sectors_read, N / 8);
  CU_ASSERT_EQUAL(c.sectors_written, 0);
  CU_ASSERT_EQUAL(c.thread_blocks, N / 8192);
  CU_ASSERT_EQUAL(c.atomics, N / 8192);
  CU_ASSERT_EQUAL(c.atomic_conflicts, 0);
}

/* Each word is an atomic in shared memory, each bin of a block one more. */
static void test_histogram(void) {
  struct simt_counters c = count("histogram_shared", NULL);
  unsigned blocks = N / 16384;
  CU_ASSERT_EQUAL(c.sectors_read, N / 8);
  CU_ASSERT_EQUAL(c.atomics, N + 256 * blocks);
  CU_ASSERT_TRUE(c.atomic_conflicts > 0);
}

/* The leading term of the bound, for the 32 blocks of 32 keys that the
 * registers of a warp hold, which are lines: read and written in each turn. */
static void test_quicksort_is_near_the_bound(void) {
  enum { KEYS = 40000 };
  struct simt_counters c = count_at(KEYS, "k_quicksort_32", NULL);
  double blocks = KEYS / 32.0, bound = 2 * blocks * log(blocks) / log(32);
  double lines = (double)(c.lines_read + c.lines_written);
  CU_ASSERT_TRUE(lines >= bound / 2 && lines <= 3 * bound);
}

/* No count depends on how many processors there are. */
static void test_several_processors(void) {
  static const char *const names[] = {"copy", "coalescing", "matmul_tiled",
                                      "histogram_shared"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t index = gpu_index(names[i]);
    uint64_t n = gpu_at_most(gpu_emu()->algos[index], N, 1 << 18);
    struct gpu_case c = {gpu_emu(), gpu_counted(), index, n, 1, NULL};
    struct simt_counters counters[2];
    for (unsigned threads = 1; threads <= 2; threads++) {
      struct algo_run run = gpu_case_open(&c);
      CU_ASSERT_EQUAL(simt_set_threads(threads), 0);
      simt_reset_counters();
      gpu_case_run(&c, &run);
      simt_read_counters(&counters[threads - 1]);
      workspace_close(&run);
    }
    CU_ASSERT_EQUAL(memcmp(&counters[0], &counters[1], sizeof *counters), 0);
  }
  CU_ASSERT_EQUAL(simt_set_threads(1), 0);
}

/* Six products of 64 x 64 distances.  With S_D = 64, two sub-blocks of 128
 * lines are read and one is written, in halves; with 16 each row is half a
 * line: 16 a sub-block, of which 2 x 64 are read and 16 written; with 8 a
 * quarter: 8, of which 2 x 512 are read and 64 written.  At the end a copy
 * reads and writes 128. */
static void test_sub_blocks(void) {
  struct simt_counters of_64 = count_blocks(64, "apsp_matmul", NULL, 0);
  struct simt_counters of_16 = count_blocks(64, "apsp_matmul", NULL, 45 << 10);
  struct simt_counters of_8 = count_blocks(64, "apsp_matmul", NULL, 95 << 9);
  CU_ASSERT_EQUAL(of_64.lines_read, 6 * 2 * 128 + 128);
  CU_ASSERT_EQUAL(of_64.lines_written, 6 * 256 + 128);
  CU_ASSERT_EQUAL(of_16.lines_read, 6 * 16 * 2 * 64 + 128);
  CU_ASSERT_EQUAL(of_16.lines_written, 6 * 16 * 16 + 128);
  CU_ASSERT_EQUAL(of_8.lines_read, 6 * 8 * 2 * 512 + 128);
  CU_ASSERT_EQUAL(of_8.lines_written, 6 * 8 * 64 + 128);
}

static const struct check_test tests[] = {
    {"a copy reads and writes each sector once", test_copy},
    {"transactions fall as groups of threads grow", test_coalescing},
    {"waves grow with the threads that meet in a bank", test_bank_conflicts},
    {"reads at random touch what the window has", test_random_window},
    {"a sum reads each sector once", test_reduce},
    {"a histogram is an atomic a word", test_histogram},
    {"k-quicksort is within 3 times its lower bound",
     test_quicksort_is_near_the_bound},
    {"squaring reads each sub-block as often as it must", test_sub_blocks},
    {"counts are the same on several processors", test_several_processors},
    {NULL, NULL},
};
extern const struct check_suite suite_kernel_counts;
const struct check_suite suite_kernel_counts = {"counts of kernels", tests,
                                                gpu_skip_counted};
