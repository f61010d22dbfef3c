/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/gpu_panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/gpu_models/gpu_record.h"
#include "experiments/gpu_models/model_counts.h"
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

bool gpu_panels_any(const struct gpu_sweep *sweep,
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
  struct plot_line *max, *sum;
};

static struct plot_line *add_line(struct plot_lines *lines, const char *model,
                                  size_t place, bool formula) {
  char label[PLOT_LINE_LABEL];
  snprintf(label, sizeof label, "%s, %s", model,
           formula ? "formula" : "counted");
  struct plot_line *line = plot_lines_add(lines, label, place, formula);
  if (line) line->open = formula;
  return line;
}

static struct pair add_pair(struct plot_lines *lines, bool formula) {
  struct pair pair;
  pair.max = add_line(lines, "MAX", 0, formula);
  pair.sum = add_line(lines, "SUM", 1, formula);
  return pair;
}

static void add_point(const struct pair *pair, double x,
                      const double *outputs) {
  plot_line_point(pair->max, x, outputs[MAXSUM_TIME_MAX]);
  plot_line_point(pair->sum, x, outputs[MAXSUM_TIME_SUM]);
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
                        const struct gpu_arch *arch, struct plot_lines *lines,
                        uint64_t n) {
  struct pair pair = add_pair(lines, false);
  for (size_t i = 0; survey && i < survey->count; i++) {
    double outputs[GPU_OUTPUTS_MAX];
    if (is_drawn(sweep, survey, counted_on, n, i) &&
        is_told(&survey->rows[i], arch, outputs))
      add_point(&pair, x_of(sweep, &survey->rows[i]), outputs);
  }
}

static void sort_lines(struct plot_lines *lines) {
  for (size_t i = 0; i < lines->count; i++) plot_line_sort(lines->line[i]);
}

/* The GPU of the source, at its sizes and at those that were counted. */
static bool source_panel(const struct gpu_sweep *sweep,
                         const struct survey *counted,
                         struct gpu_panel *panel) {
  const struct gpu_arch *arch = &gpu_archs[0];
  *panel = (struct gpu_panel){0};
  snprintf(panel->title, sizeof panel->title, "%s, predicted", arch->title);
  if (counted) panel->n = size_of(sweep, counted, counted_on);
  if (counted) add_counted(sweep, counted, arch, &panel->lines, panel->n);
  struct pair pair = add_pair(&panel->lines, true);
  for (double x = sweep->from; sweep->to > 0 && x <= sweep->to; x++)
    add_formula(sweep, arch, &pair, exp2(x), x);
  if (counted) add_formulas(sweep, counted, counted_on, arch, &pair, panel->n);
  sort_lines(&panel->lines);
  return counted || sweep->to > 0;
}

static void measured_panel(const struct gpu_sweep *sweep,
                           const struct survey *measured,
                           const struct survey *counted,
                           struct gpu_panel *panel) {
  struct gpu_record record = {0};
  *panel = (struct gpu_panel){.n = size_of(sweep, measured, measured_on)};
  bool known = gpu_record_read(&record, measured->record);
  snprintf(panel->title, sizeof panel->title, "%s, measured",
           *record.name ? record.name : "a GPU");
  struct plot_line *line = plot_lines_add(&panel->lines, "measured", 2, 0);
  for (size_t i = 0; i < measured->count; i++)
    if (is_drawn(sweep, measured, measured_on, panel->n, i))
      plot_line_point(
          line, x_of(sweep, &measured->rows[i]),
          measured->rows[i].ns_per_op_min * measured->rows[i].ram_ops / 1e6);
  if (known) {
    add_counted(sweep, counted, &record.arch, &panel->lines, panel->n);
    struct pair pair = add_pair(&panel->lines, true);
    add_formulas(sweep, measured, measured_on, &record.arch, &pair, panel->n);
  }
  sort_lines(&panel->lines);
}

size_t gpu_panels(const struct gpu_sweep *sweep, const struct survey *survey,
                  struct gpu_panel panels[GPU_PANELS]) {
  const struct survey *counted = survey_with(sweep, survey, counted_on);
  const struct survey *measured = survey_with(sweep, survey, measured_on);
  size_t count = source_panel(sweep, counted, &panels[0]);
  if (!count) plot_lines_fini(&panels[0].lines);
  if (measured) measured_panel(sweep, measured, counted, &panels[count++]);
  return count;
}
