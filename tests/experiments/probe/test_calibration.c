/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A calibration on its way to a file and back, and its curves between points.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/probe/calibration.h"
#include "tests/check.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

/* Small, with something of everything. */
static const char text[] =
    "{\"record\":\"calibration\",\"schema\":1,"
    "\"machine\":{\"cpu\":{\"family\":6},\"memory_bytes\":7,\"time\":\"1\"},"
    "\"levels\":[{\"name\":\"L1\",\"bytes_reported\":32768,"
    "\"bytes_usable\":{\"value\":32000.5,\"lo\":31000,\"hi\":33000},"
    "\"ns\":{\"value\":1.25,\"lo\":1.125,\"hi\":1.5},"
    "\"in_flight\":{\"value\":null,\"lo\":null,\"hi\":null},"
    "\"read_ns\":{\"value\":0.25,\"lo\":0.125,\"hi\":0.5},"
    "\"update_ns\":{\"value\":0.5,\"lo\":0.25,\"hi\":1}},"
    "{\"name\":\"memory\",\"bytes_reported\":null,"
    "\"bytes_usable\":{\"value\":null,\"lo\":null,\"hi\":null},"
    "\"ns\":{\"value\":90,\"lo\":80,\"hi\":100},"
    "\"in_flight\":{\"value\":10,\"lo\":9,\"hi\":11},"
    "\"read_ns\":{\"value\":9,\"lo\":8,\"hi\":10},"
    "\"update_ns\":{\"value\":null,\"lo\":null,\"hi\":null}}],"
    "\"pages\":[{\"kind\":\"4k\",\"page_bytes\":4096,"
    "\"granularity_bytes\":4096,"
    "\"tau_ns\":{\"value\":20,\"lo\":19,\"hi\":21},"
    "\"tc_nodes\":{\"value\":1536,\"lo\":1500,\"hi\":1600},"
    "\"tlb\":[{\"entries\":{\"value\":64,\"lo\":63,\"hi\":65},"
    "\"reach_bytes\":262144,"
    "\"extra_ns\":{\"value\":2,\"lo\":1.5,\"hi\":2.5}}],"
    "\"table_line_ns\":{\"L1\":{\"value\":0,\"lo\":0,\"hi\":0},"
    "\"memory\":{\"value\":null,\"lo\":null,\"hi\":null}},"
    "\"walks_in_flight\":{\"value\":4,\"lo\":3,\"hi\":5}}],"
    "\"stream_ns_per_line\":{\"read\":{\"value\":5,\"lo\":4,\"hi\":6},"
    "\"write\":{\"value\":7,\"lo\":6,\"hi\":8},"
    "\"copy\":{\"value\":9,\"lo\":8,\"hi\":10}},"
    "\"neighbours_bytes_per_ns\":{\"value\":2,\"lo\":1,\"hi\":3},"
    "\"noise\":{\"timer_ns\":20,\"canary_ns\":0.75,\"canary_range\":0.0625,"
    "\"repeat_range\":null,\"seconds\":60,\"repetitions\":6},"
    "\"coalescing\":{\"absent\":null,\"proof\":\"pagemap\","
    "\"page_bytes\":4096,\"tlb\":[{\"entries\":"
    "{\"value\":64,\"lo\":63,\"hi\":65},\"reach\":{"
    "\"1\":{\"value\":1,\"lo\":0.875,\"hi\":1.125},"
    "\"2\":{\"value\":2,\"lo\":1.875,\"hi\":2.125},"
    "\"4\":{\"value\":4,\"lo\":3.5,\"hi\":4.5},"
    "\"8\":{\"value\":null,\"lo\":null,\"hi\":null},"
    "\"16\":{\"value\":null,\"lo\":null,\"hi\":null}},\"joined\":4}],"
    "\"points\":[[16,2,2.25,2.125,2,2,2,2]]},"
    "\"warnings\":[\"too noisy\"],"
    "\"curves\":[{\"name\":\"line_chase\",\"pages\":\"4k\","
    "\"x_unit\":\"bytes\",\"step_bytes\":64,\"chains\":1,"
    "\"points\":[[4096,1.25,1.125,1.5],[8192,2,null,null]]},"
    "{\"name\":\"page_chase\",\"pages\":\"4k\",\"x_unit\":\"pages\","
    "\"step_bytes\":4096,\"chains\":8,\"points\":[]}]}";

static json_t *whole(void) {
  json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  if (!object) abort();
  return object;
}

