/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of a size between 4 KiB and 2 MiB, and plans with such pages. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/profile/profile_walks.h"
#include "experiments/profile/what_if_table.h"
#include "tests/experiments/profile/flat_machine.h"
#include "tests/experiments/profile/two_sites.h"
#include "tests/experiments/suites.h"

enum { MISSES = 640000 };

/* Of the first site's misses, entries of 16 KiB have three in four no more, and
 * of the second's a quarter.  A third of 2 s is saved on 2 MiB pages: 1/2 and
 * 1/6 s of the sites. */
static void make_table(struct what_if_table *table, struct profile *p,
                       const char *absent, double joined) {
  two_sites_make(p, MISSES, 1, 1);
  p->trees = 2;
  strcpy(p->tree[0].name, "4k");
  strcpy(p->tree[1].name, "16k");
  p->sites.site[0].counts.misses[0][0] = 4000;
  p->sites.site[0].counts.misses[1][0] = 1000;
  p->sites.site[1].counts.misses[0][0] = 4000;
  p->sites.site[1].counts.misses[1][0] = 3000;
  *table = (struct what_if_table){.cals = 1, .count = 1};
  table->cal = calloc(1, sizeof *table->cal);
  flat_machine_make(table->cal, 40);
  struct cal_coalescing *found = &table->cal->coalescing;
  snprintf(found->absent, sizeof found->absent, "%s", absent);
  found->page_bytes = 4096;
  found->tlbs = 1;
  found->tlb[0].joined = joined;
  found->tlb[0].reach[4].value = 1; /* so that 8 pages are not open */
  table->native = (struct native){.runs = 1, .time = {2, 2, 2}, .faults = 1024};
  table->native.touch = (struct first_touch){true, 0, 0, 0.39, 0.13};
  struct what_if *huge = &table->row[0].what;
  table->row[0].name = "2m";
  huge->covered = 0.5;
  huge->sites = calloc(4, sizeof *huge->sites);
  huge->sites[0] = (struct what_if_value){0.5, 0.4, 0.6};
  huge->sites[1] = (struct what_if_value){1. / 6, 0.1, 0.2};
}

static void end_table(struct what_if_table *table, struct profile *p) {
  what_if_end(table);
  profile_fini(p);
}

