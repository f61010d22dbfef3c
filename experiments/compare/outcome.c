/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From runs to ratios: which runs are what was asked, what they say, and what
 * the control and the intervals say about the measurement itself. */
#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/compare/comparison.h"
#include "experiments/results/run_ratios.h"
#include "experiments/results/summary.h"

/* Under this there is nothing to give huge pages to. */
static const size_t little = (size_t)4 << 20;

/*
 * Programs whose allocators ask for a MiB at a time get half of their memory
 * on huge pages and gain by it; where nothing was granted since a pool ran dry
 * or the program forbids it, the share is near 0.
 */
static const double enough_granted = 0.25, all_of_base = 0.98;

/* Which shows more of what the arm is about. */
static const struct backing *better(const struct arm *arm,
                                    const struct backing *a,
                                    const struct backing *b) {
  bool second = arm->planned ? backing_of_kind(b, arm->kind) >
                                   backing_of_kind(a, arm->kind)
                             : backing_shows_more(b, a);
  return second ? b : a;
}

const struct backing *granted_backing(const struct comparison *c, size_t arm,
                                      const struct launch_result *result) {
  const struct arm *it = &c->arms.at[arm];
  size_t like = it->control ? it->control_of : arm;
  const struct launch_result *warm = &c->warm[like];
  const struct backing *seen = better(it, &result->at_exit, &result->at_peak);
  bool enough_seen = result->traced &&
                     backing_total(seen) >= result->peak_bytes / 2 &&
                     seen->open + seen->edges >= result->peak_private / 2;
  if (!c->warmed[like] || enough_seen) return seen;
  return better(it, seen, better(it, &warm->at_exit, &warm->at_peak));
}

size_t granted_base_open(const struct comparison *c) {
  return c->warmed[0] ? granted_backing(c, 0, &c->warm[0])->open : 0;
}

double granted_share(const struct backing *backing, const struct hp_kind *kind,
                     size_t base_open) {
  const size_t all = backing_total(backing);
  if (!kind) /* of all that was seen, what is on huge pages */
    return all < little
               ? NAN
               : 1 - (double)backing_on_base_pages(backing) / (double)all;
  size_t open = backing->open, used = base_open ? base_open : open;
  size_t of_kind = backing_of_kind(backing, kind);
  if (open < little || used < little) return NAN;
  if (kind->base) return (double)of_kind / (double)open;
  return fmax(0, 1 - (double)(open - of_kind) / (double)used);
}

double granted_to_arm(const struct comparison *c, const struct arm *arm,
                      const struct backing *backing) {
  if (arm->listed) return granted_share(backing, NULL, 0);
  if (!arm->planned)
    return granted_share(backing, arm->kind, granted_base_open(c));
  if (arm->planned < little) return NAN;
  return fmin(
      1, (double)backing_of_kind(backing, arm->kind) / (double)arm->planned);
}

bool granted_ok(const struct backing *backing, const struct hp_kind *kind,
                size_t base_open) {
  return granted_enough(granted_share(backing, kind, base_open), kind);
}

bool granted_no_huge(const struct backing *backing) {
  const struct backing_pages *granted = &backing->granted;
  size_t huge = granted->thp + granted->hugetlb2m + granted->hugetlb1g;
  return (double)huge <= (1 - all_of_base) * (double)backing->open;
}

bool granted_enough(double share, const struct hp_kind *kind) {
  return isnan(share) || share >= (kind->base ? all_of_base : enough_granted);
}

/* NAN: there is none. */
static double figure_of(const struct launch_result *result, int figure) {
  const double figures[] = {
      [FIGURE_WALL] = result->wall_s,
      [FIGURE_USER] = result->user_s,
      [FIGURE_SYS] = result->sys_s,
      [FIGURE_CPU] = result->user_s + result->sys_s,
      [FIGURE_METRIC] = result->has_metric ? result->metric : NAN,
      [FIGURE_FAULTS] = (double)result->minor_faults,
      [FIGURE_PEAK] = result->peak_bytes ? (double)result->peak_bytes : NAN};
  return figure < FIGURE_COUNTERS ? figures[figure]
                                  : result->counts[figure - FIGURE_COUNTERS];
}

