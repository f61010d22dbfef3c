/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/random.h"
#include "cpu_algos/suffix_array.h"
#include "tests/cpu_algos/workspace.h"

enum { MOST = 120, ROUNDS = 3000 };

struct sorted {
  uint32_t suffixes[MOST], ranks[MOST];
};

/* Exactly as large as promised, so that a sanitizer sees the next. */
static struct sorted sort(const void *text, uint64_t n) {
  struct sorted sorted;
  uint32_t *scratch = malloc(cpu_suffix_scratch(n) * sizeof *scratch);
  if (!scratch) abort();
  cpu_suffix_array(text, n, sorted.suffixes, sorted.ranks, scratch);
  free(scratch);
  return sorted;
}

static void test_by_hand(void) {
  static const uint32_t banana[] = {5, 3, 1, 0, 4, 2};
  static const uint32_t ranks[] = {3, 2, 5, 1, 4, 0};
  static const uint32_t same[] = {4, 3, 2, 1, 0};
  struct sorted sorted = sort("banana", 6);
  CU_ASSERT_TRUE(!memcmp(sorted.suffixes, banana, sizeof banana));
  CU_ASSERT_TRUE(!memcmp(sorted.ranks, ranks, sizeof ranks));
  sorted = sort("aaaaa", 5);
  CU_ASSERT_TRUE(!memcmp(sorted.suffixes, same, sizeof same));
  sorted = sort("\xff\x01", 2); /* bytes are unsigned */
  CU_ASSERT_EQUAL(sorted.suffixes[0], 1);
  sorted = sort("x", 1);
  CU_ASSERT_EQUAL(sorted.suffixes[0], 0);
  sort("", 0);
}

static bool is_less(const unsigned char *text, uint64_t n, uint64_t a,
                    uint64_t b) {
  uint64_t longest = a > b ? a : b;
  int order = memcmp(text + a, text + b, n - longest);
  return order ? order < 0 : a > b;
}

/* A suffix' rank is how many are less. */
static void expect_sorted(const unsigned char *text, uint64_t n) {
  struct sorted sorted = sort(text, n);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t less = 0;
    for (uint64_t j = 0; j < n; j++) less += is_less(text, n, j, i);
    CU_ASSERT_EQUAL(sorted.ranks[i], less);
    CU_ASSERT_EQUAL(sorted.suffixes[less], i);
  }
}

/* Random letters of few and of many, and words repeated. */
static void test_random_texts(void) {
  static const uint64_t letters[] = {1, 2, 4, 256};
  struct cpu_random random = {23};
  for (unsigned round = 0; round < ROUNDS; round++) {
    unsigned char text[MOST];
    uint64_t n = cpu_random_below(&random, MOST + 1);
    uint64_t period = 1 + cpu_random_below(&random, 2 * MOST);
    for (uint64_t i = 0; i < n; i++)
      text[i] = i < period
                    ? (unsigned char)(255 - cpu_random_below(
                                                &random, letters[round % 4]))
                    : text[i - period];
    expect_sorted(text, n);
  }
}

static void swap(uint32_t *a, uint32_t *b) {
  uint32_t number = *a;
  *a = *b;
  *b = number;
}

/* Suffixes and ranks exchanged alike are still each other's inverse. */
static void test_check_sees_order(void) {
  const struct algo *algo = cpu_algo_find("suffix_array_seq");
  const uint64_t n = 200;
  struct algo_run run = workspace_open(algo, n, 1);
  uint32_t *suffixes = (uint32_t *)(void *)run.memory, *ranks = suffixes + n;
  algo->setup(&run);
  algo->run(&run);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t j = 0; j < i; j++) {
      swap(&suffixes[i], &suffixes[j]);
      swap(&ranks[suffixes[i]], &ranks[suffixes[j]]);
      CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
      swap(&suffixes[i], &suffixes[j]);
      swap(&ranks[suffixes[i]], &ranks[suffixes[j]]);
    }
  CU_ASSERT_PTR_NULL(algo->check(&run));
  run.memory[run.bytes - 1] ^= 1; /* the text's last byte */
  CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
  workspace_close(&run);
}

static void test_numbers_have_32_bits(void) {
  const struct algo *algo = cpu_algo_find("suffix_array_seq");
  CU_ASSERT_EQUAL(algo->bytes(UINT32_MAX), 17 * (size_t)UINT32_MAX);
  CU_ASSERT_EQUAL(algo->bytes((uint64_t)UINT32_MAX + 1), 0);
}

static const struct check_test tests[] = {
    {"small texts, by hand", test_by_hand},
    {"a rank is how many suffixes are less", test_random_texts},
    {"the check sees any two exchanged", test_check_sees_order},
    {"texts are shorter than 2^32", test_numbers_have_32_bits},
    {NULL, NULL},
};
extern const struct check_suite suite_suffix_array;
const struct check_suite suite_suffix_array = {"suffix array", tests, NULL};
