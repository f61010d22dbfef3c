/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan on its way to a file and back, and what is refused. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/exec/page_plan.h"
#include "tests/check.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

/* Small, with something of everything. */
static const char text[] =
    "{\"record\":\"page-plan\",\"schema\":1,\"command\":[\"./prog\",\"-x\"],"
    "\"pages\":\"thp\","
    "\"objects\":[{\"name\":\"/bin/prog\",\"build_id\":\"00ff\"},"
    "{\"name\":\"/lib/x.so\",\"build_id\":null}],"
    "\"budget_bytes\":209715200.0,\"used_bytes\":4194304,"
    "\"predicted\":{\"user_ratio\":0.75,\"lo\":0.5,\"hi\":1.0},"
    "\"everything\":{\"user_ratio\":0.5,\"lo\":0.25,\"hi\":null,"
    "\"bytes\":8388608},"
    "\"harm\":{\"peak_rss_bytes\":[1048576.0,4194304.0],"
    "\"zeroed_bytes\":-4096.5,\"faults_saved\":null},"
    "\"choices\":[{\"where\":\"heap a.c:3 (f)\",\"kind\":\"heap\","
    "\"what\":\"site-large\",\"bytes\":4194304,\"saving_s\":0.5,"
    "\"lo\":-0.25,\"hi\":0.75,\"least_bytes\":2097152,\"to\":2097152,"
    "\"chains\":[[{\"object\":\"/bin/prog\",\"offset\":4660,"
    "\"function\":\"f\",\"file\":\"a.c\",\"line\":3},"
    "{\"object\":\"/bin/prog\",\"offset\":17}],"
    "[{\"object\":\"/lib/x.so\",\"offset\":9}]],"
    "\"madvise\":\"a.c:3: madvise(p, n, MADV_HUGEPAGE)\"},"
    "{\"where\":\"\",\"kind\":\"break\",\"what\":\"data\",\"bytes\":1,"
    "\"saving_s\":null,\"lo\":null,\"hi\":null,\"chains\":[],"
    "\"madvise\":null}],"
    "\"curve\":[[0.0,1.0],[4194304.0,0.75]],"
    "\"optimum_saving_s\":0.625,\"verdict\":null,"
    "\"ways\":[{\"name\":\"systemd\",\"text\":\"MemoryTHP=madvise\"}]}";

static json_t *whole(void) {
  json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  if (!object) abort();
  return object;
}

static void test_it_survives_the_way_there_and_back(void) {
  struct page_plan plan;
  char why[PLAN_WHY] = "";
  json_t *object = whole();
  CU_ASSERT_FATAL(!page_plan_from_json(&plan, object, why));
  json_t *again = page_plan_to_json(&plan);
  CU_ASSERT(json_equal(object, again));
  CU_ASSERT_EQUAL(plan.choices[0].chains[0].frame[0].offset, 4660);
  CU_ASSERT_EQUAL(plan.choices[0].chains[1].frames, 1);
  CU_ASSERT_EQUAL(plan.choices[1].what, PLAN_DATA);
  CU_ASSERT(isnan(plan.choices[1].saving_s));
  CU_ASSERT(isnan(plan.everything.ratio.hi));
  json_decref(again);
  json_decref(object);
  page_plan_fini(&plan);
}

static void test_what_is_not_a_plan_is_refused_with_the_key(void) {
  static const struct {
    const char *from, *to, *key;
  } damaged[] = {
      {"\"page-plan\"", "\"plot\"", "record"},
      {"\"schema\":1", "\"schema\":2", "schema"},
      {"\"offset\":17", "\"offset\":-1", "offset"},
      {"\"where\":\"\"", "\"where\":null", "where"},
      {"\"site-large\"", "\"sites\"", "what"},
      {"\"data\"", "\"site-small\"", "chains"},
      {"\"to\":2097152", "\"from\":1", "from"},
      {"[{\"object\":\"/lib/x.so\",\"offset\":9}]", "[]", "frames"},
      {"[0.0,1.0]", "[0.0]", "point"},
      {"\"saving_s\":0.5", "\"saving_s\":-1", "saving_s"},
      {"[1048576.0,4194304.0]", "3", "peak_rss_bytes"},
      {"-4096.5", "\"few\"", "zeroed_bytes"},
      {"\"./prog\",", "7,", "word"},
  };
  for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
    struct page_plan plan;
    char why[PLAN_WHY] = "", *changed = malloc(sizeof text + 64);
    const char *at = strstr(text, damaged[i].from);
    CU_ASSERT_FATAL(at && changed);
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, damaged[i].to,
            at + strlen(damaged[i].from));
    json_t *object = json_loads(changed, 0, NULL);
    CU_ASSERT_FATAL(object != NULL);
    errno = 0;
    CU_ASSERT(page_plan_from_json(&plan, object, why));
    CU_ASSERT_EQUAL(errno, EINVAL);
    if (!strstr(why, damaged[i].key)) CU_FAIL(why);
    page_plan_fini(&plan);
    json_decref(object);
    free(changed);
  }
}

/* Of a site, or all of it. */
static void test_shared_memory_may_have_chains(void) {
  static const char *const parts[] = {"site-large", "data"};
  for (size_t i = 0; i < 2; i++) {
    struct page_plan plan;
    char why[PLAN_WHY] = "";
    json_t *object = whole();
    json_t *choice = json_array_get(json_object_get(object, "choices"), i);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(choice, "what")),
                           parts[i]);
    json_object_set_new(choice, "what", json_string("shared"));
    CU_ASSERT_FATAL(!page_plan_from_json(&plan, object, why));
    CU_ASSERT_EQUAL(plan.choices[i].what, PLAN_SHARED);
    CU_ASSERT_EQUAL(plan.choices[i].chain_count, i ? 0 : 2);
    json_decref(object);
    page_plan_fini(&plan);
  }
}

static void test_a_file_that_is_none_is_named(void) {
  struct page_plan plan;
  struct scratch scratch;
  char why[PLAN_WHY] = "";
  scratch_init(&scratch);
  scratch_write(&scratch, "plan.json", "{\"a\":1}", 7);
  CU_ASSERT(page_plan_read(&plan, scratch.path, why, sizeof why));
  CU_ASSERT_PTR_NOT_NULL(strstr(why, "plan.json: "));
  page_plan_fini(&plan);
  CU_ASSERT(page_plan_read(&plan, "/nowhere/plan.json", why, sizeof why));
  CU_ASSERT_PTR_NOT_NULL(strstr(why, "/nowhere/plan.json"));
  page_plan_fini(&plan);
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"it survives the way there and back",
     test_it_survives_the_way_there_and_back},
    {"what is not a plan is refused with the key",
     test_what_is_not_a_plan_is_refused_with_the_key},
    {"shared memory may have chains", test_shared_memory_may_have_chains},
    {"a file that is none is named", test_a_file_that_is_none_is_named},
    {NULL, NULL},
};

const struct check_suite suite_page_plan = {
    .name = "page_plan",
    .tests = tests,
};
