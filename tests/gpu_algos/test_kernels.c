/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims about every kernel of the table, on every device there is. */
#include <string.h>

#include "cpu_algos/keys.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/gpu_case.h"

static const uint64_t sizes[] = {0,    1,    31,   32,   33,    1000, 1023,
                                 1024, 1025, 4095, 4097, 12345, 65536};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Products that large are made in a second. */
static const double most_ops = 1 << 22;

/* A sort takes the emulator 300 ns an operation, a read 1400 ns a letter. */
static const double most_slow_ops = 1 << 15;

static bool is_slow(const struct algo *algo) {
  return gpu_sorts(algo) || (algo->data && !strcmp(algo->data, "reads"));
}

static double most_of(const struct algo *algo) {
  return is_slow(algo) ? most_slow_ops : most_ops;
}

static bool is_too_large(const struct algo *algo, uint64_t n) {
  return gpu_emulated_ops(algo, n) > most_of(algo);
}

/* Sorts take large inputs of one generator a size, each another; points, of
 * which a suite takes all, come from one a size. */
static bool is_taken(const struct gpu_set *set, size_t i, uint64_t n,
                     size_t g) {
  const struct algo *algo = set->algos[i];
  size_t count = 0;
  while (algo->generators && algo->generators[count]) count++;
  if (gpu_sorts(algo)) return n <= 33 || n == 3000 || g == (n / 31 + i) % count;
  return !algo->data || !count || g == n % count;
}

/* Sizes that are too large for an algorithm are one, which is taken once of a
 * generator; `smaller` of them were there before. */
static bool is_new(const struct gpu_set *set, size_t i, const uint64_t *tried,
                   size_t smaller, size_t g) {
  const struct algo *algo = set->algos[i];
  for (size_t s = 0; is_too_large(algo, tried[smaller]) && s < smaller; s++)
    if (is_too_large(algo, tried[s]) && is_taken(set, i, tried[s], g))
      return false;
  return is_taken(set, i, tried[smaller], g);
}

typedef void claim(const struct gpu_case *c);

/* Where tests are brief: of many blocks, but not of many levels. */
enum { LARGEST_BRIEF = 12345 };

/* The claim of each algorithm with its generators, for tried[s], after the
 * sizes before that. */
static void for_size(const struct gpu_set *set, const struct gpu_set *runs,
                     const uint64_t *tried, size_t s, claim *holds) {
  const uint64_t n = tried[s];
  if (check_is_brief() && n > LARGEST_BRIEF) return;
  for (size_t i = 0; set->algos[i]; i++) {
    const struct algo *algo = set->algos[i];
    struct gpu_case c = {set, runs, i, gpu_at_most(algo, n, most_of(algo)),
                         n,   NULL};
    for (size_t g = 0; !g || (algo->generators && algo->generators[g]); g++) {
      if (algo->generators) c.generator = algo->generators[g];
      if (is_new(set, i, tried, s, g)) holds(&c);
    }
  }
}

static void for_each(const struct gpu_set *set, const struct gpu_set *runs,
                     uint64_t n, claim *holds) {
  for_size(set, runs, &n, 0, holds);
}

static void expect_all_sizes(const struct gpu_set *set,
                             const struct gpu_set *runs) {
  for (size_t s = 0; s < SIZES; s++)
    for_size(set, runs, sizes, s, gpu_case_expect_right);
}

/* None, part of a warp, and more than a block. */
static void expect_few_sizes(const struct gpu_set *runs) {
  static const uint64_t few[] = {0, 1, 32, 33, 1024, 1025, 4097, 65536};
  for (size_t s = 0; s < sizeof few / sizeof *few; s++)
    for_size(gpu_emu(), runs, few, s, gpu_case_expect_right);
}

static void test_right_on_emu(void) {
  expect_all_sizes(gpu_emu(), gpu_emu());
  simt_set_order(SIMT_REVERSE);
  expect_few_sizes(gpu_emu());
  simt_set_order(SIMT_FORWARD);
}

/* Races are found whatever the order, and the same kernels are compiled: so a
 * few sizes will do. */
static void test_right_when_counted(void) { expect_few_sizes(gpu_counted()); }

