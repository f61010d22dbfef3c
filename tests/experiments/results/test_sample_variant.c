/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "experiments/results/sample.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static bool read_variant(struct sample_variant *variant, const json_t *record) {
  char why[160];
  *variant = (struct sample_variant){.bytes = 0};
  return !record_from_json(sample_variant_fields, record, variant, why,
                           sizeof why);
}

static void test_variants_survive_json(void) {
  struct sample_variant variant = {
      "few", "", 12,   UINT64_C(0xfedcba9876543210), "glibc", 64,
      4096,  90, "k=6"};
  struct sample_variant back;
  char label[VARIANT_LABEL];
  sample_variant_name(&variant, "/some/where/k\ttr\xc3\xa4ge.txt");
  CU_ASSERT_STRING_EQUAL(variant.file, "k?tr??ge.txt");
  json_t *record = json_object();
  record_add(sample_variant_fields, &variant, record);
  CU_ASSERT_TRUE(read_variant(&back, record));
  CU_ASSERT_EQUAL(sample_variant_compare(&variant, &back), 0);
  CU_ASSERT_STRING_EQUAL(sample_variant_label(&back, label),
                         ", glibc of k?tr??ge.txt, 90 blocks, blocks of 64, "
                         "4096 bytes less, k=6");
  *back.file = '\0';
  CU_ASSERT_STRING_EQUAL(sample_variant_label(&back, label),
                         ", glibc, few, 90 blocks, blocks of 64, 4096 bytes "
                         "less, k=6");
  back.block_threads = back.dummy_shared = back.grid_blocks = 0;
  *back.parameters = '\0';
  CU_ASSERT_STRING_EQUAL(sample_variant_label(&back, label), ", glibc, few");
  back = variant;
  strcpy(back.alloc, "arena");
  CU_ASSERT(sample_variant_compare(&variant, &back) > 0);
  back = variant;
  back.block_threads = 96;
  CU_ASSERT(sample_variant_compare(&variant, &back) < 0);
  CU_ASSERT_TRUE(sample_variant_same_input(&variant, &back));
  back.hash++;
  CU_ASSERT_FALSE(sample_variant_same_input(&variant, &back));
  back = variant;
  back.dummy_shared = 0;
  CU_ASSERT(sample_variant_compare(&variant, &back) > 0);
  back = variant;
  back.grid_blocks++;
  CU_ASSERT(sample_variant_compare(&variant, &back) < 0);
  back = variant;
  CU_ASSERT(sample_variant_set_parameters(&back, "k=7"));
  CU_ASSERT_FALSE(sample_variant_set_parameters(&back, "k=8 "));
  CU_ASSERT(sample_variant_compare(&variant, &back) < 0);
  json_decref(record);
  static const char *const bad[] = {
      "{\"block_threads\":0}",
      "{\"block_threads\":\"64\"}",
      "{\"dummy_shared\":-1}",
      "{\"dummy_shared\":4294967296}",
      "{\"grid_blocks\":0}",
      "{\"parameters\":\"\"}",
      "{\"parameters\":6}",
      "{\"alloc\":null}",
      "{\"alloc\":\"\"}",
      "{\"alloc\":\"sixteen-letters!\"}",
      "{\"generator\":5}",
      "{\"generator\":\"\"}",
      "{\"generator\":\"a\\nb\"}",
      "{\"input\":{}}",
      "{\"input\":\"keys.txt\"}",
      "{\"input\":{\"file\":\"x\",\"bytes\":-1,\"hash\":\"0123456789abcdef\"}}",
      "{\"input\":{\"file\":\"x\",\"bytes\":1,\"hash\":\"0123456789abcde\"}}",
      "{\"input\":{\"file\":\"x\",\"bytes\":1,\"hash\":\"0123456789ABCDEF\"}}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    record = json_loads(bad[i], 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(record);
    CU_ASSERT_FALSE(read_variant(&back, record));
    json_decref(record);
  }
}

static const struct check_test tests[] = {
    {"variants survive JSON", test_variants_survive_json}, {0}};

const struct check_suite suite_sample_variant = {"sample_variant", tests, NULL};
