/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/mosaics_figure.h"

#include <math.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/report/chart_file.h"
#include "experiments/report/chart_layout.h"

enum { COLUMNS = 4, COLOURS = 6 };

/* The number of a row's program among all of them: files are one each. */
static size_t program_of(const struct mosaics *mosaics, size_t row) {
  size_t number = 0;
  for (size_t i = 1; i <= row; i++)
    number += strcmp(mosaics->row[i].program, mosaics->row[i - 1].program) != 0;
  return number;
}

/* Four or five of them. */
static double distance_of_tics(double range) {
  static const double distances[] = {.5, .2, .1, .05, .02};
  size_t i = 0;
  while (i + 1 < sizeof distances / sizeof *distances &&
         distances[i] > range / 3)
    i++;
  return distances[i];
}

static void add_model(const struct mosaics *mosaics, size_t model,
                      struct chart *chart, double lo, double hi) {
  const struct mosaic_score *score = &mosaics->score[model];
  struct chart_panel *panel = chart_panel(chart, "measured", "told", "%s: %.3f",
                                          score->title, score->median);
  struct chart_series *series = NULL;
  size_t last = SIZE_MAX;
  panel->diagonal = true;
  panel->bare = true;
  panel->x.lo = panel->y.lo = lo;
  panel->x.hi = panel->y.hi = hi;
  panel->x.tics = panel->y.tics = distance_of_tics(hi - lo);
  for (size_t i = 0; i < mosaics->count; i++) {
    const size_t program = program_of(mosaics, i);
    if (program != last) {
      series = chart_series(panel, program, "%s", "");
      series->apart = true;
      series->open = program / COLOURS % 2;
    }
    last = program;
    const double told = mosaics->row[i].told[model];
    chart_point(series, mosaics->row[i].measured,
                isnan(told) ? NAN : fmin(fmax(told, lo), hi));
  }
}

/* Of what is measured, and a third more: what is told beyond is at the edge. */
static void find_range(const struct mosaics *mosaics, double *lo, double *hi) {
  *lo = INFINITY;
  *hi = 1;
  for (size_t i = 0; i < mosaics->count; i++) {
    *lo = fmin(*lo, mosaics->row[i].measured);
    *hi = fmax(*hi, mosaics->row[i].measured);
  }
  double room = fmax(0.02, (*hi - *lo) / 3);
  *lo = fmax(0, *lo - room);
  *hi += room;
}

void mosaics_figure_fill(const struct mosaics *mosaics, struct chart *chart) {
  double lo, hi;
  *chart = (struct chart){.box = {330, 330, 70, 20, 56, 52},
                          .columns = COLUMNS,
                          .legend = CHART_IN_LINES};
  find_range(mosaics, &lo, &hi);
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    if (mosaics->score[m].rows) add_model(mosaics, m, chart, lo, hi);
  for (size_t i = 0; i < mosaics->count; i++)
    if (!i || strcmp(mosaics->row[i].program, mosaics->row[i - 1].program) != 0)
      chart_key(chart, program_of(mosaics, i), "%s", mosaics->row[i].program);
  chart_finish(chart);
}

int mosaics_figure_write(const struct mosaics *mosaics, const char *path) {
  struct chart chart;
  mosaics_figure_fill(mosaics, &chart);
  int code = chart_has_points(&chart)
                 ? chart_file_write(&chart, path)
                 : fail(VAT_USAGE, "--figure %s: no model told a time", path);
  chart_fini(&chart);
  return code;
}