/* Of many blocks. */
static void test_right_on_several_processors(void) {
  CU_ASSERT_EQUAL(simt_set_threads(3), 0);
  static const uint64_t many[] = {12345, 65536};
  for_size(gpu_emu(), gpu_emu(), many, 0, gpu_case_expect_right);
  for_size(gpu_emu(), gpu_emu(), many, 1, gpu_case_expect_right);
  CU_ASSERT_EQUAL(simt_set_threads(1), 0);
}

/* A list of three levels of splitters, sums over many tiles; of what was tried
 * already, nothing. */
static void expect_large(const struct gpu_set *set) {
  uint64_t larger[SIZES + 1];
  memcpy(larger, sizes, sizeof sizes);
  larger[SIZES] = 1234567;
  for_size(set, set, larger, SIZES, gpu_case_expect_right);
}

static void test_large_on_emu(void) { expect_large(gpu_emu()); }

/* Parts of problems that begin anywhere are parted once more. */
static void test_split_twice(void) {
  if (check_is_brief()) return;
  static const char *const names[] = {"k_quicksort_32", "quicksort_gpu_32"};
  for (size_t i = 0; i < 2; i++) {
    struct gpu_case c = {gpu_emu(), gpu_emu(),       gpu_index(names[i]),
                         200000,    UINT64_C(1) + i, NULL};
    gpu_case_expect_right(&c);
  }
}

static void expect_complete(const struct gpu_set *set, const char *device) {
  size_t count = 0;
  for (; set->algos[count]; count++) {
    const struct algo *algo = set->algos[count];
    CU_ASSERT_STRING_EQUAL(algo->device, device);
    CU_ASSERT_EQUAL(gpu_index(algo->name), count);
    CU_ASSERT_TRUE(algo->title && algo->summary && algo->complexity);
    CU_ASSERT_TRUE(algo->ram_ops && algo->bytes && algo->setup);
    CU_ASSERT_TRUE(algo->restore && algo->run && algo->check);
    CU_ASSERT_EQUAL(!algo->fit, !algo->fits);
    for (uint64_t n = 0; n < 100; n++) {
      CU_ASSERT_TRUE(algo->ram_ops(n) >= 1 && algo->ram_ops(n) >= (double)n);
      CU_ASSERT_TRUE(algo->bytes(n) >= sizeof(uint32_t) * n + !n);
    }
    /* What counts in 32 bits takes no more; and a window 1 TiB. */
    bool is_window = !strcmp(algo->name, "random_window");
    for (unsigned shift = is_window ? 39 : 32; shift < 64; shift++)
      CU_ASSERT_EQUAL(algo->bytes(UINT64_C(1) << shift), 0);
  }
  CU_ASSERT_EQUAL(count, 45);
}

static void test_complete(void) {
  expect_complete(gpu_emu(), "emu");
  if (gpu_counted()) expect_complete(gpu_counted(), "emu");
  if (gpu_cuda()) expect_complete(gpu_cuda(), "cuda");
}

static void nothing_is_wrong(const struct gpu_case *c) {
  struct algo_run run = gpu_case_open(c);
  CU_ASSERT_PTR_NOT_NULL(gpu_algo(c)->check(&run));
  workspace_close(&run);
}

static void test_doing_nothing_is_wrong(void) {
  for_each(gpu_emu(), gpu_emu(), 100, nothing_is_wrong);
}

/* Each word of the answer, with a bit of it altered. */
static void broken_is_wrong(const struct gpu_case *c) {
  struct algo_run run = gpu_case_open(c);
  gpu_case_run(c, &run);
  struct gpu_answer answer = gpu_case_answer(c, &run);
  uint32_t *words = (uint32_t *)(void *)run.memory +
                    (answer.words - (const uint32_t *)(void *)run.memory);
  CU_ASSERT_TRUE(answer.count > 0);
  for (uint64_t i = 0; i < answer.count; i++)
    for (unsigned bit = 0; bit < 32; bit += 5) {
      uint32_t word = words[i];
      words[i] ^= UINT32_C(1) << bit;
      /* Minus nothing is nothing. */
      if (words[i] != UINT32_C(1) << 31 && gpu_answer_needs(&answer, i, bit))
        CU_ASSERT_PTR_NOT_NULL(gpu_algo(c)->check(&run));
      words[i] = word;
    }
  CU_ASSERT_PTR_NULL(gpu_algo(c)->check(&run));
  workspace_close(&run);
}

