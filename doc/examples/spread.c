/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the median of the repetitions is above their least, over log2 n. */
#include <math.h>

#include "experiments/report/figure.h"

static bool is_drawn(const struct summary *row) {
  return row && row->base && row->n && row->reps > 1 && survey_is_timed(row);
}

static double spread_of(const struct summary *row) {
  return 100 * (row->ns_per_op_median / row->ns_per_op_min - 1);
}

static void spread_fill(const struct survey *survey, struct chart *chart) {
  struct chart_panel *panel = chart_panel(
      chart, FIGURE_LOG2_N, "% above the least", "Median of the repetitions");
  for (size_t i = 0; i < figure_programs(survey); i++) {
    char label[SURVEY_LABEL_SIZE];
    struct chart_series *series =
        chart_series(panel, survey_place(survey, i), "%.50s",
                     survey_label(survey->programs[i], label));
    for (size_t k = 0; k < survey->kind_count; k++)
      figure_add_rows(series, survey, i, survey->kinds[k], is_drawn, spread_of);
  }
}

const struct figure figure_spread = {
    .name = "fig-spread",
    .title = "How far repetitions are apart",
    .caption = "A line that is high belongs to a program that was disturbed.",
    .needs = "It needs two repetitions on base pages.",
    .fill = spread_fill,
};
