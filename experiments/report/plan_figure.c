/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/plan_figure.h"

#include <math.h>

#include "experiments/cli/command.h"
#include "experiments/report/chart_file.h"
#include "experiments/report/chart_layout.h"
#include "huge_pages/size_text.h"

static void add_measured(struct chart_panel *panel,
                         const struct chart_point *measured, size_t count) {
  struct chart_series *series = chart_series(panel, 1, "measured");
  series->apart = true;
  series->interval = CHART_BARS;
  for (size_t i = 0; i < count; i++)
    chart_interval(series, measured[i].x, measured[i].y, measured[i].lo,
                   measured[i].hi);
}

void plan_figure_fill(const struct page_plan *plan,
                      const struct chart_point *measured, size_t count,
                      struct chart *chart) {
  *chart = (struct chart){.box = {470, 330, 84, 120, 56, 52}};
  struct chart_panel *panel =
      chart_panel(chart, "memory on larger pages", "user time / 4k",
                  "Predicted user time over the budget");
  struct chart_series *series = chart_series(panel, 0, "predicted");
  panel->x.scale = CHART_BYTES;
  double least = 1;
  for (size_t i = 0; i < plan->points; i++)
    least = fmin(least, plan->curve[i].user_ratio);
  for (size_t i = 0; i < count; i++)
    least = fmin(least, isnan(measured[i].lo) ? measured[i].y : measured[i].lo);
  panel->y.lo = fmax(0, 1 - 1.2 * fmax(0.05, 1 - least));
  panel->y.hi = 1 + 0.25 * (1 - panel->y.lo); /* room for the mark's name */
  panel->y.tics = CHART_TICS_ROUND;
  panel->level = 1;
  panel->bare = true;
  series->unmarked = true;
  for (size_t i = 0; i < plan->points; i++)
    if (plan->curve[i].bytes > 0)
      chart_point(series, plan->curve[i].bytes, plan->curve[i].user_ratio);
  if (!isnan(plan->budget_bytes) && plan->budget_bytes > 0)
    chart_mark(panel, plan->budget_bytes, "budget");
  if (count) add_measured(panel, measured, count);
  chart_finish(chart);
}

int plan_figure_write(const struct page_plan *plan, const char *path) {
  struct chart chart;
  plan_figure_fill(plan, NULL, 0, &chart);
  int code = chart_has_points(&chart)
                 ? chart_file_write(&chart, path)
                 : fail(VAT_USAGE,
                        "--figure %s: nothing to draw without a predicted "
                        "time; fix: --machine MACHINE.json",
                        path);
  chart_fini(&chart);
  return code;
}
