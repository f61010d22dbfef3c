/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "experiments/exec/page_plan.h"
#include "experiments/probe/calibration.h"
#include "experiments/profile/planning.h"
#include "tests/experiments/profile/saved_tables.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static const char machine[] =
    "--machine=" VAT_TEST_SOURCE "/tests/experiments/what_if_machine.json";
static const double mib = 1 << 20;
static struct command_result result;

static void write_profile(struct scratch *scratch,
                          const struct saved_tables *how) {
  FILE *file = fopen(scratch_path(scratch, "p.profile"), "w");
  if (!file) abort();
  saved_tables_write(how, file);
  if (fclose(file)) abort();
}

enum { MORE = 5 };

/* `vat plan --from` such a profile. */
static void run(const struct saved_tables *how, const char *const more[MORE]) {
  const char *arguments[MORE + 4] = {"--from"};
  char path[600];
  struct scratch scratch;
  size_t count = 2;
  scratch_init(&scratch);
  write_profile(&scratch, how);
  snprintf(path, sizeof path, "%s", scratch.path);
  arguments[1] = path;
  for (int i = 0; more && i < MORE && more[i]; i++)
    arguments[count++] = more[i];
  run_command(&result, cmd_plan, arguments, false);
  scratch_fini(&scratch);
}

static json_t *plan_of(const struct saved_tables *how,
                       const char *const more[MORE]) {
  run(how, more);
  if (result.code) printf("\n%s", result.err);
  CU_ASSERT_EQUAL_FATAL(result.code, VAT_OK);
  json_t *plan = json_loads(result.out, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
  return plan;
}

/* "a.b.c" */
static const json_t *at(const json_t *object, const char *path) {
  char key[64];
  while (object && *path) {
    size_t length = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    object = json_is_array(object) ? json_array_get(object, (size_t)atoi(key))
                                   : json_object_get(object, key);
    path += length + (path[length] == '.');
  }
  return object;
}

static double number(const json_t *object, const char *path) {
  const json_t *value = at(object, path);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *text(const json_t *object, const char *path) {
  const char *value = json_string_value(at(object, path));
  return value ? value : "";
}

static const struct saved_tables tables;

/* Of a budget of 200 MiB the hot table, and what else is small; and the plan is
 * one that can be read. */
static void test_hot_table_first(void) {
  const char *more[MORE] = {machine, "--budget=200M", "--json"};
  struct page_plan plan;
  char why[PLAN_WHY];
  json_t *json = plan_of(&tables, more);
  CU_ASSERT_EQUAL(number(json, "budget_bytes"), 200 * mib);
  CU_ASSERT(number(json, "used_bytes") <= 200 * mib);
  bool hot = false;
  for (size_t i = 0; i < json_array_size(at(json, "choices")); i++) {
    const json_t *choice = json_array_get(at(json, "choices"), i);
    hot |= strstr(text(choice, "where"), "make_hot") != NULL;
    CU_ASSERT_PTR_NULL(strstr(text(choice, "where"), "make_cold"));
    CU_ASSERT_PTR_NULL(strstr(text(choice, "where"), "make_warm"));
  }
  CU_ASSERT(hot);
  double ratio = number(json, "predicted.user_ratio");
  CU_ASSERT(ratio < 1 && ratio >= number(json, "everything.user_ratio"));
  CU_ASSERT(number(json, "predicted.lo") <= ratio);
  CU_ASSERT(number(json, "predicted.hi") >= ratio);
  CU_ASSERT(number(json, "optimum_more") >= 0);
  CU_ASSERT_FATAL(!page_plan_from_json(&plan, json, why));
  CU_ASSERT_EQUAL(plan.words, 2);
  CU_ASSERT_STRING_EQUAL(plan.pages, "thp");
  page_plan_fini(&plan);
  json_decref(json);
}

/* How exec finds it, and what to write into the source. */
static void test_choice_of_a_site(void) {
  const char *more[MORE] = {machine, "--budget=192M", "--json"};
  json_t *json = plan_of(&tables, more);
  const json_t *all = at(json, "choices"), *hot = NULL;
  for (size_t i = 0; i < json_array_size(all); i++)
    if (strstr(text(json_array_get(all, i), "where"), "make_hot"))
      hot = json_array_get(all, i);
  CU_ASSERT_PTR_NOT_NULL_FATAL(hot);
  CU_ASSERT_STRING_EQUAL(text(hot, "what"), "site-large");
  CU_ASSERT_STRING_EQUAL(text(hot, "kind"), "heap");
  CU_ASSERT_EQUAL(number(hot, "bytes"), 192 * mib);
  CU_ASSERT_EQUAL(number(hot, "least_bytes"), 2 * mib);
  CU_ASSERT_STRING_EQUAL(text(hot, "chains.0.0.object"), "/opt/tables");
  CU_ASSERT_EQUAL(number(hot, "chains.0.0.offset"), 0x1010);
  CU_ASSERT_STRING_EQUAL(text(hot, "chains.0.0.function"), "make_hot");
  CU_ASSERT_EQUAL(number(hot, "chains.0.1.offset"), 0x1999);
  CU_ASSERT_STRING_EQUAL(
      text(hot, "madvise"),
      "tables.c:10 (make_hot): madvise(p, bytes, MADV_HUGEPAGE)");
  CU_ASSERT_STRING_EQUAL(text(json, "objects.0.build_id"), "0123456789abcdef");
  json_decref(json);
}

/* By hand: all is 682 MiB on base pages; the plan's 192 MiB have no other
 * pages, and 49152 faults become 96. */
static void test_costs_by_hand(void) {
  const char *more[MORE] = {machine, "--budget=192M", "--json"};
  json_t *json = plan_of(&tables, more);
  double used = number(json, "used_bytes");
  double touched = number(json, "costs.touched_bytes");
  CU_ASSERT_EQUAL(number(json, "harm.peak_rss_bytes.0"), 721420288);
  CU_ASSERT_EQUAL(number(json, "harm.peak_rss_bytes.1"),
                  721420288 + used - touched);
  CU_ASSERT_EQUAL(used, 192 * mib);
  CU_ASSERT_EQUAL(touched, 192 * mib);
  CU_ASSERT_EQUAL(number(json, "harm.faults_saved"), 192 * 256 - 96);
  CU_ASSERT_DOUBLE_EQUAL(number(json, "costs.sys_saved_s"),
                         192. / 1024 * (0.4 - 0.1), 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(number(json, "costs.first_touch_then_s"),
                         0.1 * 2 / 1024, 1e-12);
  json_decref(json);
}

/* The same machine, of which is known how many base pages share an entry. */
static void write_machine(const char *path, double joined) {
  char why[CALIBRATION_TEXT + 600];
  struct calibration cal;
  const char *from = strchr(machine, '=') + 1;
  CU_ASSERT_EQUAL_FATAL(calibration_read(&cal, from, why, sizeof why), 0);
  struct cal_coalescing *found = &cal.coalescing;
  *found = (struct cal_coalescing){.page_bytes = 4096, .tlbs = 1};
  strcpy(found->proof, "pagemap");
  found->tlb[0].entries = (struct cal_value){64, 64, 64};
  found->tlb[0].joined = joined;
  for (int i = 0; i < CALIBRATION_RUNS; i++)
    found->tlb[0].reach[i] = (struct cal_value){1, 1, 1};
  json_t *json = calibration_to_json(&cal);
  CU_ASSERT_EQUAL_FATAL(json_dump_file(json, path, 0), 0);
  json_decref(json);
  calibration_fini(&cal);
}

/* By hand: user time stays; 49152 faults become 3072 of 64 KiB, and of the
 * 0.3 s that 4 KiB take more than 2 MiB of a GiB, what is left grows with the
 * number of faults and the sixth root of a page. */
static void test_size_between_by_hand(void) {
  struct scratch scratch;
  char option[700];
  scratch_init(&scratch);
  write_machine(scratch_path(&scratch, "machine.json"), 1);
  snprintf(option, sizeof option, "--machine=%s", scratch.path);
  const char *more[MORE] = {option, "--budget=192M", "--pages=thp-64k",
                            "--json"};
  json_t *json = plan_of(&tables, more);
  double left = (exp2(-10 / 3.) - exp2(-7.5)) / (1 - exp2(-7.5));
  double rate = 0.1 + 0.3 * left;
  CU_ASSERT_STRING_EQUAL(text(json, "pages"), "thp-64k");
  CU_ASSERT_STRING_EQUAL(text(json, "saved_time"), "system");
  CU_ASSERT_EQUAL(number(json, "predicted.user_ratio"), 1);
  CU_ASSERT_EQUAL(number(json, "used_bytes"), 192 * mib);
  CU_ASSERT_EQUAL(number(json, "harm.faults_saved"), 192 * 256 - 192 * 16);
  CU_ASSERT_DOUBLE_EQUAL(number(json, "costs.first_touch_then_s"),
                         rate / 1024 / 16, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(number(json, "costs.sys_saved_s"),
                         192. / 1024 * (0.4 - rate), 1e-9);
  const json_t *curve = at(json, "saved_curve");
  CU_ASSERT_FATAL(json_array_size(curve) > 2);
  const json_t *last = json_array_get(curve, json_array_size(curve) - 1);
  CU_ASSERT_EQUAL(number(last, "0"), number(json, "everything.bytes"));
  CU_ASSERT(number(last, "1") >= number(json, "costs.sys_saved_s"));
  CU_ASSERT_EQUAL(number(curve, "0.1"), 0);
  json_decref(json);
  char figure[720];
  snprintf(figure, sizeof figure, "--figure=%s.svg", scratch.path);
  run(&tables, (const char *[MORE]){option, "--pages=thp-64k", figure});
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "saved_curve"));
  run(&tables, (const char *[MORE]){option, "--pages=thp-64k"});
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "does not join entries"));
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "hugepages-64kB/enabled"));
  scratch_path(&scratch, "machine.json");
  write_machine(scratch.path, 4);
  run(&tables, (const char *[MORE]){option, "--pages=thp-64k"});
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "--what-if --pages 4k,16k,2m"));
  scratch_fini(&scratch);
}

