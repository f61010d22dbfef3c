/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured against predicted, a panel a model, held-out points alone.  Both
 * axes are logarithms. */
#include <math.h>
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/gnuplot.h"
#include "experiments/report/plot_log.h"
#include "experiments/validate/models.h"
#include "experiments/validate/validate.h"

enum { COLUMNS = 3, LEGEND_LINE = 18, LEGEND_TOP = 44 };

static const struct plot_grid panels = {.columns = COLUMNS,
                                        .rows = 2,
                                        .width = 324,
                                        .height = 310,
                                        .left = 66,
                                        .right = 14,
                                        .top = 38,
                                        .bottom = 48};

/* Was it predicted without having been seen? */
static bool is_drawn(const struct validation *v, size_t program, size_t point) {
  const struct program *p = &v->points.programs[program];
  return !p->left_out[0] && point >= p->first && point - p->first < p->count &&
         v->points.points[point].use == POINT_HELD_OUT &&
         v->points.points[point].ns > 0;
}

static bool has_points(const struct validation *v, size_t program) {
  bool any = false;
  for (size_t i = 0; i < v->points.count && !any; i++)
    any = is_drawn(v, program, i);
  return any;
}

static bool has_data(const struct survey *survey) {
  const struct validation *v = survey->validation;
  bool any = false;
  for (size_t p = 0; v && p < v->points.program_count && !any; p++)
    any = has_points(v, p);
  return any;
}

/* Its place in the table of algorithms, by which it is coloured. */
static size_t place_of(const struct validation *v, size_t program) {
  size_t i = 0;
  while (cpu_algos[i] && cpu_algos[i] != v->points.programs[program].algo) i++;
  return i;
}

static void widen(double *lo, double *hi, double ns) {
  if (!(ns > 0)) return;
  *lo = fmin(*lo, log10(ns));
  *hi = fmax(*hi, log10(ns));
}

/* The same for both axes, so that the diagonal is one. */
static struct plot_range range_of(const struct validation *v) {
  double lo = NAN, hi = NAN;
  for (size_t p = 0; p < v->points.program_count; p++)
    for (size_t i = 0; i < v->points.count; i++) {
      if (!is_drawn(v, p, i)) continue;
      widen(&lo, &hi, v->points.points[i].ns);
      for (size_t m = 0; models[m]; m++)
        widen(&lo, &hi, v->judged.predicted[m][i]);
    }
  return (struct plot_range){lo - 0.1, hi + 0.1, lo - 0.1, hi + 0.1};
}

static void print_data(FILE *script, const struct validation *v) {
  for (size_t p = 0; p < v->points.program_count; p++) {
    fprintf(script, "$p%zu << END\n", p);
    for (size_t i = 0; i < v->points.count; i++) {
      if (!is_drawn(v, p, i)) continue;
      fprintf(script, "%.5f", log10(v->points.points[i].ns));
      for (size_t m = 0; models[m]; m++)
        fprintf(script, " %.5f", log10(v->judged.predicted[m][i]));
      fputc('\n', script);
    }
    fputs("END\n", script);
  }
}

static void draw_panel(FILE *script, const struct plot_grid *grid,
                       const struct validation *v, size_t m,
                       const struct plot_range *range) {
  char title[80];
  snprintf(title, sizeof title, "%s: %.0f %% off", models[m]->title,
           100 * v->judged.all[m].time.median);
  plot_labels(script, "measured, ns", m % COLUMNS ? "" : "predicted, ns");
  plot_panel(script, grid, m, title, range);
  plot_log_numbers(script, 'x', range->x_lo, range->x_hi);
  plot_log_numbers(script, 'y', range->y_lo, range->y_hi);
  fprintf(script, "plot x with lines lc rgb '#808080' lw 1 dt 1");
  for (size_t p = 0; p < v->points.program_count; p++)
    if (has_points(v, p))
      fprintf(script,
              ", $p%zu using 1:%zu with points pt %s ps 0.45 lc rgb '%s'", p,
              m + 2, plot_shape(place_of(v, p)), plot_colour(place_of(v, p)));
  fputc('\n', script);
}

/* In the cell behind the last panel, where labels need a plot to be drawn
 * with. */
