/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <linux/perf_event.h>
#include <string.h>

#include "experiments/machine/counter_ladder.h"
#include "experiments/machine/counters.h"
#include "tests/experiments/suites.h"

static const struct cpu_arch *arch_named(const char *name) {
  for (const struct cpu_arch *arch = cpu_archs; arch->name; arch++)
    if (!strcmp(arch->name, name)) return arch;
  return NULL;
}

/* Both encodings are event | umask << 8. */
static unsigned umask(const struct cpu_event *event) {
  return (unsigned)(event->raw >> 8 & 0xff);
}
static unsigned number(const struct cpu_event *event) {
  return (unsigned)(event->raw & 0xff);
}

static void test_each_quantity_has_name_unit_and_meaning(void) {
  for (size_t i = 0; i < QUANTITY_COUNT; i++) {
    const struct counter_info *info = counters_known(NULL, i);
    CU_ASSERT_PTR_NOT_NULL_FATAL(info);
    CU_ASSERT_TRUE_FATAL(info->name && info->unit && info->meaning);
    CU_ASSERT_TRUE(*info->name && *info->unit && strlen(info->meaning) > 10);
    CU_ASSERT_EQUAL(strspn(info->name, "abcdefghijklmnopqrstuvwxyz_0123456789"),
                    strlen(info->name));
    CU_ASSERT_TRUE(strlen(info->name) < 32); /* as stored in a sample */
    for (size_t k = 0; k < i; k++)
      CU_ASSERT_STRING_NOT_EQUAL(info->name, counters_known(NULL, k)->name);
  }
  CU_ASSERT_PTR_NULL(counters_known(NULL, QUANTITY_COUNT));
  CU_ASSERT_TRUE((int)QUANTITY_COUNT <= COUNTERS_MAX);
}

static bool meet(const struct cpu_range *a, const struct cpu_range *b) {
  return a->to && b->to && a->from <= b->to && b->from <= a->to;
}

static bool models_meet(const struct cpu_arch *a, const struct cpu_arch *b) {
  for (size_t i = 0; i < ARCH_MODELS; i++)
    for (size_t k = 0; k < ARCH_MODELS; k++)
      if (meet(&a->models[i], &b->models[k])) return true;
  return false;
}

static void test_no_processor_falls_into_two_rows(void) {
  for (const struct cpu_arch *a = cpu_archs; a->name; a++) {
    CU_ASSERT_TRUE(a->models[0].to);
    for (size_t i = 0; i < ARCH_MODELS; i++)
      CU_ASSERT_TRUE(a->models[i].from <= a->models[i].to);
    CU_ASSERT_TRUE(a->steppings.from <= a->steppings.to);
    for (const struct cpu_arch *b = a + 1; b->name; b++)
      CU_ASSERT_TRUE(strcmp(a->vendor, b->vendor) || a->family != b->family ||
                     !models_meet(a, b) || !meet(&a->steppings, &b->steppings));
  }
}

/* A sum has no gaps; where one event has a name all have. */
static void check_events(const struct cpu_event *events) {
  for (size_t i = 0; i < RUNG_EVENTS; i++) {
    if (!events[i].raw) CU_ASSERT_PTR_NULL(events[i].native);
    if (i && events[i].raw) {
      CU_ASSERT_NOT_EQUAL(events[i - 1].raw, 0);
      CU_ASSERT_EQUAL(!events[i].native, !events[i - 1].native);
      CU_ASSERT_EQUAL(umask(&events[i]), umask(&events[i - 1]));
      CU_ASSERT_NOT_EQUAL(number(&events[i]), number(&events[i - 1]));
    }
  }
}

static void test_each_row_is_well_formed(void) {
  for (const struct cpu_arch *arch = cpu_archs; arch->name; arch++) {
    if (!arch->events) continue;
    for (size_t q = 0; q < QUANTITY_COUNT; q++)
      check_events(arch->events->of[q]);
    /* Each processor counts walks, per page size as well. */
    for (int q = QUANTITY_WALKS_4K; q <= QUANTITY_WALKS_1G; q++)
      CU_ASSERT_NOT_EQUAL(arch->events->of[q][0].raw, 0);
  }
}

