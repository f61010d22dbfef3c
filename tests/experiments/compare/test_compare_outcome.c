/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/compare/comparison.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

enum { ROUNDS = 11, ARMS = 3, KINDS = 5 };

static const struct hp_kind base = {.name = "4k", .bytes = 4096, .base = true};
static const struct hp_kind thp = {.name = "thp", .bytes = 2 << 20};

static void test_a_round_is_every_arm_once(void) {
  size_t first[KINDS] = {0}, follows[KINDS][KINDS] = {{0}};
  for (uint32_t round = 0; round < 1000; round++) {
    size_t order[ARMS_MAX], again[ARMS_MAX], seen = 0;
    series_order(5, round, KINDS, order);
    series_order(5, round, KINDS, again);
    CU_ASSERT_EQUAL(memcmp(order, again, KINDS * sizeof *order), 0);
    for (size_t i = 0; i < KINDS; i++) seen |= (size_t)1 << order[i];
    CU_ASSERT_EQUAL(seen, ((size_t)1 << KINDS) - 1);
    first[order[0]]++;
    for (size_t i = 1; i < KINDS; i++) follows[order[i - 1]][order[i]]++;
  }
  /* 200 expected, deviation 13: no arm has a fixed place or predecessor. */
  for (size_t i = 0; i < KINDS; i++) {
    CU_ASSERT(first[i] > 130 && first[i] < 270);
    for (size_t j = 0; j < KINDS; j++)
      CU_ASSERT(i == j || (follows[i][j] > 130 && follows[i][j] < 270));
  }
}

/* Rounds of 4k, 4k, thp whose times are given per arm by `time`. */
static struct comparison *made(double (*time)(uint32_t round, size_t arm),
                               struct compare_run runs[ROUNDS * ARMS]) {
  struct comparison *c = calloc(1, sizeof *c);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  c->options.runs = ROUNDS;
  c->arms = (struct arms){
      .count = ARMS,
      .at = {{.name = "4k", .kind = &base, .base = true, .forbid_thp = true},
             {.name = "4k", .kind = &base, .base = true, .control = true},
             {.name = "thp", .kind = &thp}}};
  c->runs = runs;
  c->trace = true;
  for (uint32_t round = 0; round < ROUNDS; round++)
    for (size_t arm = 0; arm < ARMS; arm++) {
      struct compare_run *run = &runs[c->count++];
      *run = (struct compare_run){.round = round, .arm = arm, .counts = true};
      run->result.wall_s = time(round, arm);
      run->result.user_s = run->result.wall_s / 2;
      for (int q = 0; q < QUANTITY_COUNT; q++) run->result.counts[q] = NAN;
    }
  outcomes_make(c);
  return c;
}

/* Speed drifts by half over the series, alike for all of a round. */
static double faster_by_a_tenth(uint32_t round, size_t arm) {
  return (1 + 0.05 * round) * (arm == 2 ? 0.9 : 1);
}

