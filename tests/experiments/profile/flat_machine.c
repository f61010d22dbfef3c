/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/profile/flat_machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void flat_machine_curve(struct calibration *cal, const char *name,
                        const char *kind, bool by_pages, double ns) {
  struct cal_curve *curve = &cal->curves[cal->curve_count++];
  *curve = (struct cal_curve){.by_pages = by_pages,
                              .step_bytes = by_pages ? 4096 : 64,
                              .chains = 1,
                              .count = 6};
  strcpy(curve->name, name);
  strcpy(curve->pages, kind);
  curve->points = calloc(curve->count, sizeof *curve->points);
  for (size_t i = 0; i < curve->count; i++) {
    double x = by_pages ? exp2(2 + 2 * (double)i) : exp2(12 + 3 * (double)i);
    double t = i < 2 ? 1 : ns;
    curve->points[i] = (struct cal_point){x, t, t, t};
  }
}

void flat_machine_make(struct calibration *cal, double walk_ns) {
  *cal = (struct calibration){0};
  cal->curves = calloc(6, sizeof *cal->curves);
  flat_machine_curve(cal, "page_chase", "4k", true, 1 + walk_ns);
  flat_machine_curve(cal, "page_chase", "2m", true, 1);
  flat_machine_curve(cal, "line_chase", "4k", false, 1);
  flat_machine_curve(cal, "line_chase", "2m", false, 1);
}
