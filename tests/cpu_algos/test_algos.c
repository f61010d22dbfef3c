/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims about every algorithm of the table, whichever they are. */
#include <errno.h>

#include "cpu_algos/algo_sets.h"
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
  FOR_EACH_ALGO(algo) CU_ASSERT_PTR_NULL(cpu_algo_unbuilt(algo->name));
  CU_ASSERT_EQUAL(!cpu_algo_unbuilt("std_sort"), !!cpu_algo_find("std_sort"));
  CU_ASSERT_PTR_NULL(cpu_algo_unbuilt("nosuch"));
}

/* Sets name algorithms that there are, each once. */
static void test_sets(void) {
  for (const struct algo_set *set = cpu_algo_sets; set->name; set++) {
    size_t count = cpu_algo_set_count(set);
    CU_ASSERT_PTR_EQUAL(cpu_algo_set_find(set->name), set);
    CU_ASSERT(count > 0 && count < ALGO_SET_MOST && set->summary);
    for (size_t i = 0; i < count; i++) {
      CU_ASSERT_PTR_NOT_NULL(cpu_algo_find(set->algos[i]));
      for (size_t j = 0; j < i; j++)
        CU_ASSERT_STRING_NOT_EQUAL(set->algos[i], set->algos[j]);
    }
  }
  CU_ASSERT_PTR_NULL(cpu_algo_set_find("nosuch"));
  CU_ASSERT_EQUAL(cpu_algo_set_count(cpu_algo_set_find("default")), 7);
  CU_ASSERT_EQUAL(cpu_algo_set_count(cpu_algo_set_find("thesis")), 7);
}

/* What is tuned is one of the set default, and of what is in the set thesis,
 * in the same place; the others are the same there. */
static void test_tuned_algorithms(void) {
  const struct algo_set *ours = cpu_algo_set_find("default");
  const struct algo_set *thesis = cpu_algo_set_find("thesis");
  for (size_t i = 0; i < cpu_algo_set_count(ours); i++) {
    const char *tunes = cpu_algo_find(ours->algos[i])->tunes;
    if (tunes && !cpu_algo_find(tunes)) tunes = "quicksort_plain"; /* no C++ */
    CU_ASSERT_STRING_EQUAL(tunes ? tunes : ours->algos[i], thesis->algos[i]);
  }
  FOR_EACH_ALGO(algo) CU_ASSERT(!algo->tunes || cpu_algo_is_default(algo));
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

/* A hundred numbers, whether n is how many there are or the side; or letters of
 * some reads. */
static uint64_t some(const struct algo *algo) {
  if (algo->data && !strcmp(algo->data, "reads")) return 3000;
  return at_most(algo, 100, 1000) < 100 ? 10 : 100;
}

/* What of the memory is the answer: words [first, end). */
struct answer {
  uint64_t first, end;
  bool *changed; /* by run; of all words */
  bool result;   /* run->result is (part of) it, too */
};

/* Behind an answer there may be scratch, which no check looks at. */
static uint64_t answer_words(const struct algo *algo, uint64_t n) {
  bool scratch = !strcmp(algo->name, "suffix_array_seq") ||
                 !strcmp(algo->name, "funnelsort");
  return scratch ? n : UINT64_MAX;
}

/* The last bits of what was rounded are nobody's claim. */
static unsigned least_bit(const struct algo *algo) {
  return strncmp(algo->name, "fft_", 4) ? 0 : 36;
}

static bool is_of(const struct algo *algo, const char *data) {
  return algo->data && !strcmp(algo->data, data);
}

/* Words of an item of an answer that is a part of the workspace; 0: it is all
 * that a run changes. */
static uint64_t item_words(const struct algo *algo) {
  return is_of(algo, "points") || is_of(algo, "signal") ? 2 : 0;
}

static void name_answer(const struct algo *algo, const struct algo_run *run,
                        struct answer *answer) {
  struct algo_data named = {0};
  algo->answer(run, &named);
  answer->first = (uint64_t)((const unsigned char *)named.items - run->memory) /
                  sizeof(uint64_t);
  answer->end = answer->first + item_words(algo) * named.count;
}

/* All of the memory that a run changes, and what lies between; where nodes
 * point at each other, what it changes. */
static struct answer answer_of(const struct algo *algo) {
  struct algo_run run = workspace_open(algo, some(algo), 1);
  uint64_t words = run.bytes / sizeof(uint64_t);
  const uint64_t *memory = (const uint64_t *)(void *)run.memory;
  algo->setup(&run);
  struct answer answer = {0, 0, calloc(words, sizeof(bool)), false};
  uint64_t *before = malloc(run.bytes), result = run.result;
  CU_ASSERT_TRUE_FATAL(before && answer.changed);
  memcpy(before, memory, run.bytes);
  algo->run(&run);
  answer.result = run.result != result;
  for (uint64_t i = words; i-- > 0;) {
    answer.changed[i] = memory[i] != before[i] && i < answer_words(algo, run.n);
    if (answer.changed[i] && !answer.end) answer.end = i + 1;
    if (answer.changed[i]) answer.first = i;
    if (!algo->allocates) answer.changed[i] = true;
  }
  if (item_words(algo)) name_answer(algo, &run, &answer);
  free(before);
  workspace_close(&run);
  return answer;
}

/* Exchange two words that differ. */
static void exchange(const struct algo *algo, const struct algo_run *run,
                     uint64_t *a, uint64_t *b) {
  uint64_t word = *a;
  if (*a == *b) return;
  *a = *b;
  *b = word;
  CU_ASSERT_PTR_NOT_NULL(algo->check(run));
  *b = *a;
  *a = word;
}

/* Every key altered, doubled, exchanged with one that differs in rank. */
static void break_memory(const struct algo *algo, struct algo_run *run,
                         const struct answer *answer) {
  uint64_t *memory = (uint64_t *)(void *)run->memory;
  uint64_t first = answer->first, length = answer->end - first;
  for (uint64_t i = first; i < answer->end; i++) {
    uint64_t key = memory[i];
    uint64_t other = memory[first + (i - first + length / 2) % length];
    if (!answer->changed[i]) continue;
    for (unsigned bit = 0; bit < 64; bit += 9) {
      if (bit < least_bit(algo)) continue;
      memory[i] = key ^ UINT64_C(1) << bit;
      CU_ASSERT_PTR_NOT_NULL(algo->check(run));
    }
    memory[i] = other;
    CU_ASSERT_TRUE(other == key || algo->check(run));
    memory[i] = key;
  }
  exchange(algo, run, &memory[first], &memory[answer->end - 1]);
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
    struct answer answer = answer_of(algo);
    CU_ASSERT_TRUE(answer.result || is_of(algo, "points") ||
                   answer.end - answer.first > 30);
    struct algo_run run = workspace_open(algo, some(algo), 1);
    algo->setup(&run);
    algo->run(&run);
    if (answer.end > answer.first) break_memory(algo, &run, &answer);
    if (answer.result) break_result(algo, &run);
    expect_right(algo, &run);
    workspace_close(&run);
    free(answer.changed);
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
    if (!algo->allocates) /* pointers differ */
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
    {"sets name algorithms, each once", test_sets},
    {"what is tuned has its place in both sets", test_tuned_algorithms},
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