static void test_drift_that_all_arms_share_cancels(void) {
  struct compare_run runs[ROUNDS * ARMS];
  struct comparison *c = made(faster_by_a_tenth, runs);
  CU_ASSERT_EQUAL(c->outcome_count, 2);
  CU_ASSERT_DOUBLE_EQUAL(c->outcomes[0].control[FIGURE_WALL].value, 1, 1e-12);
  const struct outcome *outcome = &c->outcomes[1];
  CU_ASSERT_DOUBLE_EQUAL(outcome->ratio[FIGURE_WALL].value, 0.9, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(outcome->ratio[FIGURE_USER].value, 0.9, 1e-12);
  CU_ASSERT_EQUAL(outcome->verdict[FIGURE_WALL], VERDICT_LESS);
  CU_ASSERT_STRING_EQUAL(verdict_word(c, outcome, FIGURE_WALL), "faster");
  CU_ASSERT_STRING_EQUAL(verdict_word(c, &c->outcomes[0], FIGURE_WALL),
                         "baseline");
  CU_ASSERT(isnan(c->outcomes[0].ratio[FIGURE_WALL].value));
  CU_ASSERT(isnan(outcome->ratio[FIGURE_SYS].value)); /* no sys: no ratio */
  CU_ASSERT_EQUAL(c->outcomes[0].runs, 2 * ROUNDS);
  CU_ASSERT_EQUAL(outcome->runs, ROUNDS);
  free(c);
}

/* The control is off by a tenth, so a twentieth is nothing. */
static double off_control(uint32_t round, size_t arm) {
  (void)round;
  return arm == 0 ? 1 : arm == 1 ? 1.1 : 0.97;
}

static void test_a_control_that_is_off_widens(void) {
  struct compare_run runs[ROUNDS * ARMS];
  struct comparison *c = made(off_control, runs);
  const struct ratio *ratio = &c->outcomes[1].ratio[FIGURE_WALL];
  double median = 0.97 / sqrt(1.1);
  CU_ASSERT_DOUBLE_EQUAL(c->outcomes[0].control[FIGURE_WALL].value, 1.1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(ratio->value, median, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(ratio->lo, median / 1.1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(ratio->hi, median * 1.1, 1e-12);
  CU_ASSERT_EQUAL(c->outcomes[1].verdict[FIGURE_WALL], VERDICT_NOISE);
  free(c);
}

static double a_little(uint32_t round, size_t arm) {
  (void)round;
  return arm == 2 ? 1.02 : 1;
}

static void test_less_than_the_noise_floor_is_noise(void) {
  struct compare_run runs[ROUNDS * ARMS];
  struct comparison *c = made(a_little, runs);
  CU_ASSERT(c->outcomes[1].ratio[FIGURE_WALL].lo > 1);
  CU_ASSERT_EQUAL(c->outcomes[1].verdict[FIGURE_WALL], VERDICT_NOISE);
  free(c);
}

static void test_runs_that_do_not_count_leave_no_trace(void) {
  struct compare_run runs[ROUNDS * ARMS];
  struct comparison *c = made(faster_by_a_tenth, runs);
  for (size_t i = 0; i < c->count; i++) {
    if (runs[i].arm == 2 && runs[i].round % 3 == 0) {
      runs[i].counts = false;
      runs[i].result.wall_s = 100;
    }
    if (runs[i].arm == 0 && runs[i].round == 1) runs[i].counts = false;
  }
  c->count--; /* and the last run never was */
  outcomes_make(c);
  CU_ASSERT_EQUAL(c->outcomes[1].runs, 6);
  CU_ASSERT_EQUAL(c->outcomes[1].rejected, 4);
  CU_ASSERT_EQUAL(c->outcomes[0].rejected, 1);
  CU_ASSERT_DOUBLE_EQUAL(c->outcomes[1].ratio[FIGURE_WALL].value, 0.9, 1e-12);
  free(c);
}

/* All that is printed; the caller frees it. */
static char *printed(struct comparison *c) {
  static char *program[] = {"program", NULL};
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  CU_ASSERT_PTR_NOT_NULL_FATAL(out);
  c->options.program.at = program;
  comparison_print(out, c);
  fclose(out);
  return text;
}

/* Of a kind whose runs do not count there are no figures, base pages or not. */
static void test_a_kind_without_runs_has_no_figures(void) {
  struct compare_run runs[ROUNDS * ARMS];
  for (int huge = 0; huge < 2; huge++) {
    struct comparison *c = made(faster_by_a_tenth, runs);
    for (size_t i = 0; i < c->count; i++)
      runs[i].counts = (runs[i].arm == 2) != huge;
    outcomes_make(c);
    c->touch = (struct first_touch){true, 1, 1, 1, 1};
    char *text = printed(c);
    CU_ASSERT_PTR_NULL(strstr(text, "nan"));
    CU_ASSERT_PTR_NULL(strstr(text, "differs mostly"));
    free(text);
    free(c);
  }
}

/* A verdict is read alone: it has the control with it where that is off, and
 * nothing is put down to translation that is none. */
static void test_a_verdict_stands_by_itself(void) {
  static const struct {
    double (*seconds)(uint32_t round, size_t arm);
    const char *split, *control;
  } cases[] = {
      {faster_by_a_tenth, "from translation and caches", NULL},
      {a_little, "(below noise)", NULL},
      {off_control, "(below noise)", "(but the control differs by 10 %)"},
  };
  struct compare_run runs[ROUNDS * ARMS];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct comparison *c = made(cases[i].seconds, runs);
    char *text = printed(c);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, cases[i].split));
    CU_ASSERT_EQUAL(!strstr(text, "but the control"), !cases[i].control);
    if (cases[i].control)
      CU_ASSERT_PTR_NOT_NULL(strstr(text, cases[i].control));
    free(text);
    free(c);
  }
}

/* A figure is a rate or a time only where that is said. */
static void test_a_figure_is_better_as_said(void) {
  static const struct {
    bool higher, lower;
    const char *word;
  } cases[] = {{false, false, "lower"},
               {true, false, "slower"},
               {false, true, "faster"}};
  struct compare_run runs[ROUNDS * ARMS];
  static regex_t any;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct comparison *c = made(faster_by_a_tenth, runs);
    c->launch.metric = &any;
    c->options.higher_is_better = cases[i].higher;
    c->options.lower_is_better = cases[i].lower;
    for (size_t k = 0; k < c->count; k++) {
      runs[k].result.has_metric = true;
      runs[k].result.metric = runs[k].arm == 2 ? 80 : 100;
    }
    outcomes_make(c);
    CU_ASSERT_STRING_EQUAL(verdict_word(c, &c->outcomes[1], FIGURE_METRIC),
                           cases[i].word);
    CU_ASSERT_STRING_EQUAL(verdict_word(c, &c->outcomes[1], FIGURE_WALL),
                           "faster");
    char *text = printed(c);
    CU_ASSERT_EQUAL(!strstr(text, "--higher-is-better"), i > 0);
    free(text);
    free(c);
  }
}

