/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of counters: on made-up machines whose backends do as they are told,
 * and page faults on this one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "experiments/machine/counter_backend.h"
#include "experiments/machine/counters.h"
#include "tests/experiments/suites.h"

/* What the next machine is like. */
static struct {
  enum counter_missing papi, perf; /* answer to add */
  bool no_papi_state;
  int start_error;
  size_t free_slots; /* then MISSING_NOT_FREE */
  size_t together;   /* slots that are not lost when all are started */
  uint64_t value;    /* of slot i: value + i */
  bool lost;
  size_t added, dropped, started, stopped, closed;
} fake;

static void *fake_open(void) { return malloc(1); }
static void *papi_open(void) { return fake.no_papi_state ? NULL : malloc(1); }
static void fake_close(void *state) {
  fake.closed++;
  free(state);
}

static enum counter_missing add(enum counter_missing answer) {
  if (!answer && fake.added == fake.free_slots) return MISSING_NOT_FREE;
  fake.added += !answer;
  return answer;
}
static enum counter_missing papi_add(void *state, const struct rung *rung) {
  (void)state;
  CU_ASSERT_EQUAL(rung->kind, RUNG_NATIVE);
  return add(fake.papi);
}
static enum counter_missing perf_add(void *state, const struct rung *rung) {
  (void)state;
  CU_ASSERT_NOT_EQUAL(rung->kind, RUNG_NATIVE);
  return add(fake.perf);
}

static void fake_drop(void *state) {
  (void)state;
  fake.added--;
  fake.dropped++;
}

static int fake_start(void *state) {
  (void)state;
  fake.started++;
  errno = fake.start_error;
  return errno ? -1 : 0;
}
static int fake_stop(void *state, struct counter_reading readings[SLOTS_MAX]) {
  (void)state;
  fake.stopped++;
  for (size_t i = 0; i < SLOTS_MAX; i++)
    readings[i] = (struct counter_reading){
        .value = fake.value ? fake.value + i : 0,
        .lost = fake.lost || fake.added > fake.together};
  return 0;
}

static const struct counter_backend fake_papi = {
    "PAPI", papi_open, fake_close, papi_add, fake_drop, fake_start, fake_stop};
static const struct counter_backend fake_perf = {
    "perf", fake_open, fake_close, perf_add, fake_drop, fake_start, fake_stop};
static const struct counter_backend *const both[BACKENDS] = {&fake_papi,
                                                             &fake_perf};
static const struct counter_backend *const no_papi[BACKENDS] = {NULL,
                                                                &fake_perf};

static void no_exercise(void) {}

static struct counter_site site_of(const char *arch) {
  memset(&fake, 0, sizeof fake);
  fake.free_slots = fake.together = SLOTS_MAX;
  fake.value = 1000;
  struct counter_site site = {.pmu = true,
                              .paranoid = 2,
                              .exercise = no_exercise,
                              .events_at_once = SIZE_MAX,
                              .backends = both};
  const struct cpu_arch *row = cpu_archs;
  while (row->name && strcmp(row->name, arch)) row++;
  site.arch = row->name ? row : NULL;
  return site;
}

