/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/figure.h"

#include <string.h>

#include "experiments/report/chart_layout.h"
#include "experiments/report/figure_csv.h"
#include "experiments/report/tmm_rows.h"

const char *figure_title(const struct figure *figure,
                         char title[FIGURE_TITLE_SIZE]) {
  const char *number = figure->name + strlen("fig-");
  bool numbered = *number >= '2' && *number <= '9';
  snprintf(title, FIGURE_TITLE_SIZE, "%s%s%s%s", numbered ? "Figure " : "",
           numbered ? number : "", numbered ? ". " : "", figure->title);
  return title;
}

static const char *machine_of(const struct figure *figure,
                              const struct survey *survey) {
  if (figure->of_gpu && survey->gpu_machine) return survey->gpu_machine;
  return survey->machine ? survey->machine : "";
}

bool figure_chart(const struct figure *figure, const struct survey *survey,
                  struct chart *chart) {
  *chart = (struct chart){.box = {470, 402, 104, 120, 56, 52}};
  snprintf(chart->foot, sizeof chart->foot, "%s", machine_of(figure, survey));
  if (figure->algo && tmm_first_survey(survey, figure->algo) != survey)
    return false;
  figure->fill(survey, chart);
  chart_finish(chart);
  return chart_has_points(chart);
}

bool figure_has_data(const struct figure *figure, const struct survey *survey) {
  struct chart chart;
  bool has = figure_chart(figure, survey, &chart);
  chart_fini(&chart);
  return has;
}

static void write_panel(FILE *out, const struct chart_panel *panel) {
  for (size_t i = 0; i < panel->count; i++)
    for (size_t j = 0; j < panel->series[i]->count; j++)
      figure_csv(out, "|sssgsg\n", panel->title, panel->series[i]->label,
                 panel->x.title, panel->series[i]->points[j].x, panel->y.title,
                 panel->series[i]->points[j].y);
}

void figure_write_csv(const struct figure *figure, FILE *out,
                      const struct survey *survey, const struct chart *chart) {
  if (figure->write_csv) {
    figure->write_csv(out, survey, chart);
    return;
  }
  fputs("panel,line,x_axis,x,y_axis,y\n", out);
  for (size_t i = 0; i < chart->count; i++) write_panel(out, &chart->panels[i]);
}
