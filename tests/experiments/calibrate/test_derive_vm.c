/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is derived on a noisy virtual machine whose host has small pages: a
 * recorded one, with 1.4, 2.7 and 4 GiB, and a simulated one like it, whose
 * truth is known. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/calibrate/derivation.h"
#include "experiments/calibrate/measure.h"
#include "experiments/probe/calibration.h"
#include "tests/check.h"
#include "tests/experiments/calibrate/chase_machine.h"
#include "tests/experiments/suites.h"

enum { KIB = 1 << 10, MIB = 1 << 20, PASSES = 15, BAD = 3 };
static const double gib = 1 << 30;

static void within(const char *what, double value, double least, double most) {
  if (value >= least && value <= most) return;
  printf("%s is %g, not %g to %g\n", what, value, least, most);
  CU_FAIL("out of range");
}

static void around(const char *what, double value, double truth, double share) {
  within(what, value, truth * (1 - share), truth * (1 + share));
}

static void read_recorded(struct calibration *cal, const char *name) {
  char why[400], path[400];
  snprintf(path, sizeof path, "%s/tests/experiments/%s", VAT_TEST_SOURCE, name);
  if (!calibration_read(cal, path, why, sizeof why)) {
    derive(cal);
    return;
  }
  puts(why);
  *cal = (struct calibration){0};
}

/* 96 and 4096 entries according to its maker.  Hours, neighbours and memory
 * differ; the processor is the same. */
static void test_memory_measured_moves_nothing(void) {
  static const char *const names[] = {"calibration_vm_1g.json",
                                      "calibration_vm_3g.json",
                                      "calibration_vm_4g.json"};
  for (int i = 0; i < 3; i++) {
    struct calibration cal;
    read_recorded(&cal, names[i]);
    CU_ASSERT_EQUAL_FATAL(cal.page_count, 2);
    double memory = cal.levels[3].ns.value;
    around("L2", cal.levels[1].ns.value, 3.55, 0.05);
    around("L3", cal.levels[2].ns.value, 14.5, 0.1);
    around("memory", memory, 139, 0.03);
    around("lines in flight", cal.levels[3].in_flight.value, 23.6, 0.04);
    for (int k = 0; k < 2; k++) {
      const struct cal_pages *pages = &cal.pages[k];
      CU_ASSERT_EQUAL(pages->granularity_bytes, 4096);
      around("first TLB", pages->tlb[0].entries.value, 97.5, 0.02);
      around("W", pages->tc_nodes.value, 3820, 0.04);
      around("tau", pages->tau_ns.value, k ? 12.1 : 14.4, 0.04);
      around("table line", pages->table_line_ns[2].value, 12.3, 0.15);
      around("far table line", pages->table_line_ns[3].value, 136, 0.15);
    }
    calibration_fini(&cal);
  }
}

/* Page chases that had other lines than their own warmed up once made a fit of
 * everything run away: W 10000, tau 110 ns, and memory at half its time. */
static void test_cold_chases_run_away_no_more(void) {
  struct calibration cal;
  read_recorded(&cal, "calibration_vm_cold.json");
  CU_ASSERT_EQUAL_FATAL(cal.page_count, 2);
  double memory = cal.levels[3].ns.value;
  within("memory", memory, 100, 150);
  for (int k = 0; k < 2; k++) {
    const struct cal_pages *pages = &cal.pages[k];
    within("reach", pages->tc_nodes.value * pages->granularity_bytes,
           3000 * 4096.0, 6000 * 4096.0);
    within("tau", pages->tau_ns.value, 5, 25);
    within("table line", pages->table_line_ns[2].value, 5, 20);
    within("far table line", pages->table_line_ns[3].value, memory / 2,
           1.1 * memory);
  }
  calibration_fini(&cal);
}

static const struct chase_machine busy = {
    .cache_bytes = {48 * KIB, 1 * MIB, 6 * MIB},
    .level_ns = {1.24, 3.6, 14.5, 138},
    .table_ns = {0, 0, 12, 125},
    .line_flight = 24,
    .walk_flight = 6,
    .stream_ns = 2.5,
    .most_bytes = 0x1p32,
    .kinds = 2,
    .pages = {{"4k", 4096, 4096, {96, 4096}, {1.65, 15}, 2},
              {"2m", 2 * MIB, 4096, {96, 4096}, {1.65, 12}, 1}},
};

/* Curves without noise; the system reports more than is left of the last
 * cache. */
static void simulate(struct calibration *cal) {
  chase_machine_curves(&busy, 7, cal);
  cal->levels[2].bytes_reported = 32 * MIB;
}

