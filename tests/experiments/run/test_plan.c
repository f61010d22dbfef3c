/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/run/plan.h"
#include "experiments/run/run_options.h"
#include "tests/check.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"

static void make(struct plan *plan) {
  uint64_t at[] = {0, 22938, 1 << 20};
  struct sizes sizes = {at, 3};
  *plan = (struct plan){.reps = 7,
                        .passes = 3,
                        .seed = UINT64_MAX - 1,
                        .time_budget_s = 1.5,
                        .alloc = alloc_find("glibc"),
                        .thin = true,
                        .simulate = 1000,
                        .counters = "none"};
  plan->pages.kinds[plan->pages.count++] = hp_kind_find("4k");
  plan->pages.kinds[plan->pages.count++] = hp_kind_find("thp");
  for (size_t i = 0; cpu_algos[i]; i++) plan_add(plan, cpu_algos[i], &sizes);
}

static void test_a_plan_survives_the_file(void) {
  struct plan plan, back;
  char reason[PLAN_REASON];
  make(&plan);
  json_t *record = plan_to_json(&plan);
  CU_ASSERT_EQUAL_FATAL(plan_from_json(&back, record, reason), 0);
  CU_ASSERT_EQUAL(back.count, plan.count);
  CU_ASSERT_EQUAL(back.reps, 7);
  CU_ASSERT_EQUAL(back.passes, 3);
  CU_ASSERT_EQUAL(back.seed, UINT64_MAX - 1);
  CU_ASSERT_EQUAL(back.time_budget_s, 1.5);
  CU_ASSERT_TRUE(back.thin);
  CU_ASSERT_EQUAL(back.simulate, 1000);
  CU_ASSERT_STRING_EQUAL(back.counters, "none");
  CU_ASSERT_PTR_EQUAL(back.alloc, plan.alloc);
  CU_ASSERT_EQUAL(back.pages.count, 2);
  CU_ASSERT_PTR_EQUAL(back.pages.kinds[1], plan.pages.kinds[1]);
  for (size_t i = 0; i < plan.count; i++) {
    CU_ASSERT_PTR_EQUAL(back.entries[i].algo, plan.entries[i].algo);
    CU_ASSERT_EQUAL_FATAL(back.entries[i].sizes.count, 3);
    CU_ASSERT_EQUAL(back.entries[i].sizes.at[1], 22938);
  }
  json_decref(record);
  plan_fini(&back);
  plan_fini(&plan);
}

/* As it is where no algorithm allocates, and was in older files. */
static void test_a_plan_may_have_no_allocator(void) {
  struct plan plan, back;
  char reason[PLAN_REASON];
  make(&plan);
  plan.alloc = NULL;
  json_t *record = plan_to_json(&plan);
  CU_ASSERT_PTR_NULL(json_object_get(record, "alloc"));
  CU_ASSERT_EQUAL_FATAL(plan_from_json(&back, record, reason), 0);
  CU_ASSERT_PTR_NULL(back.alloc);
  json_decref(record);
  plan_fini(&back);
  plan_fini(&plan);
}