static void test_sizes_save_what_entries_of_theirs_hold(void) {
  struct what_if_table table;
  struct profile p;
  make_table(&table, &p, "", 4);
  what_if_sizes_predict(&table, &p);
  CU_ASSERT_EQUAL(table.sizes, 7);
  for (size_t i = 0; i < table.sizes; i++) { /* 16 KiB are most that join */
    const struct what_if_size *size = &table.size[i];
    CU_ASSERT_EQUAL(size->bytes, (size_t)16384 << i);
    CU_ASSERT_EQUAL(size->entry_bytes, 16384);
    CU_ASSERT_DOUBLE_EQUAL(size->what.sites[0].value, 0.375, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(size->what.sites[1].value, 1. / 24, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(size->what.saved_s.value, 10. / 24, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(size->what.saved_s.lo, 0.325, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(size->what.ratio.value, 1 - 5. / 24, 1e-12);
  }
  CU_ASSERT_PTR_EQUAL(what_if_size_find(&table, "thp-64k"), &table.size[2]);
  CU_ASSERT_PTR_NULL(what_if_size_find(&table, "thp-8k"));
  end_table(&table, &p);
}

/* What is not joined saves no user time; what is not known is told. */
static void test_sizes_without_joined_entries(void) {
  static const struct {
    const char *absent;
    double joined, ratio;
    const char *why;
  } cases[] = {{"", 1, 1, ""},
               {"", 8, NAN, "--pages 4k,32k,2m"},
               {"it takes 2.4 s", 1, NAN, "(it takes 2.4 s); fix: vat cal"},
               {"", NAN, NAN, "(undecided)"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct what_if_table table;
    struct profile p;
    make_table(&table, &p, cases[i].absent, cases[i].joined);
    what_if_sizes_predict(&table, &p);
    const struct what_if_size *size = what_if_size_find(&table, "thp-64k");
    CU_ASSERT(strstr(size->why, cases[i].why) != NULL);
    CU_ASSERT_EQUAL(!*size->why, !*cases[i].why);
    if (!*size->why) CU_ASSERT_EQUAL(size->what.ratio.value, cases[i].ratio);
    end_table(&table, &p);
  }
}

/* Half of 1024 faults are of memory that can be huge: 512, of 2 MiB.  A page of
 * 64 KiB is 16 of them; a fault for each is 15/16 less.  A fault counts 1.01 on
 * 4 KiB, 1 + .44 15/16 + .16 = 1.5725 on 64 KiB, 1 + .44 511/512 + .01 =
 * 1.449140625 on 2 MiB. */
static void test_faults_of_a_size(void) {
  struct what_if_table table;
  struct profile p;
  make_table(&table, &p, "", 1);
  struct what_if_faults faults = what_if_faults(&table, 65536);
  const double least = 1.449140625 / 512;
  double left = 0.13 + 0.26 * (1.5725 / 16 - least) / (1.01 - least);
  CU_ASSERT_DOUBLE_EQUAL(first_touch_again(&table.native.touch, 65536), left,
                         1e-12);
  CU_ASSERT_EQUAL(first_touch_again(&table.native.touch, 1 << 30), 0.13);
  CU_ASSERT_DOUBLE_EQUAL(first_touch_again(&table.native.touch, 4096), 0.39,
                         1e-12);
  CU_ASSERT_EQUAL(faults.count, 480);
  CU_ASSERT_DOUBLE_EQUAL(faults.sys_s, 512. / (1 << 18) * (0.39 - left), 1e-12);
  end_table(&table, &p);
}

/* --- by curves, and of a plan --- */

static void add_pages(struct calibration *cal, const char *kind, double bytes) {
  struct cal_pages *pages = &cal->pages[cal->page_count++];
  *pages = (struct cal_pages){.page_bytes = bytes};
  strcpy(pages->kind, kind);
  pages->walks_in_flight.value = 1;
}

/* A walk takes 40 ns, 10 on pages of 64 KiB and none on 2 MiB.  Of both, chases
 * tell what a miss saves so far away: 4096/4080 of the difference. */
static const double saves_2m = 40e-9 * 4096 / 4080;
static const double saves_64k = 30e-9 * 4096 / 4080;

static void add_calibration(struct what_if_table *table, double joined,
                            bool has_64k) {
  struct calibration *all =
      realloc(table->cal, (table->cals + 1) * sizeof *all);
  struct calibration *cal = &all[table->cals++];
  table->cal = all;
  flat_machine_make(cal, 40);
  add_pages(cal, "4k", 4096);
  add_pages(cal, "2m", 2 << 20);
  cal->coalescing.page_bytes = 4096;
  cal->coalescing.tlbs = 1;
  cal->coalescing.tlb[0].joined = joined;
  cal->coalescing.tlb[0].reach[4].value = 1;
  if (!has_64k) return;
  flat_machine_curve(cal, "page_chase", "thp-64k", true, 1 + 10);
  flat_machine_curve(cal, "line_chase", "thp-64k", false, 1);
  add_pages(cal, "thp-64k", 65536);
}

/* Each miss waits for the one before. */
static void make_chain(struct what_if_table *table, struct profile *p) {
  two_sites_make(p, MISSES, 1, 1);
  p->trees = 1;
  strcpy(p->tree[0].name, "4k");
  for (int i = 0; i < 2; i++) p->sites.site[i].counts.misses[0][0] = MISSES / 2;
  *table = (struct what_if_table){.count = 1};
  table->row[0].name = table->row[0].pages = "2m";
  table->row[0].stand = "thp";
  table->row[0].base = "given";
  table->native = (struct native){.runs = 1, .time = {2, 2, 2}};
}

static void predict(struct what_if_table *table, const struct profile *p) {
  for (size_t i = 0; i < table->cals; i++)
    table->cal[i].noise.repetitions = CALIBRATION_REPETITIONS;
  what_if_predict(table, p, NULL);
  what_if_sizes_predict(table, p);
  what_if_sizes_plan(table, p);
}

/* All of the first site's misses, and half of the second's, which go where
 * shared memory is looked at only with its own switches. */
static void test_sizes_by_curves(void) {
  for (int shared = 0; shared < 2; shared++) {
    struct what_if_table table;
    struct profile p;
    make_chain(&table, &p);
    add_calibration(&table, 1, true);
    if (shared) strcpy(p.sites.site[1].kind, "shared");
    predict(&table, &p);
    const struct what_if_size *size = what_if_size_find(&table, "thp-64k");
    double first = MISSES / 2 * saves_64k, second = MISSES / 4 * saves_64k;
    if (shared) second = 0;
    CU_ASSERT(size->measured && !*size->why && isnan(size->entry_bytes));
    CU_ASSERT_DOUBLE_EQUAL(size->what.saved_s.value, first + second, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(size->what.sites[0].value, first, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(size->what.sites[1].value, second, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(size->what.ratio.value, 1 - (first + second) / 2,
                           1e-9);
    CU_ASSERT_DOUBLE_EQUAL(table.row[0].what.saved_s.value,
                           MISSES * 3 / 4 * saves_2m, 1e-9);
    size = what_if_size_find(&table, "thp-32k"); /* no curves; none joined */
    CU_ASSERT(!size->measured && size->entry_bytes == 4096);
    CU_ASSERT_EQUAL(size->what.ratio.value, 1);
    end_table(&table, &p);
  }
}

/* Of several calibrations, all have to have them. */
static void test_sizes_by_curves_of_all(void) {
  for (int both = 0; both < 2; both++) {
    struct what_if_table table;
    struct profile p;
    make_chain(&table, &p);
    add_calibration(&table, 1, true);
    add_calibration(&table, 1, both);
    predict(&table, &p);
    const struct what_if_size *size = what_if_size_find(&table, "thp-64k");
    CU_ASSERT_EQUAL(size->measured, both);
    CU_ASSERT_DOUBLE_EQUAL(size->what.saved_s.value,
                           both ? MISSES * 3 / 4 * saves_64k : 0, 1e-9);
    end_table(&table, &p);
  }
}

/* A plan takes half of the second site's misses to pages of 2^bits bytes.  Its
 * tree, with an entry for each page, has a quarter of these; a tree of all on
 * 16 KiB has three quarters of all misses of the site. */
static void make_planned(struct what_if_table *table, struct profile *p,
                         unsigned bits) {
  make_chain(table, p);
  p->trees = 3;
  strcpy(p->tree[1].name, "16k");
  strcpy(p->tree[2].name, "plan");
  p->plan.page_bits = bits;
  struct profile_site *site = p->sites.site;
  site[0].counts.misses[1][0] = site[0].counts.misses[2][0] = MISSES / 2;
  site[1].counts.misses[1][0] = MISSES / 8 * 3;
  site[1].counts.misses[2][0] = MISSES / 4 + MISSES / 16;
  profile_walks_add(p, 1, 2, 10, MISSES / 4);
  for (size_t i = 1; i < p->flow.waits; i += 4)
    p->flow.wait[i].flags |= PROFILE_PLANNED;
}

static void test_plan_of_a_size(void) {
  static const struct {
    unsigned bits;
    double joined;
    const char *tree;
    bool has_64k;
    double share, saves;
    const char *stand;
  } cases[] = {
      {14, 4, "16k", false, 3. / 4, saves_2m, "thp"}, /* an entry a page */
      {14, 8, "32k", false, 3. / 4, saves_2m, "thp"},
      {16, 4, "16k", false, 1. / 4, saves_2m, "thp"}, /* or a part of it */
      {16, 1, "16k", false, 0, saves_2m, "thp"},
      {16, 1, "16k", true, 1, saves_64k, "thp-64k"},
      {14, 4, "16k", true, 3. / 4, saves_2m, "thp"},
      {21, 1, "16k", true, 1, saves_2m, "thp"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct what_if_table table;
    struct profile p;
    make_planned(&table, &p, cases[i].bits);
    strcpy(p.tree[1].name, cases[i].tree);
    add_calibration(&table, cases[i].joined, cases[i].has_64k);
    predict(&table, &p);
    double saved = MISSES / 4 * cases[i].share * cases[i].saves;
    CU_ASSERT_EQUAL_FATAL(table.count, 2);
    const struct what_if_row *row = &table.row[1];
    CU_ASSERT_STRING_EQUAL(row->name, "plan");
    CU_ASSERT_STRING_EQUAL(row->stand, cases[i].stand);
    CU_ASSERT_STRING_EQUAL(row->base, "given");
    CU_ASSERT_STRING_EQUAL(table.plan_why, "");
    CU_ASSERT_DOUBLE_EQUAL(row->what.saved_s.value, saved, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(row->what.sites[1].value, saved, 1e-9);
    CU_ASSERT_EQUAL(row->what.sites[0].value, 0);
    CU_ASSERT_DOUBLE_EQUAL(row->what.ratio.value, 1 - saved / 2, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(row->what.covered, 0.25, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(row->what.alone_s * row->what.overlap, saved, 1e-9);
    CU_ASSERT(isnan(row->code.saved_s.value));
    end_table(&table, &p);
  }
}

/* No row, but what is missing. */
static void test_plan_that_is_not_known(void) {
  static const struct {
    unsigned bits;
    double joined;
    const char *tree, *absent, *why;
  } cases[] = {{16, 4, "32k", "", "--pages 4k,16k,2m"},
               {16, NAN, "16k", "it takes 2.4 s", "(it takes 2.4 s); fix: vat"},
               {14, NAN, "16k", "", "(undecided)"},
               {30, 1, "16k", "",
                "no pages of 1 GiB; fix: vat calibrate "
                "--pages 4k,thp,1g"},
               {0, 4, "16k", "", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct what_if_table table;
    struct profile p;
    make_planned(&table, &p, cases[i].bits);
    add_calibration(&table, cases[i].joined, false);
    strcpy(table.cal->coalescing.absent, cases[i].absent);
    strcpy(p.tree[1].name, cases[i].tree);
    predict(&table, &p);
    CU_ASSERT_EQUAL(table.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(table.plan_why, cases[i].why));
    CU_ASSERT_EQUAL(!*table.plan_why, !*cases[i].why);
    end_table(&table, &p);
  }
}

static const struct check_test tests[] = {
    {"sizes save what entries of theirs hold",
     test_sizes_save_what_entries_of_theirs_hold},
    {"sizes without joined entries", test_sizes_without_joined_entries},
    {"faults of a size", test_faults_of_a_size},
    {"sizes by curves, by hand", test_sizes_by_curves},
    {"sizes by curves that all have", test_sizes_by_curves_of_all},
    {"a plan with pages of a size, by hand", test_plan_of_a_size},
    {"a plan that nothing is known of", test_plan_that_is_not_known},
    {NULL, NULL}};

const struct check_suite suite_what_if_sizes = {"what if, of sizes between",
                                                tests, NULL};
