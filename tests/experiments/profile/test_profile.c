/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "experiments/profile/profile.h"
#include "experiments/profile/profile_number.h"
#include "tests/experiments/suites.h"

#define HEAD                                                                  \
  "vat-profile 1\nprocess 7\nparent 1\nprogram ./a\ntree 4k 3 64\ntree 2m 2 " \
  "64\n"
#define SITE "site heap 1 1 1 1 1 0 0 0 0 0 0\n"

/* 29 octaves without a walk. */
#define ZEROS " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"

/* main calls work, which calls itself and free_it, in a stripped object; 4k
 * misses are told as accesses that missed 1, 2 and 3 nodes. */
static const char sample[] = HEAD
    "threads 2\nsampled 50\nheap nameless\n"
    "totals 100 10 4 1 2 1\n"
    "object /lib/a\nfile a.c\nfunction main\nline 3 0 40 0 0 1 0 1\n"
    "function work\nline 7 0 50 9 4 0 2 0\nfile a.h\nline 2 0 4 1 0 0 0 0\n"
    "object /lib/b\nfile \nfunction \nline 0 1234 5 0 0 0 0 0\n"
    "line 0 1250 1 0 0 0 0 0\n"
    "site heap 2 8192 4096 1 1 60 10 4 0 2 0\n"
    "object /lib/a\nfile a.c\nfunction work\ncaller 8 0\n"
    "function main\ncaller 4 0\nlive 3 100 112 2048\nsmall 144 200\n"
    "faulted 5 3 1 4096 1 4\n"
    "site file 1 4096 4096 1 1 0 0 0 1 0 1\nname /lib/a\n"
    "context 0 0 0 0 0 0 0 0 0\n"
    "function main\ncontext 1 1 0 40 0 0 1 0 1\n"
    "function work\ncontext 2 2 0 54 10 4 0 2 0\n"
    "object /lib/b\nfile \nfunction \ncontext 3 3 1230 6 0 0 0 0 0\n"
    "object /lib/a\nfile a.c\nfunction main\nedge 1 2 5 4\n"
    "function work\nedge 2 2 9 6\nedge 2 3 1 9\nend\n";

static int read_text(struct profile *profile, const char *text,
                     char error[PROFILE_ERROR_SIZE]) {
  FILE *file = fmemopen((void *)text, strlen(text), "r");
  if (!file) abort();
  int code = profile_read(profile, file, "out.7", error);
  fclose(file);
  return code;
}

static const struct profile_row *find(const struct profile_rows *rows,
                                      const char *function) {
  for (size_t i = 0; i < rows->count; i++)
    if (!strcmp(rows->row[i].at.function, function)) return &rows->row[i];
  CU_FAIL_FATAL("no such function");
  return NULL;
}

static void test_one_process(void) {
  char error[PROFILE_ERROR_SIZE] = "";
  struct profile p;
  p = (struct profile){0};
  CU_ASSERT_EQUAL_FATAL(read_text(&p, sample, error), 0);
  profile_finish(&p);
  CU_ASSERT_EQUAL(p.trees, 2);
  CU_ASSERT_EQUAL(p.totals.accesses, 100);
  CU_ASSERT_EQUAL(p.totals.misses[0][0], 15); /* 10 + 4 + 1 */
  CU_ASSERT_EQUAL(p.totals.misses[0][1], 5);
  CU_ASSERT_EQUAL(p.totals.misses[0][2], 1);
  CU_ASSERT_EQUAL(profile_nodes(&p.totals, 0), 21);
  const struct profile_row *work = find(&p.functions, "work");
  CU_ASSERT_EQUAL(work->counts.accesses, 54); /* of both files */
  CU_ASSERT_EQUAL(work->inclusive.accesses, 60);
  CU_ASSERT_STRING_EQUAL(work->at.file, "a.c");
  const struct profile_row *main_row = find(&p.functions, "main");
  CU_ASSERT_EQUAL(main_row->inclusive.accesses, 100);
  CU_ASSERT_EQUAL(main_row->inclusive.misses[0][0], 15);
  CU_ASSERT_EQUAL(profile_pages(&p, 0), 2);
  const struct profile_site *heap = &p.sites.site[0];
  CU_ASSERT_STRING_EQUAL(heap->kind, "heap");
  CU_ASSERT(heap->small == 3 && heap->small_peak == 100);
  CU_ASSERT(heap->small_rounded == 112 && heap->at_peak == 2048);
  CU_ASSERT(heap->small_chunks == 144 && heap->small_bytes == 200);
  CU_ASSERT(heap->faults == 5 && heap->large_faults == 3 &&
            heap->mapped_large == 1 && heap->begin_faults == 1 &&
            heap->read_first == 4);
  CU_ASSERT_EQUAL(p.sites.site[1].at_peak, 4096); /* as its peak: not told */
  profile_fini(&p);
}

