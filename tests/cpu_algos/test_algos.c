/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims about every algorithm of the table, whichever they are. */
#include <errno.h>

#include "cpu_algos/algo.h"
#include "tests/cpu_algos/workspace.h"

static const uint64_t sizes[] = {0,  1,   2,   3,   4,   5,    10,    16,   17,
                                 33, 100, 511, 513, 999, 1000, 12345, 65536};
enum { SIZES = sizeof sizes / sizeof *sizes, SEEDS = 3 };

#define FOR_EACH_ALGO(algo)                            \
  for (size_t index_ = 0; cpu_algos[index_]; index_++) \
    for (const struct algo *algo = cpu_algos[index_]; algo; algo = NULL)

/* n, or the size of 1 % less, and so on, that takes at most `ops` operations:
 * those whose n is the side of a matrix are not tested for hours. */
static uint64_t at_most(const struct algo *algo, uint64_t n, double ops) {
  while (algo->ram_ops(n) > ops) n -= n / 100 + 1;
  return n;
}

static void expect_right(const struct algo *algo, const struct algo_run *run) {
  const char *wrong = algo->check(run);
  CU_ASSERT_PTR_NULL(wrong);
  if (wrong)
    fprintf(stderr, "%s n=%llu seed=%llu: %s\n", algo->name,
            (unsigned long long)run->n, (unsigned long long)run->seed, wrong);
}

static void test_complete(void) {
  FOR_EACH_ALGO(algo) {
    CU_ASSERT_PTR_NOT_NULL_FATAL(algo->name);
    CU_ASSERT_STRING_EQUAL(algo->device, "cpu");
    CU_ASSERT_TRUE(algo->title && algo->summary && algo->complexity);
    CU_ASSERT_TRUE(algo->ram_ops && algo->bytes && algo->setup);
    CU_ASSERT_TRUE(algo->run && algo->check);
  }
}

static void test_find(void) {
  FOR_EACH_ALGO(algo) CU_ASSERT_PTR_EQUAL(cpu_algo_find(algo->name), algo);
  static const char *const unknown[] = {"", "heap", "heapsort2", "Heapsort"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    errno = 0;
    CU_ASSERT_PTR_NULL(cpu_algo_find(unknown[i]));
    CU_ASSERT_EQUAL(errno, EINVAL);
  }
}

static void test_sizes(void) {
  FOR_EACH_ALGO(algo) {
    for (uint64_t n = 0; n < 100; n++) {
      CU_ASSERT_TRUE(algo->ram_ops(n) >= 1.0);
      CU_ASSERT_TRUE(algo->ram_ops(n) >= (double)n);
      CU_ASSERT_TRUE(algo->bytes(n) > 0);
      CU_ASSERT_TRUE(algo->bytes(n) >= 8 * n);
    }
    for (unsigned shift = 61; shift < 64; shift++)
      CU_ASSERT_EQUAL(algo->bytes(UINT64_C(1) << shift), 0);
    CU_ASSERT_EQUAL(algo->bytes(UINT64_MAX), 0);
  }
}

static void test_right_answers(void) {
  FOR_EACH_ALGO(algo)
  for (size_t s = 0; s < SIZES * SEEDS; s++) {
    struct algo_run run = workspace_open(
        algo, at_most(algo, sizes[s % SIZES], 1 << 21), s / SIZES);
    algo->setup(&run);
    for (int rep = 0; rep < 2; rep++) {
      if (rep && algo->restore) algo->restore(&run);
      algo->run(&run);
      expect_right(algo, &run);
    }
    CU_ASSERT_TRUE(workspace_guarded(&run));
    workspace_close(&run);
  }
}

/* Searches take other paths in arrays of other sizes. */
static void test_every_size(void) {
  FOR_EACH_ALGO(algo)
  for (uint64_t n = 0; n < 1100 && algo->ram_ops(n) < 1 << 16; n++) {
    struct algo_run run = workspace_open(algo, n, n);
    algo->setup(&run);
    algo->run(&run);
    expect_right(algo, &run);
    CU_ASSERT_TRUE(workspace_guarded(&run));
    workspace_close(&run);
  }
}

static void test_doing_nothing_is_wrong(void) {
  FOR_EACH_ALGO(algo) {
    struct algo_run run = workspace_open(algo, 100, 1);
    algo->setup(&run);
    CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
    workspace_close(&run);
  }
}

/* A hundred numbers, whether n is how many there are or the side. */
static uint64_t some(const struct algo *algo) {
  return at_most(algo, 100, 1000) < 100 ? 10 : 100;
}

/* First and last word of the answer where it is a part of the workspace that
 * the algorithm can name: points. */
static void named_answer(const struct algo *algo, const struct algo_run *run,
                         uint64_t *first, uint64_t *end) {
  struct algo_data answer = {0};
  algo->answer(run, &answer);
  *first = (uint64_t)((const unsigned char *)answer.items - run->memory) /
           sizeof(uint64_t);
  *end = *first + 2 * answer.count;
}