/* By hand: a table that took its own place twice is faulted in three times. */
static void test_memory_that_is_renewed(void) {
  const struct saved_tables renewed = {.renewed = 2};
  const char *more[MORE] = {machine, "--budget=192M", "--json"};
  json_t *json = plan_of(&renewed, more);
  CU_ASSERT_EQUAL(number(json, "used_bytes"), 192 * mib);
  CU_ASSERT_EQUAL(number(json, "harm.faults_saved"), 3 * (192 * 256 - 96));
  CU_ASSERT_EQUAL(number(json, "harm.zeroed_bytes"), 0);
  json_decref(json);
}

static void test_curve(void) {
  const char *more[MORE] = {machine, "--json"};
  json_t *json = plan_of(&tables, more);
  const json_t *curve = at(json, "curve");
  size_t points = json_array_size(curve);
  CU_ASSERT_FATAL(points > 10);
  CU_ASSERT(json_is_null(at(json, "budget_bytes")));
  CU_ASSERT_EQUAL(number(curve, "0.0"), 0);
  CU_ASSERT_EQUAL(number(curve, "0.1"), 1);
  for (size_t i = 1; i < points; i++) {
    const json_t *point = json_array_get(curve, i);
    const json_t *before = json_array_get(curve, i - 1);
    CU_ASSERT(number(point, "0") > number(before, "0"));
    CU_ASSERT(number(point, "1") <= number(before, "1"));
  }
  const json_t *last = json_array_get(curve, points - 1);
  CU_ASSERT_EQUAL(number(last, "0"), number(json, "everything.bytes"));
  CU_ASSERT_DOUBLE_EQUAL(number(last, "1"),
                         number(json, "everything.user_ratio"), 1e-9);
  CU_ASSERT_EQUAL(number(json, "used_bytes"), number(json, "everything.bytes"));
  CU_ASSERT(json_is_null(at(json, "verdict")));
  json_decref(json);
}

