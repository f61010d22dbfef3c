/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was simulated, on its way from the run through the results file to the
 * rows. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/machine/counter_ladder.h"
#include "experiments/report/table.h"
#include "experiments/results/results.h"
#include "experiments/results/sample.h"
#include "experiments/results/summary.h"
#include "tests/check.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static const struct simulated permute = {.algo = "permute",
                                         .device = "cpu",
                                         .n = 8,
                                         .pages = "thp",
                                         .seed = 3,
                                         .policy = "islru",
                                         .tc_nodes = 2048,
                                         .page_bits = 21,
                                         .index_bits = 9,
                                         .levels = 3,
                                         .accesses = 32,
                                         .misses = 4};

static void survives(const struct simulated *simulated) {
  struct simulated back = {.n = 0};
  char why[SAMPLE_WHY_SIZE];
  json_t *record = record_to_json(simulated_fields, simulated);
  CU_ASSERT_PTR_NOT_NULL_FATAL(record);
  CU_ASSERT_EQUAL(
      record_from_json(simulated_fields, record, &back, why, sizeof why), 0);
  CU_ASSERT_EQUAL(memcmp(&back, simulated, sizeof back), 0);
  json_decref(record);
}

static void test_a_record_survives_the_file(void) {
  struct simulated large = permute;
  survives(&permute);
  large.seed = UINT64_MAX;
  survives(&large);
}

/* Each key is needed, in its range. */
static void test_a_bad_record_is_refused(void) {
  static const char *const bad[] = {"\"algo\":7",
                                    "\"algo\":\"\"",
                                    "\"algo\":\"\\u001b\"",
                                    "\"device\":null",
                                    "\"n\":-1",
                                    "\"n\":\"8\"",
                                    "\"n\":8.5",
                                    "\"pages\":\"0123456789abcdef\"",
                                    "\"seed\":-1",
                                    "\"policy\":[]",
                                    "\"tc_nodes\":0",
                                    "\"page_bits\":null",
                                    "\"index_bits\":-3",
                                    "\"levels\":0",
                                    "\"accesses\":{}",
                                    "\"misses\":-1"};
  struct simulated back = {.n = 0};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[80], why[SAMPLE_WHY_SIZE] = "";
    snprintf(text, sizeof text, "{%s}", bad[i]);
    json_t *record = record_to_json(simulated_fields, &permute);
    json_t *wrong = json_loads(text, 0, NULL);
    CU_ASSERT_EQUAL_FATAL(json_object_update(record, wrong), 0);
    CU_ASSERT_EQUAL(
        record_from_json(simulated_fields, record, &back, why, sizeof why), -1);
    CU_ASSERT(strlen(why) > 0 && !strncmp(why, bad[i], strcspn(bad[i], ":")));
    json_object_del(record, json_object_iter_key(json_object_iter(wrong)));
    CU_ASSERT_EQUAL(
        record_from_json(simulated_fields, record, &back, why, sizeof why), -1);
    json_decref(wrong);
    json_decref(record);
  }
}

#define HEAD "{\"record\":\"machine\",\"schema\":1,\"cpu\":\"x\"}\n"
#define SAMPLE(pages)                                                       \
  "{\"record\":\"sample\",\"algo\":\"permute\",\"device\":\"cpu\",\"n\":8," \
  "\"pages_asked\":\"" pages                                                \
  "\",\"pages_granted\":{\"4k\":4096},\"rep\":0,\"ns\":80,\"ram_ops\":8,"   \
  "\"ns_per_op\":10,\"granted_ok\":true,\"counters\":{\"walks\":16},"       \
  "\"check\":\"ok\",\"seed\":3}\n"

static struct results results;

static int read_with(const char *record) {
  static char error[RESULTS_ERROR_SIZE];
  struct scratch scratch;
  char text[4096];
  snprintf(text, sizeof text, HEAD SAMPLE("4k") SAMPLE("thp") "%s\n", record);
  scratch_init(&scratch);
  int failed = results_read(
      &results, scratch_write(&scratch, "r", text, strlen(text)), error);
  scratch_fini(&scratch);
  if (failed) CU_ASSERT_PTR_NOT_NULL(strstr(error, ":4: simulated: \""));
  return failed;
}

static void test_a_row_is_given_its_record(void) {
  struct summary *rows;
  size_t count;
  json_t *record = record_to_json(simulated_fields, &permute);
  char *text = json_dumps(record, JSON_COMPACT);
  CU_ASSERT_EQUAL_FATAL(read_with(text), 0);
  CU_ASSERT_EQUAL(results.count, 2); /* it is no sample */
  CU_ASSERT_EQUAL_FATAL(results.simulated_count, 1);
  summaries_make(results.samples, 2, &rows, &count);
  summaries_add_simulated(rows, count, results.simulated, 1);
  CU_ASSERT_PTR_NULL(rows[0].simulated);
  CU_ASSERT_PTR_EQUAL(rows[1].simulated, results.simulated);
  CU_ASSERT_EQUAL(rows[1].counters, 1);
  for (size_t i = 0; i < 2; i++) {
    json_t *row = summary_to_json(&rows[i]);
    json_t *simulated = json_object_get(row, "simulated");
    json_t *misses = json_object_get(simulated, "misses");
    CU_ASSERT_EQUAL(json_is_null(simulated), !i);
    CU_ASSERT_EQUAL(json_integer_value(misses), i ? 4 : 0);
    json_decref(row);
  }
  free(rows);
  free(text);
  json_decref(record);
  results_fini(&results);
}

