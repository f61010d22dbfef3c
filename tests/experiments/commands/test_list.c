/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <string.h>

#include "cpu_algos/algo_sets.h"
#include "experiments/device/device.h"
#include "experiments/gpu_models/calculator.h"
#include "experiments/machine/counters.h"
#include "experiments/predict/forms.h"
#include "experiments/validate/models.h"
#include "gpu_algos/models/gpu_model.h"
#include "huge_pages/page_kind.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"
#include "vat/policy.h"
#include "vat/trace.h"
#include "vat/tree.h"

static struct command_result result;

static void run(const char *list, const char *option) {
  const char *const arguments[] = {list, option, NULL};
  run_command(&result, cmd_list, arguments, false);
}

static const char *algo_name(size_t i) {
  const struct algo *algo = device_any_algo(i);
  return algo ? algo->name : NULL;
}
static const char *bound_name(size_t i) { return predict_forms[i].algo; }
static const char *counter_name(size_t i) {
  size_t cpu = 0;
  while (counters_known(NULL, cpu)) cpu++;
  if (i < cpu) return counters_known(NULL, i)->name;
  const struct counter_info *info = counters_emulated.known(i - cpu);
  return info ? info->name : NULL;
}
static const char *device_name(size_t i) {
  return i < DEVICES ? devices[i].name : NULL;
}
static const char *format_name(size_t i) {
  return vat_trace_formats[i] ? vat_trace_formats[i]->name : NULL;
}
static const char *model_name(size_t i) {
  size_t count = 0;
  while (gpu_models[count]) count++;
  return i < count ? gpu_models[i]->name : calculators[i - count].name;
}
static const char *page_name(size_t i) {
  return hp_kind_at(i) ? hp_kind_at(i)->name : NULL;
}
static const char *policy_name(size_t i) {
  return vat_policies[i] ? vat_policies[i]->name : NULL;
}
static const char *set_name(size_t i) { return cpu_algo_sets[i].name; }
static const char *term_name(size_t i) { return terms[i].name; }
static const char *tree_name(size_t i) { return vat_tree_presets[i].name; }

static const struct {
  const char *list;
  const char *(*name)(size_t);
} lists[] = {{"algos", algo_name},       {"bounds", bound_name},
             {"counters", counter_name}, {"devices", device_name},
             {"formats", format_name},   {"models", model_name},
             {"pages", page_name},       {"policies", policy_name},
             {"sets", set_name},         {"terms", term_name},
             {"trees", tree_name}};
enum { LISTS = sizeof lists / sizeof *lists };

static void test_each_list_is_its_table_as_json(void) {
  for (size_t k = 0; k < LISTS; k++) {
    run(lists[k].list, "--json");
    CU_ASSERT_EQUAL(result.code, VAT_OK);
    json_t *rows = json_loads(result.out, 0, NULL), *row;
    CU_ASSERT_PTR_NOT_NULL_FATAL(rows);
    size_t i;
    json_array_foreach(rows, i, row) {
      const char *name = json_string_value(json_object_get(row, "name"));
      CU_ASSERT_PTR_NOT_NULL_FATAL(lists[k].name(i));
      CU_ASSERT_STRING_EQUAL(name, lists[k].name(i));
      CU_ASSERT_TRUE(json_is_string(json_object_get(row, "summary")));
    }
    CU_ASSERT_TRUE(i > 0);
    CU_ASSERT_PTR_NULL(lists[k].name(i));
    json_decref(rows);
  }
}

static void test_each_list_is_its_table_as_text(void) {
  for (size_t k = 0; k < LISTS; k++) {
    run(lists[k].list, NULL);
    CU_ASSERT_EQUAL(result.code, VAT_OK);
    const char *line = result.out;
    CU_ASSERT_EQUAL(strncmp(line, "name ", 5), 0);
    for (size_t i = 0; lists[k].name(i); i++) {
      line = strchr(line, '\n');
      CU_ASSERT_PTR_NOT_NULL_FATAL(line++);
      size_t length = strlen(lists[k].name(i));
      CU_ASSERT_EQUAL(strncmp(line, lists[k].name(i), length), 0);
      CU_ASSERT_EQUAL(line[length], ' ');
    }
  }
}

static void test_generators_are_listed(void) {
  run("generators", NULL);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(result.out, "random, sorted, reversed, equal, few, killer\n"));
  for (size_t i = 0; cpu_algos[i]; i++) {
    char line[64];
    snprintf(line, sizeof line, "\n%s ", cpu_algos[i]->name);
    CU_ASSERT_EQUAL(!strstr(result.out, line), !cpu_algos[i]->generators);
  }
}

static void test_what_is_no_list_is_refused(void) {
  run("policy", NULL);
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  CU_ASSERT_STRING_EQUAL(
      result.err,
      "vat: policy: unknown list; choose one of algos, bounds, counters, "
      "devices, formats, generators, models, pages, policies, sets, terms, "
      "trees\n");
  CU_ASSERT_STRING_EQUAL(result.out, "");
  run(NULL, NULL);
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  run("algos", "pages");
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  run("algos", "--no-such");
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
}

static void test_help_names_the_lists(void) {
  run("--help", NULL);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  for (size_t k = 0; k < LISTS; k++) {
    char line[64];
    snprintf(line, sizeof line, "\n  %s: ", lists[k].list);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, line));
  }
}

static const struct check_test tests[] = {
    {"each list is its table as json", test_each_list_is_its_table_as_json},
    {"each list is its table as text", test_each_list_is_its_table_as_text},
    {"generators are listed", test_generators_are_listed},
    {"what is no list is refused", test_what_is_no_list_is_refused},
    {"help names the lists", test_help_names_the_lists},
    {0}};

const struct check_suite suite_list = {"list", tests, NULL};