static void test_a_bad_plan_is_refused_with_a_reason(void) {
  static const char *const bad[] = {
      "{}",
      "[]",
      "{\"algos\":[],\"pages\":[\"4k\"],\"reps\":1}",
      "{\"algos\":[{\"name\":\"nosuch\",\"sizes\":[1]}],\"pages\":[\"4k\"]}",
      "{\"algos\":[{\"name\":\"permute\",\"sizes\":[2,1]}],\"pages\":[\"4k\"]}",
      "{\"algos\":[{\"name\":\"permute\",\"sizes\":[0,0]}],\"pages\":[\"4k\"]}",
      "{\"algos\":[{\"name\":\"permute\",\"sizes\":[1.5]}],\"pages\":[\"4k\"]}",
      ("{\"algos\":[{\"name\":\"permute\",\"sizes\":[1]}],\"pages\":[\"4k\"],"
       "\"generator\":\"nosuch\"}"),
      ("{\"algos\":[{\"name\":\"permute\",\"sizes\":[1]}],\"pages\":[\"4k\"],"
       "\"input\":{\"file\":\"x\"}}"),
      "{\"algos\":[{\"name\":\"permute\",\"sizes\":[-4]}],\"pages\":[\"4k\"]}",
      "{\"algos\":[{\"name\":\"permute\",\"sizes\":[1]}],\"pages\":[\"5k\"]}",
      "{\"algos\":[{\"name\":\"permute\",\"sizes\":[1]}],\"pages\":[7]}",
      ("{\"algos\":[{\"name\":\"permute\",\"sizes\":[1]}],\"pages\":[\"4k\"],"
       "\"reps\":-1}"),
      ("{\"algos\":[{\"name\":\"permute\",\"sizes\":[1]}],\"pages\":[\"4k\"],"
       "\"alloc\":\"nosuch\"}"),
      ("{\"algos\":[{\"name\":\"permute\",\"sizes\":[1]}],\"pages\":[\"4k\"],"
       "\"alloc\":null}"),
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct plan plan;
    char reason[PLAN_REASON] = "";
    json_t *record = json_loads(bad[i], 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(record);
    CU_ASSERT_EQUAL(plan_from_json(&plan, record, reason), -1);
    CU_ASSERT(strlen(reason) > 0);
    CU_ASSERT_PTR_NULL(plan.entries);
    json_decref(record);
  }
}

static void test_what_is_worked_on_survives(void) {
  struct plan plan, back;
  struct sample_variant variant;
  char reason[PLAN_REASON];
  uint64_t at[] = {5};
  const struct sizes sizes = {at, 1};
  const struct algo *algo = cpu_algo_find("heapsort");
  plan = (struct plan){
      .variant = {.file = "keys.txt", .bytes = 7, .hash = UINT64_MAX}};
  plan.pages.kinds[plan.pages.count++] = hp_kind_find("4k");
  plan_add(&plan, algo, &sizes);
  json_t *record = plan_to_json(&plan);
  CU_ASSERT_EQUAL_FATAL(plan_from_json(&back, record, reason), 0);
  CU_ASSERT_EQUAL(sample_variant_compare(&plan.variant, &back.variant), 0);
  variant = plan_variant(&back, &back.entries[0]);
  CU_ASSERT_EQUAL(sample_variant_compare(&variant, &back.variant), 0);
  CU_ASSERT_EQUAL(plan_run(&back, &back.entries[0], 5).bytes, algo->bytes(5));
  json_decref(record);
  plan_fini(&back);
  plan_fini(&plan);
}

/* Generators of the plan's entries, as samples name them. */
static void generators_are(const struct plan *plan, const char *expected) {
  char found[200] = "";
  for (size_t i = 0; i < plan->count; i++) {
    struct sample_variant variant;
    variant = plan_variant(plan, &plan->entries[i]);
    const char *generator = plan_run(plan, &plan->entries[i], 5).generator;
    CU_ASSERT_STRING_EQUAL(variant.generator, generator ? generator : "");
    strcat(strcat(strcat(found, plan->entries[i].algo->name), ":"),
           strcat(variant.generator, " "));
  }
  CU_ASSERT_STRING_EQUAL(found, expected);
}

static void make_sorts(struct plan *plan) {
  uint64_t at[] = {5};
  const struct sizes sizes = {at, 1};
  *plan = (struct plan){.pages = {{hp_kind_find("4k")}, 1}};
  plan_add(plan, cpu_algo_find("heapsort"), &sizes);
  plan_add(plan, cpu_algo_find("introsort"), &sizes);
}

static int choose(struct plan *plan, const char *list) {
  const struct data_options options = {.generator = list};
  return data_into_plan(&options, true, NULL, plan);
}

static void test_each_generator_is_an_entry(void) {
  struct plan plan, back;
  char reason[PLAN_REASON];
  make_sorts(&plan);
  /* The first of an algorithm's generators is what has no name. */
  CU_ASSERT_EQUAL(choose(&plan, "sorted,random"), VAT_OK);
  generators_are(&plan,
                 "heapsort:sorted heapsort: introsort:sorted introsort: ");
  json_t *record = plan_to_json(&plan);
  CU_ASSERT_EQUAL_FATAL(plan_from_json(&back, record, reason), 0);
  generators_are(&back,
                 "heapsort:sorted heapsort: introsort:sorted introsort: ");
  plan_fini(&back);
  /* Older files have one, which is the plan's. */
  json_array_clear(json_object_get(record, "algos"));
  json_array_append_new(
      json_object_get(record, "algos"),
      json_pack("{s:s, s:[i]}", "name", "heapsort", "sizes", 5));
  json_object_set_new(record, "generator", json_string("sorted"));
  CU_ASSERT_EQUAL_FATAL(plan_from_json(&back, record, reason), 0);
  generators_are(&back, "heapsort:sorted ");
  json_decref(record);
  plan_fini(&back);
  plan_fini(&plan);
}

static void test_all_generators_are_each_algorithms_own(void) {
  struct plan plan;
  uint64_t at[] = {5};
  const struct sizes sizes = {at, 1};
  const struct algo *algo = cpu_algo_find("heapsort");
  plan = (struct plan){0};
  plan_add(&plan, algo, &sizes);
  size_t other = 0;
  while (cpu_algos[other]->generators) other++;
  plan_add(&plan, cpu_algos[other], &sizes);
  CU_ASSERT_EQUAL(choose(&plan, "all"), VAT_OK);
  size_t count = 0;
  while (algo->generators[count]) count++;
  CU_ASSERT_EQUAL_FATAL(plan.count, count + 1);
  CU_ASSERT_PTR_NULL(plan.entries[0].generator);
  CU_ASSERT_PTR_EQUAL(plan.entries[1].generator, algo->generators[1]);
  CU_ASSERT_PTR_NULL(plan.entries[count].generator);
  plan_fini(&plan);
}

static void test_generators_that_are_none(void) {
  static const char *const bad[][2] = {
      {"nosuch", "vat: --generator nosuch: heapsort has random, "},
      {"sorted,", "vat: --generator : heapsort has "},
      {"sorte", "vat: --generator sorte: heapsort has "},
      {"sorted,random,sorted", "vat: --generator sorted is named twice\n"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    static struct command_result result;
    const char *const arguments[] = {"heapsort",    "introsort", "--sizes", "5",
                                     "--generator", bad[i][0],   NULL};
    run_command(&result, cmd_run, arguments, false);
    CU_ASSERT_EQUAL(result.code, VAT_USAGE);
    CU_ASSERT_EQUAL(strncmp(result.err, bad[i][1], strlen(bad[i][1])), 0);
  }
}

static void test_the_largest_workspace_counts(void) {
  struct plan plan;
  size_t bytes, most = 0;
  make(&plan);
  CU_ASSERT_EQUAL(plan_bytes(&plan, &bytes), VAT_OK);
  for (size_t i = 0; cpu_algos[i]; i++)
    if (cpu_algos[i]->bytes(1 << 20) > most)
      most = cpu_algos[i]->bytes(1 << 20);
  CU_ASSERT_EQUAL(bytes, most);
  plan_fini(&plan);
  static struct command_result result;
  const char *const arguments[] = {"permute", "--sizes", "18446744073709551614",
                                   NULL};
  run_command(&result, cmd_run, arguments, false);
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "does not fit the address space"));
}

