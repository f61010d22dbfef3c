/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/comparison.h -- one `vat compare`: what is run, the runs,
 * and what came out.
 */
#pragma once
#include <jansson.h>
#include <stdio.h>

#include "experiments/cli/progress.h"
#include "experiments/compare/arms.h"
#include "experiments/compare/first_touch.h"
#include "experiments/compare/launch_request.h"
#include "experiments/machine/counters.h"
#include "experiments/results/ratio.h"
#include "experiments/results/results.h"
#include "huge_pages/pool.h"

/* Figures of a run: those that are compared, and others. */
enum figure_id {
  FIGURE_WALL,
  FIGURE_USER,
  FIGURE_SYS,
  FIGURE_CPU, /* user and system: how it is split goes by clock ticks */
  FIGURE_METRIC,
  FIGURE_COUNT,
  FIGURE_FAULTS = FIGURE_COUNT,
  FIGURE_PEAK,
  FIGURE_COUNTERS,
  FIGURES = FIGURE_COUNTERS + QUANTITY_COUNT
};

struct compare_run {
  uint32_t round;
  size_t arm;
  bool counts; /* its backing is what was asked */
  struct launch_result result;
};

enum verdict { VERDICT_UNKNOWN, VERDICT_NOISE, VERDICT_LESS, VERDICT_MORE };

/* What the runs of one kind of page say; NAN where there is no figure. */
struct outcome {
  const struct arm *arm;
  size_t runs;     /* that count */
  size_t rejected; /* that do not: other backing than asked */
  double median[FIGURES];
  /* To base pages; the interval is widened by the control.  NAN for those. */
  struct ratio ratio[FIGURE_COUNT];
  enum verdict verdict[FIGURE_COUNT];
  /* Of an arm that has a control: that to itself. */
  struct ratio control[FIGURE_COUNT];
  /* Of larger pages beside contiguous frames: user time to that of these,
   * widened by their control. */
  struct ratio translation;
  /* Of a run that counts, or of one that does not where none does; processes
   * 0: none was seen. */
  struct backing backing;
  bool refused_thp;
};

struct comparison {
  struct compare_options options;
  struct executable program;
  struct arms arms;
  struct launch launch;                /* but for what an arm changes */
  struct launch_result warm[ARMS_MAX]; /* the last run before those counted */
  bool warmed[ARMS_MAX];
  struct compare_run *runs;
  size_t count;
  bool trace, trace_threads;
  struct hp_reservation *reservations[ARMS_MAX];
  struct first_touch touch;
  struct counters *counters;
  struct results_writer *writer;
  struct progress progress;
  /* What came out. */
  struct outcome outcomes[ARMS_MAX]; /* base pages, then the others */
  size_t outcome_count;
};

/* --- series.c --- */

/*
 * Run all rounds.  Signals must be armed (interrupt.h).  Returns an exit code,
 * having printed what went wrong; what is in `runs` then is good.
 */
int series_run(struct comparison *comparison);

/* The order of `arms` arms in a round. */
void series_order(uint64_t seed, uint32_t round, size_t arms,
                  size_t order[ARMS_MAX]);

/* Before anything is run: can there be a pool for each kind that needs one?
 * Returns an exit code, having printed what is wrong and what fixes it. */
int pools_check(const struct comparison *comparison);
void pools_release(struct comparison *comparison);

/* --- outcome.c --- */

/*
 * The look at a run's memory that shows most: at the end, at the peak, or,
 * where there was none at the end or neither saw half of what the run had, in
 * the run of the same arm before those counted, which was watched more closely.
 */
const struct backing *granted_backing(const struct comparison *comparison,
                                      size_t arm,
                                      const struct launch_result *result);

/* Is what was granted what the kind asks for?  True, too, where nothing could
 * be given since there is next to no memory. */
bool granted_ok(const struct backing *backing, const struct hp_kind *kind,
                size_t base_open);

/* Of what is open to huge pages, the share on pages of the kind; NAN where
 * there is next to none.  Huge pages hold more than the program uses, up to a
 * GiB each, so that what it uses is what was open on base pages, `base_open`
 * bytes (0: unknown, and goes by what is open here). */
double granted_share(const struct backing *backing, const struct hp_kind *kind,
                     size_t base_open);

/* The same of an arm of pages; of one with a plan, of the bytes that this
 * chose; of all others, of all memory that was seen. */
double granted_to_arm(const struct comparison *comparison,
                      const struct arm *arm, const struct backing *backing);
/* Is at most 2 % of what can be on huge pages on them, as for base pages? */
bool granted_no_huge(const struct backing *backing);

/* Is that share enough for a run to count? */
bool granted_enough(double share, const struct hp_kind *kind);

/* What was open in the run on base pages before those counted, or 0. */
size_t granted_base_open(const struct comparison *comparison);

/* Fill the outcomes and the control from the runs. */
void outcomes_make(struct comparison *comparison);

/* Does the control, the base against itself, come out as 1 in this figure, as
 * far as matters?  True where it has none. */
bool comparison_is_steady(const struct comparison *comparison,
                          enum figure_id figure);
/* So many rounds, if as noisy, would tell the user ratio well enough; 0: these
 * do, or it has no interval. */
uint32_t comparison_rounds(const struct comparison *comparison,
                           const struct outcome *outcome);
/* Lines on what these say, if anything. */
void comparison_advise(FILE *out, const struct comparison *comparison);

/* --- compare_json.c, compare_print.c --- */

json_t *comparison_to_json(const struct comparison *comparison, bool complete);
/* A run, but for what of it goes by the comparison. */
extern const struct field launch_fields[];
/* {"record":"compare",...}: what is run; and a run. */
json_t *comparison_plan_to_json(const struct comparison *comparison);
json_t *compare_run_to_json(const struct comparison *comparison,
                            const struct compare_run *run);
const char *verdict_word(const struct comparison *comparison,
                         const struct outcome *outcome, enum figure_id figure);
/* When memory was read for the last time: "exit" of each process, that of the
 * "warm-up" alone, or "sampled" where ptrace is refused. */
const char *comparison_looks(const struct comparison *comparison);
void comparison_print(FILE *out, const struct comparison *comparison);