/* Lines of one function add up, as processes do; walks are an object's. */
static void test_code(void) {
  static const char text[] = HEAD
      "object /lib/a\nfile a.c\nfunction f\n"
      "fetched 7 0 5 1 2 1 1 1 1 1 4 2\nfetched 8 0 3 0 1 0 0 0 0 0 3 1\n"
      "object /lib/b\nfunction g\nfetched 1 0 9 2 3 2 1 1 0 0 0 0\n"
      "object /lib/a\nfetch_walks 1 0 0 3" ZEROS "\ncode 100 20 6\nend\n";
  char error[PROFILE_ERROR_SIZE] = "";
  struct profile p = {0};
  for (int i = 0; i < 2; i++)
    CU_ASSERT_EQUAL_FATAL(read_text(&p, text, error), 0);
  profile_finish(&p);
  const struct profile_code *code = &p.code;
  CU_ASSERT_EQUAL(code->instructions, 200);
  CU_ASSERT_EQUAL(code->changes, 40);
  CU_ASSERT_EQUAL(code->data_walks_2m, 12);
  CU_ASSERT_EQUAL(code->totals.on[PROFILE_CODE_4K].missed, 34);
  CU_ASSERT_EQUAL(code->totals.on[PROFILE_CODE_2M].cold, 4);
  CU_ASSERT_EQUAL(code->totals.huge_walked, 6);
  CU_ASSERT_EQUAL_FATAL(code->rows, 2);
  CU_ASSERT_STRING_EQUAL(code->row[0].at.function, "g");
  CU_ASSERT_EQUAL(code->row[1].counts.on[PROFILE_CODE_4K].walked, 6);
  CU_ASSERT_EQUAL_FATAL(code->objects, 2);
  CU_ASSERT_STRING_EQUAL(code->object[1].name, "/lib/a");
  CU_ASSERT_EQUAL(code->object[1].walks[1][2], 6);
  CU_ASSERT_EQUAL(code->object[1].counts.on[PROFILE_CODE_4K].missed, 16);
  profile_fini(&p);
}

/* By hand: 9 and 3 misses from the leaf up, of which 3 and 1 are of pages whose
 * leaf is on layer 1. */
static void test_plan(void) {
  static const char text[] = HEAD
      "tree plan 3 64\ntotals 100 10 4 1 2 1 6 3 0\nlarge 2 1 0 0 0 0\n"
      "range 200000 600000\nrange 7fe000000000 7fe000200000\nplan 21 1\nend\n";
  static const uint64_t expected[] = {12, 10, 2};
  uint64_t layer[PROFILE_LAYERS];
  char error[PROFILE_ERROR_SIZE] = "";
  struct profile p = {0};
  for (int i = 0; i < 2; i++)
    CU_ASSERT_EQUAL_FATAL(read_text(&p, text, error), 0);
  profile_finish(&p);
  CU_ASSERT_EQUAL(profile_plan_tree(&p), 2);
  profile_plan_layers(&p, layer);
  CU_ASSERT(!memcmp(layer, expected, sizeof expected));
  CU_ASSERT_EQUAL(p.plan.both, 2);
  CU_ASSERT_EQUAL(p.plan.processes, 2);
  CU_ASSERT_EQUAL_FATAL(p.plan.ranges, 4);
  CU_ASSERT_EQUAL(p.plan.range[1].process, 7);
  CU_ASSERT_EQUAL(p.plan.range[1].start, 0x7fe000000000);
  CU_ASSERT_EQUAL(p.plan.range[1].end, 0x7fe000200000);
  profile_fini(&p);
}

/* A plan that is none; and what is read of the process is taken back. */
static void test_broken_plans(void) {
  static const char *const lines[] = {"plan 13 0", "plan 31 0", "plan 21",
                                      "range 2 1", "range 5",   "large 1 2"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    char error[PROFILE_ERROR_SIZE] = "", text[512];
    struct profile p = {0};
    snprintf(text, sizeof text, HEAD "plan 21 0\nrange 1 2\n%s\nend\n",
             lines[i]);
    CU_ASSERT_EQUAL(read_text(&p, text, error), -1);
    CU_ASSERT(p.plan.ranges == 0 && p.plan.processes == 0);
    profile_fini(&p);
  }
}

/* Without names, both instructions belong to the entry before them. */
static void test_stripped_functions_are_named(void) {
  char error[PROFILE_ERROR_SIZE] = "";
  struct profile p;
  p = (struct profile){0};
  CU_ASSERT_EQUAL_FATAL(read_text(&p, sample, error), 0);
  profile_finish(&p);
  const struct profile_row *row = find(&p.functions, "b+0x1230");
  CU_ASSERT_EQUAL(row->counts.accesses, 6);
  CU_ASSERT_EQUAL(row->inclusive.accesses, 6);
  profile_fini(&p);
}

