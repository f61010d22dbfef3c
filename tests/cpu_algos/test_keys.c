/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "cpu_algos/shuffle.h"
#include "tests/cpu_algos/workspace.h"

enum { N = 257 };

static void test_bytes(void) {
  CU_ASSERT_EQUAL(cpu_keys_bytes(10, 1, 0), 80);
  CU_ASSERT_EQUAL(cpu_keys_bytes(10, 2, 1), 168);
  CU_ASSERT_TRUE(cpu_keys_bytes(0, 1, 0) > 0);
}

static void test_bytes_overflow(void) {
  uint64_t most = SIZE_MAX / sizeof(uint64_t);
  CU_ASSERT_EQUAL(cpu_keys_bytes(most, 1, 0), most * sizeof(uint64_t));
  CU_ASSERT_EQUAL(cpu_keys_bytes(most + 1, 1, 0), 0);
  CU_ASSERT_EQUAL(cpu_keys_bytes(most, 1, 1), 0);
  CU_ASSERT_EQUAL(cpu_keys_bytes(most / 2 + 1, 2, 0), 0);
  CU_ASSERT_EQUAL(cpu_keys_bytes(UINT64_MAX, 1, 0), 0);
  CU_ASSERT_EQUAL(cpu_keys_bytes(UINT64_MAX, 1, 1), 0);
  CU_ASSERT_EQUAL(cpu_keys_bytes(UINT64_MAX, 2, 0), 0);
}

static void test_fill(void) {
  uint64_t keys[N];
  cpu_keys_fill(keys, N, 5);
  for (uint64_t i = 0; i < N; i++)
    CU_ASSERT_EQUAL(keys[i], cpu_random_at(5, i));
}

static void test_fingerprint_ignores_order(void) {
  uint64_t keys[N], fingerprint[2];
  cpu_keys_fill(keys, N, 1);
  cpu_keys_fingerprint(keys, N, fingerprint);
  cpu_shuffle(keys, N, 2);
  CU_ASSERT_PTR_NULL(cpu_keys_differ(keys, N, fingerprint));
}

static void test_fingerprint_sees_changes(void) {
  uint64_t keys[N], fingerprint[2];
  cpu_keys_fill(keys, N, 1);
  keys[3] = 0;
  cpu_keys_fingerprint(keys, N, fingerprint);
  for (uint64_t i = 0; i < N; i++) {
    uint64_t key = keys[i];
    for (unsigned bit = 0; bit < 64; bit++) {
      keys[i] = key ^ UINT64_C(1) << bit;
      CU_ASSERT_PTR_NOT_NULL(cpu_keys_differ(keys, N, fingerprint));
    }
    keys[i] = keys[(i + 1) % N];
    CU_ASSERT_PTR_NOT_NULL(cpu_keys_differ(keys, N, fingerprint));
    keys[i] = key;
  }
  CU_ASSERT_PTR_NOT_NULL(cpu_keys_differ(keys, N - 1, fingerprint));
  CU_ASSERT_PTR_NULL(cpu_keys_differ(keys, N, fingerprint));
}

/* What plain sums and exclusive ors would let pass. */
static void test_fingerprint_sees_compensated_changes(void) {
  uint64_t fingerprint[2];
  cpu_keys_fingerprint((const uint64_t[]){5, 5, 1, 9}, 4, fingerprint);
  CU_ASSERT_PTR_NOT_NULL(
      cpu_keys_differ((const uint64_t[]){4, 6, 1, 9}, 4, fingerprint));
  CU_ASSERT_PTR_NOT_NULL(
      cpu_keys_differ((const uint64_t[]){7, 7, 1, 9}, 4, fingerprint));
  CU_ASSERT_PTR_NOT_NULL(
      cpu_keys_differ((const uint64_t[]){9, 9, 1, 5}, 4, fingerprint));
}

static void test_ascend(void) {
  CU_ASSERT_TRUE(cpu_keys_ascend(NULL, 0));
  CU_ASSERT_TRUE(cpu_keys_ascend((const uint64_t[]){7}, 1));
  CU_ASSERT_TRUE(cpu_keys_ascend((const uint64_t[]){1, 1, UINT64_MAX}, 3));
  CU_ASSERT_FALSE(cpu_keys_ascend((const uint64_t[]){1, 3, 2}, 3));
  CU_ASSERT_FALSE(cpu_keys_ascend((const uint64_t[]){UINT64_MAX, 0}, 2));
}

static void test_ops(void) {
  CU_ASSERT_EQUAL(cpu_ops_linear(0), 1.0);
  CU_ASSERT_EQUAL(cpu_ops_linear(1), 1.0);
  CU_ASSERT_EQUAL(cpu_ops_linear(1000), 1000.0);
  CU_ASSERT_EQUAL(cpu_ops_nlogn(0), 1.0);
  CU_ASSERT_EQUAL(cpu_ops_nlogn(1), 1.0);
  CU_ASSERT_EQUAL(cpu_ops_nlogn(2), 2.0);
  CU_ASSERT_EQUAL(cpu_ops_nlogn(1 << 20), 20.0 * (1 << 20));
}

static void test_streams_are_unrelated(void) {
  for (uint64_t seed = 0; seed < 1000; seed++) {
    CU_ASSERT_NOT_EQUAL(cpu_keys_seed(seed, 0), cpu_keys_seed(seed, 1));
    CU_ASSERT_NOT_EQUAL(cpu_keys_seed(seed, 1), seed);
    CU_ASSERT_NOT_EQUAL(cpu_keys_seed(seed, 1), cpu_keys_seed(seed + 1, 0));
  }
}

static const struct check_test tests[] = {
    {"bytes are those of the arrays, never 0", test_bytes},
    {"bytes are 0 where they overflow", test_bytes_overflow},
    {"keys are splitmix64's numbers", test_fill},
    {"the fingerprint ignores the order", test_fingerprint_ignores_order},
    {"the fingerprint sees every single change", test_fingerprint_sees_changes},
    {"the fingerprint sees changes that cancel out",
     test_fingerprint_sees_compensated_changes},
    {"ascending order is told from others", test_ascend},
    {"RAM complexities are right, and at least 1", test_ops},
    {"one seed makes unrelated streams", test_streams_are_unrelated},
    {NULL, NULL},
};
extern const struct check_suite suite_keys;
const struct check_suite suite_keys = {"keys", tests, NULL};
