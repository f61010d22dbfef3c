/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan chooses, its curve, and what it cannot be made of. */
#include <math.h>
#include <string.h>

#include "experiments/exec/page_plan.h"
#include "experiments/profile/planning.h"
#include "tests/experiments/profile/saved_plan.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static const double mib = 1 << 20;
static const struct saved_tables tables;

/* Of a budget of 200 MiB the hot table, and what else is small; and the plan is
 * one that can be read. */
static void test_hot_table_first(void) {
  const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, "--budget=200M",
                                       "--json"};
  struct page_plan plan;
  char why[PLAN_WHY];
  json_t *json = saved_plan_json(&tables, more);
  CU_ASSERT_EQUAL(json_number_at(json, "budget_bytes"), 200 * mib);
  CU_ASSERT(json_number_at(json, "used_bytes") <= 200 * mib);
  bool hot = false;
  for (size_t i = 0; i < json_array_size(json_at(json, "choices")); i++) {
    const json_t *choice = json_array_get(json_at(json, "choices"), i);
    hot |= strstr(json_text_at(choice, "where"), "make_hot") != NULL;
    CU_ASSERT_PTR_NULL(strstr(json_text_at(choice, "where"), "make_cold"));
    CU_ASSERT_PTR_NULL(strstr(json_text_at(choice, "where"), "make_warm"));
  }
  CU_ASSERT(hot);
  double ratio = json_number_at(json, "predicted.user_ratio");
  CU_ASSERT(ratio < 1 &&
            ratio >= json_number_at(json, "everything.user_ratio"));
  CU_ASSERT(json_number_at(json, "predicted.lo") <= ratio);
  CU_ASSERT(json_number_at(json, "predicted.hi") >= ratio);
  CU_ASSERT(json_number_at(json, "optimum_more") >= 0);
  CU_ASSERT_FATAL(!page_plan_from_json(&plan, json, why));
  CU_ASSERT_EQUAL(plan.words, 2);
  CU_ASSERT_STRING_EQUAL(plan.pages, "thp");
  page_plan_fini(&plan);
  json_decref(json);
}

/* Mappings of 1 MiB save as much as one block, since they are cut from pages of
 * 2 MiB. */
static void test_mappings_that_are_cut(void) {
  static const struct saved_tables arenas = {.arenas = 1};
  const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, "--budget=192M",
                                       "--json"};
  json_t *whole = saved_plan_json(&tables, more);
  json_t *json = saved_plan_json(&arenas, more);
  CU_ASSERT_EQUAL(json_array_size(json_at(json, "choices")), 1);
  CU_ASSERT_STRING_EQUAL(json_text_at(json, "choices.0.what"), "site-small");
  CU_ASSERT_STRING_EQUAL(json_text_at(json, "choices.0.kind"), "mapping");
  CU_ASSERT_EQUAL(json_number_at(json, "choices.0.bytes"), 192 * mib);
  CU_ASSERT(json_number_at(json, "predicted.user_ratio") < 0.95);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(json, "predicted.user_ratio"),
                         json_number_at(whole, "predicted.user_ratio"), 1e-9);
  json_decref(whole);
  json_decref(json);
}

/* How exec finds it, and what to write into the source. */
static void test_choice_of_a_site(void) {
  const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, "--budget=192M",
                                       "--json"};
  json_t *json = saved_plan_json(&tables, more);
  const json_t *all = json_at(json, "choices"), *hot = NULL;
  for (size_t i = 0; i < json_array_size(all); i++)
    if (strstr(json_text_at(json_array_get(all, i), "where"), "make_hot"))
      hot = json_array_get(all, i);
  CU_ASSERT_PTR_NOT_NULL_FATAL(hot);
  CU_ASSERT_STRING_EQUAL(json_text_at(hot, "what"), "site-large");
  CU_ASSERT_STRING_EQUAL(json_text_at(hot, "kind"), "heap");
  CU_ASSERT_EQUAL(json_number_at(hot, "bytes"), 192 * mib);
  CU_ASSERT_EQUAL(json_number_at(hot, "least_bytes"), 2 * mib);
  CU_ASSERT_STRING_EQUAL(json_text_at(hot, "chains.0.0.object"), "/opt/tables");
  CU_ASSERT_EQUAL(json_number_at(hot, "chains.0.0.offset"), 0x1010);
  CU_ASSERT_STRING_EQUAL(json_text_at(hot, "chains.0.0.function"), "make_hot");
  CU_ASSERT_EQUAL(json_number_at(hot, "chains.0.1.offset"), 0x1999);
  CU_ASSERT_STRING_EQUAL(
      json_text_at(hot, "madvise"),
      "tables.c:10 (make_hot): madvise(p, bytes, MADV_HUGEPAGE)");
  CU_ASSERT_STRING_EQUAL(json_text_at(json, "objects.0.build_id"),
                         "0123456789abcdef");
  json_decref(json);
}

