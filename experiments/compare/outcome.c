/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From runs to ratios. */
#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/compare/comparison.h"
#include "experiments/results/summary.h"

double figure_of(const struct launch_result *result, enum figure_id figure) {
  switch (figure) {
    case FIGURE_WALL:
      return result->wall_s;
    case FIGURE_USER:
      return result->user_s;
    case FIGURE_SYS:
      return result->sys_s;
    case FIGURE_CPU:
      return result->user_s + result->sys_s;
    default:
      return result->has_metric ? result->metric : NAN;
  }
}

/* A round is as many runs as there are arms, and only the last is cut short. */
static const struct compare_run *run_of(const struct comparison *c,
                                        uint32_t round, size_t arm) {
  size_t arms = c->arms.count, from = round * arms;
  for (size_t i = from; i < from + arms && i < c->count; i++)
    if (c->runs[i].arm == arm && c->runs[i].counts) return &c->runs[i];
  return NULL;
}

/* The figure of an arm in a round; NAN where no run counts. */
static double value(const struct comparison *c, uint32_t round, size_t arm,
                    enum figure_id figure) {
  const struct compare_run *run = run_of(c, round, arm);
  return run ? figure_of(&run->result, figure) : NAN;
}

/* Base pages are run twice: their geometric mean is the steadier base. */
static double base_value(const struct comparison *c, uint32_t round,
                         enum figure_id figure) {
  double one = value(c, round, 0, figure), two = value(c, round, 1, figure);
  if (isnan(one) || isnan(two)) return isnan(one) ? two : one;
  return sqrt(one * two);
}

/* Ratios of an arm, round by round, to base pages (or of the control to the
 * other arm of base pages).  Times under a clock tick have none. */
static size_t pair_up(const struct comparison *c, size_t arm,
                      enum figure_id figure, double *ratios) {
  size_t pairs = 0;
  for (uint32_t round = 0; round < c->options.runs; round++) {
    double base =
        arm == 1 ? value(c, round, 0, figure) : base_value(c, round, figure);
    double ratio = value(c, round, arm, figure) / base;
    if (isfinite(ratio) && ratio > 0) ratios[pairs++] = ratio;
  }
  return pairs;
}

/*
 * Pairs of a round alone are not the whole uncertainty: of base pages against
 * themselves they exclude 1 one time in three on machines whose speed drifts.
 * So the interval reaches on either side as much further as the control is off.
 */
static void widen(struct ratio *ratio, const struct ratio *control) {
  double off = isnan(control->median) ? 1 : control->median;
  if (off < 1) off = 1 / off;
  ratio->lo /= off;
  ratio->hi *= off;
}

static enum verdict judge(const struct ratio *ratio) {
  if (isnan(ratio->lo)) return VERDICT_UNKNOWN;
  if (ratio->hi < 1 && ratio->median < 1 - SUMMARY_NOISE_FLOOR)
    return VERDICT_LESS;
  if (ratio->lo > 1 && ratio->median > 1 + SUMMARY_NOISE_FLOOR)
    return VERDICT_MORE;
  return VERDICT_NOISE;
}

static void compare_figures(struct comparison *c, struct outcome *outcome,
                            size_t arm, double *scratch) {
  for (int f = 0; f < FIGURE_COUNT; f++) {
    struct ratio *ratio = &outcome->ratio[f];
    *ratio = (struct ratio){NAN, NAN, NAN};
    if (!arm) continue;
    size_t pairs = pair_up(c, arm, (enum figure_id)f, scratch);
    ratio_of_pairs(scratch, pairs, ratio);
    widen(ratio, &c->control[f]);
    outcome->verdict[f] = judge(ratio);
  }
}

/* What a run has more than one of the outcome's may be told by. */
enum { MORE_FAULTS = FIGURE_COUNT, MORE_PEAK, MORE_COUNTERS };

static double any_value(const struct launch_result *result, int which) {
  if (which < FIGURE_COUNT) return figure_of(result, (enum figure_id)which);
  if (which == MORE_FAULTS) return (double)result->minor_faults;
  if (which == MORE_PEAK)
    return result->peak_bytes ? (double)result->peak_bytes : NAN;
  int quantity = which - MORE_COUNTERS;
  return result->counts.present[quantity]
             ? (double)result->counts.value[quantity]
             : NAN;
}

static bool is_of(const struct compare_run *run, size_t arm) {
  return run->arm == arm || (!arm && run->arm == 1);
}

static double median_of(const struct comparison *c, size_t arm, int which,
                        double *scratch) {
  size_t count = 0;
  for (size_t i = 0; i < c->count; i++) {
    if (!c->runs[i].counts || !is_of(&c->runs[i], arm)) continue;
    double one = any_value(&c->runs[i].result, which);
    if (!isnan(one)) scratch[count++] = one;
  }
  return ratio_median(scratch, count);
}

/* Of the last run that counts, or the last where none does. */
static void tell_backing(const struct comparison *c, struct outcome *outcome,
                         size_t arm) {
  for (size_t i = 0; i < c->count; i++) {
    const struct compare_run *run = &c->runs[i];
    if (!is_of(run, arm)) continue;
    outcome->runs += run->counts;
    outcome->rejected += !run->counts;
    outcome->refused_thp |= run->result.refused_thp;
    if (run->counts || !outcome->runs)
      outcome->backing = *granted_backing(c, arm, &run->result);
  }
}

static void make_outcome(struct comparison *c, size_t arm, double *scratch) {
  struct outcome *outcome = &c->outcomes[c->outcome_count++];
  *outcome = (struct outcome){.arm = &c->arms.at[arm]};
  tell_backing(c, outcome, arm);
  for (int f = 0; f < FIGURE_COUNT; f++)
    outcome->median[f] = median_of(c, arm, f, scratch);
  outcome->faults = median_of(c, arm, MORE_FAULTS, scratch);
  outcome->peak_bytes = median_of(c, arm, MORE_PEAK, scratch);
  for (int q = 0; q < QUANTITY_COUNT; q++)
    outcome->counters[q] = median_of(c, arm, MORE_COUNTERS + q, scratch);
  compare_figures(c, outcome, arm, scratch);
}

void outcomes_make(struct comparison *c) {
  double *scratch =
      memory_grow(NULL, c->count + c->options.runs + 1, sizeof *scratch);
  c->outcome_count = 0;
  for (int f = 0; f < FIGURE_COUNT; f++) {
    size_t pairs = pair_up(c, 1, (enum figure_id)f, scratch);
    ratio_of_pairs(scratch, pairs, &c->control[f]);
  }
  for (size_t arm = 0; arm < c->arms.count; arm++)
    if (arm != 1) make_outcome(c, arm, scratch);
  free(scratch);
}