static void test_processes_add_up(void) {
  char error[PROFILE_ERROR_SIZE] = "";
  char where[PROFILE_WHERE];
  struct profile p;
  p = (struct profile){0};
  for (int i = 0; i < 3; i++) {
    CU_ASSERT_EQUAL_FATAL(read_text(&p, sample, error), 0);
    CU_ASSERT_EQUAL(read_text(&p, "vat-profile 1\nleft 7\nend\n", error), 0);
  }
  CU_ASSERT_EQUAL(read_text(&p, "vat-profile 1\nleft 7\n", error), -1);
  profile_finish(&p);
  CU_ASSERT_EQUAL(p.processes, 3);
  CU_ASSERT_EQUAL(p.left, 21);
  CU_ASSERT_EQUAL(p.totals.accesses, 300);
  CU_ASSERT_EQUAL(p.threads, 6);
  CU_ASSERT_EQUAL(p.sampled, 150);
  CU_ASSERT_EQUAL(p.nameless, 3);
  CU_ASSERT_EQUAL(p.unknown, 0);
  CU_ASSERT_EQUAL(p.lines.count, 5);
  CU_ASSERT_EQUAL(find(&p.functions, "main")->inclusive.accesses, 300);
  CU_ASSERT_EQUAL_FATAL(p.sites.count, 2);
  CU_ASSERT_EQUAL(p.sites.site[0].peak, 3 * 4096);
  CU_ASSERT_EQUAL(p.sites.site[0].counts.accesses, 180);
  CU_ASSERT_STRING_EQUAL(profile_site_where(&p.sites.site[0], where),
                         "heap a.c:8 (work) < a.c:4 (main)");
  CU_ASSERT_STRING_EQUAL(profile_site_where(&p.sites.site[1], where),
                         "file /lib/a");
  profile_fini(&p);
}

/* Wherever its texts lie in memory. */
static void test_what_costs_as_much_is_in_one_order(void) {
  static const char text[] = HEAD
      "site file 1 1 1 1 1 5 0 0 0 0 0\nname /lib/b\n"
      "site file 1 1 1 1 1 5 0 0 0 0 0\nname /lib/c\n"
      "site file 1 1 1 1 1 5 0 0 0 0 0\nname /lib/a\n"
      "object /lib/a\nfile 2.h\nfunction f\nline 7 0 1 0 0 0 0 0\n"
      "file 1.h\nline 7 0 1 0 0 0 0 0\nend\n";
  static const char *const texts[] = {"/lib/a", "/lib/b", "/lib/c", "1.h",
                                      "2.h"};
  for (int backwards = 0; backwards < 2; backwards++) {
    char error[PROFILE_ERROR_SIZE] = "";
    struct profile p;
    p = (struct profile){0};
    for (int i = 0; i < 5; i++)
      CU_ASSERT_PTR_NOT_NULL(profile_intern(&p, texts[backwards ? 4 - i : i]));
    CU_ASSERT_EQUAL_FATAL(read_text(&p, text, error), 0);
    profile_finish(&p);
    CU_ASSERT_EQUAL_FATAL(p.sites.count, 3);
    for (int i = 0; i < 3; i++)
      CU_ASSERT_STRING_EQUAL(p.sites.site[i].name, texts[i]);
    CU_ASSERT_STRING_EQUAL(find(&p.functions, "f")->at.file, "1.h");
    profile_fini(&p);
  }
}