/* What wall differs by is the first touch of a GiB. */
static void check_touch(bool granted) {
  struct compare_run runs[ROUNDS * ARMS];
  struct comparison *c = made(faster_by_a_tenth, runs);
  for (size_t i = 0; i < c->count; i++) {
    runs[i].result.peak_bytes = 1 << 30;
    runs[i].result.sys_s = runs[i].result.wall_s / 2;
    runs[i].result.at_peak =
        (struct backing){.open = 1 << 30, .own.thp = 1 << 30, .processes = 1};
    if (granted) runs[i].result.at_peak.granted.thp = 1 << 30;
  }
  outcomes_make(c);
  c->touch = (struct first_touch){true, 1, 1, 1, 1};
  char *text = printed(c);
  CU_ASSERT_EQUAL(!strstr(text, "thp: the wall time differs mostly"), !granted);
  CU_ASSERT_EQUAL(!strstr(text, "(up to 1.00 s of system time)"), !granted);
  free(text);
  free(c);
}

static void test_the_first_touch_is_told_of_granted_pages(void) {
  check_touch(true);
  check_touch(false);
}

/* A database: 14 processes that exit with little but the memory they share, and
 * a hash table that was freed before.  Where no look saw the table, what is
 * said must not deny what the page faults show. */
static void test_what_no_look_saw_is_not_denied(void) {
  struct compare_run runs[ROUNDS * ARMS];
  for (int peak_seen = 0; peak_seen < 2; peak_seen++) {
    struct comparison *c = made(a_little, runs);
    for (size_t i = 0; i < c->count; i++) {
      struct launch_result *result = &runs[i].result;
      const bool huge = runs[i].arm == 2;
      result->minor_faults = huge ? 20000 : 94317;
      result->at_exit =
          (struct backing){.open = 3 << 20,
                           .own.base = 20 << 20,
                           .segments = {{0, 7, {.base = 1331 << 20}}},
                           .processes = 14};
      if (peak_seen)
        result->at_peak = (struct backing){.open = 280 << 20,
                                           .granted.thp = huge ? 280 << 20 : 0,
                                           .processes = 14};
    }
    outcomes_make(c);
    char *text = printed(c);
    CU_ASSERT_PTR_NULL(strstr(text, "too little private memory"));
    CU_ASSERT_EQUAL(!strstr(text, "did not see its memory"), peak_seen);
    CU_ASSERT_EQUAL(!strstr(text, "1.3 GiB of shared memory, 0 %"), peak_seen);
    CU_ASSERT_EQUAL(!strstr(text, "granted: 100 % of the 280 MiB"), !peak_seen);
    free(text);
    free(c);
  }
}

/* Of base pages against themselves, on a machine where some rounds are slow for
 * one arm: the verdict must be noise 19 times in 20. */
static double noisy(uint32_t round, size_t arm) {
  static struct cpu_random random = {.state = 11};
  (void)round, (void)arm;
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (double)(cpu_random_next(&random) >> 40) / (1 << 24);
  return exp(0.2 * (sum - 2));
}

