/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What vat exec tells its library. */
#include <stdlib.h>
#include <string.h>

#include "experiments/exec/huge_list.h"
#include "experiments/exec/rules.h"
#include "experiments/exec/rules_text.h"
#include "experiments/exec/symbol_name.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static const char mib = 20;

static void test_a_list_becomes_rules(void) {
  struct page_plan plan;
  struct rules rules;
  CU_ASSERT_FATAL(!huge_list_read(
      &plan, "stack,mappings>=3M,file=/x/a:b;c%,data,site=f@/l/o.so,heap"));
  char *text = rules_text(&plan);
  rules_read(&rules, text);
  CU_ASSERT_EQUAL(rules.stack, 0);
  CU_ASSERT_EQUAL(rules.mappings, 1);
  CU_ASSERT_EQUAL(rules.least, 3 << mib);
  CU_ASSERT_EQUAL(rules.files, 1);
  CU_ASSERT_EQUAL(rules.file[0].choice, 2);
  CU_ASSERT_STRING_EQUAL(rules.file[0].name, "a:b;c%");
  CU_ASSERT_EQUAL(rules.data, 3);
  CU_ASSERT_EQUAL(rules.heap, 5);
  CU_ASSERT_EQUAL(rules.shared, 1);
  CU_ASSERT_EQUAL(rules.shared_least, 3 << mib);
  CU_ASSERT_EQUAL(rules.choices, 6);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text, "function:4:0:ffffffffffffffff:0:0:f:o.so;"));
  CU_ASSERT(plan_has_sites(&plan));
  free(text);
  page_plan_fini(&plan);
}

/* Of every file, or of one by its name without folders. */
static void test_text_is_of_all_or_of_one(void) {
  struct page_plan plan;
  struct rules rules;
  CU_ASSERT_FATAL(!huge_list_read(&plan, "text=/l/lib.so.1,text,text=text"));
  CU_ASSERT_STRING_EQUAL(plan.choices[0].where, "text=/l/lib.so.1");
  char *text = rules_text(&plan);
  CU_ASSERT_STRING_EQUAL(text, "text:0:lib.so.1;text:1;text:2:text;");
  rules_read(&rules, text);
  CU_ASSERT_EQUAL(rules.texts, 3);
  CU_ASSERT_EQUAL(rules.choices, 3);
  for (int i = 0; i < 3; i++) CU_ASSERT_EQUAL(rules.text[i].choice, i);
  CU_ASSERT_STRING_EQUAL(rules.text[0].name, "lib.so.1");
  CU_ASSERT_STRING_EQUAL(rules.text[1].name, "");
  CU_ASSERT_EQUAL(rules.files, 0);
  free(text);
  page_plan_fini(&plan);
  CU_ASSERT_NOT_EQUAL(huge_list_read(&plan, "text="), 0);
  CU_ASSERT_NOT_EQUAL(huge_list_read(&plan, "text,text"), 0);
}

/* Large blocks and small mappings of one chain; objects and names by number;
 * nothing of what is refused. */
static void test_a_chain_becomes_numbers(void) {
  struct plan_frame frames[] = {
      {.object = "/p/prog", .offset = 0x1221},
      {.object = "/l/lib.so", .offset = 0x30, .function = "g h.part.0"}};
  struct plan_chain chain = {frames, 2};
  struct plan_choice choices[] = {{.where = "w",
                                   .kind = (char *)"heap",
                                   .what = PLAN_SITE_LARGE,
                                   .least_bytes = 1 << mib,
                                   .from = 16,
                                   .to = 32,
                                   .chains = &chain,
                                   .chain_count = 1},
                                  {.where = "w",
                                   .kind = (char *)"mapping",
                                   .what = PLAN_SITE_SMALL,
                                   .least_bytes = 1 << mib,
                                   .chains = &chain,
                                   .chain_count = 1},
                                  {.where = "w",
                                   .what = PLAN_SITE_LARGE,
                                   .chains = &chain,
                                   .chain_count = 1,
                                   .refused = (char *)"another build"}};
  struct plan_object objects[] = {{"/p/prog", "00ff"}};
  struct page_plan plan = {.objects = objects,
                           .object_count = 1,
                           .choices = choices,
                           .choice_count = 3};
  char *text = rules_text(&plan);
  CU_ASSERT_STRING_EQUAL(text,
                         "chain:0:100000:ffffffffffffffff:10:20:0.1221:1.30.0;"
                         "mapped:1:0:fffff:0:0:0.1221:1.30.0;"
                         "object:prog:00ff;object:lib.so:;name:g%20h;");
  free(text);
}