/* Each point of the curve is what a plan of that budget saves. */
static void test_curve_is_of_plans(void) {
  const char *more[MORE] = {machine, "--json"};
  json_t *json = plan_of(&tables, more);
  const json_t *curve = at(json, "curve");
  CU_ASSERT_FATAL(json_array_size(curve) > 5);
  for (size_t i = 0; i < json_array_size(curve); i += 5) {
    const json_t *point = json_array_get(curve, i);
    char budget[40];
    snprintf(budget, sizeof budget, "--budget=%.0f", number(point, "0"));
    json_t *plan =
        plan_of(&tables, (const char *[MORE]){machine, "--json", budget});
    CU_ASSERT_DOUBLE_EQUAL(number(plan, "predicted.user_ratio"),
                           number(point, "1"), 1e-9);
    CU_ASSERT(number(plan, "used_bytes") <= number(point, "0"));
    json_decref(plan);
  }
  json_decref(json);
}

/* The hot table of 192 MiB and the small blocks need 203.6 MiB, and these an
 * arena, which takes 4 MiB of the budget; and all blocks are looked up. */
static void test_budget_of_an_arena(void) {
  static const char *const budgets[] = {"--budget=206M", "--budget=208M"};
  for (int i = 0; i < 2; i++) {
    const char *more[MORE] = {machine, budgets[i], "--json"};
    json_t *json = plan_of(&tables, more);
    double more_at_peak = number(json, "harm.peak_rss_bytes.1") -
                          number(json, "harm.peak_rss_bytes.0");
    CU_ASSERT_EQUAL(json_array_size(at(json, "choices")), i + 1);
    CU_ASSERT_EQUAL(number(json, "used_bytes"), (i ? 208 : 192) * mib);
    const double small = 11.25 * (1 + 128. / 4096);
    if (i) CU_ASSERT_EQUAL(number(json, "choices.1.bytes"), small * mib);
    /* 32768 blocks of 240 to 400 bytes, which take 16 more each. */
    CU_ASSERT_EQUAL(more_at_peak, i ? (small + 4 - 10.5) * mib : 0);
    double all_s = i ? (32768 + 3) * 6.9e-9 : 0;
    double found_s = i ? 32768 * 12.4e-9 : 0;
    CU_ASSERT_DOUBLE_EQUAL(number(json, "costs.look_ups_s"), all_s + found_s,
                           1e-12);
    double saved = number(json, "choices.0.saving_s") - all_s;
    if (i) saved += number(json, "choices.1.saving_s");
    CU_ASSERT_DOUBLE_EQUAL(number(json, "predicted.user_ratio"),
                           1 - saved / number(json, "native.user_s"), 1e-12);
    json_decref(json);
  }
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
    run_command(&result, cmd_plan, arguments, false);
    CU_ASSERT_EQUAL_FATAL(result.code, VAT_OK);
    json_t *json = json_loads(result.out, 0, NULL);
    CU_ASSERT_EQUAL(number(json, "used_bytes"), mibs * mib);
    CU_ASSERT_EQUAL(number(json, "misses.saved"), mibs * 500);
    json_decref(json);
  }
  scratch_fini(&scratch);
}