static void test_nothing_is_found_in_noise(void) {
  struct compare_run runs[ROUNDS * ARMS];
  int found = 0;
  for (int trial = 0; trial < 60; trial++) {
    struct comparison *c = made(noisy, runs);
    found += c->outcomes[1].verdict[FIGURE_WALL] != VERDICT_NOISE;
    free(c);
  }
  CU_ASSERT(found <= 6); /* 3 expected at most, for the floor helps */
}

/* One arm of base pages takes a tenth more than the other, for no reason. */
static double unsteady(uint32_t round, size_t arm) {
  return (arm == 1 ? 1.1 : 1) + (round % 2 ? 0.6 : 0) * (arm == 2);
}

static void test_what_is_no_measurement_says_so(void) {
  struct compare_run runs[ROUNDS * ARMS];
  struct comparison *c = made(faster_by_a_tenth, runs);
  CU_ASSERT(comparison_is_steady(c, FIGURE_USER));
  CU_ASSERT_EQUAL(comparison_rounds(c, &c->outcomes[1]), 0);
  free(c);
  c = made(unsteady, runs);
  CU_ASSERT(!comparison_is_steady(c, FIGURE_USER));
  const struct ratio *user = &c->outcomes[1].ratio[FIGURE_USER];
  double half = (user->hi - user->lo) / 2; /* a fifth of 1 or more */
  uint32_t rounds = comparison_rounds(c, &c->outcomes[1]);
  CU_ASSERT(rounds >= 16 * ROUNDS);
  CU_ASSERT_DOUBLE_EQUAL(half * sqrt((double)ROUNDS / rounds), 0.05, 1e-3);
  CU_ASSERT_EQUAL(comparison_rounds(c, &c->outcomes[0]), 0);
  free(c);
}

/* What was stopped has an interval of the rounds that there were, whatever
 * number was asked; runs that do not count would not in other rounds. */
static void test_rounds_are_advised_by_those_run(void) {
  struct compare_run runs[ROUNDS * ARMS];
  struct comparison *c = made(unsteady, runs);
  c->count = 6 * ARMS - 1;
  for (int rejected = 0; rejected < 2; rejected++) {
    runs[2].counts = runs[5].counts = !rejected;
    outcomes_make(c);
    const struct ratio *user = &c->outcomes[1].ratio[FIGURE_USER];
    double half = (user->hi - user->lo) / 2;
    uint32_t rounds = comparison_rounds(c, &c->outcomes[1]);
    CU_ASSERT_DOUBLE_EQUAL(half * sqrt(6.0 / rounds), 0.05, 1e-3);
  }
  free(c);
}

/* The looks of a run were late for a hash table that its sizes show: those of
 * the warm-up, which is watched more closely, go. */
static void test_a_look_that_missed_the_peak_is_not_taken(void) {
  struct compare_run runs[ROUNDS * ARMS];
  struct comparison *c = made(a_little, runs);
  struct launch_result *run = &runs[0].result;
  run->traced = true;
  run->peak_bytes = 300 << 20;
  run->at_exit = (struct backing){.own.base = 280 << 20, .processes = 14};
  c->warmed[0] = true;
  c->warm[0].at_peak = (struct backing){.open = 100 << 20, .processes = 3};
  CU_ASSERT_PTR_EQUAL(granted_backing(c, 0, run), &run->at_exit);
  run->peak_private = 110 << 20;
  CU_ASSERT_PTR_EQUAL(granted_backing(c, 0, run), &c->warm[0].at_peak);
  free(c);
}

/* Of what was chosen, which may be gone at the end, and be less than there was
 * before: the look that has most of it on huge pages. */
static void test_the_look_at_what_was_chosen(void) {
  struct compare_run runs[ROUNDS * ARMS];
  struct comparison *c = made(a_little, runs);
  struct launch_result *run = &runs[2].result;
  run->traced = true;
  run->peak_bytes = 300 << 20;
  run->at_exit = (struct backing){.own.base = 280 << 20, .open = 200 << 20};
  run->at_peak = (struct backing){
      .own.base = 150 << 20, .open = 100 << 20, .granted.thp = 60 << 20};
  CU_ASSERT_PTR_EQUAL(granted_backing(c, 2, run), &run->at_exit);
  c->arms.at[2].planned = 64 << 20;
  CU_ASSERT_PTR_EQUAL(granted_backing(c, 2, run), &run->at_peak);
  free(c);
}

/* By hand: contiguous frames save a tenth, and larger pages a fifth of what is
 * left; two runs of contiguous frames differ by a tenth, so that each has .9 /
 * 1.1^.5 at their mean. */
