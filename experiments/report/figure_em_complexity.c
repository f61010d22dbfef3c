/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.2: the time of random scan divided by its cost in the EM model, over
 * log2 n.  Cache sizes are the machine's; its access times are not known, and
 * are those with which the model does best. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/report/em_scan.h"
#include "experiments/report/figure.h"
#include "experiments/report/report_machine.h"

/* Fewer sizes than that can be fitted by any caches. */
enum { SIZES_LEAST = 8 };

static bool is_drawn(const struct summary *row) {
  return survey_is_usual(row, "random_scan") && survey_has_time(row) &&
         row->ns_per_op_min > 0;
}

/* The machine's caches, and times that fit random scan on base pages; false:
 * there are none, or too few sizes. */
static bool fit(const struct survey *survey, struct em_levels *levels) {
  struct em_point *points = memory_zeroed(survey->count + 1, sizeof *points);
  size_t count = 0;
  em_levels_of(survey->record, levels);
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (is_drawn(row) && row->base)
      points[count++] = (struct em_point){(double)row->n, row->ns_per_op_min};
  bool enough = levels->count && count >= SIZES_LEAST;
  if (enough) em_scan_fit(levels, points, count);
  free(points);
  return enough;
}

static double ratio_of(const struct em_levels *levels,
                       const struct summary *row) {
  return row->ns_per_op_min / em_scan_ns(levels, (double)row->n);
}

static void em_complexity_tell(const struct survey *survey,
                               const struct em_levels *levels,
                               struct chart *chart) {
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < levels->count; i++)
    chart_tell(chart, "%s%s: %s ns",
               i ? "; " : "Times of an access that fit best: ",
               levels->level[i].name, HUMAN_NUMBER(levels->level[i].ns));
  for (const struct summary *row = survey->rows; row < survey->end; row++) {
    if (!is_drawn(row) || !row->base) continue;
    least = fmin(least, ratio_of(levels, row));
    most = fmax(most, ratio_of(levels, row));
  }
  chart_tell(
      chart, ". With these times, the lines lie between %s and %s.%s",
      HUMAN_NUMBER(least), HUMAN_NUMBER(most),
      report_machine_is_virtual(survey->record)
          ? " This virtual machine shares the last-level cache with others, "
            "so the last grey line may be too far right."
          : "");
}

static void em_complexity_fill(const struct survey *survey,
                               struct chart *chart) {
  struct em_levels levels;
  if (!fit(survey, &levels)) return;
  chart->box = (struct chart_box){640, 400, 64, 200, 38, 48};
  struct chart_panel *panel =
      chart_panel(chart, FIGURE_LOG2_N, "time / EM complexity", "random_scan");
  panel->level = 1;
  panel->y.room = 1.06 * 1.08; /* for the names of the marks */
  for (size_t i = 0; i + 1 < levels.count; i++)
    chart_mark(panel, log2(levels.level[i].elements), "%s",
               levels.level[i].name);
  for (size_t j = 0; j < survey->kind_count; j++) {
    struct chart_series *series = chart_series(
        panel, j ? j - 1 : CHART_BLACK, "%s", HUMAN_PAGES(survey->kinds[j]));
    for (const struct summary *row = survey->rows; row < survey->end; row++)
      if (is_drawn(row) && !strcmp(row->pages, survey->kinds[j]))
        chart_point(series, log2((double)row->n), ratio_of(&levels, row));
    chart_sort(series);
  }
  em_complexity_tell(survey, &levels, chart);
}

static void em_complexity_write_lines(FILE *out, const struct survey *survey) {
  struct em_levels levels;
  if (!fit(survey, &levels)) return;
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (is_drawn(row))
      figure_csv(out, "|sulggg\n", row->pages, row->n, log2((double)row->n),
                 row->ns_per_op_min, em_scan_ns(&levels, (double)row->n),
                 ratio_of(&levels, row));
}

const struct figure figure_em_complexity = {
    .name = "fig-2.2",
    .title = "Random scan against the memory hierarchy",
    .caption =
        "x axis: log\342\202\202 n, where n is the number of elements; the "
        "sizes of the caches are in grey. y axis: shortest time of "
        "random_scan, divided by the time that its cache misses explain. The "
        "external memory (EM) model gives that time, by the formula in section "
        "2.1.1 of T. Jurkiewicz's PhD thesis. The time of each cache is fitted "
        "to the measurements on 4 KiB pages. A line at 1 means that caches "
        "explain the whole time. Where a line rises above 1, caches do not "
        "explain the whole time. All page kinds use the same caches, so a gap "
        "between their lines is address translation.",
    .needs =
        "It needs random_scan at 8 sizes or more on base pages, and the "
        "machine's caches.",
    .fill = em_complexity_fill,
    .head = "pages,n,log2_n,ns_per_element_min,em_ns_per_element,ratio",
    .write_lines = em_complexity_write_lines,
};
