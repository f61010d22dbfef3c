/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/derive.h"

#include "experiments/calibrate/derive_parts.h"

void derive(struct calibration *cal) {
  derive_levels(cal);
  derive_tlbs(cal);
  derive_walks(cal);
  derive_overlaps(cal);
  derive_neighbours(cal);
}
