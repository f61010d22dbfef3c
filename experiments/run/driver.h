/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/driver.h -- measure a plan.
 *
 * For each algorithm and size: set the input up, verify the backing of every
 * page kind, then per repetition run all page kinds in a shuffled order.  Only
 * `run` is timed; the answer is checked every time and a wrong one is an
 * error, never a sample.  Each sample is appended to the results file as soon
 * as it is measured.
 */
#pragma once
#include "experiments/cli/progress.h"
#include "experiments/device/offload.h"
#include "experiments/machine/counters.h"
#include "experiments/memory/workspaces.h"
#include "experiments/results/results.h"
#include "experiments/run/plan.h"

struct driver {
  const struct plan *plan;
  const struct workspaces *workspaces;
  struct offload *offload; /* NULL: algorithms run in the workspaces */
  struct counters *counters;
  struct results_writer *writer;
  const char *path; /* of the results file */
  struct progress progress;
  double chased_s; /* last, by the canary; 0: never */
  /* Samples of the file: those resumed, then those measured.  Owned. */
  struct sample *samples;
  size_t count;
  struct time_budget budget;
  struct algo_run last; /* the last that was measured; memory NULL: none */
};

/*
 * Begin: map a workspace of `bytes` for each page kind of the plan, as
 * workspaces_map() has it.  Both outlive the driver.
 */
int driver_map(struct driver *driver, struct plan *plan,
               struct workspaces *workspaces, size_t bytes, bool reserve,
               bool optional);

/*
 * Measure what `driver->samples` does not hold yet.  Signals must be armed
 * (interrupt.h).  Returns an exit code, having printed what went wrong; an
 * interrupt gives VAT_FAILED with interrupt_pending() true.
 */
int driver_run(struct driver *driver);

/*
 * After driver_run(), the answer of the plan's first algorithm at its first
 * size: of the last run, or of one more where none was missing or its nodes are
 * freed.  It lies in a workspace or in the driver.  As above.
 */
int driver_answer(struct driver *driver, struct algo_data *answer);

/* Write the answer, where one was asked for.  As above. */
int data_write_answer(const struct data_options *options,
                      struct driver *driver);

/* What the results file could not take is lost, what is in it is not: the exit
 * code, with errno told. */
int driver_fail_write(const struct driver *driver);

/* --- simulate.c: beside what was measured, what the VAT model says. ---
 *
 * After the measurements each algorithm's traced twin (experiments/stream/)
 * runs once per size on the same input, in ordinary memory; its addresses go
 * to a translation cache for each size of pages that was measured.  That takes
 * some ten to a hundred times as long as the algorithm, so there is a limit
 * of accesses, and the time budget, if there is one, holds once more.
 */

/* Records of the results file: those resumed, then those made. */
struct simulation {
  struct simulated *records; /* free() it */
  size_t count;
};

/* Has this vat address streams?  An exit code, having printed why not. */
int simulate_check(const struct plan *plan);

/*
 * Simulate what `driver` has samples of, in its plan, and `simulation` has no
 * record of; each goes to the driver's results file.  Signals must be armed
 * (interrupt.h).  Returns an exit code, having printed what went wrong; an
 * interrupt gives VAT_FAILED with interrupt_pending() true.
 */
int simulate_run(struct simulation *simulation, const struct driver *driver);
