/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/steady.h -- a chase that goes on for long.
 *
 * The last cache is shared, and who accesses it more often has more of it.  The
 * points of bench.h are short, and caches are warmed up for them as fast as can
 * be: they find more of it than a program that waits for each access does.  So
 * a line chase is timed once more, for a tenth of a second a point and warmed
 * up by nothing but itself: curve "steady_chase".
 */
#pragma once
#include "experiments/memory/workspaces.h"
#include "experiments/probe/calibration.h"

enum { STEADY_POINTS = 16, STEADY_PASSES = 64 };

struct steady {
  struct cal_curve curves[CALIBRATION_KINDS];         /* of the kinds, owned */
  const struct hp_region *regions[CALIBRATION_KINDS]; /* that they are of */
  size_t count;
  double (*times)[STEADY_POINTS][STEADY_PASSES]; /* of the kinds, owned */
  unsigned passes;
};

/* For the kinds that `cal` has curves of, which have regions of `bytes`. */
void steady_begin(struct steady *steady, const struct calibration *cal,
                  const struct workspaces *workspaces, size_t bytes);
/* All points once; the kinds take turns, so that they meet the same neighbours.
 * Signals must be armed.  -1: EINTR. */
int steady_pass(struct steady *steady);
/* The curves become those of `cal`, after one pass or more. */
void steady_add(struct steady *steady, struct calibration *cal);
void steady_fini(struct steady *steady);

/*
 * times[kind * passes + pass] become a point of each kind.  Neighbours come and
 * go between passes, and all kinds of a pass meet the same ones: so a kind is
 * the median of its ratio to what all took at that pass, times the median of
 * that.  The least and the most are those of the times as they were, without a
 * sixth of them on either side.
 */
void steady_summarize(const double *times, size_t kinds, unsigned passes,
                      struct cal_point **points);
