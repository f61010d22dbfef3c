/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time and page faults over the page size, at each program's telling size: what
 * is gained, and from which size on.  Pages of a pool have points of their own,
 * as the kernel holds them differently. */
#include <math.h>

#include "experiments/report/figure.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/region.h"

/* Two are figure 2.5. */
enum { SIZES_LEAST = 3 };

enum { COLUMNS = 4 };
#define POINT_SIZE 0.6

/* So far right of the transparent pages of their size are those of a pool. */
#define ASIDE 1.25

static bool is_pooled(const struct summary *row) {
  const struct hp_kind *kind = hp_kind_find(row->pages);
  return kind && kind->pooled;
}

/* A page fault brings a page. */
static double faults_of(const struct summary *row) {
  double faults = 0;
  for (size_t i = 0; i < row->granted->sizes; i++)
    faults += (double)row->granted->by[i].bytes /
              (double)row->granted->by[i].page_bytes;
  return faults;
}

static double percent_of(const struct summary *row) {
  return row->base ? 100 : 100 * row->ratio_to_4k;
}

static bool is_drawn(const struct summary *row) {
  return survey_has_time(row) && (row->base || survey_has_ratio(row)) &&
         row->granted;
}

static bool is_at(const struct survey *survey, const struct summary *program,
                  const struct summary *row) {
  return is_drawn(row) && survey_same_program(program, row) &&
         row->n == survey_telling_size(survey, program);
}

/* Page sizes that the program has, but for those of pools. */
static size_t sizes_of(const struct survey *survey,
                       const struct summary *program) {
  size_t sizes = 0;
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    sizes += is_at(survey, program, row) && !is_pooled(row);
  return sizes;
}

static void add_rows(struct chart_series *series, const struct survey *survey,
                     const struct summary *program, bool pooled, bool faults) {
  for (const struct summary *row = survey->rows; row < survey->end; row++) {
    if (!is_at(survey, program, row) || is_pooled(row) != pooled) continue;
    double x = (double)hp_kind_usual_bytes(row->pages);
    if (pooled) x *= ASIDE;
    if (faults)
      chart_point(series, x, faults_of(row));
    else
      chart_interval(series, x, percent_of(row), 100 * row->ratio_lo,
                     100 * row->ratio_hi);
  }
  chart_sort(series);
}

static void add_program(struct chart_panel *panel, const struct survey *survey,
                        size_t index, bool faults) {
  const struct summary *program = survey->programs[index];
  for (int pooled = 0; pooled < 2; pooled++) {
    struct chart_series *series =
        chart_series(panel, survey_place(survey, index), "%s", "");
    if (pooled)
      series->open = series->apart = true;
    else
      figure_mark_tuned(series, survey, index);
    series->interval = faults ? CHART_NO_INTERVAL : CHART_BARS;
    series->size = POINT_SIZE;
    add_rows(series, survey, program, pooled, faults);
  }
}

static struct chart_panel *add_panel(struct chart *chart, const char *title) {
  struct chart_panel *panel = chart_panel(chart, "", "", "%s", title);
  panel->x.scale = CHART_BYTES;
  return panel;
}

static void widen(const struct chart_panel *panel, double *lo, double *hi) {
  for (size_t i = 0; i < panel->count; i++)
    for (size_t k = 0; k < panel->series[i]->count; k++) {
      const struct chart_point *point = &panel->series[i]->points[k];
      *lo = fmin(*lo, fmin(point->y, point->lo));
      *hi = fmax(*hi, fmax(point->y, point->hi));
    }
}

/* All of times have the same axis of y. */
static void set_axes(struct chart *chart, size_t count) {
  double lo = 95, hi = 105;
  for (size_t i = 0; i < count; i++) widen(&chart->panels[i], &lo, &hi);
  for (size_t i = 0; i < count; i++) {
    struct chart_panel *panel = &chart->panels[i];
    panel->level = 100;
    panel->band_lo = 100 * (1 - SUMMARY_NOISE_FLOOR);
    panel->band_hi = 100 * (1 + SUMMARY_NOISE_FLOOR);
    panel->y.lo = 10 * floor(lo / 10);
    panel->y.hi = 10 * ceil(hi / 10);
  }
}

static void page_sizes_fill(const struct survey *survey, struct chart *chart) {
  size_t drawn[FIGURE_PROGRAMS_MAX], count = 0;
  chart->columns = COLUMNS;
  chart->box = (struct chart_box){245, 240, 42, 26, 34, 40};
  chart->head = 46;
  chart_key(chart, CHART_KEYS,
            "%% of the time on base pages, over the page size; open points: "
            "pages of a pool");
  for (size_t i = 0; i < figure_programs(survey); i++)
    if (sizes_of(survey, survey->programs[i]) >= SIZES_LEAST)
      drawn[count++] = i;
  for (size_t i = 0; i < count; i++)
    add_program(add_panel(chart, FIGURE_LABELED(survey->programs[drawn[i]])),
                survey, drawn[i], false);
  if (!count) return;
  set_axes(chart, count);
  struct chart_panel *faults = add_panel(chart, "page faults");
  faults->y.scale = CHART_POWERS;
  for (size_t i = 0; i < count; i++)
    add_program(faults, survey, drawn[i], true);
}

const struct figure figure_page_sizes = {
    .name = "fig-page-sizes",
    .title = "Time and page faults over the page size",
    .caption =
        "One panel for each program. x axis: page size. y axis: time as a "
        "percentage of the time on base pages, at the largest size that was "
        "measured, with 95 % intervals. In the grey band, there is no "
        "difference. The memory was there before the time began. Last panel: "
        "the page faults that bring this memory, one for each page that the "
        "kernel granted, in the colours of the programs. Lines are transparent "
        "pages; open points are pages of a pool, which is filled in advance.",
    .needs =
        "It needs samples on at least three sizes of transparent pages, "
        "such as --pages 4k,thp-64k,thp.",
    .fill = page_sizes_fill,
};