static void test_repetitions_depend_on_the_size_alone(void) {
  struct plan plan = {0};
  const struct algo *algo = cpu_algo_find("sequential_scan");
  CU_ASSERT_EQUAL(plan_reps(&plan, algo, 1000), 6);
  CU_ASSERT_EQUAL(plan_reps(&plan, algo, 1000000000), 6);
  CU_ASSERT_EQUAL(plan_reps(&plan, algo, 1000000001), 3);
  plan.thin = true;
  CU_ASSERT_EQUAL(plan_reps(&plan, algo, 10000000), 6);
  CU_ASSERT_EQUAL(plan_reps(&plan, algo, 10000001), 3);
  plan.reps = 2;
  CU_ASSERT_EQUAL(plan_reps(&plan, algo, 1000), 2);
}

/* Where n is the side of a matrix, 2^14 would be gigabytes. */
static void test_sizes_start_small_for_every_algorithm(void) {
  char *names[64];
  struct run_options options = {
      .algos.at = names, .pages = "4k", .asked.passes = 1};
  struct data data = {0};
  struct plan plan;
  for (size_t i = 0; cpu_algos[i]; i++) names[i] = (char *)cpu_algos[i]->name;
  while (cpu_algos[options.algos.count]) options.algos.count++;
  CU_ASSERT_EQUAL_FATAL(run_plan(&options, &data, &plan), 0);
  for (size_t i = 0; i < plan.count; i++) {
    const struct algo *algo = plan.entries[i].algo;
    uint64_t first = plan.entries[i].sizes.at[0];
    CU_ASSERT(algo->bytes(first) <= 512 << 10);
    if (algo->bytes(1 << 14) <= 512 << 10) {
      CU_ASSERT_EQUAL(first, 1 << 14);
    } else {
      CU_ASSERT(algo->bytes(3 * first) > 512 << 10);
      CU_ASSERT(first & (first - 1)); /* no power of two */
    }
  }
  plan_fini(&plan);
}