static void draw_legend(FILE *script, const struct plot_grid *grid,
                        const struct validation *v, size_t cell,
                        const struct plot_range *range) {
  int line = 0;
  double lines = (double)(grid->height - LEGEND_TOP) / LEGEND_LINE;
  fputs("unset border\nunset grid\n", script);
  plot_labels(script, "", "");
  plot_panel(script, grid, cell, "", range);
  fputs("unset xtics\nunset ytics\n", script);
  for (size_t p = 0; p < v->points.program_count; p++) {
    if (!has_points(v, p)) continue;
    fputs("set label ", script);
    gnuplot_quote(script, v->points.programs[p].algo->name);
    fprintf(script,
            " at graph 0.04, graph %.4f left point pt %s ps 0.7 lc rgb '%s' "
            "offset 1,-0.15\n",
            1 - line++ / lines, plot_shape(place_of(v, p)),
            plot_colour(place_of(v, p)));
  }
  fprintf(script, "plot %g with lines notitle lc rgb '#FFFFFF'\n",
          range->y_hi + 1);
}

static void draw(FILE *script, const struct survey *survey,
                 enum plot_format format) {
  const struct validation *v = survey->validation;
  struct plot_grid grid = figure_grid(&panels, survey);
  struct plot_range range = range_of(v);
  size_t m = 0;
  plot_begin(script, &grid, format);
  print_data(script, v);
  for (; models[m]; m++) draw_panel(script, &grid, v, m, &range);
  draw_legend(script, &grid, v, m, &range);
  plot_end(script);
}

static void write_csv(FILE *out, const struct survey *survey) {
  const struct validation *v = survey->validation;
  fputs("algo,pages,n,measured_ns_per_op", out);
  for (size_t m = 0; models[m]; m++)
    fprintf(out, ",%s_ns_per_op", models[m]->name);
  fputc('\n', out);
  for (size_t p = 0; p < v->points.program_count; p++)
    for (size_t i = 0; i < v->points.count; i++) {
      const struct point *point = &v->points.points[i];
      if (!is_drawn(v, p, i)) continue;
      figure_csv_first(out, v->points.programs[p].algo->name);
      figure_csv_text(out, point->row->pages);
      fprintf(out, ",%llu", (unsigned long long)point->row->n);
      figure_csv_number(out, point->ns);
      for (size_t m = 0; models[m]; m++)
        figure_csv_number(out, v->judged.predicted[m][i]);
      fputc('\n', out);
    }
}

static void detail(const struct survey *survey, char text[FIGURE_DETAIL_SIZE]) {
  const struct validation *v = survey->validation;
  size_t at =
      (size_t)snprintf(text, FIGURE_DETAIL_SIZE, "Here it %s.", v->verdict);
  for (size_t m = 0; models[m] && at < FIGURE_DETAIL_SIZE; m++) {
    const struct score *score = &v->judged.all[m].time;
    at += (size_t)snprintf(text + at, FIGURE_DETAIL_SIZE - at, "%s %s %.0f %%",
                           m ? "," : " Nine in ten points are nearer than:",
                           models[m]->title, 100 * score->p90);
  }
  if (at < FIGURE_DETAIL_SIZE)
    snprintf(text + at, FIGURE_DETAIL_SIZE - at, ".");
}

const struct figure figure_predicted = {
    .name = "fig-predicted",
    .title = "Measured against predicted",
    .caption =
        "Least time of an operation as measured against what each model says, "
        "a colour a program; both axes are logarithms, and on the grey "
        "diagonal a prediction is right. Only points that nothing was fitted "
        "to are drawn: of each program, what an operation costs and how much "
        "of its waiting it overlaps are fitted to small sizes on base pages; "
        "larger sizes, and all sizes on other pages, are predicted. RAM counts "
        "operations alone, so its points lie in level rows; EM adds cache "
        "misses, VAT misses of the translation cache, EM+VAT both, FULL "
        "physical terms of this machine. Above each panel stands how far half "
        "of the points are off at most. Look which cloud lies on the diagonal "
        "at its far end, where the memory is large: what is below it there is "
        "time that the model does not know of.",
    .needs =
        "It needs the machine's calibration and programs at enough sizes on "
        "two page kinds: vat calibrate -o MACHINE.json; vat run --pages 4k,thp "
        "--sizes 2^14:2^24*1.4 -o FILE; vat report FILE --machine "
        "MACHINE.json. vat validate FILE --machine MACHINE.json says what else "
        "is missing. It is drawn of the first results file.",
    .detail = detail,
    .has_data = has_data,
    .draw = draw,
    .write_csv = write_csv,
};
