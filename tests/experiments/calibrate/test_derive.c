/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is derived from curves, on machines that are known: a virtual one whose
 * host backs it with small pages, one whose host has huge pages, metal with a
 * large TLB, and one that was recorded. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/calibrate/derivation.h"
#include "experiments/probe/calibration.h"
#include "tests/check.h"
#include "tests/experiments/calibrate/chase_machine.h"
#include "tests/experiments/suites.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };
static const double gib = 1 << 30;

static void near(const char *what, double value, double truth, double share) {
  if (fabs(value / truth - 1) <= share) return;
  printf("%s is %g, not %g\n", what, value, truth);
  CU_FAIL("too far off");
}

static void check_levels(const struct chase_machine *machine,
                         const struct calibration *cal) {
  for (int i = 0; i < 4; i++) {
    const struct cal_level *level = &cal->levels[i];
    near(level->name, level->ns.value, machine->level_ns[i], 0.05);
    near("lines in flight", level->in_flight.value, machine->line_flight, 0.1);
    near("read", level->read_ns.value,
         machine->level_ns[i] / machine->line_flight, 0.1);
    near("update", level->update_ns.value,
         1.5 * machine->level_ns[i] / machine->line_flight, 0.1);
    if (i < 3)
      near("bytes", level->bytes_usable.value, machine->cache_bytes[i], 0.08);
  }
  near("stream", cal->stream_read.value, machine->stream_ns, 0.05);
}

static void check_pages(const struct chase_machine *machine, unsigned kind,
                        const struct calibration *cal) {
  const struct chase_pages *truth = &machine->pages[kind];
  const struct cal_pages *found = &cal->pages[kind];
  CU_ASSERT_EQUAL(found->granularity_bytes, truth->entry_bytes);
  CU_ASSERT_EQUAL_FATAL(found->tlbs, 2);
  for (int i = 0; i < 2; i++) {
    near("entries", found->tlb[i].entries.value, truth->tlb_entries[i], 0.08);
    near("miss", found->tlb[i].extra_ns.value, truth->tlb_ns[i], 0.1);
  }
  near("tau", found->tau_ns.value, truth->tlb_ns[1], 0.1);
  near("W", found->tc_nodes.value, truth->tlb_entries[1], 0.08);
  if (!truth->tables) {
    CU_ASSERT(isnan(found->table_line_ns[2].value));
    return;
  }
  near("table line", found->table_line_ns[2].value, machine->table_ns[2], 0.2);
  near("walks in flight", found->walks_in_flight.value, machine->walk_flight,
       0.25);
}

static bool warned(const struct calibration *cal, const char *words) {
  for (size_t i = 0; i < cal->warning_count; i++)
    if (strstr(cal->warnings[i], words)) return true;
  return false;
}

static const struct chase_machine small_host = {
    .cache_bytes = {32 * KIB, 1 * MIB, 8 * MIB},
    .level_ns = {1.2, 4, 20, 100},
    .table_ns = {0, 0, 18, 90},
    .line_flight = 12,
    .walk_flight = 4,
    .stream_ns = 5,
    .noise = 0.02,
    .most_bytes = 1 << 30,
    .kinds = 2,
    .pages = {{"4k", 4096, 4096, {64, 1536}, {2, 20}, 2},
              {"2m", 2 * MIB, 4096, {64, 1536}, {2, 12}, 1}},
};

static void test_small_pages_of_the_host_are_seen(void) {
  struct calibration cal;
  chase_machine_curves(&small_host, 1, &cal);
  derive(&cal);
  quality_check(&cal);
  check_levels(&small_host, &cal);
  check_pages(&small_host, 0, &cal);
  check_pages(&small_host, 1, &cal);
  CU_ASSERT(warned(&cal, "2m pages: a TLB entry maps only 4 KiB"));
  calibration_fini(&cal);
}

/* Huge pages have a TLB of their own, and 1g ones are mapped by 2m at best. */
static void test_huge_pages_of_the_host_are_seen(void) {
  struct chase_machine machine = small_host;
  struct calibration cal;
  machine.kinds = 3;
  machine.pages[0].tables = 1;
  machine.pages[1] =
      (struct chase_pages){"2m", 2 * MIB, 2 * MIB, {32, 1024}, {2, 12}, 0};
  machine.pages[2] = machine.pages[1];
  machine.pages[2].kind = "1g";
  machine.pages[2].page_bytes = gib;
  chase_machine_curves(&machine, 2, &cal);
  derive(&cal);
  quality_check(&cal);
  check_levels(&machine, &cal);
  for (unsigned i = 0; i < 3; i++) check_pages(&machine, i, &cal);
  CU_ASSERT_FALSE(warned(&cal, "2m pages"));
  calibration_fini(&cal);
}

/* The second level keeps more than the memory measured, and 1g pages never
 * miss: what was not seen is not there, rather than 0. */