static void test_walks_are_the_walks_of_all_page_sizes(void) {
  for (const struct cpu_arch *arch = cpu_archs; arch->name; arch++) {
    if (!arch->events) continue;
    for (size_t i = 0; i < RUNG_EVENTS; i++) {
      const struct cpu_event *all = &arch->events->of[QUANTITY_WALKS][i];
      unsigned seen = 0;
      for (int q = QUANTITY_WALKS_4K; q <= QUANTITY_WALKS_1G; q++) {
        const struct cpu_event *part = &arch->events->of[q][i];
        CU_ASSERT_EQUAL(number(part), number(all));
        CU_ASSERT_EQUAL(seen & umask(part), 0);
        seen |= umask(part);
      }
      CU_ASSERT_EQUAL(seen, umask(all));
    }
  }
}

static void test_named_rungs_come_before_raw_ones(void) {
  struct rung rungs[RUNGS_MAX];
  size_t count = ladder_rungs(arch_named("spr"), QUANTITY_WALKS_1G, rungs);
  CU_ASSERT_EQUAL_FATAL(count, 2);
  CU_ASSERT_EQUAL(rungs[0].kind, RUNG_NATIVE);
  CU_ASSERT_EQUAL(rungs[0].count, 2);
  CU_ASSERT_STRING_EQUAL(rungs[0].events[0].name,
                         "DTLB_LOAD_MISSES:WALK_COMPLETED_1G");
  CU_ASSERT_STRING_EQUAL(rungs[0].events[1].name,
                         "DTLB_STORE_MISSES:WALK_COMPLETED_1G");
  CU_ASSERT_EQUAL(rungs[1].kind, RUNG_RAW);
  CU_ASSERT_EQUAL(rungs[1].events[0].type, PERF_TYPE_RAW);
  CU_ASSERT_EQUAL(rungs[1].events[0].config, 0x0812);
  CU_ASSERT_EQUAL(rungs[1].events[1].config, 0x0813);
}

static void test_what_libpfm_cannot_name_is_raw(void) {
  struct rung rungs[RUNGS_MAX];
  size_t count = ladder_rungs(arch_named("icx"), QUANTITY_WALKS_1G, rungs);
  CU_ASSERT_EQUAL_FATAL(count, 1);
  CU_ASSERT_EQUAL(rungs[0].kind, RUNG_RAW);
  CU_ASSERT_EQUAL(rungs[0].events[0].config, 0x0808);
}

static void test_zen_has_no_walk_cycles(void) {
  struct rung rungs[RUNGS_MAX];
  CU_ASSERT_EQUAL(ladder_rungs(arch_named("zen4"), QUANTITY_WALK_CYCLES, rungs),
                  0);
}

static void test_an_unknown_processor_has_only_the_kernels_events(void) {
  struct rung rungs[RUNGS_MAX];
  for (size_t q = 0; q < QUANTITY_COUNT; q++) {
    size_t count = ladder_rungs(NULL, (enum quantity_id)q, rungs);
    CU_ASSERT_EQUAL(count, quantities[q].common.name ? 1 : 0);
    if (count) CU_ASSERT_TRUE(rungs[0].kind >= RUNG_GENERIC);
  }
  CU_ASSERT_EQUAL(ladder_rungs(NULL, QUANTITY_PAGE_FAULTS, rungs), 1);
  CU_ASSERT_EQUAL(rungs[0].kind, RUNG_SOFTWARE);
  CU_ASSERT_EQUAL(ladder_rungs(arch_named("arm64"), QUANTITY_WALKS, rungs), 0);
}

static const struct check_test tests[] = {
    {"each quantity has name, unit and meaning",
     test_each_quantity_has_name_unit_and_meaning},
    {"no processor falls into two rows", test_no_processor_falls_into_two_rows},
    {"each row is well formed", test_each_row_is_well_formed},
    {"walks are the walks of all page sizes",
     test_walks_are_the_walks_of_all_page_sizes},
    {"named rungs come before raw ones", test_named_rungs_come_before_raw_ones},
    {"what libpfm cannot name is raw", test_what_libpfm_cannot_name_is_raw},
    {"zen has no walk cycles", test_zen_has_no_walk_cycles},
    {"an unknown processor has only the kernel's events",
     test_an_unknown_processor_has_only_the_kernels_events},
    {0}};

const struct check_suite suite_counters_ladder = {"counters: ladder", tests,
                                                  NULL};
