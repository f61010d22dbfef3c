/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "experiments/calibrate/derive.h"

void derive_table_lines(struct calibration *cal) {
  for (size_t i = 0; i < cal->page_count; i++)
    for (size_t l = 0; l < CALIBRATION_LEVELS; l++)
      cal->pages[i].table_line_ns[l] = (struct cal_value){NAN, NAN, NAN};
}