static void test_curve(void) {
  const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, "--json"};
  json_t *json = saved_plan_json(&tables, more);
  const json_t *curve = json_at(json, "curve");
  size_t points = json_array_size(curve);
  CU_ASSERT_FATAL(points > 10);
  CU_ASSERT(json_is_null(json_at(json, "budget_bytes")));
  CU_ASSERT_EQUAL(json_number_at(curve, "0.0"), 0);
  CU_ASSERT_EQUAL(json_number_at(curve, "0.1"), 1);
  for (size_t i = 1; i < points; i++) {
    const json_t *point = json_array_get(curve, i);
    const json_t *before = json_array_get(curve, i - 1);
    CU_ASSERT(json_number_at(point, "0") > json_number_at(before, "0"));
    CU_ASSERT(json_number_at(point, "1") <= json_number_at(before, "1"));
  }
  const json_t *last = json_array_get(curve, points - 1);
  CU_ASSERT_EQUAL(json_number_at(last, "0"),
                  json_number_at(json, "everything.bytes"));
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(last, "1"),
                         json_number_at(json, "everything.user_ratio"), 1e-9);
  CU_ASSERT_EQUAL(json_number_at(json, "used_bytes"),
                  json_number_at(json, "everything.bytes"));
  CU_ASSERT(json_is_null(json_at(json, "verdict")));
  json_decref(json);
}

/* Each point of the curve is what a plan of that budget saves. */
static void test_curve_is_of_plans(void) {
  const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, "--json"};
  json_t *json = saved_plan_json(&tables, more);
  const json_t *curve = json_at(json, "curve");
  CU_ASSERT_FATAL(json_array_size(curve) > 5);
  for (size_t i = 0; i < json_array_size(curve); i += 5) {
    const json_t *point = json_array_get(curve, i);
    char budget[40];
    snprintf(budget, sizeof budget, "--budget=%.0f",
             json_number_at(point, "0"));
    json_t *plan = saved_plan_json(
        &tables,
        (const char *[SAVED_PLAN_MORE]){saved_plan_machine, "--json", budget});
    CU_ASSERT_DOUBLE_EQUAL(json_number_at(plan, "predicted.user_ratio"),
                           json_number_at(point, "1"), 1e-9);
    CU_ASSERT(json_number_at(plan, "used_bytes") <= json_number_at(point, "0"));
    json_decref(plan);
  }
  json_decref(json);
}

/* A block of 10 MiB whose units miss as often: a part of it has a mapping of
 * its own, and needs no arena. */
static void test_part_without_arena(void) {
  static const char process[] =
      "vat-profile 1\nprocess 1\nparent 0\nprogram ./a\ntree 4k 5 3072\n"
      "tree 2m 4 3072\nunit 2097152\nthreads 1\nsampled 5000\nheap told\n"
      "totals 5000 0 0 0 0 0 0 0 0 0\n"
      "site heap 1 10485760 10485760 2560 5 5000 0 0 0 0 0 0 0 0 0\n"
      "object /a\nfile a.c\nfunction f\ncaller 10 0\n"
      "sizes 10485760 10485760 1 10485760\nobject /a\nframe 0 1000\n"
      "heat 0 0 512 1000 0\nheat 0 1 512 1000 0\nheat 0 2 512 1000 0\n"
      "heat 0 3 512 1000 0\nheat 0 4 512 1000 0\nnumber 1\n"
      "walks 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
      "0\n"
      "walks 1 0 0 0 0 0 0 0 0 0 0 0 0 5000 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
      "0 "
      "0\nend\n";
  struct scratch scratch;
  scratch_init(&scratch);
  FILE *file = fopen(scratch_path(&scratch, "p.profile"), "w");
  if (!file) abort();
  fprintf(file,
          "{\"record\":\"profile\",\"schema\":3,\"command\":[\"./a\"],"
          "\"policy\":\"tlb\",\"processes\":[%zu],\"lost\":0,\"objects\":[{"
          "\"name\":\"/a\",\"build_id\":\"12\"}],"
          "\"tlb\":\"l1=72x72,l2=3072x12\"}\n%s",
          strlen(process), process);
  if (fclose(file)) abort();
  for (int mibs = 2; mibs <= 10; mibs += 2) {
    char path[600], budget[32];
    snprintf(path, sizeof path, "%s", scratch.path);
    snprintf(budget, sizeof budget, "--budget=%dM", mibs);
    const char *arguments[] = {"--from", path, budget, "--json", NULL};
    run_command(&saved_plan, cmd_plan, arguments, false);
    CU_ASSERT_EQUAL_FATAL(saved_plan.code, VAT_OK);
    json_t *json = json_loads(saved_plan.out, 0, NULL);
    CU_ASSERT_EQUAL(json_number_at(json, "used_bytes"), mibs * mib);
    CU_ASSERT_EQUAL(json_number_at(json, "misses.saved"), mibs * 500);
    json_decref(json);
  }
  scratch_fini(&scratch);
}