static void test_large_tlbs_of_metal_are_seen(void) {
  if (check_is_brief()) return;
  struct chase_machine machine = small_host;
  struct calibration cal;
  machine.kinds = 3;
  machine.cache_bytes[2] = 24 * MIB;
  machine.pages[0] =
      (struct chase_pages){"4k", 4096, 4096, {96, 4096}, {2, 20}, 1};
  machine.pages[1] =
      (struct chase_pages){"2m", 2 * MIB, 2 * MIB, {96, 4096}, {2, 9}, 0};
  machine.pages[2] =
      (struct chase_pages){"1g", gib, gib, {96, 4096}, {2, 9}, 0};
  chase_machine_curves(&machine, 3, &cal);
  derive(&cal);
  quality_check(&cal);
  check_levels(&machine, &cal);
  check_pages(&machine, 0, &cal);
  CU_ASSERT_EQUAL(cal.pages[1].granularity_bytes, 2 * MIB);
  CU_ASSERT_EQUAL_FATAL(cal.pages[1].tlbs, 1);
  near("entries", cal.pages[1].tlb[0].entries.value, 96, 0.08);
  CU_ASSERT(isnan(cal.pages[1].tau_ns.value));
  CU_ASSERT_EQUAL(cal.pages[2].granularity_bytes, gib);
  CU_ASSERT_EQUAL(cal.pages[2].tlbs, 0);
  CU_ASSERT(isnan(cal.pages[2].tc_nodes.value));
  CU_ASSERT_FALSE(warned(&cal, "pages: "));
  calibration_fini(&cal);
}

/* Four base pages side by side share an entry. */
static void test_joined_pages_are_seen(void) {
  struct chase_machine machine = small_host;
  struct calibration cal;
  machine.kinds = 2;
  machine.pages[1].entry_bytes = 4 * 4096;
  chase_machine_curves(&machine, 4, &cal);
  derive(&cal);
  check_pages(&machine, 0, &cal);
  check_pages(&machine, 1, &cal);
  calibration_fini(&cal);
}

/* A virtual machine on an EPYC of family 26 with 4096 and 96 entries of TLB
 * according to its maker; its host has small pages. */
static void test_a_recorded_machine_is_as_its_maker_says(void) {
  struct calibration cal;
  char why[400];
  const char *path = VAT_TEST_SOURCE "/tests/experiments/calibration_vm.json";
  if (calibration_read(&cal, path, why, sizeof why)) {
    CU_FAIL_FATAL("no recording");
    return;
  }
  derive(&cal);
  near("L1", cal.levels[0].bytes_usable.value, 48 * KIB, 0.1);
  near("L2", cal.levels[1].bytes_usable.value, 1 * MIB, 0.2);
  for (size_t i = 0; i < cal.page_count; i++) {
    CU_ASSERT_EQUAL(cal.pages[i].granularity_bytes, 4096);
    near("first TLB", cal.pages[i].tlb[0].entries.value, 96, 0.1);
    near("last TLB", cal.pages[i].tc_nodes.value, 4096, 0.25);
  }
  CU_ASSERT(cal.pages[1].tau_ns.value < 0.8 * cal.pages[0].tau_ns.value);
  calibration_fini(&cal);
}

/* Nothing, and curves of a single point, derive to nothing. */
static void test_what_is_not_there_is_not_found(void) {
  struct calibration none = {0};
  derive(&none);
  quality_check(&none);
  struct calibration cal;
  struct chase_machine machine = small_host;
  machine.most_bytes = 1 << 20;
  chase_machine_curves(&machine, 5, &cal);
  for (size_t i = 0; i < cal.curve_count; i++) cal.curves[i].count = i % 2;
  derive(&cal);
  quality_check(&cal);
  CU_ASSERT(isnan(cal.pages[0].tau_ns.value));
  CU_ASSERT(isnan(cal.pages[1].table_line_ns[2].value));
  calibration_fini(&cal);
}

/* What was said of an older hour's noise is not said of this one's. */
static void test_noise_is_that_of_the_last_measurement(void) {
  static struct calibration cal;
  cal.noise = (struct cal_noise){.canary_range = 0.3, .repetitions = 2};
  quality_warn(&cal, "no 1g pages: none");
  quality_check_noise(&cal);
  CU_ASSERT_EQUAL(cal.warning_count, 3);
  CU_ASSERT(warned(&cal, "too noisy: a loop without memory varies by 30 %"));
  CU_ASSERT(warned(&cal, "2 repetitions give no intervals"));
  cal.noise = (struct cal_noise){.repeat_range = 0.2, .repetitions = 9};
  quality_check_noise(&cal);
  CU_ASSERT_EQUAL(cal.warning_count, 2);
  CU_ASSERT(warned(&cal, "no 1g pages: none"));
  CU_ASSERT(warned(&cal, "too noisy: the same point varies by 20 %"));
}

/* Repetitions that are off by up to 4 % either way leave intervals about that
 * wide, around the values; fewer than three leave none. */