/* Of all runs that count.  Times under a clock tick are none. */
static struct run_ratios *fit(const struct comparison *c, int figure) {
  struct run_figure *run = memory_zeroed(c->count + 1, sizeof *run);
  size_t count = 0;
  for (size_t i = 0; i < c->count; i++) {
    const struct compare_run *it = &c->runs[i];
    double value = it->counts ? figure_of(&it->result, figure) : NAN;
    if (isfinite(value) && value > 0)
      run[count++] = (struct run_figure){it->arm, it->round, value};
  }
  struct run_ratios *ratios = run_ratios_fit(run, count);
  free(run);
  return ratios;
}

static struct run_side alone(size_t arm) {
  return (struct run_side){{arm, RUN_RATIOS_NO_ARM}};
}

/* With the arm that is the same, if it has one. */
static struct run_side with_control(const struct comparison *c, size_t arm) {
  size_t control = arms_control_of(&c->arms, arm);
  return control == ARMS_MAX ? alone(arm) : (struct run_side){{arm, control}};
}

/* Of an arm's control to it. */
static struct ratio control_of(const struct comparison *c, size_t arm,
                               const struct run_ratios *ratios) {
  size_t again = arms_control_of(&c->arms, arm);
  return again == ARMS_MAX ? (struct ratio){NAN, NAN, NAN}
                           : run_ratios_of(ratios, alone(again), alone(arm));
}

/* Where two arms of the same differ, nobody knows why: so the interval reaches
 * as much further on either side. */
static void widen(struct ratio *ratio, const struct ratio *control) {
  double off = isnan(control->value) ? 1 : control->value;
  if (off < 1) off = 1 / off;
  ratio->lo /= off;
  ratio->hi *= off;
}

static enum verdict judge(const struct ratio *ratio) {
  if (isnan(ratio->lo)) return VERDICT_UNKNOWN;
  if (ratio->hi < 1 && ratio->value < 1 - SUMMARY_NOISE_FLOOR)
    return VERDICT_LESS;
  if (ratio->lo > 1 && ratio->value > 1 + SUMMARY_NOISE_FLOOR)
    return VERDICT_MORE;
  return VERDICT_NOISE;
}

static void compare_figures(const struct comparison *c, struct outcome *outcome,
                            size_t arm, struct run_ratios *const *ratios) {
  for (int f = 0; f < FIGURE_COUNT; f++) {
    outcome->control[f] = control_of(c, arm, ratios[f]);
    outcome->ratio[f] = (struct ratio){NAN, NAN, NAN};
    if (!arm) continue;
    outcome->ratio[f] =
        run_ratios_of(ratios[f], with_control(c, arm), with_control(c, 0));
    widen(&outcome->ratio[f], &c->outcomes[0].control[f]);
    outcome->verdict[f] = judge(&outcome->ratio[f]);
  }
}

/* What larger pages save that contiguous frames do not. */
static void compare_translation(const struct comparison *c,
                                struct outcome *outcome, size_t arm,
                                const struct run_ratios *user) {
  const size_t contiguous = arms_contiguous(&c->arms);
  const struct arm *it = outcome->arm;
  outcome->translation = (struct ratio){NAN, NAN, NAN};
  if (contiguous == ARMS_MAX || it->base || it->contiguous) return;
  struct ratio control = control_of(c, contiguous, user);
  outcome->translation =
      run_ratios_of(user, with_control(c, arm), with_control(c, contiguous));
  widen(&outcome->translation, &control);
}

static bool is_of(const struct comparison *c, const struct compare_run *run,
                  size_t arm) {
  const struct arm *it = &c->arms.at[run->arm];
  return run->arm == arm || (it->control && it->control_of == arm);
}

static double median_of(const struct comparison *c, size_t arm, int figure,
                        double *scratch) {
  size_t count = 0;
  for (size_t i = 0; i < c->count; i++) {
    if (!c->runs[i].counts || !is_of(c, &c->runs[i], arm)) continue;
    double one = figure_of(&c->runs[i].result, figure);
    if (!isnan(one)) scratch[count++] = one;
  }
  return ratio_median(scratch, count);
}