static void test_broken_answers_are_wrong(void) {
  for_each(gpu_emu(), gpu_emu(), 50, broken_is_wrong);
}

/* What an answer is written to has none of it any more, always alike, and the
 * input is there for another run.  Where it is a run tells. */
static void restored_is_new(const struct gpu_case *c) {
  struct algo_run run = gpu_case_open(c);
  gpu_case_run(c, &run);
  struct gpu_answer answer = gpu_case_answer(c, &run);
  size_t bytes = answer.count * sizeof *answer.words;
  unsigned char *before = malloc(bytes);
  CU_ASSERT_PTR_NOT_NULL_FATAL(before);
  gpu_algo(c)->restore(&run);
  memcpy(before, answer.words, bytes);
  gpu_case_run(c, &run);
  CU_ASSERT_TRUE(memcmp(before, answer.words, bytes) != 0);
  gpu_algo(c)->restore(&run);
  CU_ASSERT_EQUAL(memcmp(before, answer.words, bytes), 0);
  gpu_case_run(c, &run);
  CU_ASSERT_PTR_NULL(gpu_algo(c)->check(&run));
  free(before);
  workspace_close(&run);
}

static void test_restore(void) {
  for_each(gpu_emu(), gpu_emu(), 1100, restored_is_new);
}

/* The same words, but where they are rounded numbers, which checks have seen:
 * roots of unity are not those of the emulator. */
static void same_on_cuda(const struct gpu_case *c) {
  struct gpu_case emulated = *c;
  emulated.set = emulated.runs = gpu_emu();
  struct algo_run there = gpu_case_open(c), here = gpu_case_open(&emulated);
  gpu_case_run(c, &there);
  gpu_case_run(&emulated, &here);
  struct gpu_answer a = gpu_case_answer(c, &there);
  struct gpu_answer b = gpu_case_answer(&emulated, &here);
  CU_ASSERT_EQUAL(a.count, b.count);
  if (!a.rounded)
    CU_ASSERT_EQUAL(memcmp(a.words, b.words, a.count * sizeof *a.words), 0);
  workspace_close(&there);
  workspace_close(&here);
}

static void test_right_on_cuda(void) {
  expect_all_sizes(gpu_cuda(), gpu_cuda());
}

static void test_large_on_cuda(void) { expect_large(gpu_cuda()); }

static void test_the_same_on_cuda(void) {
  for (size_t s = 0; gpu_emu() && s < SIZES; s++)
    for_size(gpu_cuda(), gpu_cuda(), sizes, s, same_on_cuda);
}

static const struct check_test emu_tests[] = {
    {"every kernel is complete", test_complete},
    {"every kernel is right at many sizes, in both orders", test_right_on_emu},
    {"and on several processors at a time", test_right_on_several_processors},
    {"and where it is large", test_large_on_emu},
    {"and where problems are parted more than once", test_split_twice},
    {"doing nothing is found out", test_doing_nothing_is_wrong},
    {"every broken answer is found out", test_broken_answers_are_wrong},
    {"restore makes the input anew", test_restore},
    {NULL, NULL},
};
static const struct check_test counted_tests[] = {
    {"every kernel is right and without races while it is counted",
     test_right_when_counted},
    {NULL, NULL},
};
static const struct check_test cuda_tests[] = {
    {"every kernel is right at many sizes", test_right_on_cuda},
    {"and where it is large", test_large_on_cuda},
    {"answers are those of the emulator", test_the_same_on_cuda},
    {NULL, NULL},
};
extern const struct check_suite suite_kernels_emu, suite_kernels_counted,
    suite_kernels_cuda;
const struct check_suite suite_kernels_emu = {"kernels on emu", emu_tests,
                                              gpu_skip_emu};
const struct check_suite suite_kernels_counted = {
    "kernels on emu, counted", counted_tests, gpu_skip_counted};
const struct check_suite suite_kernels_cuda = {"kernels on cuda", cuda_tests,
                                               gpu_skip_cuda};
