/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reuse profiles as JSON. */
#include <stdlib.h>
#include <string.h>

#include "experiments/reuse/reuse_json.h"
#include "tests/experiments/suites.h"

static const struct reuse_params params = {.page_bits_count = 2,
                                           .page_bits = {12, 21},
                                           .tc_count = 2,
                                           .tcs = {{12, 4, 64}, {21, 3, 16}}};

static void fill(struct reuse_histogram *histogram, unsigned buckets) {
  for (unsigned i = 0; i < buckets; i++)
    histogram->count[i] = rand() % 3 ? rand() / 7.0 : 0;
  histogram->cold = rand();
}

static void fill_profile(struct reuse_profile *p) {
  *p = (struct reuse_profile){.accesses = (uint64_t)rand(),
                              .workspace_bytes = 1 << 30,
                              .ram_ops = 1.5,
                              .pages_count = params.page_bits_count,
                              .tc_count = params.tc_count};
  for (unsigned i = 0; i < REUSE_CLASSES; i++)
    fill(&p->lines[i], (unsigned)rand() % (REUSE_BUCKETS + 1));
  for (unsigned i = 0; i < REUSE_KINDS * REUSE_CLASSES; i++)
    fill(&p->kinds[i / REUSE_CLASSES][i % REUSE_CLASSES],
         (unsigned)rand() % (REUSE_BUCKETS + 1));
  for (unsigned i = 0; i < params.page_bits_count; i++) {
    struct reuse_pages *pages = &p->pages[i];
    pages->page_bits = params.page_bits[i];
    fill(&pages->pages, REUSE_BUCKETS);
    fill(&pages->tables, 9);
    for (int k = 0; k < 99; k++)
      pages->joint[rand() % (REUSE_COARSE + 1)][rand() % 5] = rand() / 3.0;
    pages->tables_joint[rand() % 9][REUSE_COARSE] = 5;
  }
  for (unsigned i = 0; i < params.tc_count; i++)
    p->tc_misses[i] = (uint64_t)rand();
}

static struct reuse_profile profile, back;

static void test_a_profile_is_read_as_it_was(void) {
  srand(1);
  for (int i = 0; i < 50; i++) {
    fill_profile(&profile);
    memset(&back, 1, sizeof back);
    json_t *json = reuse_profile_to_json(&profile);
    char *text = json_dumps(json, JSON_COMPACT);
    json_t *again = json_loads(text, 0, NULL);
    CU_ASSERT(!reuse_profile_from_json(&back, again, &params));
    CU_ASSERT(!memcmp(&profile, &back, sizeof back));
    free(text);
    json_decref(json);
    json_decref(again);
  }
}

/* One byte is another: what is JSON still either is a profile or is refused. */
static void test_damaged_profiles_do_no_harm(void) {
  unsigned refused = 0, taken = 0;
  srand(2);
  fill_profile(&profile);
  json_t *json = reuse_profile_to_json(&profile);
  char *text = json_dumps(json, JSON_COMPACT);
  size_t length = strlen(text);
  for (int i = 0; i < 3000; i++) {
    size_t at = (size_t)rand() % length;
    char old = text[at];
    text[at] = "0-9.e[]{}\",:a"[rand() % 13];
    json_t *again = json_loads(text, 0, NULL);
    if (again && reuse_profile_from_json(&back, again, &params))
      refused++;
    else
      taken += again != NULL;
    json_decref(again);
    text[at] = old;
  }
  CU_ASSERT(refused > 10 && taken > 10);
  free(text);
  json_decref(json);
}

