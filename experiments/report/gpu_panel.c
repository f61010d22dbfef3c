/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/gpu_panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/gpu_models/gpu_record.h"
#include "experiments/gpu_models/model_counts.h"
#include "experiments/report/figure_csv.h"
#include "gpu_algos/models/maxsum.h"

static const char counted_on[] = "emu", measured_on[] = "cuda";

/* Was enough counted for the model to tell a time? */
static bool is_told(const struct summary *row, const struct gpu_arch *arch,
                    double *outputs) {
  struct gpu_counts counts;
  if (!model_counts_of(row, &counts)) return false;
  maxsum_of_counts(arch, &counts, outputs);
  return isfinite(outputs[MAXSUM_TIME_MAX]);
}

/* The row that stands for its program, size and input: page kinds are the
 * host's, so the first will do.  `n`: of that size; 0: of any. */
static bool is_drawn(const struct gpu_sweep *sweep, const struct survey *survey,
                     const char *device, uint64_t n, size_t index) {
  const struct summary *row = &survey->rows[index];
  double outputs[GPU_OUTPUTS_MAX];
  if (!row->reps || !row->n || (n && row->n != n) ||
      strcmp(row->algo, sweep->algo) || strcmp(row->device, device) ||
      *row->variant->file)
    return false;
  if (!strcmp(device, counted_on) && !is_told(row, &gpu_archs[0], outputs))
    return false;
  for (size_t i = 0; i < index; i++)
    if (survey->rows[i].n == row->n && survey->rows[i].reps &&
        survey_same_program(&survey->rows[i], row))
      return false;
  return true;
}

static bool has(const struct gpu_sweep *sweep, const struct survey *survey,
                const char *device) {
  for (size_t i = 0; survey && i < survey->count; i++)
    if (is_drawn(sweep, survey, device, 0, i)) return true;
  return false;
}

/* The survey of the two that has the program on the device, or NULL. */
static const struct survey *survey_with(const struct gpu_sweep *sweep,
                                        const struct survey *survey,
                                        const char *device) {
  if (has(sweep, survey, device)) return survey;
  return has(sweep, survey->beside, device) ? survey->beside : NULL;
}

/* Is there anything, which is not drawn of the survey beside this one? */
static bool is_here(const struct gpu_sweep *sweep,
                    const struct survey *survey) {
  if (has(sweep, survey, counted_on)) return true;
  return has(sweep, survey, measured_on) &&
         !has(sweep, survey->beside, counted_on);
}

/* NAN: its generator has no number. */
static double x_of(const struct gpu_sweep *sweep, const struct summary *row) {
  const char *name = row->variant->generator, *digits = name + strlen(name);
  if (!sweep->first) return log2((double)row->n);
  if (!*name) return sweep->first;
  while (digits > name && digits[-1] >= '0' && digits[-1] <= '9') digits--;
  return *digits ? strtod(digits, NULL) : NAN;
}

/* Where x is no size, the size with most points; of those, the largest. */
static uint64_t size_of(const struct gpu_sweep *sweep,
                        const struct survey *survey, const char *device) {
  uint64_t n = 0;
  size_t most = 0;
  if (!sweep->first) return 0;
  for (size_t i = 0; i < survey->count; i++) {
    size_t points = 0;
    if (!is_drawn(sweep, survey, device, 0, i)) continue;
    for (size_t j = 0; j < survey->count; j++)
      points += is_drawn(sweep, survey, device, survey->rows[i].n, j);
    if (points < most || (points == most && survey->rows[i].n <= n)) continue;
    most = points;
    n = survey->rows[i].n;
  }
  return n;
}

struct pair {
  struct chart_series *max, *sum;
};

static struct pair add_pair(struct chart_panel *panel, bool formula) {
  const char *by = formula ? "formula" : "counted";
  struct pair pair = {chart_series(panel, 0, "MAX, %s", by),
                      chart_series(panel, 1, "SUM, %s", by)};
  pair.max->dash = pair.sum->dash = formula;
  pair.max->open = pair.sum->open = formula;
  return pair;
}

static void add_point(const struct pair *pair, double x,
                      const double *outputs) {
  chart_point(pair->max, x, outputs[MAXSUM_TIME_MAX]);
  chart_point(pair->sum, x, outputs[MAXSUM_TIME_SUM]);
}

static void add_formula(const struct gpu_sweep *sweep,
                        const struct gpu_arch *arch, const struct pair *pair,
                        double n, double x) {
  const struct gpu_case *c = gpu_case_find(&gpu_model_maxsum, sweep->case_name);
  double parameters[GPU_PARAMETERS_MAX], outputs[GPU_OUTPUTS_MAX];
  for (size_t i = 0; c->parameters[i].name; i++)
    parameters[i] = c->parameters[i].usual;
  sweep->parameters(arch, n, x, parameters);
  for (size_t i = 0; c->parameters[i].name; i++)
    if (!(parameters[i] >= c->parameters[i].least &&
          parameters[i] <= c->parameters[i].most))
      return;
  c->evaluate(arch, parameters, outputs);
  add_point(pair, x, outputs);
}

/* The formulas at the points of a device. */
static void add_formulas(const struct gpu_sweep *sweep,
                         const struct survey *survey, const char *device,
                         const struct gpu_arch *arch, const struct pair *pair,
                         uint64_t n) {
  for (size_t i = 0; i < survey->count; i++)
    if (is_drawn(sweep, survey, device, n, i))
      add_formula(sweep, arch, pair, (double)survey->rows[i].n,
                  x_of(sweep, &survey->rows[i]));
}

