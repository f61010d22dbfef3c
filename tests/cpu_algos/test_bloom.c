/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "cpu_algos/bloom.h"
#include "cpu_algos/keys.h"
#include "tests/cpu_algos/workspace.h"

/* ln 100 / (ln 2)^2 bits a key, less than a word more, and a 500th. */
static void test_bits(void) {
  CU_ASSERT_EQUAL(cpu_bloom_bits(0), 64);
  CU_ASSERT_EQUAL(cpu_bloom_bits(6), 64);
  CU_ASSERT_EQUAL(cpu_bloom_bits(7), 128);
  for (uint64_t n = 1; n < UINT64_C(1) << 50; n = 3 * n + 1) {
    double exact = (double)n * log(100) / (log(2) * log(2));
    double bits = (double)cpu_bloom_bits(n);
    CU_ASSERT_TRUE(cpu_bloom_bits(n) % 64 == 0);
    CU_ASSERT_TRUE(bits >= exact && bits <= exact * 1.002 + 64);
  }
  CU_ASSERT_EQUAL(CPU_BLOOM_HASHES, lround(log(100) / log(2)));
  CU_ASSERT_EQUAL(cpu_bloom_bits(UINT64_MAX), 0);
}

/* A filter of one byte a bit, from the definition. */
static void set(unsigned char *filter, uint64_t bits, uint64_t key) {
  uint64_t a = cpu_random_mix(key + CPU_RANDOM_STEP);
  uint64_t b = cpu_random_mix(a + CPU_RANDOM_STEP) | 1;
  for (unsigned i = 0; i < 7; i++, a += b)
    filter[(uint64_t)(((__extension__(unsigned __int128) a) * bits) >> 64)] = 1;
}

static bool has(const unsigned char *filter, uint64_t bits, uint64_t key) {
  unsigned char *one = calloc(bits, 1);
  if (!one) abort();
  set(one, bits, key);
  bool all = true;
  for (uint64_t i = 0; i < bits; i++) all &= !one[i] || filter[i];
  free(one);
  return all;
}

static void test_random_filters(void) {
  struct cpu_random random = {9};
  for (unsigned round = 0; round < 300; round++) {
    uint64_t keys[200], words[40] = {0}, n = cpu_random_below(&random, 200);
    uint64_t bits = 64 + 64 * cpu_random_below(&random, 39), found = 0;
    unsigned char filter[2560] = {0};
    cpu_keys_fill(keys, 200, round);
    cpu_bloom_insert(words, bits, keys, n);
    for (uint64_t i = 0; i < n; i++) set(filter, bits, keys[i]);
    for (uint64_t i = 0; i < bits; i++)
      CU_ASSERT_EQUAL(words[i / 64] >> i % 64 & 1, filter[i]);
    for (uint64_t i = 0; i < 200; i++) found += has(filter, bits, keys[i]);
    CU_ASSERT_EQUAL(cpu_bloom_count(words, bits, keys, 200), found);
    CU_ASSERT_EQUAL(cpu_bloom_count(words, bits, keys, n), n);
  }
}

/* Half are present; of 2^17 absent ones 1 % is 1311, standard deviation 36. */
static void test_false_positives(void) {
  const struct algo *algo = cpu_algo_find("bloom_seq");
  const uint64_t n = 1 << 18;
  struct algo_run run = workspace_open(algo, n, 1);
  algo->setup(&run);
  algo->run(&run);
  uint64_t wrong = run.result - n / 2;
  CU_ASSERT_TRUE(wrong > 1150 && wrong < 1480);
  workspace_close(&run);
}

static const struct check_test tests[] = {
    {"a filter has the bits of the formula", test_bits},
    {"bits and finds are the definition's", test_random_filters},
    {"one absent key in a hundred is found", test_false_positives},
    {NULL, NULL},
};
extern const struct check_suite suite_bloom;
const struct check_suite suite_bloom = {"bloom", tests, NULL};
