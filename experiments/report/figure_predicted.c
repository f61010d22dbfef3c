/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured against predicted, a panel a model, held-out points alone.  Both
 * axes are logarithms. */
#include <math.h>

#include "experiments/report/figure.h"
#include "experiments/validate/models.h"
#include "experiments/validate/validate.h"

enum { COLUMNS = 3 };

/* On both sides of the points. */
#define MARGIN pow(10, 0.1)

/* Was it predicted without having been seen? */
static bool is_drawn(const struct validation *v, size_t program, size_t point) {
  const struct program *p = &v->points.programs[program];
  return !p->left_out && point >= p->first && point - p->first < p->count &&
         v->points.points[point].use == POINT_HELD_OUT &&
         v->points.points[point].ns > 0;
}

/* Its place in the table of algorithms, by which it is coloured. */
static size_t place_of(const struct validation *v, size_t program) {
  size_t i = 0;
  while (cpu_algos[i] && cpu_algos[i] != v->points.programs[program].algo) i++;
  return i;
}

static void add_model(struct chart *chart, const struct validation *v,
                      size_t m) {
  struct chart_panel *panel = chart_panel(
      chart, "measured, ns", m % COLUMNS ? "" : "predicted, ns",
      "%s: %.0f %% off", models[m].title, 100 * v->judged.all[m].time.median);
  panel->x.scale = panel->y.scale = CHART_LOG;
  panel->diagonal = true;
  for (size_t p = 0; p < v->points.program_count; p++) {
    struct chart_series *series = chart_series(panel, place_of(v, p), "%s", "");
    series->apart = true;
    series->size = 0.45;
    for (size_t i = 0; i < v->points.count; i++)
      if (is_drawn(v, p, i))
        chart_point(series, v->points.points[i].ns, v->judged.predicted[m][i]);
    if (!m && series->count)
      chart_key(chart, place_of(v, p), "%s", v->points.programs[p].algo->name);
  }
}

/* The same for both axes of all panels, so that the diagonal is one. */
static void set_axes(struct chart *chart) {
  double lo = NAN, hi = NAN;
  for (size_t m = 0; m < chart->count; m++)
    for (size_t i = 0; i < chart->panels[m].count; i++) {
      const struct chart_series *series = chart->panels[m].series[i];
      for (size_t j = 0; j < series->count; j++) {
        const struct chart_point *p = &series->points[j];
        lo = fmin(lo, p->y > 0 ? fmin(p->x, p->y) : p->x);
        hi = fmax(hi, fmax(p->x, p->y));
      }
    }
  for (size_t m = 0; m < chart->count; m++) {
    struct chart_panel *panel = &chart->panels[m];
    panel->x.lo = panel->y.lo = lo / MARGIN;
    panel->x.hi = panel->y.hi = hi * MARGIN;
  }
}

static void predicted_tell(const struct validation *v, struct chart *chart) {
  chart_tell(chart, "Here it %s.", v->verdict);
  for (size_t m = 0; m < MODELS; m++)
    chart_tell(chart, "%s %s %.0f %%",
               m ? "," : " Nine in ten points are nearer than:",
               models[m].title, 100 * v->judged.all[m].time.p90);
  chart_tell(chart, ".");
}

static void predicted_fill(const struct survey *survey, struct chart *chart) {
  const struct validation *v = survey->validation;
  if (!v) return;
  chart->box = (struct chart_box){324, 310, 66, 14, 38, 48};
  chart->columns = COLUMNS;
  chart->legend = CHART_IN_PANEL;
  for (size_t m = 0; m < MODELS; m++) add_model(chart, v, m);
  set_axes(chart);
  predicted_tell(v, chart);
}

static void predicted_write_lines(FILE *out, const struct survey *survey) {
  const struct validation *v = survey->validation;
  fputs("algo,pages,n,measured_ns_per_op", out);
  for (size_t m = 0; m < MODELS; m++)
    fprintf(out, ",%s_ns_per_op", models[m].name);
  fputc('\n', out);
  for (size_t p = 0; p < v->points.program_count; p++)
    for (size_t i = 0; i < v->points.count; i++) {
      const struct point *point = &v->points.points[i];
      if (!is_drawn(v, p, i)) continue;
      figure_csv(out, "|ssug", v->points.programs[p].algo->name,
                 point->row->pages, point->row->n, point->ns);
      for (size_t m = 0; m < MODELS; m++)
        figure_csv(out, "g", v->judged.predicted[m][i]);
      fputc('\n', out);
    }
}

const struct figure figure_predicted = {
    .name = "fig-predicted",
    .title = "Measured against predicted",
    .caption =
        "x axis: measured shortest time per operation. y axis: the time that a "
        "model predicts. Both axes are logarithmic, and a colour is a program. "
        "On the grey diagonal, the prediction is right; below it, the model "
        "misses a part of the time. RAM counts operations alone, so its points "
        "lie in level rows. EM adds cache misses, VAT adds misses of the "
        "translation cache, EM+VAT adds both, and FULL adds physical terms of "
        "this machine. The cost of an operation, the share of its waiting that "
        "overlaps, and in FULL what an element of a sort costs once, are "
        "fitted to small sizes on 4 KiB pages. Those are not drawn: every "
        "point is a prediction for a larger size or another "
        "page kind. The number above a panel is the median error.",
    .needs =
        "It needs the machine's calibration and programs at enough sizes on "
        "two page kinds: vat calibrate -o MACHINE.json; vat run --pages 4k,thp "
        "--sizes 2^14:2^24*1.4 -o FILE; vat report FILE --machine "
        "MACHINE.json. vat validate FILE --machine MACHINE.json says what else "
        "is missing. The figure shows the first results file only.",
    .fill = predicted_fill,
    .write_lines = predicted_write_lines,
};
