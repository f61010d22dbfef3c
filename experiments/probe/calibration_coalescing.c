/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "experiments/probe/calibration.h"

bool cal_coalescing_open(const struct cal_coalescing_tlb *tlb) {
  for (int i = 0; i + 1 < CALIBRATION_RUNS; i++)
    if (tlb->joined == (double)(1 << i)) return isnan(tlb->reach[i + 1].value);
  return tlb->joined == (double)(1 << (CALIBRATION_RUNS - 1));
}

/* Few pages fill the first level, so longer runs are seen there. */
double cal_coalescing_joined(const struct cal_coalescing *coalescing) {
  size_t count = *coalescing->absent ? 0 : coalescing->tlbs;
  if (!count) return NAN;
  const struct cal_coalescing_tlb *last = &coalescing->tlb[count - 1];
  return cal_coalescing_open(last)
             ? fmax(last->joined, coalescing->tlb[0].joined)
             : last->joined;
}
