/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/derive_coalescing.h -- from the times of coalescing.h
 * to how many base pages a TLB entry holds. */
#pragma once
#include "experiments/probe/calibration.h"

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

/* Fill the levels of TLB and the points; pure.  Where the chase shows no level,
 * `absent`. */
void derive_coalescing(const struct coalescing_times *times,
                       struct cal_coalescing *coalescing);