/* Of the last run that counts, or the last where none does. */
static void tell_backing(const struct comparison *c, struct outcome *outcome,
                         size_t arm) {
  /* Runs too short to be stopped at their exit may end unseen. */
  if (c->warmed[arm]) outcome->refused_thp = c->warm[arm].refused_thp;
  for (size_t i = 0; i < c->count; i++) {
    const struct compare_run *run = &c->runs[i];
    if (!is_of(c, run, arm)) continue;
    outcome->runs += run->counts;
    outcome->rejected += !run->counts;
    outcome->refused_thp |= run->result.refused_thp;
    if (run->counts || !outcome->runs)
      outcome->backing = *granted_backing(c, arm, &run->result);
  }
}

static void make_outcome(struct comparison *c, size_t arm,
                         struct run_ratios *const *ratios, double *scratch) {
  struct outcome *outcome = &c->outcomes[c->outcome_count++];
  *outcome = (struct outcome){.arm = &c->arms.at[arm]};
  tell_backing(c, outcome, arm);
  for (int f = 0; f < FIGURES; f++)
    outcome->median[f] = median_of(c, arm, f, scratch);
  compare_figures(c, outcome, arm, ratios);
  compare_translation(c, outcome, arm, ratios[FIGURE_USER]);
}

void outcomes_make(struct comparison *c) {
  double *scratch = memory_grow(NULL, c->count + 1, sizeof *scratch);
  struct run_ratios *ratios[FIGURE_COUNT];
  for (int f = 0; f < FIGURE_COUNT; f++) ratios[f] = fit(c, f);
  c->outcome_count = 0;
  for (size_t arm = 0; arm < c->arms.count; arm++)
    if (!c->arms.at[arm].control) make_outcome(c, arm, ratios, scratch);
  for (int f = 0; f < FIGURE_COUNT; f++) run_ratios_free(ratios[f]);
  free(scratch);
}

/* Larger pages are worth 5 % or more, or hardly the trouble. */
static const double enough = 0.05;

bool comparison_is_steady(const struct comparison *c, enum figure_id figure) {
  double control = c->outcomes[0].control[figure].value;
  return isnan(control) || fabs(control - 1) <= enough;
}

/* An interval narrows as the square root of the rounds.  That some of them gave
 * no pair will be so in others, too. */
uint32_t comparison_rounds(const struct comparison *c,
                           const struct outcome *outcome) {
  const struct ratio *user = &outcome->ratio[FIGURE_USER];
  double half = (user->hi - user->lo) / 2;
  if (isnan(half) || half <= enough) return 0;
  /* Those that were run, of which the last may have been cut short. */
  double run = ceil((double)c->count / (double)c->arms.count);
  double rounds = run * pow(half / enough, 2);
  return rounds < UINT32_MAX ? (uint32_t)ceil(rounds) : UINT32_MAX;
}

void comparison_advise(FILE *out, const struct comparison *c) {
  char text[ARM_WORDS];
  uint32_t most = 0;
  for (size_t i = 0; i < c->outcome_count; i++) {
    /* One that is known to be faster or slower needs no more of them. */
    bool known = c->outcomes[i].verdict[FIGURE_USER] > VERDICT_NOISE;
    uint32_t rounds = known ? 0 : comparison_rounds(c, &c->outcomes[i]);
    if (rounds > most) most = rounds;
  }
  if (!comparison_is_steady(c, FIGURE_USER))
    fprintf(out,
            "two runs of %s differ by %.0f %% in user time, so its ratios are "
            "not reliable; fix: more rounds (--runs), or a quieter machine\n",
            arm_text(c->arms.at, text),
            100 * fabs(c->outcomes[0].control[FIGURE_USER].value - 1));
  if (most)
    fprintf(
        out,
        "user ratios are not yet known to %.0f %%; at this noise, --runs %u "
        "would do\n",
        100 * enough, most);
}