/* Parts of a block are advised by themselves; all of them are the block. */
static void test_parts_of_a_block(void) {
  static const struct saved_tables one = {.sites = 1, .units = 64};
  for (int all = 0; all < 2; all++) {
    const char *more[SAVED_PLAN_MORE] = {
        saved_plan_machine, all ? "--budget=1G" : "--budget=41M",
        "--user-time=0.001" /* of which the cold parts are not nothing */,
        "--json"};
    json_t *json = saved_plan_json(&one, more);
    const json_t *choices = json_at(json, "choices");
    double bytes = 0;
    CU_ASSERT_FATAL(json_array_size(choices) > 0);
    for (size_t i = 0; i < json_array_size(choices); i++) {
      const json_t *choice = json_array_get(choices, i);
      double from = json_number_at(choice, "from"),
             to = json_number_at(choice, "to");
      bytes += json_number_at(choice, "bytes");
      CU_ASSERT_EQUAL(json_at(choice, "to") == NULL, all);
      if (all) continue;
      if (isnan(from)) from = 0; /* which is left out */
      CU_ASSERT_EQUAL(to - from, json_number_at(choice, "bytes"));
      CU_ASSERT(fmod(from, 2 * mib) == 0 && fmod(to, 2 * mib) == 0);
      CU_ASSERT_PTR_NOT_NULL(
          strstr(json_text_at(choice, "madvise"), "(char *)p + "));
    }
    CU_ASSERT_EQUAL(bytes, json_number_at(json, "used_bytes"));
    CU_ASSERT(bytes <= (all ? 128 : 41) * mib);
    if (all) CU_ASSERT_EQUAL(json_array_size(choices), 1);
    json_decref(json);
  }
}

/* Small blocks share pages: what they need in all is whole pages, and within
 * the budget. */
static void test_whole_pages_in_all(void) {
  static const char *const budgets[] = {"--budget=203.5M", "--budget=205M",
                                        "--budget=13M", "--budget=299M"};
  for (int i = 0; i < 4; i++) {
    const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, budgets[i],
                                         "--json"};
    json_t *json = saved_plan_json(&tables, more);
    double used = json_number_at(json, "used_bytes");
    CU_ASSERT(used > 0 && used <= json_number_at(json, "budget_bytes"));
    CU_ASSERT_EQUAL(fmod(used, 2 * mib), 0);
    json_decref(json);
  }
}

/* What has no calibration is planned by misses, and says so. */
static void test_without_calibration(void) {
  const char *more[SAVED_PLAN_MORE] = {"--budget=200M", "--json"};
  json_t *json = saved_plan_json(&tables, more);
  CU_ASSERT(json_is_null(json_at(json, "predicted.user_ratio")));
  CU_ASSERT(json_is_null(json_at(json, "choices.0.saving_s")));
  CU_ASSERT(json_is_null(json_at(json, "curve.3.1")));
  const json_t *curve = json_at(json, "misses.curve");
  const json_t *last = json_array_get(curve, json_array_size(curve) - 1);
  CU_ASSERT(json_number_at(last, "1") > 0.99 && json_number_at(last, "1") <= 1);
  CU_ASSERT(json_number_at(json, "misses.saved") > 1200000 - 1000);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(json_text_at(json, "verdict"), "vat calibrate"));
  json_decref(json);
  saved_plan_run(&tables, (const char *[SAVED_PLAN_MORE]){"--budget=200M"});
  CU_ASSERT_EQUAL(saved_plan.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(saved_plan.out, "leaf misses saved"));
  CU_ASSERT_PTR_NOT_NULL(strstr(saved_plan.out, "worth it?: not known"));
}

static void test_small_budgets(void) {
  static const char *const small[] = {"--budget=0", "--budget=2097151"};
  for (int i = 0; i < 2; i++) {
    const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, small[i],
                                         "--json"};
    json_t *json = saved_plan_json(&tables, more);
    CU_ASSERT_EQUAL(json_number_at(json, "used_bytes"), 0);
    CU_ASSERT_EQUAL(json_array_size(json_at(json, "choices")), 0);
    CU_ASSERT_EQUAL(json_number_at(json, "predicted.user_ratio"), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(json_text_at(json, "verdict"), "budget"));
    json_decref(json);
  }
}