/* The one quantity `name` at `site`, copied. */
static struct counter_info open_one(const struct counter_site *site,
                                    const char *name) {
  struct counters *c = counters_open_at(site, &name, 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_EQUAL_FATAL(counters_count(c), 1);
  struct counter_info info = *counters_info(c, 0);
  counters_close(c);
  CU_ASSERT_EQUAL(info.present, *info.source != '\0');
  CU_ASSERT_EQUAL(info.present, *info.why == '\0');
  CU_ASSERT_EQUAL(info.present, *info.fix == '\0');
  return info;
}

static void test_papi_is_asked_first(void) {
  struct counter_site site = site_of("spr");
  CU_ASSERT_STRING_EQUAL(open_one(&site, "walks_2m").source,
                         "PAPI native: DTLB_LOAD_MISSES:WALK_COMPLETED_2M_4M + "
                         "DTLB_STORE_MISSES:WALK_COMPLETED_2M_4M");
}

static void test_raw_events_stand_in_for_names(void) {
  struct counter_site site = site_of("emr");
  fake.papi = MISSING_NO_NAME;
  CU_ASSERT_STRING_EQUAL(open_one(&site, "walks_2m").source,
                         "perf raw: r0412 + r0413");
  site.backends = no_papi;
  CU_ASSERT_STRING_EQUAL(open_one(&site, "walks_2m").source,
                         "perf raw: r0412 + r0413");
  site.backends = both;
  fake.no_papi_state = true;
  CU_ASSERT_STRING_EQUAL(open_one(&site, "walks_2m").source,
                         "perf raw: r0412 + r0413");
}

static void test_every_source_fits(void) {
  for (const struct cpu_arch *arch = cpu_archs; arch->name; arch++)
    for (size_t q = 0; q < QUANTITY_COUNT; q++) {
      struct counter_site site = site_of(arch->name);
      struct counter_info info = open_one(&site, quantities[q].info.name);
      CU_ASSERT_TRUE(strlen(info.source) + 1 < sizeof info.source);
    }
}

static void test_without_pmu_only_software_is_tried(void) {
  struct counter_site site = site_of("spr");
  site.pmu = false;
  struct counters *c = counters_open_at(&site, NULL, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_EQUAL(counters_count(c), QUANTITY_COUNT);
  for (size_t i = 0; i < counters_count(c); i++) {
    const struct counter_info *info = counters_info(c, i);
    CU_ASSERT_EQUAL(info->present, !strcmp(info->name, "page_faults"));
    if (!info->present) CU_ASSERT_PTR_NOT_NULL(strstr(info->why, "no PMU"));
  }
  CU_ASSERT_EQUAL(fake.added, 1);
  counters_close(c);
  CU_ASSERT_EQUAL(fake.closed, 1);
  site.cpu.hypervisor = true;
  CU_ASSERT_STRING_EQUAL(open_one(&site, "walks").why, "no PMU in this VM");
}

static void test_each_reason_is_reported_with_its_fix(void) {
  struct counter_site site = site_of("spr");
  for (int missing = MISSING_NONE + 1; missing < MISSING_COUNT; missing++) {
    struct counter_info info = quantities[QUANTITY_WALKS].info;
    strcpy(info.source, "PAPI native: x");
    counter_explain(&info, (enum counter_missing)missing, &site);
    CU_ASSERT_FALSE(info.present);
    CU_ASSERT_EQUAL(*info.source, '\0');
    CU_ASSERT_TRUE(*info.why && *info.fix);
    CU_ASSERT_TRUE(strlen(info.fix) < 77); /* a line with its indent */
  }
}

static void test_the_reason_nearest_to_a_fix_is_reported(void) {
  struct counter_site site = site_of("spr");
  fake.papi = MISSING_NO_NAME;
  fake.perf = MISSING_NOT_FREE;
  struct counter_info info = open_one(&site, "walks_4k");
  CU_ASSERT_PTR_NOT_NULL(strstr(info.why, "no hardware counter is free"));
  CU_ASSERT_PTR_NOT_NULL(strstr(info.fix, "--counters walks_4k"));
}

static void test_paranoia_is_told_from_a_filter(void) {
  struct counter_site site = site_of("spr");
  fake.papi = MISSING_NO_NAME;
  fake.perf = MISSING_PARANOID;
  site.paranoid = 3;
  struct counter_info info = open_one(&site, "page_faults");
  CU_ASSERT_STRING_EQUAL(info.fix, "sudo sysctl kernel.perf_event_paranoid=2");
  CU_ASSERT_PTR_NOT_NULL(strstr(info.why, "is 3"));
  site.paranoid = 2; /* which allows what we ask for */
  CU_ASSERT_PTR_NOT_NULL(strstr(open_one(&site, "walks").why, "forbidden"));
  site.paranoid = 4;
  site.may_perf = true; /* whom paranoia does not concern */
  CU_ASSERT_PTR_NOT_NULL(strstr(open_one(&site, "walks").why, "forbidden"));
}

static void test_an_unknown_processor_is_named(void) {
  struct counter_site site = site_of("none");
  site.cpu = (struct cpu_id){.vendor = "New", .family = 7, .model = 8};
  struct counter_info info = open_one(&site, "walks");
  CU_ASSERT_PTR_NOT_NULL(strstr(info.why, "New 7/8/0"));
  CU_ASSERT_TRUE(open_one(&site, "cycles").present);
}

static void test_a_missing_event_is_told_from_an_unknown_processor(void) {
  struct counter_site site = site_of("zen3");
  CU_ASSERT_PTR_NOT_NULL(strstr(open_one(&site, "walk_cycles").why, "zen3"));
}

static void test_what_counts_0_where_it_cannot_is_absent(void) {
  struct counter_site site = site_of("spr");
  fake.value = 0;
  CU_ASSERT_PTR_NOT_NULL(strstr(open_one(&site, "walks_4k").why, "nothing"));
  /* No 2 MiB page was touched. */
  CU_ASSERT_TRUE(open_one(&site, "walks_2m").present);
}

static void test_counters_that_run_out_are_absent(void) {
  static const char *const names[] = {"walks", "walk_cycles", "walks_4k"};
  struct counter_site site = site_of("skx");
  fake.free_slots = 2;
  struct counters *c = counters_open_at(&site, names, 3);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_TRUE(counters_info(c, 0)->present);
  CU_ASSERT_TRUE(counters_info(c, 1)->present);
  CU_ASSERT_FALSE(counters_info(c, 2)->present);
  CU_ASSERT_PTR_NULL(counters_info(c, 3));
  uint64_t values[COUNTERS_MAX];
  CU_ASSERT_EQUAL(counters_start(c), 0);
  CU_ASSERT_EQUAL(counters_stop(c, values), 0);
  CU_ASSERT_EQUAL(values[0], 1000);
  CU_ASSERT_EQUAL(values[1], 1001);
  CU_ASSERT_EQUAL(values[2], 0);
  counters_close(c);
}

/* Each backend finds its own events counting alone; PAPI's page walks and
 * perf's cycles do not count all at once. */
static void test_what_cannot_count_beside_the_others_is_absent(void) {
  static const char *const names[] = {"cycles", "walks", "walks_4k",
                                      "page_faults"};
  struct counter_site site = site_of("zen3");
  fake.together = 2;
  struct counters *c = counters_open_at(&site, names, 4);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_TRUE(counters_info(c, 0)->present);
  CU_ASSERT_TRUE(counters_info(c, 1)->present);
  CU_ASSERT_FALSE(counters_info(c, 2)->present);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(counters_info(c, 2)->why, "free for it besides"));
  CU_ASSERT_EQUAL(fake.added, 2);
  CU_ASSERT_TRUE(fake.dropped > 0);
  uint64_t values[COUNTERS_MAX];
  CU_ASSERT_EQUAL(counters_start(c), 0);
  CU_ASSERT_EQUAL(counters_stop(c, values), 0);
  CU_ASSERT_EQUAL(values[0], 1000); /* slot 0 of perf, and of PAPI */
  CU_ASSERT_EQUAL(values[1], 1000);
  counters_close(c);
}

/* Two counters of which the host uses one: each event starts. */
static void test_no_more_events_than_count_at_once(void) {
  static const char *const names[] = {"walks", "cycles", "page_faults"};
  struct counter_site site = site_of("spr"); /* loads and stores: two events */
  site.events_at_once = 2;
  struct counters *c = counters_open_at(&site, names, 3);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_TRUE(counters_info(c, 0)->present);
  CU_ASSERT_FALSE(counters_info(c, 1)->present);
  CU_ASSERT_PTR_NOT_NULL(strstr(counters_info(c, 1)->fix, "--counters"));
  CU_ASSERT_TRUE(counters_info(c, 2)->present); /* the kernel counts them */
  counters_close(c);
}

static void test_a_counter_lost_on_the_way_becomes_absent(void) {
  static const char *const name = "walks_2m"; /* not probed when opened */
  struct counter_site site = site_of("spr");
  struct counters *c = counters_open_at(&site, &name, 1);
  uint64_t values[COUNTERS_MAX];
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_TRUE(counters_info(c, 0)->present);
  fake.lost = true;
  CU_ASSERT_EQUAL(counters_start(c), 0);
  CU_ASSERT_EQUAL(counters_stop(c, values), 0);
  CU_ASSERT_FALSE(counters_info(c, 0)->present);
  CU_ASSERT_EQUAL(values[0], 0);
  counters_close(c);
}

static void test_a_start_that_fails_is_undone(void) {
  static const char *const names[] = {"walks_2m", "page_faults"};
  struct counter_site site = site_of("spr");
  struct counters *c = counters_open_at(&site, names, 2);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  fake.start_error = EBUSY;
  fake.started = fake.stopped = 0;
  CU_ASSERT_EQUAL(counters_start(c), -1);
  CU_ASSERT_EQUAL(errno, EBUSY);
  CU_ASSERT_EQUAL(fake.started, 1);
  CU_ASSERT_TRUE(fake.stopped >= fake.started);
  counters_close(c);
}

static void test_bad_names_are_refused(void) {
  static const char *const bad[] = {"cycles", "no_such"};
  static const char *many[COUNTERS_MAX + 1];
  errno = 0;
  CU_ASSERT_PTR_NULL(counters_open(NULL, bad, 2));
  CU_ASSERT_EQUAL(errno, EINVAL);
  for (size_t i = 0; i <= COUNTERS_MAX; i++) many[i] = "cycles";
  errno = 0;
  CU_ASSERT_PTR_NULL(counters_open(NULL, many, COUNTERS_MAX + 1));
  CU_ASSERT_EQUAL(errno, EINVAL);
}

static void test_a_set_may_be_empty(void) {
  static const char *const none[] = {NULL};
  uint64_t values[COUNTERS_MAX];
  struct counters *c = counters_open(NULL, none, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_EQUAL(counters_count(c), 0);
  CU_ASSERT_EQUAL(counters_start(c), 0);
  CU_ASSERT_EQUAL(counters_stop(c, values), 0);
  counters_close(c);
  counters_close(NULL);
}

static const struct check_test tests[] = {
    {"papi is asked first", test_papi_is_asked_first},
    {"raw events stand in for names", test_raw_events_stand_in_for_names},
    {"every source fits", test_every_source_fits},
    {"without PMU only software is tried",
     test_without_pmu_only_software_is_tried},
    {"each reason is reported with its fix",
     test_each_reason_is_reported_with_its_fix},
    {"the reason nearest to a fix is reported",
     test_the_reason_nearest_to_a_fix_is_reported},
    {"paranoia is told from a filter", test_paranoia_is_told_from_a_filter},
    {"an unknown processor is named", test_an_unknown_processor_is_named},
    {"a missing event is told from an unknown processor",
     test_a_missing_event_is_told_from_an_unknown_processor},
    {"what counts 0 where it cannot is absent",
     test_what_counts_0_where_it_cannot_is_absent},
    {"counters that run out are absent", test_counters_that_run_out_are_absent},
    {"what cannot count beside the others is absent",
     test_what_cannot_count_beside_the_others_is_absent},
    {"no more events than count at once",
     test_no_more_events_than_count_at_once},
    {"a counter lost on the way becomes absent",
     test_a_counter_lost_on_the_way_becomes_absent},
    {"a start that fails is undone", test_a_start_that_fails_is_undone},
    {"bad names are refused", test_bad_names_are_refused},
    {"a set may be empty", test_a_set_may_be_empty},
    {0}};

const struct check_suite suite_counters = {"counters", tests, NULL};
