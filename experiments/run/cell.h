/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/cell.h -- one algorithm at one size on one page kind: its
 * input, a run of it, and whether the answer is right.
 *
 * Functions return an exit code, having printed what went wrong; an interrupt
 * (interrupt.h) gives VAT_FAILED with interrupt_pending() true.
 */
#pragma once
#include "experiments/device/offload.h"
#include "experiments/memory/alloc.h"
#include "experiments/run/plan.h"

struct cell {
  const struct algo *algo;
  const struct hp_kind *kind;
  struct algo_run run;
  struct sample_variant variant;
  struct alloc nodes;
  struct hp_granted granted;
  bool granted_ok;
  bool missing; /* repetitions are to come */
  bool fresh;   /* the input is as setup left it */
  uint64_t ns;
  const char *wrong;        /* of its answer; NULL: nothing */
  struct algo_data *answer; /* where cell_answer() puts it */
};

/* Make the input in the region, and see what backs the memory it is in. */
int cell_set_up(struct cell *cell, const struct plan *plan,
                const struct hp_region *region);

/* Bring the input back to what setup made, and the caches to a like state: what
 * setup has just made lies in none, where that of other pages was made since.
 * `offload` is NULL where the algorithm runs in the workspace, as below. */
int cell_prepare(struct cell *cell, struct offload *offload);

int cell_run(struct cell *cell, struct offload *offload); /* cell->ns */
int cell_check(struct cell *cell);

/* From setup to check. */
int cell_run_untimed(struct cell *cell, struct offload *offload);

/* Of its run, that was checked: in the workspace.  An algorithm that has no
 * other answer than run.result leaves `answer` as it is. */
int cell_answer(struct cell *cell, struct algo_data *answer);