/* Parts of a block are advised by themselves; all of them are the block. */
static void test_parts_of_a_block(void) {
  static const struct saved_tables one = {.sites = 1, .units = 64};
  for (int all = 0; all < 2; all++) {
    const char *more[MORE] = {machine, all ? "--budget=1G" : "--budget=41M",
                              "--json"};
    json_t *json = plan_of(&one, more);
    const json_t *choices = at(json, "choices");
    double bytes = 0;
    CU_ASSERT_FATAL(json_array_size(choices) > 0);
    for (size_t i = 0; i < json_array_size(choices); i++) {
      const json_t *choice = json_array_get(choices, i);
      double from = number(choice, "from"), to = number(choice, "to");
      bytes += number(choice, "bytes");
      CU_ASSERT_EQUAL(at(choice, "to") == NULL, all);
      if (all) continue;
      if (isnan(from)) from = 0; /* which is left out */
      CU_ASSERT_EQUAL(to - from, number(choice, "bytes"));
      CU_ASSERT(fmod(from, 2 * mib) == 0 && fmod(to, 2 * mib) == 0);
      CU_ASSERT_PTR_NOT_NULL(strstr(text(choice, "madvise"), "(char *)p + "));
    }
    CU_ASSERT_EQUAL(bytes, number(json, "used_bytes"));
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
    const char *more[MORE] = {machine, budgets[i], "--json"};
    json_t *json = plan_of(&tables, more);
    double used = number(json, "used_bytes");
    CU_ASSERT(used > 0 && used <= number(json, "budget_bytes"));
    CU_ASSERT_EQUAL(fmod(used, 2 * mib), 0);
    json_decref(json);
  }
}

