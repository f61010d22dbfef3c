/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/chart.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/utf8.h"

#define PRINT(text, format)                      \
  do {                                           \
    va_list args;                                \
    va_start(args, format);                      \
    vsnprintf(text, sizeof(text), format, args); \
    va_end(args);                                \
  } while (0)

static void panel_fini(struct chart_panel *panel) {
  for (size_t i = 0; i < panel->count; i++) {
    free(panel->series[i]->points);
    free(panel->series[i]);
  }
  free(panel->series);
}

void chart_fini(struct chart *chart) {
  for (size_t i = 0; chart->panels && i <= CHART_PANELS; i++)
    panel_fini(&chart->panels[i]);
  free(chart->panels);
  *chart = (struct chart){0};
}

/* The place behind the last panel is for those that find no room. */
struct chart_panel *chart_panel(struct chart *chart, const char *x,
                                const char *y, const char *title, ...) {
  const struct chart_axis usual = {.lo = NAN, .hi = NAN};
  if (!chart->panels)
    chart->panels = memory_zeroed(CHART_PANELS + 1, sizeof *chart->panels);
  struct chart_panel *panel = &chart->panels[chart->count];
  panel_fini(panel);
  *panel = (struct chart_panel){
      .x = usual, .y = usual, .level = NAN, .band_lo = NAN, .band_hi = NAN};
  panel->x.title = x;
  panel->y.title = y;
  PRINT(panel->title, title);
  if (chart->count < CHART_PANELS) chart->count++;
  return panel;
}

struct chart_series *chart_series(struct chart_panel *panel, size_t place,
                                  const char *label, ...) {
  struct chart_series *series = memory_zeroed(1, sizeof *series);
  series->colour = series->shape = place;
  series->label_y = NAN;
  char whole[CHART_NAME] = "";
  PRINT(whole, label);
  if (strlen(whole) >= CHART_LABEL) {
    whole[CHART_LABEL - sizeof "\342\200\246"] = '\0';
    utf8_trim(whole);
    strcat(whole, "\342\200\246");
  }
  memcpy(series->label, whole, CHART_LABEL);
  *ARRAY_ADD(panel->series, panel->count) = series;
  return series;
}

struct chart_series *chart_line(struct chart_panel *panel, const char *label) {
  for (size_t i = 0; i < panel->count; i++)
    if (!strcmp(panel->series[i]->label, label)) return panel->series[i];
  return chart_series(panel, panel->count, "%s", label);
}

void chart_point(struct chart_series *series, double x, double y) {
  chart_interval(series, x, y, y, y);
}

void chart_interval(struct chart_series *series, double x, double y, double lo,
                    double hi) {
  if (!isfinite(x) || !isfinite(y)) return;
  *ARRAY_ADD(series->points, series->count) =
      (struct chart_point){x, y, lo, hi};
}

static int compare_points(const void *a, const void *b) {
  const struct chart_point *x = a, *y = b;
  return (x->x > y->x) - (x->x < y->x);
}

void chart_sort(struct chart_series *series) {
  if (series->count)
    qsort(series->points, series->count, sizeof *series->points,
          compare_points);
}

void chart_mark(struct chart_panel *panel, double x, const char *name, ...) {
  if (!isfinite(x) || panel->mark_count == CHART_MARKS) return;
  PRINT(panel->marks[panel->mark_count].name, name);
  panel->marks[panel->mark_count++].at = x;
}

double chart_row(struct chart_panel *panel, const char *name) {
  size_t row = 0;
  while (row < panel->row_count && strcmp(panel->rows[row], name)) row++;
  if (row < panel->row_count) return (double)row;
  if (row == CHART_ROWS) return NAN;
  snprintf(panel->rows[row], CHART_NAME, "%s", name);
  return (double)panel->row_count++;
}

void chart_key(struct chart *chart, size_t colour, const char *text, ...) {
  if (chart->key_count == CHART_KEYS) return;
  chart->keys[chart->key_count].colour = colour;
  PRINT(chart->keys[chart->key_count].text, text);
  chart->key_count++;
}

void chart_tell(struct chart *chart, const char *format, ...) {
  size_t used = strlen(chart->detail);
  va_list args;
  va_start(args, format);
  vsnprintf(chart->detail + used, CHART_DETAIL - used, format, args);
  va_end(args);
}

void chart_extent(const struct chart *chart, double *lo, double *hi) {
  for (size_t i = 0; i < chart->count; i++)
    for (size_t j = 0; j < chart->panels[i].count; j++) {
      const struct chart_series *series = chart->panels[i].series[j];
      for (size_t k = 0; k < series->count; k++) {
        *lo = fmin(*lo, series->points[k].y);
        *hi = fmax(*hi, series->points[k].y);
      }
    }
}

bool chart_panel_has_points(const struct chart_panel *panel) {
  for (size_t i = 0; i < panel->count; i++)
    if (panel->series[i]->count) return true;
  return false;
}

bool chart_has_points(const struct chart *chart) {
  for (size_t i = 0; i < chart->count; i++)
    if (chart_panel_has_points(&chart->panels[i])) return true;
  return false;
}

void chart_drop_empty(struct chart *chart) {
  size_t kept = 0;
  for (size_t i = 0; i < chart->count; i++) {
    struct chart_panel empty = chart->panels[i];
    if (!chart_panel_has_points(&empty)) continue;
    chart->panels[i] = chart->panels[kept];
    chart->panels[kept++] = empty;
  }
  chart->count = kept; /* the others are released with the chart */
}

const char *chart_dash_name(size_t dash) {
  static const char *const names[] = {"solid", "dashed", "dotted",
                                      "dash-dotted"};
  return names[dash % (sizeof names / sizeof *names)];
}
