/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/panels.h"

#include <math.h>

#include "experiments/report/figure.h"
#include "experiments/report/plot_log.h"

static const struct plot_grid layout = {.width = 470,
                                        .height = 402,
                                        .left = 104,
                                        .right = 120,
                                        .top = 56,
                                        .bottom = 52,
                                        .rows = 1};

void panel_round_tics(struct panel *panel) {
  const struct plot_range range = plot_lines_range(&panel->lines);
  const double least = (range.x_hi - range.x_lo) / 6;
  panel->tics = pow(10, floor(log10(least)));
  if (panel->tics < least) panel->tics *= 2;
  if (panel->tics < least) panel->tics *= 2.5;
  if (panel->tics < least) panel->tics *= 2;
}

size_t panels_keep(struct panel *panels, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool any = false;
    for (size_t j = 0; j < panels[i].lines.count; j++)
      any |= panels[i].lines.line[j]->count > 0;
    if (any)
      panels[kept++] = panels[i];
    else
      plot_lines_fini(&panels[i].lines);
  }
  return kept;
}

void panels_draw(FILE *script, const struct survey *survey,
                 enum plot_format format, panels_fill *fill) {
  struct panel panels[PANELS] = {0};
  struct plot_range ranges[PANELS];
  struct plot_grid grid = figure_gpu_grid(&layout, survey);
  size_t count = fill(survey, panels);
  bool of_machine = false;
  for (size_t i = 0; i < count; i++) of_machine |= !panels[i].of_no_input;
  if (!of_machine) grid.foot = NULL;
  grid.columns = (int)count;
  for (size_t i = 0; i < count; i++) {
    struct plot_lines *lines = &panels[i].lines;
    ranges[i] = plot_lines_range(lines);
    if (panels[i].from_zero) ranges[i].x_lo = 0;
    if (panels[i].log_y) plot_lines_to_log(lines);
    if (panels[i].log_y) plot_lines_log_range(lines, &ranges[i]);
    plot_lines_make_room(&grid, lines);
  }
  plot_begin(script, &grid, format);
  for (size_t i = 0; i < count; i++) {
    plot_labels(script, panels[i].x, panels[i].y);
    if (panels[i].log_y) fputs("set ylabel offset -1,0\n", script);
    plot_panel(script, &grid, i, panels[i].title, &ranges[i]);
    plot_kicker(script, &grid, i, panels[i].of);
    if (panels[i].tics > 0) fprintf(script, "set xtics %g\n", panels[i].tics);
    if (panels[i].log_y)
      plot_log_numbers(script, 'y', ranges[i].y_lo, ranges[i].y_hi);
    else
      fputs("set ytics autofreq\n", script);
    plot_lines_draw(script, &grid, &ranges[i], &panels[i].lines);
    plot_lines_fini(&panels[i].lines);
  }
  plot_end(script);
}

void panels_write_csv(FILE *out, const struct survey *survey,
                      panels_fill *fill) {
  struct panel panels[PANELS] = {0};
  size_t count = fill(survey, panels);
  fputs("panel,line,x_axis,x,y_axis,y\n", out);
  for (size_t i = 0; i < count; i++) {
    const struct plot_lines *lines = &panels[i].lines;
    for (size_t j = 0; j < lines->count; j++)
      for (size_t k = 0; k < lines->line[j]->count; k++) {
        figure_csv_first(out, panels[i].title);
        figure_csv_text(out, lines->line[j]->label);
        figure_csv_text(out, panels[i].x);
        figure_csv_number(out, lines->line[j]->points[k].x);
        figure_csv_text(out, panels[i].y);
        figure_csv_number(out, lines->line[j]->points[k].y);
        fputc('\n', out);
      }
    plot_lines_fini(&panels[i].lines);
  }
}

bool panels_any(const struct survey *survey, panels_fill *fill) {
  struct panel panels[PANELS] = {0};
  size_t count = fill(survey, panels);
  for (size_t i = 0; i < count; i++) plot_lines_fini(&panels[i].lines);
  return count > 0;
}