static void test_it_survives_the_way_there_and_back(void) {
  struct calibration cal;
  char why[CALIBRATION_TEXT];
  json_t *object = whole();
  CU_ASSERT_EQUAL_FATAL(calibration_from_json(&cal, object, why), 0);
  CU_ASSERT_EQUAL(cal.level_count, 2);
  CU_ASSERT_EQUAL(cal.levels[0].bytes_usable.value, 32000.5);
  CU_ASSERT(isnan(cal.levels[1].bytes_reported));
  CU_ASSERT_EQUAL(cal.pages[0].tlb[0].entries.hi, 65);
  CU_ASSERT_EQUAL(cal.curves[0].points[1].ns, 2);
  CU_ASSERT(isnan(cal.curves[0].points[1].hi));
  CU_ASSERT_EQUAL(cal.coalescing.tlb[0].reach[2].hi, 4.5);
  CU_ASSERT_EQUAL(cal.coalescing.points[0].runs_ns[0], 2.125);
  json_t *again = calibration_to_json(&cal);
  CU_ASSERT(json_equal(object, again));
  json_decref(again);
  json_decref(object);
  calibration_fini(&cal);
}

static void test_parts_are_found_by_name(void) {
  struct calibration cal;
  char why[CALIBRATION_TEXT];
  json_t *object = whole();
  CU_ASSERT_EQUAL_FATAL(calibration_from_json(&cal, object, why), 0);
  CU_ASSERT_PTR_EQUAL(calibration_level(&cal, "memory"), &cal.levels[1]);
  CU_ASSERT_PTR_NULL(calibration_level(&cal, "L2"));
  CU_ASSERT_PTR_EQUAL(calibration_pages(&cal, "4k"), &cal.pages[0]);
  CU_ASSERT_PTR_NULL(calibration_pages(&cal, "2m"));
  CU_ASSERT_PTR_EQUAL(calibration_curve(&cal, "page_chase", "4k", 8),
                      &cal.curves[1]);
  CU_ASSERT_PTR_NULL(calibration_curve(&cal, "page_chase", "4k", 1));
  json_decref(object);
  calibration_fini(&cal);
}

/* What huge pages cost does not depend on how they were asked for; exactly the
 * same ones come first. */
static void test_pages_as_large_stand_in(void) {
  struct calibration cal = {.page_count = 2};
  cal.pages[0] = (struct cal_pages){.kind = "4k", .page_bytes = 4096};
  cal.pages[1] = (struct cal_pages){.kind = "thp", .page_bytes = 2 << 20};
  CU_ASSERT_PTR_EQUAL(calibration_page_for(&cal, "4k"), &cal.pages[0]);
  CU_ASSERT_PTR_EQUAL(calibration_page_for(&cal, "thp"), &cal.pages[1]);
  CU_ASSERT_PTR_EQUAL(calibration_page_for(&cal, "2m"), &cal.pages[1]);
  CU_ASSERT_PTR_NULL(calibration_page_for(&cal, "1g"));
  CU_ASSERT_PTR_NULL(calibration_page_for(&cal, "3k"));
  cal.pages[2] = (struct cal_pages){.kind = "2m", .page_bytes = 2 << 20};
  cal.page_count = 3;
  CU_ASSERT_PTR_EQUAL(calibration_page_for(&cal, "2m"), &cal.pages[2]);
}

static void test_values_that_older_files_do_not_have_are_none(void) {
  struct calibration cal;
  char why[CALIBRATION_TEXT];
  json_t *object = whole();
  json_t *level = json_array_get(json_object_get(object, "levels"), 0);
  json_object_del(level, "read_ns");
  json_object_del(object, "neighbours_bytes_per_ns");
  json_object_del(object, "coalescing");
  CU_ASSERT_EQUAL_FATAL(calibration_from_json(&cal, object, why), 0);
  CU_ASSERT(isnan(cal.levels[0].read_ns.value));
  CU_ASSERT_PTR_NOT_NULL(strstr(cal.coalescing.absent, "older"));
  CU_ASSERT(isnan(cal_coalescing_joined(&cal.coalescing)));
  CU_ASSERT(isnan(cal.neighbours.value));
  CU_ASSERT_EQUAL(cal.levels[0].update_ns.value, 0.5);
  json_decref(object);
  calibration_fini(&cal);
}

/* Few pages fill the first level, so it shows longer runs than the last. */
static void test_pages_of_an_entry_are_those_of_the_last_tlb(void) {
  struct cal_coalescing found = {.tlbs = 2};
  found.tlb[0].joined = 8;
  found.tlb[1].joined = 2;
  CU_ASSERT_EQUAL(cal_coalescing_joined(&found), 2);
  found.tlb[1].reach[2].value = NAN;
  CU_ASSERT_TRUE(cal_coalescing_open(&found.tlb[1]));
  CU_ASSERT_EQUAL(cal_coalescing_joined(&found), 8);
  found.tlb[0].joined = NAN;
  CU_ASSERT_EQUAL(cal_coalescing_joined(&found), 2);
  found.tlb[1].joined = NAN;
  CU_ASSERT_FALSE(cal_coalescing_open(&found.tlb[1]));
  CU_ASSERT(isnan(cal_coalescing_joined(&found)));
}