/* No text of the environment does harm. */
static void test_damaged_rules_are_passed_over(void) {
  static const char *const texts[] = {
      "",
      ";",
      ":",
      "mappings",
      "mappings:",
      "mappings:zz:zz",
      "file:1",
      "file:400:x",
      "data:ffffffffffffffffff",
      "%",
      "file:1:%",
      "file:1:%4",
      "stack:3:1:2:3:4:5:6:7:8:9:a:b:c:d:e:f:10:11:12:13:14:15:16:17"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct rules rules;
    rules_read(&rules, texts[i]);
    CU_ASSERT(rules.choices <= RULES_CHOICES);
    CU_ASSERT(rules.stack < RULES_CHOICES);
  }
}

static void test_a_function_has_the_name_that_people_write(void) {
  static const struct {
    const char *symbol, *name;
    bool is;
  } cases[] = {{"make", "make", true},
               {"make.constprop.0", "make", true},
               {"make_table", "make", false},
               {"remake", "make", false},
               {"_Z4makem", "make", true},
               {"_ZL4makem", "make", true},
               {"_ZN5Table4makeEm", "make", true},
               {"_ZN5Table4makeEm", "Table::make", true},
               {"_ZNK3app5Table4makeEm", "Table::make", true},
               {"_ZNK3app5Table4makeEm", "app::Table::make", true},
               {"_ZNK3app5Table4makeEm", "able::make", false},
               {"_ZN5Table4makeEm", "Table", false},
               {"_Z4makem", "", false},
               {"_Z9999make", "make", false},
               {"_Z", "make", false},
               {"_ZN", "N", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool is = symbol_is(cases[i].symbol, cases[i].name);
    if (is != cases[i].is) printf("\n%s, %s\n", cases[i].symbol, cases[i].name);
    CU_ASSERT_EQUAL(is, cases[i].is);
  }
}

/* Mappings have shared memory, too, unless that is chosen by itself. */
static void test_shared_memory_is_mapped_too(void) {
  struct rules rules;
  rules_read(&rules, "data:0;mappings:1:400000");
  CU_ASSERT_EQUAL(rules.shared, 1);
  CU_ASSERT_EQUAL(rules.shared_least, 4 << mib);
  CU_ASSERT_EQUAL(rules.choices, 2);
  static const char *const texts[] = {"mappings:0:1;shared:1:200000;",
                                      "shared:1:200000;mappings:0:1;"};
  for (int i = 0; i < 2; i++) {
    rules_read(&rules, texts[i]);
    CU_ASSERT_EQUAL(rules.mappings, 0);
    CU_ASSERT_EQUAL(rules.shared, 1);
    CU_ASSERT_EQUAL(rules.shared_least, 2 << mib);
    CU_ASSERT_EQUAL(rules.choices, 2);
  }
  rules_read(&rules, "heap:0");
  CU_ASSERT_EQUAL(rules.shared, RULES_NONE);
}

static const struct check_test tests[] = {
    {"a list becomes rules", test_a_list_becomes_rules},
    {"text is of all, or of one", test_text_is_of_all_or_of_one},
    {"a chain becomes numbers", test_a_chain_becomes_numbers},
    {"damaged rules are passed over", test_damaged_rules_are_passed_over},
    {"a function has the name that people write",
     test_a_function_has_the_name_that_people_write},
    {"shared memory is mapped, too", test_shared_memory_is_mapped_too},
    {NULL, NULL},
};

const struct check_suite suite_exec_rules = {
    .name = "exec_rules",
    .tests = tests,
};