static void add_counted(const struct gpu_sweep *sweep,
                        const struct survey *survey,
                        const struct gpu_arch *arch,
                        struct chart_panel *panel) {
  struct pair pair = add_pair(panel, false);
  for (size_t i = 0; survey && i < survey->count; i++) {
    double outputs[GPU_OUTPUTS_MAX];
    if (is_drawn(sweep, survey, counted_on, panel->n, i) &&
        is_told(&survey->rows[i], arch, outputs))
      add_point(&pair, x_of(sweep, &survey->rows[i]), outputs);
  }
}

/* `of`: whose size is that of all points, where the axis is of no size. */
static struct chart_panel *begin_panel(const struct gpu_sweep *sweep,
                                       struct chart *chart, const char *name,
                                       const struct survey *of,
                                       const char *device) {
  struct chart_panel *panel =
      chart_panel(chart, sweep->axis, "time, ms", "%s", name);
  panel->unit = "ms";
  panel->x.scale = sweep->log_parameter ? CHART_DOUBLES : CHART_LINEAR;
  panel->y.scale = sweep->log_time ? CHART_LOG : CHART_LINEAR;
  if (sweep->first) {
    panel->x.lo = sweep->log_parameter;
    panel->x.tics = 4;
  }
  if (of) panel->n = size_of(sweep, of, device);
  snprintf(panel->of, sizeof panel->of, panel->n ? "%.50s, n = %llu" : "%.50s",
           sweep->algo, (unsigned long long)panel->n);
  return panel;
}

static void sort_series(struct chart_panel *panel) {
  for (size_t i = 0; i < panel->count; i++) chart_sort(panel->series[i]);
}

/* The GPU of the source, at its sizes and at those that were counted. */
static void add_source(const struct gpu_sweep *sweep,
                       const struct survey *counted, struct chart *chart) {
  const struct gpu_arch *arch = &gpu_archs[0];
  char title[CHART_NAME];
  snprintf(title, sizeof title, "%s, predicted", arch->title);
  struct chart_panel *panel =
      begin_panel(sweep, chart, title, counted, counted_on);
  if (counted) add_counted(sweep, counted, arch, panel);
  struct pair pair = add_pair(panel, true);
  for (double x = sweep->from; sweep->to > 0 && x <= sweep->to; x++)
    add_formula(sweep, arch, &pair, exp2(x), x);
  if (counted) add_formulas(sweep, counted, counted_on, arch, &pair, panel->n);
  sort_series(panel);
}

static void add_measured(const struct gpu_sweep *sweep,
                         const struct survey *measured,
                         const struct survey *counted, struct chart *chart) {
  struct gpu_record record = {0};
  char title[CHART_NAME];
  bool known = gpu_record_read(&record, measured->record);
  snprintf(title, sizeof title, "%.110s, measured",
           *record.name ? record.name : "a GPU");
  struct chart_panel *panel =
      begin_panel(sweep, chart, title, measured, measured_on);
  struct chart_series *series = chart_series(panel, 2, "measured");
  for (size_t i = 0; i < measured->count; i++) {
    const struct summary *row = &measured->rows[i];
    if (is_drawn(sweep, measured, measured_on, panel->n, i))
      chart_point(series, x_of(sweep, row),
                  row->ns_per_op_min * row->ram_ops / 1e6);
  }
  if (known) {
    add_counted(sweep, counted, &record.arch, panel);
    struct pair pair = add_pair(panel, true);
    add_formulas(sweep, measured, measured_on, &record.arch, &pair, panel->n);
  }
  sort_series(panel);
}

/* Of which size it is, where the axis does not say. */
static void tell_sizes(const struct chart *chart, char text[CHART_DETAIL]) {
  size_t at = 0;
  for (size_t i = 0; i < chart->count; i++)
    if (chart->panels[i].n && at < CHART_DETAIL)
      at += (size_t)snprintf(text + at, CHART_DETAIL - at, "%s%.60s: n = %llu",
                             at ? "; " : "", chart->panels[i].title,
                             (unsigned long long)chart->panels[i].n);
  if (at && at < CHART_DETAIL) snprintf(text + at, CHART_DETAIL - at, ".");
}

void gpu_panels_fill(const struct gpu_sweep *sweep, const struct survey *survey,
                     struct chart *chart) {
  const struct survey *counted = survey_with(sweep, survey, counted_on);
  const struct survey *measured = survey_with(sweep, survey, measured_on);
  if (!is_here(sweep, survey)) return;
  chart->box.left = 84;
  if (counted || sweep->to > 0) add_source(sweep, counted, chart);
  if (measured) add_measured(sweep, measured, counted, chart);
  tell_sizes(chart, chart->detail);
}

void gpu_panels_write_csv(FILE *out, const struct survey *survey,
                          const struct chart *chart) {
  const struct chart_panel *panel = chart->panels;
  (void)survey;
  fprintf(out, "algo,panel,line,%s,n,ms\n", panel->n ? "parameter" : "log2_n");
  for (; panel < chart->panels + chart->count; panel++)
    for (size_t i = 0; i < panel->count; i++)
      for (size_t j = 0; j < panel->series[i]->count; j++) {
        const struct chart_point *point = &panel->series[i]->points[j];
        char algo[sizeof panel->of];
        snprintf(algo, sizeof algo, "%.*s", (int)strcspn(panel->of, ","),
                 panel->of);
        figure_csv(out, "|sssgug\n", algo, panel->title,
                   panel->series[i]->label, point->x,
                   panel->n ? panel->n : (uint64_t)rint(exp2(point->x)),
                   point->y);
      }
}
