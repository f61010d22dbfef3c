/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cache that others use, too: simulated access by access, and found again. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "experiments/calibrate/derivation.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

enum {
  ROOM = 8192, /* lines */
  LINE = 64,
  POINTS = 8,
  WARM = 1 << 17,
  TIMED = 1 << 17,
};

static const double hit_ns = 16, miss_ns = 128;

static uint64_t state;

static uint64_t below(uint64_t n) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint64_t)(((unsigned __int128)state * n) >> 64);
}

/*
 * Time of a random access to one of `count` lines while others bring in
 * `neighbours` bytes a ns, each a new line.  What was used least recently goes:
 * a line is there if no more than ROOM of others came or were accessed since.
 * As lines of ours that were accessed since are counted by walking over all of
 * them, it is the definition, and slow.
 */
static double chase(unsigned count, double neighbours) {
  double *last = malloc(count * sizeof *last), now = 0, start = 0;
  for (unsigned i = 0; i < count; i++) last[i] = -INFINITY;
  for (unsigned k = 0; k < (WARM + TIMED) / 64; k++) {
    if (k == WARM / 64) start = now;
    /* One access looked at, 63 that take as long. */
    unsigned at = (unsigned)below(count), ours = 0;
    for (unsigned i = 0; i < count; i++) ours += last[i] > last[at];
    double theirs = (now - last[at]) * neighbours / LINE;
    double ns = ours + theirs < ROOM ? hit_ns : miss_ns;
    for (int j = 0; j < 64; j++) {
      last[at] = now += ns;
      at = (unsigned)below(count);
    }
  }
  free(last);
  return (now - start) / TIMED;
}

static struct cal_point far_point = {1e12, 1, 1, 1};

static void make(struct calibration *cal, struct cal_curve curves[3],
                 struct cal_point points[POINTS]) {
  *cal = (struct calibration){
      .level_count = 3, .page_count = 1, .curves = curves, .curve_count = 3};
  cal->levels[0].ns.value = 1;
  cal->levels[0].bytes_usable.value = LINE;
  cal->levels[1].ns.value = hit_ns;
  cal->levels[1].bytes_usable.value = ROOM * LINE;
  cal->levels[2].ns.value = miss_ns;
  cal->pages[0] = (struct cal_pages){.kind = "4k"};
  for (int i = 0; i < 3; i++)
    curves[i] = (struct cal_curve){.pages = "4k",
                                   .step_bytes = i < 2 ? 4096 : LINE,
                                   .chains = 1,
                                   .points = &far_point,
                                   .count = 1};
  snprintf(curves[0].name, sizeof curves[0].name, "line_chase");
  snprintf(curves[1].name, sizeof curves[1].name, "page_chase");
  snprintf(curves[2].name, sizeof curves[2].name, "settled_chase");
  curves[2].points = points;
  curves[2].count = POINTS;
}

static double found_with(double neighbours) {
  struct calibration cal;
  struct cal_curve curves[3];
  struct cal_point points[POINTS];
  make(&cal, curves, points);
  for (int i = 0; i < POINTS; i++) {
    unsigned lines = (unsigned)(ROOM * exp2(i / 2.0 - 2.5));
    points[i] = (struct cal_point){(double)lines * LINE,
                                   chase(lines, neighbours), NAN, NAN};
  }
  derive_neighbours(&cal);
  return cal.neighbours.value;
}

static void test_what_others_bring_is_found(void) {
  state = 1;
  CU_ASSERT_DOUBLE_EQUAL(found_with(0.5), 0.5, 0.05);
  CU_ASSERT_DOUBLE_EQUAL(found_with(2), 2, 0.2);
}

static void test_nobody_is_nothing(void) {
  struct calibration cal;
  struct cal_curve curves[3];
  struct cal_point points[POINTS];
  state = 2;
  CU_ASSERT_DOUBLE_EQUAL(found_with(0), 0, 0.02);
  make(&cal, curves, points);
  for (int i = 0; i < POINTS; i++) /* all near */
    points[i] = (struct cal_point){LINE << i, hit_ns, NAN, NAN};
  derive_neighbours(&cal);
  CU_ASSERT_EQUAL(cal.neighbours.value, 0);
  curves[2].count = 0; /* as in files of earlier versions */
  derive_neighbours(&cal);
  CU_ASSERT(isnan(cal.neighbours.value));
}

/* Of as many lines as there is room for, nobody having time to bring any, or
 * having taken a half for good. */
static void test_what_is_left_is_found(void) {
  struct calibration cal;
  struct cal_curve curves[3];
  struct cal_point points[POINTS];
  make(&cal, curves, points);
  double bytes = ROOM * LINE, half = (hit_ns + miss_ns) / 2;
  /* The first level keeps one line of them all, at 1 ns. */
  half -= (hit_ns - 1) / ROOM;
  CU_ASSERT_DOUBLE_EQUAL(derive_last_by(&cal, "4k", bytes, half), bytes / 2,
                         1e-6 * bytes);
  CU_ASSERT(isnan(derive_last_by(&cal, "4k", bytes, hit_ns)));
}

static const struct check_test tests[] = {
    {"what is left of it is found", test_what_is_left_is_found},
    {"what others bring into a cache is found",
     test_what_others_bring_is_found},
    {"nobody brings nothing", test_nobody_is_nothing},
    {NULL, NULL}};

const struct check_suite suite_derive_neighbours = {.name = "derive_neighbours",
                                                    .tests = tests};