/* Leave out what more memory than `bytes` shows. */
static void cut(struct calibration *cal, double bytes) {
  for (size_t i = 0; i < cal->curve_count; i++) {
    struct cal_curve *curve = &cal->curves[i];
    double each = curve->by_pages ? curve->step_bytes : 1;
    while (curve->count && curve->points[curve->count - 1].x * each > bytes)
      curve->count--;
  }
}

/* About normal, of deviation 1. */
static double normal(unsigned *state) {
  double sum = -6;
  for (int i = 0; i < 12; i++) {
    *state = *state * 1103515245u + 12345u;
    sum += (double)(*state >> 8) / 0x1p24;
  }
  return sum;
}

/* Times of all points, to be freed. */
static double *times_of(const struct calibration *cal) {
  size_t count = 0;
  double *ns = NULL;
  for (size_t c = 0; c < cal->curve_count; c++)
    for (size_t p = 0; p < cal->curves[c].count; p++) {
      ns = realloc(ns, (count + 1) * sizeof *ns);
      if (!ns) abort();
      ns[count++] = cal->curves[c].points[p].ns;
    }
  return ns;
}

/* Replace points by what passes with 10 % of noise leave of `truth`, in one of
 * which others took up to twice as much time again; none with seed 0. */
static void disturb(struct calibration *cal, const double *truth,
                    unsigned seed) {
  struct recording rec;
  size_t all[PASSES];
  recording_init(&rec, cal);
  for (size_t p = 0; p < rec.points; p++)
    for (size_t r = 0; r < PASSES; r++) {
      double off = seed ? 1 + 0.1 * normal(&seed) : 1;
      if (seed && r == BAD) off += fabs(normal(&seed));
      rec.ns[p * RECORDING_REPS + r] = truth[p] * off;
    }
  for (size_t r = 0; r < PASSES; r++) all[r] = r;
  recording_curves(&rec, all, PASSES, cal);
  recording_fini(&rec);
}

/* Within `share`, or some of it where a number is a difference of times.  Table
 * lines from memory are few, and none with little memory. */
static void check_busy(const struct calibration *cal, double share) {
  for (int i = 0; i < 4; i++) {
    const struct cal_level *level = &cal->levels[i];
    around(level->name, level->ns.value, busy.level_ns[i], share);
    around("lines in flight", level->in_flight.value, busy.line_flight, share);
    if (i == 3) break;
    around("bytes", level->bytes_usable.value, busy.cache_bytes[i], share);
  }
  for (int k = 0; k < 2; k++) {
    const struct cal_pages *pages = &cal->pages[k];
    const struct chase_pages *truth = &busy.pages[k];
    double far = pages->table_line_ns[3].value;
    CU_ASSERT_EQUAL(pages->granularity_bytes, 4096);
    around("first TLB", pages->tlb[0].entries.value, truth->tlb_entries[0],
           share);
    around("W", pages->tc_nodes.value, truth->tlb_entries[1], share);
    around("tau", pages->tau_ns.value, truth->tlb_ns[1], 1.5 * share);
    /* Known to come out a fifth to a quarter too long: 14.6 to 15.3 of 12 ns
     * over eight seeds of the simulation. */
    around("table line", pages->table_line_ns[2].value, busy.table_ns[2],
           3 * share);
    if (!isnan(far)) around("far table line", far, busy.table_ns[3], 0.4);
  }
}

static void test_memory_noise_and_a_bad_pass_move_little(void) {
  static const double bytes[] = {4, 2.7, 1.4};
  struct calibration cal;
  simulate(&cal);
  double *truth = times_of(&cal);
  for (unsigned seed = 1; seed <= 6; seed++) {
    disturb(&cal, truth, seed * 7919);
    derive(&cal);
    check_busy(&cal, 0.15);
    CU_ASSERT_FALSE(isnan(cal.pages[1].table_line_ns[3].value));
  }
  disturb(&cal, truth, 0);
  for (int i = 0; i < 3; i++) {
    cut(&cal, bytes[i] * gib);
    derive(&cal);
    check_busy(&cal, 0.1);
  }
  free(truth);
  calibration_fini(&cal);
}

static const struct check_test tests[] = {
    {"how much memory is measured moves nothing",
     test_memory_measured_moves_nothing},
    {"cold chases run away no more", test_cold_chases_run_away_no_more},
    {"memory, noise and a bad pass move little",
     test_memory_noise_and_a_bad_pass_move_little},
    {NULL, NULL},
};

const struct check_suite suite_derive_vm = {
    .name = "derive_vm",
    .tests = tests,
};