/* What has no calibration is planned by misses, and says so. */
static void test_without_calibration(void) {
  const char *more[MORE] = {"--budget=200M", "--json"};
  json_t *json = plan_of(&tables, more);
  CU_ASSERT(json_is_null(at(json, "predicted.user_ratio")));
  CU_ASSERT(json_is_null(at(json, "choices.0.saving_s")));
  CU_ASSERT(json_is_null(at(json, "curve.3.1")));
  const json_t *curve = at(json, "misses.curve");
  const json_t *last = json_array_get(curve, json_array_size(curve) - 1);
  CU_ASSERT(number(last, "1") > 0.99 && number(last, "1") <= 1);
  CU_ASSERT(number(json, "misses.saved") > 1200000 - 1000);
  CU_ASSERT_PTR_NOT_NULL(strstr(text(json, "verdict"), "vat calibrate"));
  json_decref(json);
  run(&tables, (const char *[MORE]){"--budget=200M"});
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "leaf misses saved"));
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "worth it?: not known"));
}

static void test_small_budgets(void) {
  static const char *const small[] = {"--budget=0", "--budget=2097151"};
  for (int i = 0; i < 2; i++) {
    const char *more[MORE] = {machine, small[i], "--json"};
    json_t *json = plan_of(&tables, more);
    CU_ASSERT_EQUAL(number(json, "used_bytes"), 0);
    CU_ASSERT_EQUAL(json_array_size(at(json, "choices")), 0);
    CU_ASSERT_EQUAL(number(json, "predicted.user_ratio"), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(text(json, "verdict"), "budget"));
    json_decref(json);
  }
}

/* Of a user time that is much longer than what is saved. */
static void test_not_worth_it(void) {
  const char *more[MORE] = {machine, "--user-time=1000", "--json"};
  json_t *json = plan_of(&tables, more);
  CU_ASSERT_PTR_NOT_NULL(strstr(text(json, "verdict"), "noise"));
  json_decref(json);
}

/* An arena maps 8 MiB at a time, of the last of which 6 MiB may be left. */
static void test_ways(void) {
  static const struct {
    const char *budget, *pages, *name, *text;
  } rows[] = {
      {"--budget=208M", "--pages=2m", "pool", "vm.nr_hugepages=107"},
      {"--budget=208M", "--pages=2m", "kubernetes", "hugepages-2Mi: 214Mi"},
      {"--budget=192M", "--pages=thp", "exec",
       "vat exec --plan PLAN.json -- ./tables 'a b'"},
      {"--budget=192M", "--pages=thp", "compare",
       "vat compare --plan PLAN.json -- ./tables 'a b'"},
      {"--budget=192M", "--pages=thp", "GLIBC_TUNABLES",
       "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"},
      {"--budget=192M", "--pages=2m", "GLIBC_TUNABLES",
       "GLIBC_TUNABLES=glibc.malloc.hugetlb=2"},
      {"--budget=192M", "--pages=thp", "systemd", "MemoryTHP=madvise"},
      {"--budget=192M", "--pages=thp", "prctl",
       "prctl(PR_SET_THP_DISABLE, 1, PR_THP_DISABLE_EXCEPT_ADVISED, 0, 0)"},
      {"--budget=192M", "--pages=2m", "kubernetes", "hugepages-2Mi: 192Mi"},
      {"--budget=192M", "--pages=2m", "pool", "vm.nr_hugepages=96"},
      {"--budget=192M", "--pages=thp", "kubernetes", ""},
      {"--budget=192M", "--pages=thp", "pool", ""},
      {"--budget=192M", "--pages=2m", "prctl", ""},
      {"--budget=192M", "--pages=2m", "systemd", ""}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *more[MORE] = {machine, rows[i].pages, rows[i].budget, "--json"};
    json_t *json = plan_of(&tables, more);
    const char *found = "";
    for (size_t k = 0; k < json_array_size(at(json, "ways")); k++) {
      const json_t *way = json_array_get(at(json, "ways"), k);
      if (!strcmp(text(way, "name"), rows[i].name)) found = text(way, "text");
    }
    CU_ASSERT_STRING_EQUAL(found, rows[i].text);
    json_decref(json);
  }
}

