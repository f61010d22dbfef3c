/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/calibrated_panel.h"

#include <stdio.h>
#include <string.h>

#include "experiments/report/report_machine.h"

struct chart_panel *calibrated_panel(struct chart *chart,
                                     const struct survey *of, const char *what,
                                     const char *x, const char *y) {
  char name[REPORT_MACHINE_SIZE];
  struct chart_panel *panel =
      chart_panel(chart, x, y, "%.80s, %s",
                  of ? report_machine_gpu(of->record, name) : "GeForce GTX 480",
                  of ? "measured" : "predicted");
  snprintf(panel->of, sizeof panel->of, "%s", what);
  panel->of_no_input = !of;
  return panel;
}

enum { ROWS_MOST = 1024 };

static size_t rows_of(const struct survey *survey,
                      const struct calibrated_lines *lines,
                      const struct summary *rows[ROWS_MOST],
                      const struct survey **first) {
  const struct survey *of;
  size_t count = 0;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (size_t i = 0; i < of->count && count < ROWS_MOST; i++) {
      const struct summary *row = &of->rows[i];
      if (!row->reps || strcmp(row->algo, lines->algo) ||
          strcmp(row->device, "cuda") || !lines->is_drawn(row))
        continue;
      if (!count) *first = of;
      rows[count++] = row;
    }
  return count;
}

static bool same_line(const struct calibrated_lines *lines,
                      const struct summary *a, const struct summary *b) {
  struct sample_variant one = *a->variant, other = *b->variant;
  lines->clear(&one);
  lines->clear(&other);
  return a->n == b->n && (!lines->of_pages || !strcmp(a->pages, b->pages)) &&
         !sample_variant_compare(&one, &other);
}

struct chart_panel *calibrated_rows(struct chart *chart,
                                    const struct survey *survey,
                                    const struct calibrated_lines *lines,
                                    const struct survey **of) {
  const struct summary *rows[ROWS_MOST];
  size_t count = rows_of(survey, lines, rows, of);
  if (!count) return NULL;
  struct chart_panel *panel =
      calibrated_panel(chart, *of, lines->algo, lines->x_axis, lines->y_axis);
  for (size_t i = 0; i < count; i++) {
    bool again = false;
    for (size_t j = 0; j < i; j++) again |= same_line(lines, rows[j], rows[i]);
    if (again) continue;
    struct chart_series *series = chart_series(panel, panel->count, "%s", "");
    lines->name(rows[i], series->label);
    for (size_t j = i; j < count; j++)
      if (same_line(lines, rows[i], rows[j]))
        chart_point(series, lines->x(rows[j]), lines->y(rows[j]));
    chart_sort(series);
  }
  return panel;
}
