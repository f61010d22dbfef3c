/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/watch.h -- what a run's memory is, seen while it runs.
 *
 * Internal to the supervisor.  Looking costs the program time where both share
 * a processor or the lock of its address space, so that the time spent is kept
 * below a share of the run.
 */
#pragma once
#include "experiments/compare/launch_request.h"

struct watch {
  struct launch_result *result;
  bool collapse, closely;
  double start_s, next_s;
  double spent_s;        /* looking at smaps, on a run not stopped for it */
  double look_s;         /* what the last look at smaps took */
  double stopped_s;      /* for which processes stood still to be looked at */
  size_t seen_bytes;     /* the most that smaps were read of, */
  size_t seen_anonymous; /* and of it, what can be huge */
};

void watch_begin(struct watch *watch, struct launch_result *result,
                 const struct launch *launch);

/* Milliseconds until the next sample is due, for poll(2). */
int watch_timeout_ms(const struct watch *watch);

/* Take a sample of all descendants, if one is due. */
void watch_sample(struct watch *watch);

/* `pid` stands still, about to exit: look at it for the last time. */
void watch_exit(struct watch *watch, pid_t pid);

/* The descendants that are alive at the end of the run. */
void watch_left_behind(struct watch *watch);
