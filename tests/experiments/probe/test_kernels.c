/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops that are timed: they stay within their memory, which keeps what
 * they go by, and go everywhere in it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/calibrate/calibrate.h"
#include "experiments/calibrate/measure.h"
#include "experiments/cli/memory.h"
#include "experiments/probe/bench.h"
#include "huge_pages/region.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

enum { BYTES = 1 << 20 };

static void map(struct hp_region *region) {
  if (hp_region_map(region, hp_kind_at(0), BYTES, NULL, NULL)) abort();
  if (bench_fill(region)) abort();
}

static bool holds_offsets(const struct hp_region *region) {
  const uint64_t *word = (const uint64_t *)(const void *)region->base;
  for (size_t i = 0; i < region->bytes / sizeof *word; i++)
    if (word[i] % 8 || word[i] >= LINE_BYTES) return false;
  return true;
}

/* All that is timed, on all of a region between forbidden pages. */
static void test_they_stay_within_their_memory(void) {
  struct hp_region region;
  struct calibration cal = {.level_count = 1};
  map(&region);
  CU_ASSERT(holds_offsets(&region));
  bench_curves(&cal, region.kind, BYTES, false);
  CU_ASSERT(cal.curve_count > 5);
  for (size_t i = 0; i < cal.curve_count; i++) {
    const struct cal_curve *curve = &cal.curves[i];
    CU_ASSERT_FATAL(curve->count > 0);
    double last = curve->points[curve->count - 1].x;
    CU_ASSERT(last * (curve->by_pages ? curve->step_bytes : 1) <= BYTES);
    CU_ASSERT(bench_point(curve, last, &region, 1 << 16, i) > 0);
    CU_ASSERT(holds_offsets(&region)); /* streams would write over it */
  }
  calibration_fini(&cal);
  hp_region_unmap(&region);
}

/* Random updates change the lines they meet: after many all are met. */
static void test_random_ones_go_everywhere(void) {
  struct hp_region region;
  map(&region);
  struct spots spots = {region.base, BYTES / LINE_BYTES, LINE_BYTES, 7};
  memset(region.base, 0, BYTES);
  for (int round = 0; round < 2; round++) {
    spots.seed += (uint64_t)round;
    kernel_update(&spots, 1, 40 * spots.count + (uint64_t)round);
  }
  size_t changed = 0;
  for (size_t i = 0; i < BYTES; i += LINE_BYTES) changed += region.base[i] > 0;
  /* Half of them an odd number of times, give or take five deviations. */
  double half = (double)spots.count / 2;
  CU_ASSERT(fabs((double)changed - half) < 5 * sqrt(half / 2));
  hp_region_unmap(&region);
}

/* Lower quartiles: of 1, 2, 3 halfway from the first to the second. */
static void test_quartiles_are_of_the_repetitions_chosen(void) {
  struct cal_point points[2] = {{1, 0, 0, 0}, {2, 0, 0, 0}};
  struct cal_curve curve = {.points = points, .count = 2};
  struct calibration cal = {.curves = &curve, .curve_count = 1};
  struct recording rec;
  recording_init(&rec, &cal);
  for (size_t rep = 0; rep < 3; rep++)
    for (size_t p = 0; p < 2; p++)
      rec.ns[p * RECORDING_REPS + rep] = (double)(10 * p + rep + 1);
  rec.reps = 3;
  recording_curves(&rec, (const size_t[]){0, 1, 2}, 3, &cal);
  CU_ASSERT_EQUAL(points[0].ns, 1.5);
  CU_ASSERT_EQUAL(points[1].ns, 11.5);
  CU_ASSERT_EQUAL(points[1].lo, 11);
  CU_ASSERT_EQUAL(points[1].hi, 13);
  recording_curves(&rec, (const size_t[]){2, 2, 0}, 3, &cal);
  CU_ASSERT_EQUAL(points[0].ns, 2);
  /* Medians, where draws are as often better as they are worse. */
  strcpy(curve.pages, "given");
  recording_curves(&rec, (const size_t[]){0, 1, 2}, 3, &cal);
  CU_ASSERT_EQUAL(points[0].ns, 2);
  CU_ASSERT_EQUAL(points[1].ns, 12);
  for (int i = 0; i < 100; i++)
    *ARRAY_ADD(rec.canary, rec.canaries) = i < 50 ? 1 : 3;
  recording_noise(&rec, &cal);
  CU_ASSERT_EQUAL(cal.noise.canary_ns, 2);
  CU_ASSERT_EQUAL(cal.noise.canary_range, 1);
  CU_ASSERT_EQUAL(cal.noise.repetitions, 3);
  CU_ASSERT(cal.noise.repeat_range > 0.1 && cal.noise.repeat_range < 1);
  recording_fini(&rec);
}

/* Long chases have their share of the time, of which the first round took
 * some; and there is always one. */
static void test_rounds_leave_chases_their_share(void) {
  CU_ASSERT_EQUAL(calibrate_rounds(4, 36, 0.5), 5);
  CU_ASSERT_EQUAL(calibrate_rounds(4, 36, 0.2), 2);
  CU_ASSERT_EQUAL(calibrate_rounds(6, 3, 0.5), 1);
  CU_ASSERT_EQUAL(calibrate_rounds(6, -2, 0.2), 1);
  CU_ASSERT_EQUAL(calibrate_rounds(0.001, 1000, 0.5), STEADY_PASSES);
}

static const struct check_test tests[] = {
    {"kernels stay within their memory", test_they_stay_within_their_memory},
    {"random ones go everywhere", test_random_ones_go_everywhere},
    {"quartiles are of the repetitions chosen",
     test_quartiles_are_of_the_repetitions_chosen},
    {"rounds leave long chases their share",
     test_rounds_leave_chases_their_share},
    {NULL, NULL},
};

const struct check_suite suite_kernels = {
    .name = "kernels",
    .tests = tests,
};