/* First and last word of the answer: all of the memory that a run changes. */
static void answer_of(const struct algo *algo, uint64_t *first, uint64_t *end) {
  struct algo_run run = workspace_open(algo, some(algo), 1);
  uint64_t words = run.bytes / sizeof(uint64_t);
  const uint64_t *memory = (const uint64_t *)(void *)run.memory;
  algo->setup(&run);
  uint64_t *before = malloc(run.bytes);
  CU_ASSERT_PTR_NOT_NULL_FATAL(before);
  memcpy(before, memory, run.bytes);
  algo->run(&run);
  *first = *end = 0;
  for (uint64_t i = words; i-- > 0;)
    if (memory[i] != before[i]) *first = i;
  for (uint64_t i = 0; i < words; i++)
    if (memory[i] != before[i]) *end = i + 1;
  if (*end - *first > 0 && algo->data && !strcmp(algo->data, "points"))
    named_answer(algo, &run, first, end);
  else
    CU_ASSERT_TRUE(*end == *first || *end - *first > 90);
  free(before);
  workspace_close(&run);
}

/* Every key altered, doubled, exchanged with one that differs in rank. */
static void break_memory(const struct algo *algo, struct algo_run *run,
                         uint64_t first, uint64_t end) {
  uint64_t *memory = (uint64_t *)(void *)run->memory;
  for (uint64_t i = first; i < end; i++) {
    uint64_t key = memory[i],
             other = first + (i - first + (end - first) / 2) % (end - first);
    uint64_t other_key = memory[other];
    for (unsigned bit = 0; bit < 64; bit += 9) {
      memory[i] = key ^ UINT64_C(1) << bit;
      CU_ASSERT_PTR_NOT_NULL(algo->check(run));
    }
    memory[i] = other_key;
    CU_ASSERT_PTR_NOT_NULL(algo->check(run));
    memory[i] = key;
  }
  uint64_t key = memory[first];
  memory[first] = memory[end - 1];
  memory[end - 1] = key;
  CU_ASSERT_PTR_NOT_NULL(algo->check(run));
  memory[end - 1] = memory[first];
  memory[first] = key;
}

static void break_result(const struct algo *algo, struct algo_run *run) {
  uint64_t result = run->result;
  for (unsigned bit = 0; bit < 64; bit++) {
    run->result = result ^ UINT64_C(1) << bit;
    CU_ASSERT_PTR_NOT_NULL(algo->check(run));
  }
  run->result = result;
}

static void test_broken_answers(void) {
  FOR_EACH_ALGO(algo) {
    uint64_t first, end;
    answer_of(algo, &first, &end);
    struct algo_run run = workspace_open(algo, some(algo), 1);
    algo->setup(&run);
    algo->run(&run);
    if (end > first)
      break_memory(algo, &run, first, end);
    else
      break_result(algo, &run);
    expect_right(algo, &run);
    workspace_close(&run);
  }
}

static void test_restore(void) {
  FOR_EACH_ALGO(algo) {
    struct algo_run run = workspace_open(algo, at_most(algo, 1000, 1 << 20), 1);
    unsigned char *before = malloc(run.bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(before);
    algo->setup(&run);
    memcpy(before, run.memory, run.bytes);
    algo->run(&run);
    CU_ASSERT_EQUAL(!memcmp(before, run.memory, run.bytes), !algo->restore);
    if (algo->restore) algo->restore(&run);
    CU_ASSERT_TRUE(!memcmp(before, run.memory, run.bytes));
    free(before);
    workspace_close(&run);
  }
}

static void test_seeds(void) {
  FOR_EACH_ALGO(algo) {
    uint64_t n = at_most(algo, 1000, 1 << 20);
    struct algo_run runs[3];
    for (int i = 0; i < 3; i++) {
      runs[i] = workspace_open(algo, n, i < 2 ? 5 : 6);
      algo->setup(&runs[i]);
      algo->run(&runs[i]);
    }
    size_t bytes = runs[0].bytes, prints = sizeof runs[0].fingerprint;
    CU_ASSERT_TRUE(!memcmp(runs[0].memory, runs[1].memory, bytes));
    CU_ASSERT_EQUAL(runs[0].result, runs[1].result);
    CU_ASSERT_TRUE(!memcmp(runs[0].fingerprint, runs[1].fingerprint, prints));
    CU_ASSERT_TRUE(memcmp(runs[0].memory, runs[2].memory, bytes));
    CU_ASSERT_TRUE(memcmp(runs[0].fingerprint, runs[2].fingerprint, prints));
    for (int i = 0; i < 3; i++) workspace_close(&runs[i]);
  }
}

static const struct check_test tests[] = {
    {"every algorithm is complete", test_complete},
    {"each is found by its name, others are not", test_find},
    {"operations and bytes are right at both ends", test_sizes},
    {"every algorithm is right at many sizes, twice", test_right_answers},
    {"every algorithm is right at every small size", test_every_size},
    {"doing nothing is found out", test_doing_nothing_is_wrong},
    {"every broken answer is found out", test_broken_answers},
    {"restore makes the input anew, or run leaves it", test_restore},
    {"the seed decides the input", test_seeds},
    {NULL, NULL},
};
extern const struct check_suite suite_algos;
const struct check_suite suite_algos = {"algos", tests, NULL};