/* The machine is its processor and memory; the time of day is not. */
static void test_another_machine_is_told(void) {
  static const struct {
    const char *key, *value;
    bool same;
  } changes[] = {{"time", "\"2\"", true},
                 {"memory_bytes", "8", false},
                 {"cpu", "{\"family\":25}", false},
                 {"vm", "{\"is_vm\":true}", false}};
  struct calibration cal;
  char why[CALIBRATION_TEXT];
  json_t *object = whole();
  CU_ASSERT_EQUAL_FATAL(calibration_from_json(&cal, object, why), 0);
  CU_ASSERT(calibration_is_of(&cal, cal.machine));
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    json_t *other = json_deep_copy(cal.machine);
    json_object_set_new(other, changes[i].key,
                        json_loads(changes[i].value, JSON_DECODE_ANY, NULL));
    CU_ASSERT_EQUAL(calibration_is_of(&cal, other), changes[i].same);
    json_decref(other);
  }
  json_decref(object);
  calibration_fini(&cal);
}

static void refused(const json_t *object, const char *what) {
  struct calibration cal;
  char why[CALIBRATION_TEXT] = "";
  errno = 0;
  if (calibration_from_json(&cal, object, why) == 0) {
    printf("taken: %s\n", what);
    CU_FAIL("damaged, and taken");
    calibration_fini(&cal);
    return;
  }
  CU_ASSERT_EQUAL(errno, EINVAL);
  CU_ASSERT(*why != '\0');
  CU_ASSERT_PTR_NULL(cal.curves);
}

/* Files of earlier versions do not have the others. */
static bool needed(const char *key) {
  return strcmp(key, "read_ns") && strcmp(key, "update_ns");
}

/* Each key is needed, and of its type: without it, and with what it is not. */
static void damage(json_t *root, json_t *object) {
  char keys[32][32]; /* a key goes with its value */
  size_t count = 0;
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value)
      snprintf(keys[count++], sizeof *keys, "%s", key);
  for (size_t i = 0; i < count; i++) {
    if (!strcmp(keys[i], "reach_bytes")) continue; /* follows from others */
    value = json_incref(json_object_get(object, keys[i]));
    json_object_set_new(object, keys[i], json_true());
    refused(root, keys[i]);
    json_object_set_new(object, keys[i], json_real(-1.5));
    refused(root, keys[i]);
    json_object_del(object, keys[i]);
    if (needed(keys[i])) refused(root, keys[i]);
    json_object_set_new(object, keys[i], value);
  }
}

static json_t *at(json_t *object, const char *list, size_t index) {
  return json_array_get(json_object_get(object, list), index);
}

static void test_damage_is_refused(void) {
  json_t *object = whole(), *level = at(object, "levels", 0);
  json_t *pages = at(object, "pages", 0), *curve = at(object, "curves", 0);
  damage(object, level);
  damage(object, json_object_get(level, "ns"));
  damage(object, pages);
  damage(object, at(pages, "tlb", 0));
  damage(object, json_object_get(pages, "table_line_ns"));
  damage(object, json_object_get(object, "noise"));
  damage(object, json_object_get(object, "stream_ns_per_line"));
  damage(object, json_object_get(object, "coalescing"));
  damage(object, at(json_object_get(object, "coalescing"), "tlb", 0));
  damage(object, curve);
  static const char *const points[] = {
      "[[1,2,3]]",      "[[0,2,3,4]]",   "[[1,0,1,1]]",
      "[[1,null,1,1]]", "[[2,1,1,1],7]", "[[2,1,1,1],[2,1,1,1]]",
      "[[1,\"1\",1,1]]"};
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    json_object_set_new(curve, "points", json_loads(points[i], 0, NULL));
    refused(object, points[i]);
  }
  json_decref(object);
}