/* What a profile must have, and the command that makes one. */
static void test_refusals(void) {
  static const struct {
    struct saved_tables how;
    const char *more[SAVED_PLAN_MORE];
    int code;
    const char *says;
  } rows[] = {
      {{.older = 1}, {saved_plan_machine}, VAT_USAGE, "an older vat made it"},
      {{.older = 1},
       {saved_plan_machine},
       VAT_USAGE,
       "fix: vat profile --what-if --save NEW.profile -- ./tables 'a b'\n"},
      {{.no_walks = 1, .no_native = 1},
       {saved_plan_machine},
       VAT_USAGE,
       "it was made without --what-if"},
      {{.no_native = 1},
       {saved_plan_machine},
       VAT_USAGE,
       "--user-time SECONDS"},
      {{.lost = 2}, {saved_plan_machine}, VAT_FAILED, "2 of its processes"},
      {{0}, {saved_plan_machine, "--pages=1g"}, VAT_USAGE, "--pages 1g"},
      {{0},
       {saved_plan_machine, "--pages=thp-64k"},
       VAT_USAGE,
       "does not tell whether this processor joins"},
      {{0},
       {saved_plan_machine, "--pages=thp-8k"},
       VAT_USAGE,
       "--pages thp-8k"},
      {{0}, {"--budget=-1"}, VAT_USAGE, "--budget -1"},
      {{0}, {"--figure=f.pdf"}, VAT_USAGE, ".svg or .png"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    saved_plan_run(&rows[i].how, rows[i].more);
    bool good =
        saved_plan.code == rows[i].code && strstr(saved_plan.err, rows[i].says);
    if (!good) printf("\nrow %zu: %d %s", i, saved_plan.code, saved_plan.err);
    CU_ASSERT(good);
    CU_ASSERT_STRING_EQUAL(saved_plan.out, "");
  }
}

/* Cut anywhere, or with a letter changed, it is refused or planned: never more
 * than that. */
static void test_damaged_profiles(void) {
  struct scratch scratch;
  size_t length = 0;
  scratch_init(&scratch);
  saved_plan_write(&tables, scratch_path(&scratch, "p.profile"));
  char *whole = scratch_read(scratch.path, &length);
  const char *arguments[] = {"--from", NULL, NULL};
  char path[600];
  snprintf(path, sizeof path, "%s", scratch.path);
  arguments[1] = path;
  for (size_t i = 1; i < 60; i++) {
    char *copy = malloc(length);
    if (!copy) abort();
    memcpy(copy, whole, length);
    size_t end = i % 2 ? length * i / 60 : length;
    if (i % 2 == 0) copy[length * i / 61] ^= 5;
    scratch_write(&scratch, "p.profile", copy, end);
    run_command(&saved_plan, cmd_plan, arguments, false);
    CU_ASSERT(saved_plan.code == VAT_OK || saved_plan.code == VAT_USAGE);
    if (i % 2) CU_ASSERT_EQUAL(saved_plan.code, VAT_USAGE);
    free(copy);
  }
  free(whole);
  scratch_fini(&scratch);
}

/* 10^5 sites and 50000 units: a plan. */
static void test_many_sites(void) {
  static const struct saved_tables many = {.sites = 100000, .units = 50000};
  const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, "--budget=1G", "-o",
                                       "/dev/null"};
  saved_plan_run(&many, more);
  CU_ASSERT_EQUAL(saved_plan.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(saved_plan.out, "plan: of a budget of 1 GiB"));
}

static const struct check_test tests[] = {
    {"the hot table first", test_hot_table_first},
    {"mappings that are cut", test_mappings_that_are_cut},
    {"a choice finds its site again", test_choice_of_a_site},
    {"the curve, and everything at its end", test_curve},
    {"each point of the curve is of a plan", test_curve_is_of_plans},
    {"a part of a block needs no arena", test_part_without_arena},
    {"parts of a block, and all of them", test_parts_of_a_block},
    {"whole pages in all", test_whole_pages_in_all},
    {"misses where there is no calibration", test_without_calibration},
    {"no budget, and less than a page", test_small_budgets},
    {"what is refused", test_refusals},
    {"damaged profiles", test_damaged_profiles},
    {"many sites and units", test_many_sites},
    {NULL, NULL}};

const struct check_suite suite_planning = {"planning", tests, NULL};