static void test_passes_share_the_repetitions(void) {
  static const struct {
    uint32_t passes, reps, after[4];
  } cases[] = {{1, 6, {6}},          {0, 6, {6}},          {3, 6, {2, 4, 6}},
               {3, 7, {3, 5, 7}},    {4, 2, {1, 2, 2, 2}}, {2, 1, {1, 1}},
               {4, 5, {2, 3, 4, 5}}, {3, 3, {1, 2, 3}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct plan plan = {.passes = cases[i].passes};
    for (uint32_t p = 0; p < (plan.passes ? plan.passes : 1); p++)
      CU_ASSERT_EQUAL(plan_reps_after(&plan, p, cases[i].reps),
                      cases[i].after[p]);
  }
}

/* Every point is in one shard, and shards differ by a point at most. */
static void test_shards_share_the_points(void) {
  char reason[PLAN_REASON];
  for (uint32_t count = 1; count <= 7; count++) {
    size_t points[3] = {0}, seen[8][3] = {{0}}, all = 0;
    for (uint32_t index = 1; index <= count; index++) {
      struct plan plan;
      size_t own = 0;
      make(&plan);
      for (size_t i = 3; i < plan.count; i++) free(plan.entries[i].sizes.at);
      plan.count = 3;
      plan.entries[1].sizes.count = 1; /* entries need not be alike */
      CU_ASSERT_EQUAL_FATAL(
          plan_shard(&plan, (struct shard){index, count}, reason), 0);
      for (size_t i = 0; i < plan.count; i++) {
        const struct plan_entry *e = &plan.entries[i];
        CU_ASSERT_EQUAL(plan_sweep(e)->count, i == 1 ? 1 : 3);
        for (size_t j = 0; j < e->sizes.count; j++)
          for (size_t k = 0; k < e->sweep.count; k++)
            seen[i][k] += e->sizes.at[j] == e->sweep.at[k];
        own += e->sizes.count;
      }
      CU_ASSERT(own == 7 / count || own == 7 / count + 1);
      all += own;
      plan_fini(&plan);
    }
    CU_ASSERT_EQUAL(all, 7);
    for (size_t i = 0; i < 3; i++)
      for (size_t k = 0; k < 3; k++) points[i] += seen[i][k] == 1;
    CU_ASSERT(points[0] == 3 && points[1] == 1 && points[2] == 3);
  }
}

/* The file has the whole sweep, from which the same shard is cut again. */
static void test_a_shard_survives_the_file(void) {
  struct plan plan, back;
  char reason[PLAN_REASON];
  make(&plan);
  CU_ASSERT_EQUAL_FATAL(plan_shard(&plan, (struct shard){2, 5}, reason), 0);
  json_t *record = plan_to_json(&plan);
  CU_ASSERT_EQUAL_FATAL(plan_from_json(&back, record, reason), 0);
  CU_ASSERT_EQUAL(back.shard.index, 2);
  CU_ASSERT_EQUAL(back.shard.count, 5);
  for (size_t i = 0; i < plan.count; i++) {
    const struct sizes *sizes = &plan.entries[i].sizes;
    CU_ASSERT_EQUAL(plan_sweep(&back.entries[i])->count, 3);
    CU_ASSERT_EQUAL_FATAL(back.entries[i].sizes.count, sizes->count);
    CU_ASSERT(!memcmp(back.entries[i].sizes.at, sizes->at,
                      sizes->count * sizeof *sizes->at));
  }
  plan_fini(&back);
  static const char *const bad[] = {"[0,5]",   "[6,5]",        "[1]",
                                    "\"1/5\"", "[1,99999999]", "[1,900000]"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    json_object_set_new(record, "shard",
                        json_loads(bad[i], JSON_DECODE_ANY, NULL));
    CU_ASSERT_EQUAL(plan_from_json(&back, record, reason), -1);
    CU_ASSERT_EQUAL(errno, EINVAL);
  }
  json_decref(record);
  plan_fini(&plan);
}

static const struct check_test tests[] = {
    {"a plan survives the file", test_a_plan_survives_the_file},
    {"a plan may have no allocator", test_a_plan_may_have_no_allocator},
    {"a bad plan is refused with a reason",
     test_a_bad_plan_is_refused_with_a_reason},
    {"what is worked on survives, too", test_what_is_worked_on_survives},
    {"each generator is an entry", test_each_generator_is_an_entry},
    {"all are those that an algorithm has",
     test_all_generators_are_each_algorithms_own},
    {"generators that are none", test_generators_that_are_none},
    {"the largest workspace counts", test_the_largest_workspace_counts},
    {"repetitions depend on the size alone",
     test_repetitions_depend_on_the_size_alone},
    {"passes share the repetitions", test_passes_share_the_repetitions},
    {"shards share the points", test_shards_share_the_points},
    {"a shard survives the file", test_a_shard_survives_the_file},
    {"sizes start small for every algorithm",
     test_sizes_start_small_for_every_algorithm},
    {0}};

const struct check_suite suite_plan = {.name = "plan", .tests = tests};