/* Which of them it is of cannot be known; other pages are no matter. */
static void test_a_row_of_two_variants_is_given_none(void) {
  struct summary *rows;
  size_t count;
  json_t *record = record_to_json(simulated_fields, &permute);
  char *text = json_dumps(record, JSON_COMPACT);
  CU_ASSERT_EQUAL_FATAL(read_with(text), 0);
  struct sample samples[] = {results.samples[1], results.samples[1],
                             results.samples[0]};
  strcpy(samples[1].variant.generator, "sorted");
  strcpy(samples[2].variant.generator, "sorted");
  summaries_make(samples, 3, &rows, &count);
  CU_ASSERT_EQUAL_FATAL(count, 3);
  summaries_add_simulated(rows, count, results.simulated, 1);
  for (size_t i = 0; i < 3; i++) CU_ASSERT_PTR_NULL(rows[i].simulated);
  free(rows);
  summaries_make(samples + 1, 2, &rows, &count);
  summaries_add_simulated(rows, count, results.simulated, 1);
  CU_ASSERT_PTR_NULL(rows[0].simulated);
  CU_ASSERT_PTR_EQUAL(rows[1].simulated, results.simulated);
  free(rows);
  free(text);
  json_decref(record);
  results_fini(&results);
}

static void test_a_file_with_a_bad_record_is_refused(void) {
  CU_ASSERT_EQUAL(read_with("{\"record\":\"simulated\",\"algo\":\"a\"}"), -1);
  results_fini(&results);
}

/* Behind the counters, under a name that is not theirs, and explained. */
static void test_the_table_has_a_column_of_its_own(void) {
  struct table_column columns[TABLE_COLUMNS_MAX];
  struct summary row = {.algo = "permute",
                        .device = "cpu",
                        .pages = "thp",
                        .ram_ops = 8,
                        .counters = 1,
                        .counter = {{"walks", true, 16}}};
  char cell[TABLE_CELL_SIZE], note[TABLE_NOTE_SIZE];
  size_t before = table_columns(&row, 1, columns);
  CU_ASSERT_FALSE(table_simulated_note(&row, 1, note));
  row.simulated = &permute;
  CU_ASSERT_EQUAL_FATAL(table_columns(&row, 1, columns), before + 1);
  CU_ASSERT_STRING_EQUAL(columns[before - 1].head, "walks");
  CU_ASSERT_STRING_EQUAL(columns[before].head, "sim misses");
  table_cell(&columns[before], &row, cell);
  CU_ASSERT_STRING_EQUAL(cell, "0.500");
  CU_ASSERT_TRUE(table_simulated_note(&row, 1, note));
  CU_ASSERT_PTR_NOT_NULL(strstr(note, "2048 nodes"));
  CU_ASSERT_PTR_NOT_NULL(strstr(note, "not measured"));
  row.simulated = NULL;
  table_cell(&columns[before], &row, cell);
  CU_ASSERT_STRING_EQUAL(cell, "-");
}

/* As many rows as fit, and the simulation's column still has its place. */
static void test_the_column_survives_many_counters(void) {
  static struct summary rows[3];
  struct table_column columns[TABLE_COLUMNS_MAX];
  for (int i = 0; i < 3; i++) {
    rows[i].algo = "permute";
    rows[i].counters = COUNTERS_MAX;
    for (int j = 0; j < COUNTERS_MAX; j++) {
      struct sample_counter *counter = &rows[i].counter[j];
      snprintf(counter->name, sizeof counter->name, "c%d", 100 * i + j);
      counter->present = true;
    }
  }
  rows[2].simulated = &permute;
  size_t count = table_columns(rows, 3, columns);
  CU_ASSERT_EQUAL(count, TABLE_COLUMNS_MAX);
  CU_ASSERT_STRING_EQUAL(columns[count - 1].head, "sim misses");
}

static void test_entries_by_processor(void) {
  static const struct {
    struct cpu_id id;
    uint64_t entries;
  } cases[] = {
      {{.vendor = "GenuineIntel", .family = 6, .model = 0x4f}, 1536},
      {{.vendor = "GenuineIntel", .family = 6, .model = 0x55}, 1536},
      {{.vendor = "GenuineIntel", .family = 6, .model = 0x6a}, 2048},
      {{.vendor = "GenuineIntel", .family = 6, .model = 0xcf}, 2048},
      {{.vendor = "AuthenticAMD", .family = 0x17, .model = 0x01}, 1536},
      {{.vendor = "AuthenticAMD", .family = 0x17, .model = 0x31}, 2048},
      {{.vendor = "AuthenticAMD", .family = 0x19, .model = 0x11}, 3072},
      {{.vendor = "AuthenticAMD", .family = 0x1a, .model = 0x02}, 4096},
      {{.vendor = "ARM", .family = 8, .model = 0xd0c}, 1536},
      {{.vendor = ""}, 1536},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT_EQUAL(tlb_entries(&cases[i].id), cases[i].entries);
}

static const struct check_test tests[] = {
    {"a record survives the file", test_a_record_survives_the_file},
    {"a bad record is refused", test_a_bad_record_is_refused},
    {"a row is given its record", test_a_row_is_given_its_record},
    {"a row of two variants is given none",
     test_a_row_of_two_variants_is_given_none},
    {"a file with a bad record is refused",
     test_a_file_with_a_bad_record_is_refused},
    {"the table has a column of its own",
     test_the_table_has_a_column_of_its_own},
    {"the column survives many counters",
     test_the_column_survives_many_counters},
    {"entries by processor", test_entries_by_processor},
    {0}};

const struct check_suite suite_simulated = {"simulated", tests, NULL};
