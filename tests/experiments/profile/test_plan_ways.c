/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan says to people who deploy it. */
#include <string.h>

#include "tests/experiments/profile/saved_plan.h"
#include "tests/experiments/suites.h"

static const struct saved_tables tables;

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
    const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, rows[i].pages,
                                         rows[i].budget, "--json"};
    json_t *json = saved_plan_json(&tables, more);
    const char *found = "";
    for (size_t k = 0; k < json_array_size(json_at(json, "ways")); k++) {
      const json_t *way = json_array_get(json_at(json, "ways"), k);
      if (!strcmp(json_text_at(way, "name"), rows[i].name))
        found = json_text_at(way, "text");
    }
    CU_ASSERT_STRING_EQUAL(found, rows[i].text);
    json_decref(json);
  }
}

/* Several processes: a fork shares memory until somebody writes. */
static void test_processes(void) {
  static const struct saved_tables two = {.processes = 2};
  saved_plan_run(&two, (const char *[SAVED_PLAN_MORE]){saved_plan_machine});
  CU_ASSERT_EQUAL(saved_plan.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(saved_plan.out, "fork: the program has 2"));
  CU_ASSERT_PTR_NOT_NULL(strstr(saved_plan.out, "splits"));
  saved_plan_run(
      &two, (const char *[SAVED_PLAN_MORE]){saved_plan_machine, "--pages=2m"});
  CU_ASSERT_PTR_NOT_NULL(strstr(saved_plan.out, "SIGBUS"));
}

static const struct check_test tests[] = {{"what people deploy", test_ways},
                                          {"several processes", test_processes},
                                          {NULL, NULL}};

const struct check_suite suite_plan_ways = {"plan ways", tests, NULL};