static double by_both(size_t arm) {
  const double times[] = {1, 1, .9 / sqrt(1.1), .9 * sqrt(1.1), .72};
  return times[arm];
}

static void test_translation_is_told_from_placement(void) {
  struct compare_run runs[ROUNDS * 5];
  struct comparison *c = made(a_little, runs);
  const struct arm near = {
      .name = ARM_CONTIGUOUS, .kind = &thp, .contiguous = true};
  char *text;
  size_t size;
  c->arms.count = 5;
  c->arms.at[2] = c->arms.at[3] = near;
  c->arms.at[3].control = true;
  c->arms.at[3].control_of = 2;
  c->arms.at[4] = (struct arm){.name = "thp", .kind = &thp};
  c->count = 0;
  for (uint32_t round = 0; round < ROUNDS; round++)
    for (size_t arm = 0; arm < 5; arm++) {
      struct compare_run *run = &runs[c->count++];
      *run = (struct compare_run){.round = round, .arm = arm, .counts = true};
      run->result.wall_s = run->result.user_s = by_both(arm) * (1 + round);
      for (int q = 0; q < QUANTITY_COUNT; q++) run->result.counts[q] = NAN;
    }
  outcomes_make(c);
  CU_ASSERT_EQUAL_FATAL(c->outcome_count, 3);
  const struct outcome *placed = &c->outcomes[1], *large = &c->outcomes[2];
  CU_ASSERT_EQUAL(placed->runs, 2 * ROUNDS);
  CU_ASSERT_DOUBLE_EQUAL(placed->ratio[FIGURE_USER].value, .9, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(placed->control[FIGURE_USER].value, 1.1, 1e-12);
  CU_ASSERT(isnan(placed->translation.value));
  CU_ASSERT(isnan(large->control[FIGURE_USER].value));
  CU_ASSERT_DOUBLE_EQUAL(large->translation.value, .8, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(large->translation.lo, .8 / 1.1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(large->translation.hi, .8 * 1.1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(large->ratio[FIGURE_USER].value, .72, 1e-12);
  FILE *out = open_memstream(&text, &size);
  comparison_print(out, c);
  fclose(out);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text,
             "user time saved: 28.0 %: 18.0 % by translation [10.8, "
             "24.5], 10.0 % by placement [10.0, 10.0]\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n4k-contiguous/same "));
  free(text);
  free(c);
}

/* A page of it that is translated as a huge one would not tell them apart. */
static void test_contiguous_frames_are_no_huge_pages(void) {
  struct backing backing = {.open = 100 << 20, .granted.sized = 99 << 20};
  CU_ASSERT(granted_no_huge(&backing));
  backing.granted.thp = 2 << 20;
  CU_ASSERT(granted_no_huge(&backing));
  backing.granted.thp = 4 << 20;
  CU_ASSERT(!granted_no_huge(&backing));
}

static const struct check_test tests[] = {
    {"translation is told from placement",
     test_translation_is_told_from_placement},
    {"contiguous frames are no huge pages",
     test_contiguous_frames_are_no_huge_pages},
    {"a round is every arm once", test_a_round_is_every_arm_once},
    {"drift that all arms share cancels",
     test_drift_that_all_arms_share_cancels},
    {"a figure is better as said", test_a_figure_is_better_as_said},
    {"a control that is off widens", test_a_control_that_is_off_widens},
    {"what is no measurement says so", test_what_is_no_measurement_says_so},
    {"a verdict stands by itself", test_a_verdict_stands_by_itself},
    {"rounds are advised by those run", test_rounds_are_advised_by_those_run},
    {"less than the noise floor is noise",
     test_less_than_the_noise_floor_is_noise},
    {"runs that do not count leave no trace",
     test_runs_that_do_not_count_leave_no_trace},
    {"a kind without runs has no figures",
     test_a_kind_without_runs_has_no_figures},
    {"the first touch is told of granted pages",
     test_the_first_touch_is_told_of_granted_pages},
    {"a look that missed the peak is not taken",
     test_a_look_that_missed_the_peak_is_not_taken},
    {"the look at what was chosen", test_the_look_at_what_was_chosen},
    {"what no look saw is not denied", test_what_no_look_saw_is_not_denied},
    {"nothing is found in noise", test_nothing_is_found_in_noise},
    {NULL, NULL},
};

const struct check_suite suite_compare_outcome = {
    .name = "compare: outcomes",
    .tests = tests,
};
