/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorded files under doc/results come through the tables of fields as
 * they are, and doc/results-format.md has the keys of these tables. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/json_file.h"
#include "experiments/device/device.h"
#include "experiments/probe/calibration.h"
#include "experiments/results/results_scan.h"
#include "experiments/results/sample.h"
#include "experiments/results/summary.h"
#include "experiments/run/plan.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

/* Not of one that is written anew: reach_bytes was of numbers that had more
 * digits than the file, and calibrations have no window_ns any more. */
static bool is_kept_key(const char *key) {
  return strcmp(key, "reach_bytes") && strcmp(key, "window_ns");
}

/* Older calibrations have 1098540.0 where 1098540 is written now. */
static bool is_kept_whole(const json_t *old, const json_t *now) {
  return json_is_real(old) && json_is_integer(now) &&
         json_real_value(old) == (double)json_integer_value(now);
}

/* Is all of `old` in `now`?  Older files do not have keys that are written now.
 */
static bool is_kept(const json_t *old, const json_t *now, bool calibration) {
  const char *key;
  json_t *value;
  size_t i;
  if (json_is_object(old)) {
    json_object_foreach((json_t *)old, key, value) {
      if ((!calibration || is_kept_key(key)) &&
          !is_kept(value, json_object_get(now, key), calibration))
        return false;
    }
    return json_is_object(now);
  }
  if (!json_is_array(old))
    return json_equal(old, now) || (calibration && is_kept_whole(old, now));
  json_array_foreach(old, i, value) {
    if (!is_kept(value, json_array_get(now, i), calibration)) return false;
  }
  return json_array_size(old) == json_array_size(now);
}

/* Takes `now` over. */
static void kept(const json_t *old, json_t *now, const char *path, long line) {
  const char *record = json_string_value(json_object_get(old, "record"));
  bool calibration = record && !strcmp(record, "calibration");
  bool good = now && is_kept(old, now, calibration);
  if (!good) {
    printf("\n%s:%ld:\n", path, line);
    json_dumpf(old, stdout, JSON_COMPACT);
    json_dumpf(now, stdout, JSON_COMPACT);
  }
  CU_ASSERT(good);
  json_decref(now);
}

/* A plan for a device that is not built in names algorithms that nobody knows
 * here. */
static bool is_of_absent_device(const json_t *record) {
  const char *name = json_string_value(json_object_get(record, "device"));
  const struct device *device = name ? device_find(name) : NULL;
  return device && device->own_memory && !device->set;
}

static json_t *plan_again(json_t *record) {
  struct plan plan;
  char reason[PLAN_REASON];
  if (is_of_absent_device(record)) return json_incref(record);
  if (plan_from_json(&plan, record, reason)) return NULL;
  json_t *again = plan_to_json(&plan);
  plan_fini(&plan);
  return again;
}

static json_t *record_again(const struct results_scan *scan) {
  switch (scan->kind) {
    case RESULTS_PLAN:
      return plan_again(scan->json);
    case RESULTS_SAMPLE:
      return sample_to_json(&scan->sample);
    case RESULTS_SIMULATED:
      return record_to_json(simulated_fields, &scan->simulated);
    case RESULTS_CANARY:
      return record_to_json(canary_fields, &scan->canary);
    default:
      return json_incref(scan->json);
  }
}

static void check_results(const char *path) {
  char error[RESULTS_ERROR_SIZE];
  struct results_scan *scan = results_scan_open(path, error);
  int more = 1;
  while (scan && (more = results_scan_next(scan)) > 0)
    kept(scan->json, record_again(scan), path, scan->number);
  if (!scan || more) printf("\n%s\n", error);
  CU_ASSERT(scan && !more);
  results_scan_close(scan);
}

static void check_calibration(const char *path) {
  char why[400];
  struct calibration cal;
  json_t *object = json_file_read(path, why, sizeof why);
  int failed = calibration_read(&cal, path, why, sizeof why);
  if (failed) printf("\n%s\n", why);
  CU_ASSERT_FATAL(object && !failed);
  kept(object, calibration_to_json(&cal), path, 1);
  calibration_fini(&cal);
  json_decref(object);
}

static size_t check_each(const char *pattern, void (*check)(const char *path)) {
  char whole[400];
  glob_t found;
  snprintf(whole, sizeof whole, VAT_TEST_SOURCE "/doc/results/%s", pattern);
  size_t count = glob(whole, 0, NULL, &found) ? 0 : found.gl_pathc;
  for (size_t i = 0; i < count; i++) check(found.gl_pathv[i]);
  if (count) globfree(&found);
  return count;
}

static void test_recorded_results_come_back(void) {
  CU_ASSERT(check_each("*/results.jsonl", check_results) >= 3);
  CU_ASSERT(check_each("*/transposes.jsonl", check_results) >= 1);
  CU_ASSERT(check_each("*/prediction/results.jsonl", check_results) >= 2);
}

static void test_recorded_calibrations_come_back(void) {
  CU_ASSERT(check_each("*/*/machine.json", check_calibration) >= 6);
}

/* The first cells of the table below `heading`, in `cells`. */
static void read_keys(const char *heading, char cells[4096]) {
  char line[4096];
  size_t used = 0;
  bool within = false;
  FILE *page = fopen(VAT_TEST_SOURCE "/doc/results-format.md", "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(page);
  while (fgets(line, sizeof line, page)) {
    if (!within) within = !strncmp(line, heading, strlen(heading));
    if (!within) continue;
    if (used && *line != '|') break;
    if (strncmp(line, "| `", 3)) continue;
    used += (size_t)snprintf(cells + used, 4096 - used, "%.*s",
                             (int)strcspn(line + 1, "|"), line + 1);
  }
  fclose(page);
}

/* Strikes the keys, which are in `all`, out of `cells`. */
static void strike_keys(const struct field *fields, const char *all,
                        char *cells) {
  for (; fields->type; fields++) {
    char quoted[64];
    if (!fields->key) strike_keys(fields->of, all, cells);
    if (!fields->key) continue;
    snprintf(quoted, sizeof quoted, "`%s`", fields->key);
    char *at = strstr(cells, quoted);
    if (at) memset(at, ' ', strlen(quoted));
    if (!strstr(all, quoted) && strcmp(fields->key, "record")) {
      printf("\nnot documented: %s\n", fields->key);
      CU_FAIL("a key is not documented");
    }
  }
}

static void test_each_key_is_documented(void) {
  static const struct {
    const char *heading;
    const struct field *fields[2];
  } tables[] = {
      {"## plan", {plan_fields, sample_variant_fields}},
      {"## sample", {sample_fields}},
      {"## simulated", {simulated_fields}},
      {"## Canary", {canary_fields}},
      {"`vat run --json`", {summary_fields}},
  };
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    char all[4096] = "", cells[4096];
    read_keys(tables[i].heading, all);
    strcpy(cells, all);
    for (size_t j = 0; j < 2 && tables[i].fields[j]; j++)
      strike_keys(tables[i].fields[j], all, cells);
    if (strchr(cells, '`')) printf("\nno fields: %s\n", cells);
    CU_ASSERT_PTR_NULL(strchr(cells, '`'));
  }
}

static const struct check_test tests[] = {
    {"recorded results come back as they were",
     test_recorded_results_come_back},
    {"recorded calibrations come back as they were",
     test_recorded_calibrations_come_back},
    {"the keys of records are those of the documentation",
     test_each_key_is_documented},
    {NULL, NULL},
};

const struct check_suite suite_recorded = {.name = "recorded", .tests = tests};
