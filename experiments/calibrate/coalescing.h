/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/coalescing.h -- does one TLB entry serve several base
 * pages whose frames are contiguous?
 *
 * The same chase over the same addresses, with their frames in runs of 1, 2,
 * 4, 8 and 16 pages (huge_pages/frame_runs.h): an entry that joins pages lets
 * the TLB reach as many times as far.
 */
#pragma once
#include "experiments/calibrate/measure.h"

enum { COALESCING_PASSES = 32, COALESCING_LAYOUTS = 1 + CALIBRATION_RUNS };

/* ns an access, by point and pass.  The layouts are scattered frames, then
 * those of cal_coalescing_tlb.reach. */
struct coalescing_times {
  size_t points, passes;
  double x[COALESCING_POINTS]; /* pages accessed, ascending */
  double pages[COALESCING_LAYOUTS][COALESCING_POINTS][COALESCING_PASSES];
  /* Of a chase over as many lines on few pages. */
  double lines[COALESCING_POINTS][COALESCING_PASSES];
};

/*
 * Fill cal->coalescing, on at most `bytes` of memory, until `until_s`.  The
 * levels of `cal` have reported sizes.  `time` as of measure(); signals must be
 * armed.  Returns 0, or -1 with errno EINTR.
 */
int coalescing_measure(struct calibration *cal, size_t bytes, double until_s,
                       const struct measure_time *time,
                       struct progress *progress);

/* --- derive_coalescing.c --- */

/* Fill the levels of TLB and the points; pure.  Where the chase shows no level,
 * `absent`. */
void derive_coalescing(const struct coalescing_times *times,
                       struct cal_coalescing *coalescing);