static void test_what_is_broken_is_refused(void) {
  static const struct {
    const char *text, *why;
  } cases[] = {
      {"vat-profile 2\n", "out.7:1: not what the tool writes"},
      {HEAD, "out.7:6: it ends too soon"},
      {HEAD "end\nend\n", "out.7:8: something follows the end"},
      {HEAD "lines 1\nend\n", "out.7:7: no such key"},
      {HEAD "totals 1 0 0 0 0\nend\n", "out.7:7: a number is missing"},
      {HEAD "totals 1 0 0 0 0 0 0\nend\n",
       "out.7:7: more numbers than trees have layers"},
      {HEAD "totals 1 0 -1 0 0 0\nend\n", "out.7:7: a number is negative"},
      {HEAD "totals 1 0 x 0 0 0\nend\n", "out.7:7: a number is missing"},
      {HEAD "totals 1 0 1x 0 0 0\nend\n", "out.7:7: this is no number"},
      {HEAD "totals 9223372036854775808 0 0 0 0 0\nend\n",
       "out.7:7: a number is too large"},
      {HEAD "tree 1g 9 64\nend\n", "out.7:7: no tree"},
      {HEAD "heap lost\nend\n", "out.7:7: no such heap"},
      {HEAD "sampled\nend\n", "out.7:7: a number is missing"},
      {HEAD "threads x\nend\n", "out.7:7: a number is missing"},
      {HEAD "fetched 1 0 1 1 1 1 1 1 1 1 1\nend\n",
       "out.7:7: a number is missing"},
      {HEAD "fetched 1 0 1 1 1 1 1 1 1 1 1 1 1\nend\n",
       "out.7:7: more numbers than there should be"},
      {HEAD "fetch_walks 2 0 0 0" ZEROS "\nend\n", "out.7:7: neither 0 nor 1"},
      {HEAD "code 1 1\nend\n", "out.7:7: a number is missing"},
      {HEAD "caller 1 0\nend\n", "out.7:7: it belongs to no site"},
      {HEAD "site  1 1 1 1 1 0 0 0 0 0 0\nend\n", "out.7:7: no kind of site"},
      {HEAD SITE "sizes 2 1 0 0\nend\n", "out.7:8: no such sizes of blocks"},
      {HEAD SITE "sizes 1 1152921504606846976 0 0\nend\n",
       "out.7:8: no such sizes of blocks"},
      {HEAD SITE "faulted 1 0 0 0 0 2\nend\n",
       "out.7:8: more faults of some memory than of all"},
      {HEAD SITE "faulted 1 0 0 0 0\nend\n", "out.7:8: a number is missing"},
      {HEAD "context 1 0 0 0 0 0 0 0 0\nend\n",
       "out.7:7: contexts are out of order"},
      {HEAD "context 0 1 0 0 0 0 0 0 0\nend\n",
       "out.7:7: contexts are out of order"},
      {HEAD "context 0 0 0 0 0 0 0 0 0\nedge 0 1 1 1\nend\n",
       "out.7:8: no such context"},
  };
  char error[PROFILE_ERROR_SIZE];
  struct profile p;
  p = (struct profile){0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CU_ASSERT_EQUAL(read_text(&p, cases[i].text, error), -1);
    CU_ASSERT_STRING_EQUAL(error, cases[i].why);
  }
  CU_ASSERT_EQUAL(p.processes, 0);
  CU_ASSERT_EQUAL(p.contexts.count, 0);
  CU_ASSERT_EQUAL(read_text(&p, sample, error), 0);
  CU_ASSERT_EQUAL(read_text(&p, "vat-profile 1\ntree 4k 3 64\nend\n", error),
                  -1);
  profile_fini(&p);
}

static void test_numbers(void) {
  static const struct {
    const char *text;
    unsigned base;
    uint64_t value;
    const char *wrong, *rest;
  } rows[] = {{"0", 10, 0, NULL, ""},
              {"  12 3", 10, 12, NULL, " 3"},
              {"18446744073709551615", 10, UINT64_MAX, NULL, ""},
              {"18446744073709551616", 10, 0, "too large", NULL},
              {"99999999999999999999999999", 10, 0, "too large", NULL},
              {"ffffffffffffffff", 16, UINT64_MAX, NULL, ""},
              {"10000000000000000", 16, 0, "too large", NULL},
              {"1f a", 16, 31, NULL, " a"},
              {"1f", 10, 0, "no number", NULL},
              {"1g", 16, 0, "no number", NULL},
              {"", 10, 0, "missing", NULL},
              {" ", 10, 0, "missing", NULL},
              {" -1", 10, 0, "negative", NULL},
              {"+1", 10, 0, "negative", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char copy[40], *at = copy;
    uint64_t value = 0;
    snprintf(copy, sizeof copy, "%s", rows[i].text);
    const char *wrong = profile_number(&at, rows[i].base, &value);
    CU_ASSERT_EQUAL(value, rows[i].value);
    CU_ASSERT(rows[i].wrong ? wrong && strstr(wrong, rows[i].wrong)
                            : !wrong && !strcmp(at, rows[i].rest));
  }
}

static const struct check_test tests[] = {
    {"numbers, and what is none", test_numbers},
    {"what a process left is read", test_one_process},
    {"fetches are read and added up", test_code},
    {"the tree of a plan", test_plan},
    {"plans that are none", test_broken_plans},
    {"functions of stripped objects are named",
     test_stripped_functions_are_named},
    {"processes add up", test_processes_add_up},
    {"what costs as much is in one order",
     test_what_costs_as_much_is_in_one_order},
    {"what is broken is refused", test_what_is_broken_is_refused},
    {NULL, NULL}};

const struct check_suite suite_profile = {"vat profile", tests, NULL};
