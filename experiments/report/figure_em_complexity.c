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
#include "experiments/report/plot_lines.h"

static const struct plot_grid panel = {.columns = 1,
                                       .rows = 1,
                                       .width = 640,
                                       .height = 400,
                                       .left = 64,
                                       .right = 200,
                                       .top = 38,
                                       .bottom = 48};

/* Fewer sizes than that can be fitted by any caches. */
enum { SIZES_LEAST = 8 };

/* Of base pages, the first kind; others are coloured as in figure 2.5. */
enum { BLACK = 6 };

static bool is_drawn(const struct summary *row) {
  return row && !strcmp(row->algo, "random_scan") &&
         !strcmp(row->device, "cpu") && !*row->variant->generator &&
         !*row->variant->file && row->n && row->reps &&
         isfinite(row->ns_per_op_min) && row->ns_per_op_min > 0;
}

static size_t sizes_on_base(const struct survey *survey) {
  size_t sizes = 0;
  for (size_t i = 0; i < survey->count; i++)
    sizes += is_drawn(&survey->rows[i]) && survey->rows[i].base;
  return sizes;
}

static bool has_data(const struct survey *survey) {
  struct em_levels levels;
  em_levels_of(survey->record, &levels);
  return levels.count && sizes_on_base(survey) >= SIZES_LEAST;
}

/* The machine's caches, and times that fit random scan on base pages. */
static void fit(const struct survey *survey, struct em_levels *levels) {
  struct em_point *points = memory_zeroed(survey->count + 1, sizeof *points);
  size_t count = 0;
  em_levels_of(survey->record, levels);
  for (size_t i = 0; i < survey->count; i++) {
    const struct summary *row = &survey->rows[i];
    if (is_drawn(row) && row->base)
      points[count++] = (struct em_point){(double)row->n, row->ns_per_op_min};
  }
  em_scan_fit(levels, points, count);
  free(points);
}

static double ratio_of(const struct em_levels *levels,
                       const struct summary *row) {
  return row->ns_per_op_min / em_scan_ns(levels, (double)row->n);
}

static void add_lines(const struct survey *survey,
                      const struct em_levels *levels,
                      struct plot_lines *lines) {
  for (size_t j = 0; j < survey->kind_count; j++) {
    char pages[HUMAN_SIZE];
    struct plot_line *line = plot_lines_add(
        lines, human_pages(survey->kinds[j], pages), j ? j - 1 : BLACK, 0);
    for (size_t i = 0; i < survey->count; i++) {
      const struct summary *row = &survey->rows[i];
      if (is_drawn(row) && !strcmp(row->pages, survey->kinds[j]))
        plot_line_point(line, log2((double)row->n), ratio_of(levels, row));
    }
    plot_line_sort(line);
  }
}

static void draw(FILE *script, const struct survey *survey,
                 enum plot_format format) {
  struct plot_grid grid = figure_grid(&panel, survey);
  struct plot_lines lines = {0};
  struct em_levels levels;
  fit(survey, &levels);
  add_lines(survey, &levels, &lines);
  struct plot_range range = plot_lines_range(&lines);
  range.y_hi *= 1.08; /* for the names of the marks */
  plot_lines_make_room(&grid, &lines);
  plot_begin(script, &grid, format);
  plot_labels(script, "log\342\202\202 n", "time / EM complexity");
  plot_panel(script, &grid, 0, "random_scan", &range);
  fputs(
      "set arrow from graph 0, first 1 to graph 1, first 1 nohead "
      "lc rgb '#808080' lw 1\n",
      script);
  for (size_t i = 0; i + 1 < levels.count; i++)
    plot_mark(script, log2(levels.level[i].elements), levels.level[i].name,
              &range);
  plot_lines_draw(script, &grid, &range, &lines);
  plot_end(script);
  plot_lines_fini(&lines);
}

static void write_csv(FILE *out, const struct survey *survey) {
  struct em_levels levels;
  fit(survey, &levels);
  fputs("pages,n,log2_n,ns_per_element_min,em_ns_per_element,ratio\n", out);
  for (size_t i = 0; i < survey->count; i++) {
    const struct summary *row = &survey->rows[i];
    if (!is_drawn(row)) continue;
    figure_csv_first(out, row->pages);
    fprintf(out, ",%llu,%.5f,%.6g,%.6g,%.6g\n", (unsigned long long)row->n,
            log2((double)row->n), row->ns_per_op_min,
            em_scan_ns(&levels, (double)row->n), ratio_of(&levels, row));
  }
}

static void detail(const struct survey *survey, char text[FIGURE_DETAIL_SIZE]) {
  struct em_levels levels;
  double least = INFINITY, most = 0;
  char number[HUMAN_SIZE], other[HUMAN_SIZE];
  size_t at = 0;
  fit(survey, &levels);
  for (size_t i = 0; i < levels.count; i++)
    at += (size_t)snprintf(
        text + at, FIGURE_DETAIL_SIZE - at, "%s%s %s ns",
        i ? ", " : "Times that fit best: ", levels.level[i].name,
        human_number(levels.level[i].ns, number));
  for (size_t i = 0; i < survey->count; i++) {
    if (!is_drawn(&survey->rows[i]) || !survey->rows[i].base) continue;
    least = fmin(least, ratio_of(&levels, &survey->rows[i]));
    most = fmax(most, ratio_of(&levels, &survey->rows[i]));
  }
  at +=
      (size_t)snprintf(text + at, FIGURE_DETAIL_SIZE - at,
                       "; with them the ratio goes from %s to %s.",
                       human_number(least, number), human_number(most, other));
  if (json_is_true(
          json_object_get(json_object_get(survey->record, "vm"), "is_vm")))
    snprintf(text + at, FIGURE_DETAIL_SIZE - at,
             " A virtual machine is told the size of a last-level cache that "
             "it shares with others, so the last mark may be too far right.");
}

const struct figure figure_em_complexity = {
    .name = "fig-2.2",
    .title = "Random scan against the memory hierarchy",
    .caption =
        "Least time of random scan divided by its EM complexity: each access "
        "costs the time of the level that holds it, by the closed form of "
        "section 2.1.1 of the thesis. The sizes of the caches, marked in grey, "
        "are those the machine tells, an element being 16 bytes: a number and "
        "its place in the permutation. The times of the levels are those with "
        "which the formula does best on base pages. If caches explained the "
        "time, the line would be level at 1. Where it climbs inside a level "
        "something else is paid for. The model knows nothing of pages: where "
        "lines of page kinds part, that is translation.",
    .needs =
        "It needs random_scan at 8 sizes or more on base pages, and the "
        "machine's caches.",
    .detail = detail,
    .has_data = has_data,
    .draw = draw,
    .write_csv = write_csv,
    .is_drawn = is_drawn,
};