/* Several processes: a fork shares memory until somebody writes. */
static void test_processes(void) {
  static const struct saved_tables two = {.processes = 2};
  run(&two, (const char *[MORE]){machine});
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "fork: the program has 2"));
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "splits"));
  run(&two, (const char *[MORE]){machine, "--pages=2m"});
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "SIGBUS"));
}

/* What a profile must have, and the command that makes one. */
static void test_refusals(void) {
  static const struct {
    struct saved_tables how;
    const char *more[MORE];
    int code;
    const char *says;
  } rows[] = {
      {{.older = 1}, {machine}, VAT_USAGE, "an older vat made it"},
      {{.older = 1},
       {machine},
       VAT_USAGE,
       "fix: vat profile --what-if --save NEW.profile -- ./tables 'a b'\n"},
      {{.no_walks = 1, .no_native = 1},
       {machine},
       VAT_USAGE,
       "it was made without --what-if"},
      {{.no_native = 1}, {machine}, VAT_USAGE, "--user-time SECONDS"},
      {{.lost = 2}, {machine}, VAT_FAILED, "2 of its processes"},
      {{0}, {machine, "--pages=1g"}, VAT_USAGE, "--pages 1g"},
      {{0},
       {machine, "--pages=thp-64k"},
       VAT_USAGE,
       "does not tell whether this processor joins"},
      {{0}, {machine, "--pages=thp-8k"}, VAT_USAGE, "--pages thp-8k"},
      {{0}, {"--budget=-1"}, VAT_USAGE, "--budget -1"},
      {{0}, {"--figure=f.pdf"}, VAT_USAGE, ".svg or .png"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    run(&rows[i].how, rows[i].more);
    bool good = result.code == rows[i].code && strstr(result.err, rows[i].says);
    if (!good) printf("\nrow %zu: %d %s", i, result.code, result.err);
    CU_ASSERT(good);
    CU_ASSERT_STRING_EQUAL(result.out, "");
  }
}

/* Cut anywhere, or with a letter changed, it is refused or planned: never more
 * than that. */
static void test_damaged_profiles(void) {
  struct scratch scratch;
  size_t length = 0;
  scratch_init(&scratch);
  write_profile(&scratch, &tables);
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
    run_command(&result, cmd_plan, arguments, false);
    CU_ASSERT(result.code == VAT_OK || result.code == VAT_USAGE);
    if (i % 2) CU_ASSERT_EQUAL(result.code, VAT_USAGE);
    free(copy);
  }
  free(whole);
  scratch_fini(&scratch);
}

/* 10^5 sites and 50000 units: a plan. */
static void test_many_sites(void) {
  static const struct saved_tables many = {.sites = 100000, .units = 50000};
  const char *more[MORE] = {machine, "--budget=1G", "-o", "/dev/null"};
  run(&many, more);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "plan: of a budget of 1 GiB"));
}

static const struct check_test tests[] = {
    {"the hot table first", test_hot_table_first},
    {"a choice finds its site again", test_choice_of_a_site},
    {"costs by hand", test_costs_by_hand},
    {"a size between, by hand", test_size_between_by_hand},
    {"memory that is renewed", test_memory_that_is_renewed},
    {"the curve, and everything at its end", test_curve},
    {"each point of the curve is of a plan", test_curve_is_of_plans},
    {"an arena takes a part of the budget", test_budget_of_an_arena},
    {"a part of a block needs no arena", test_part_without_arena},
    {"parts of a block, and all of them", test_parts_of_a_block},
    {"whole pages in all", test_whole_pages_in_all},
    {"misses where there is no calibration", test_without_calibration},
    {"no budget, and less than a page", test_small_budgets},
    {"not worth it", test_not_worth_it},
    {"what people deploy", test_ways},
    {"several processes", test_processes},
    {"what is refused", test_refusals},
    {"damaged profiles", test_damaged_profiles},
    {"many sites and units", test_many_sites},
    {NULL, NULL}};

const struct check_suite suite_planning = {"planning", tests, NULL};