/* No time, no room, an interval from above to below. */
static void test_what_no_machine_has_is_refused(void) {
  static const struct {
    const char *list, *key, *of;
    double number;
  } wrong[] = {{"levels", "ns", "value", 0},
               {"levels", "ns", "lo", 1e6},
               {"levels", "bytes_usable", "value", 0},
               {"levels", "in_flight", "value", 0},
               {"pages", "tc_nodes", "value", 0},
               {"pages", "walks_in_flight", "value", 0},
               {"pages", "tau_ns", "lo", 1e6}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    json_t *object = whole();
    json_t *value = json_object_get(at(object, wrong[i].list, 0), wrong[i].key);
    json_object_set_new(value, wrong[i].of, json_real(wrong[i].number));
    refused(object, wrong[i].key);
    json_decref(object);
  }
  json_t *object = whole(), *list = json_object_get(object, "levels");
  json_object_set_new(json_array_get(list, 1), "name", json_string("L1"));
  refused(object, "a level twice");
  json_decref(object);
  object = whole();
  json_t *joining = json_object_get(object, "coalescing");
  json_object_set_new(at(joining, "tlb", 0), "joined", json_integer(3));
  refused(object, "entries of three pages");
  json_object_set_new(at(joining, "tlb", 0), "joined", json_integer(32));
  refused(object, "entries of more pages than runs have");
  json_object_set_new(at(joining, "tlb", 0), "joined", json_null());
  json_object_set_new(joining, "page_bytes", json_null());
  refused(object, "pages of no size");
  json_decref(object);
}

static void test_too_many_of_anything_are_refused(void) {
  static const char *const lists[] = {"levels", "pages", "warnings"};
  for (size_t i = 0; i < 3; i++) {
    json_t *object = whole(), *list = json_object_get(object, lists[i]);
    for (int n = 0; n < 30; n++)
      json_array_append(list, json_array_get(list, 0));
    refused(object, lists[i]);
    json_decref(object);
  }
  json_t *object = whole(), *list = json_object_get(object, "pages");
  json_array_append(list, json_array_get(list, 0));
  refused(object, "a kind twice");
  json_decref(object);
}

static void test_files_are_refused_by_name(void) {
  static const struct {
    const char *bytes, *why;
  } files[] = {{"", "not JSON"},
               {"{\"record\":", "cut off"},
               {"{}\n{}\n", ":2: more text after the JSON object"},
               {"[]", "not a calibration"},
               {"{\"record\":\"machine\",\"schema\":1}", "not a calibration"},
               {"{\"record\":\"calibration\",\"schema\":2}", "schema 2"}};
  struct scratch scratch;
  struct calibration cal;
  char why[400];
  scratch_init(&scratch);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const char *path = scratch_write(&scratch, "m.json", files[i].bytes,
                                     strlen(files[i].bytes));
    CU_ASSERT_EQUAL(calibration_read(&cal, path, why, sizeof why), -1);
    CU_ASSERT_EQUAL(errno, EINVAL);
    CU_ASSERT_PTR_EQUAL(strstr(why, path), why);
    CU_ASSERT_PTR_NOT_NULL(strstr(why, files[i].why));
  }
  CU_ASSERT_EQUAL(calibration_read(&cal, "/", why, sizeof why), -1);
  CU_ASSERT_EQUAL(
      calibration_read(&cal, scratch_path(&scratch, "no"), why, sizeof why),
      -1);
  CU_ASSERT_EQUAL(errno, ENOENT);
  const char *path =
      scratch_write(&scratch, "good.json", text, sizeof text - 1);
  CU_ASSERT_EQUAL(calibration_read(&cal, path, why, sizeof why), 0);
  calibration_fini(&cal);
  scratch_fini(&scratch);
}

/* Wherever it stands: behind a number, too, where jansson passes over it. */
static void test_nul_bytes_are_refused(void) {
  struct scratch scratch;
  struct calibration cal;
  char why[400], damaged[sizeof text];
  const size_t length = sizeof text - 1;
  scratch_init(&scratch);
  for (size_t at = 0; at <= length; at++) {
    memcpy(damaged, text, at);
    damaged[at] = '\0';
    memcpy(damaged + at + 1, text + at, length - at);
    const char *path =
        scratch_write(&scratch, "m.json", damaged, sizeof damaged);
    errno = 0;
    bool refused = calibration_read(&cal, path, why, sizeof why) == -1 &&
                   errno == EINVAL && strstr(why, "not JSON");
    calibration_fini(&cal);
    CU_ASSERT_FATAL(refused);
  }
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"a calibration survives the way there and back",
     test_it_survives_the_way_there_and_back},
    {"its parts are found by name", test_parts_are_found_by_name},
    {"pages as large stand in", test_pages_as_large_stand_in},
    {"values that older files do not have are none",
     test_values_that_older_files_do_not_have_are_none},
    {"pages of an entry are those of the last tlb",
     test_pages_of_an_entry_are_those_of_the_last_tlb},
    {"another machine is told", test_another_machine_is_told},
    {"damage is refused", test_damage_is_refused},
    {"what no machine has is refused", test_what_no_machine_has_is_refused},
    {"too many of anything are refused", test_too_many_of_anything_are_refused},
    {"files are refused by name", test_files_are_refused_by_name},
    {"NUL bytes are refused", test_nul_bytes_are_refused},
    {NULL, NULL},
};

const struct check_suite suite_calibration = {
    .name = "calibration",
    .tests = tests,
};