static void test_intervals_are_as_wide_as_the_noise(void) {
  struct chase_machine machine = small_host;
  struct calibration cal;
  struct recording rec;
  unsigned state = 3;
  machine.most_bytes = 1 << 24;
  machine.noise = 0;
  chase_machine_curves(&machine, 6, &cal);
  derive(&cal);
  recording_init(&rec, &cal);
  size_t point = 0;
  for (size_t c = 0; c < cal.curve_count; c++)
    for (size_t p = 0; p < cal.curves[c].count; p++, point++)
      for (rec.reps = 0; rec.reps < 8; rec.reps++) {
        state = state * 1103515245u + 12345u;
        double off = (double)(state >> 16) / 32768 - 1;
        rec.ns[point * RECORDING_REPS + rec.reps] =
            cal.curves[c].points[p].ns * (1 + 0.04 * off);
      }
  CU_ASSERT_EQUAL(point, rec.points);
  intervals(&cal, &rec);
  struct cal_value ns = cal.levels[0].ns, read = cal.stream_read;
  CU_ASSERT(ns.lo <= ns.value && ns.value <= ns.hi);
  CU_ASSERT(ns.hi - ns.lo > 0.002 * ns.value);
  CU_ASSERT(ns.hi - ns.lo < 0.06 * ns.value);
  CU_ASSERT(read.lo < read.value && read.value < read.hi);
  CU_ASSERT(read.hi - read.lo < 0.08 * read.value);
  CU_ASSERT(isnan(cal.pages[1].table_line_ns[3].lo));
  rec.reps = 2;
  cal.stream_read.lo = NAN;
  intervals(&cal, &rec);
  CU_ASSERT(isnan(cal.stream_read.lo));
  recording_fini(&rec);
  calibration_fini(&cal);
}

static void test_bends_are_found_where_they_are(void) {
  struct step_points points = {0};
  for (double x = 8; x < 1e5; x *= 1.19) {
    double y = 1 + 3 * fmax(0, 1 - 64 / x) + 20 * fmax(0, 1 - 2000 / x);
    points.at[points.count++] = (struct step_point){x, y, y};
  }
  struct step_fit fit = {.steps = 2, .least = {8, 8}, .most = {5e4, 5e4}};
  step_fit(&points, &fit);
  near("first knee", fit.knee[0], 64, 0.02);
  near("second knee", fit.knee[1], 2000, 0.02);
  near("first step", fit.step[0], 3, 0.02);
  near("second step", fit.step[1], 20, 0.02);
  near("base", fit.base, 1, 0.02);
}

/* base = 3, base + step = 1: step would be -2; with step = 0, base = 2 by hand.
 */
static void test_nothing_becomes_negative(void) {
  const struct step_points points = {.count = 2,
                                     .at = {{1, 3, 1}, {1e12, 1, 1}}};
  struct step_fit fit = {.steps = 1, .least = {1}, .most = {1}};
  step_fit(&points, &fit);
  CU_ASSERT_DOUBLE_EQUAL(fit.error, 1, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(fit.base, 2, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(fit.step[0], 0, 1e-6);
}

/* With as many table lines as lines of data and a walk each time, all lines are
 * alike: a cache of a share of them hits that share.  In a cache that all fit
 * into nothing is missed. */
static void test_table_lines_are_kept_as_they_are_used(void) {
  struct table_traffic even = {REPLACE_LRU, 1000, 1000, 1, 1};
  CU_ASSERT_EQUAL(table_traffic_missed(&even, 2000), 0);
  near("missed", table_traffic_missed(&even, 500), 0.75, 0.001);
  struct table_traffic often = {REPLACE_LRU, 8000, 1000, 1, 1}, rare = often;
  rare.walks = 0.1;
  /* T = 269: 264.5 + 235.9 lines, and exp(-0.269). */
  near("missed", table_traffic_missed(&often, 500), 0.764, 0.002);
  CU_ASSERT(table_traffic_missed(&often, 500) <
            table_traffic_missed(&rare, 500));
  /* T = 286: 276.1 + 222.4 lines, and 1 / 1.286. */
  often.replacement = even.replacement = REPLACE_RANDOM;
  near("missed", table_traffic_missed(&often, 500), 0.777, 0.002);
  near("missed", table_traffic_missed(&even, 500), 0.75, 0.001);
  CU_ASSERT_EQUAL(table_traffic_missed(&even, 2000), 0);
}

static const struct check_test tests[] = {
    {"small pages of the host are seen", test_small_pages_of_the_host_are_seen},
    {"huge pages of the host are seen", test_huge_pages_of_the_host_are_seen},
    {"large TLBs of metal are seen", test_large_tlbs_of_metal_are_seen},
    {"joined pages are seen", test_joined_pages_are_seen},
    {"a recorded machine is as its maker says",
     test_a_recorded_machine_is_as_its_maker_says},
    {"noise is that of the last measurement",
     test_noise_is_that_of_the_last_measurement},
    {"what is not there is not found", test_what_is_not_there_is_not_found},
    {"intervals are as wide as the noise",
     test_intervals_are_as_wide_as_the_noise},
    {"bends are found where they are", test_bends_are_found_where_they_are},
    {"nothing becomes negative", test_nothing_becomes_negative},
    {"table lines are kept as they are used",
     test_table_lines_are_kept_as_they_are_used},
    {NULL, NULL},
};

const struct check_suite suite_derive = {
    .name = "derive",
    .tests = tests,
};