static void test_bad_values_are_refused(void) {
  static const char *const bad[][2] = {
      {"accesses", "-1"},   {"accesses", "1.5"},
      {"ram_ops", "\"a\""}, {"ram_ops", "-1"},
      {"lines", "{}"},      {"pages", "[]"},
      {"kinds", "{}"},      {"workspace_bytes", "null"},
      {"tc_misses", "[{}]"}};
  fill_profile(&profile);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    json_t *json = reuse_profile_to_json(&profile);
    CU_ASSERT(!reuse_profile_from_json(&back, json, &params));
    json_object_set_new(json, bad[i][0],
                        json_loads(bad[i][1], JSON_DECODE_ANY, NULL));
    CU_ASSERT_EQUAL(reuse_profile_from_json(&back, json, &params), -1);
    json_decref(json);
  }
}

/* What a field deep inside is replaced by. */
static int read_with(const char *format, json_t *value) {
  json_t *json = reuse_profile_to_json(&profile), *lines, *pages;
  CU_ASSERT(!json_unpack(json, "{s:{s:o}s:[o]}", "lines", "other", &lines,
                         "pages", &pages));
  json_t *at = strcmp(format, "count") ? pages : lines;
  json_object_set_new(at, format, value);
  int failed = reuse_profile_from_json(&back, json, &params);
  json_decref(json);
  return failed;
}

static void test_bad_sizes_are_refused(void) {
  json_t *counts = json_array();
  fill_profile(&profile);
  for (int i = 0; i < REUSE_BUCKETS; i++)
    json_array_append_new(counts, json_integer(1));
  CU_ASSERT(!read_with("count", json_deep_copy(counts)));
  json_array_append_new(counts, json_integer(1));
  CU_ASSERT(read_with("count", counts));
  CU_ASSERT(!read_with("page_bits", json_integer(12)));
  CU_ASSERT(read_with("page_bits", json_integer(13)));
  CU_ASSERT(!read_with("joint", json_pack("[[iii]]", REUSE_COARSE, 0, 1)));
  CU_ASSERT(read_with("joint", json_pack("[[iii]]", REUSE_COARSE + 1, 0, 1)));
  CU_ASSERT(read_with("joint", json_pack("[[iii]]", 0, REUSE_COARSE + 1, 1)));
  CU_ASSERT(read_with("joint", json_pack("[[ii]]", 0, 0)));
  CU_ASSERT(read_with("tables_joint", json_integer(0)));
}

static void test_a_key_has_all_that_a_profile_depends_on(void) {
  struct stream streams[5];
  struct reuse_params all[6];
  for (int i = 0; i < 5; i++)
    streams[i] =
        (struct stream){.algo = cpu_algo_find("heapsort"), .n = 100, .seed = 1};
  streams[1].algo = cpu_algo_find("heapify");
  streams[2].n = 101;
  streams[3].seed = 2;
  streams[4].generator = "other";
  for (int i = 0; i < 6; i++) all[i] = params;
  all[1].window = 3;
  all[2].every = 3;
  all[3].page_bits[1] = 30;
  all[4].tcs[1].nodes++;
  all[5].tc_count--;
  json_t *key = reuse_key_to_json(&streams[0], &all[0]);
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 6; j++) {
      json_t *other = reuse_key_to_json(&streams[i], &all[j]);
      CU_ASSERT_EQUAL(json_equal(key, other), !i && !j);
      json_decref(other);
    }
  json_decref(key);
  all[1].window = REUSE_WINDOW; /* the same as none */
  json_t *none = reuse_key_to_json(&streams[0], &all[0]);
  json_t *same = reuse_key_to_json(&streams[0], &all[1]);
  CU_ASSERT(json_equal(none, same));
  json_decref(none);
  json_decref(same);
}

static const struct check_test tests[] = {
    {"a profile is read as it was", test_a_profile_is_read_as_it_was},
    {"damaged profiles do no harm", test_damaged_profiles_do_no_harm},
    {"bad values are refused", test_bad_values_are_refused},
    {"bad sizes are refused", test_bad_sizes_are_refused},
    {"a key has all that a profile depends on",
     test_a_key_has_all_that_a_profile_depends_on},
    {NULL, NULL}};
const struct check_suite suite_reuse_json = {"reuse profiles as JSON", tests,
                                             NULL};
