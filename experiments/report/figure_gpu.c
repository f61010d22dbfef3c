/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 3a, 3b, 4a, 4b and 5 of Kothapalli et al. (HiPC 2009): what the MAX
 * and SUM models say of five programs, beside what they took, in milliseconds.
 *
 * A panel is of one GPU.  Its lines are the MAX and SUM model of what was
 * counted while the programs ran emulated, the same by the formulas of their
 * source, and measurements.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/gpu_models/gpu_record.h"
#include "experiments/gpu_models/model_counted.h"
#include "experiments/report/figure.h"
#include "experiments/report/report_machine.h"
#include "gpu_algos/models/maxsum.h"

static const char counted_on[] = "emu", measured_on[] = "cuda";

/* Which programs, over what. */
struct gpu_sweep {
  const char *algo;      /* of samples */
  const char *case_name; /* of the model */
  const char *axis;
  /* Generators of the input end in the number that is x, "stride-16", and their
   * first is this one; 0: x is log2 of the size. */
  double first;
  double from, to; /* logarithms of the sizes in the source; 0: none */
  bool of_thread;  /* the case counts iterations of a thread */
  bool log_time;
  bool log_parameter; /* x is no size, but its ratios count, too */
};

/* Rows of a device. */
struct found {
  const struct survey *of;
  const struct summary **rows;
  size_t count;
  uint64_t n; /* which a panel of them is of; 0: x is the size */
};

/* Was enough counted for the model to tell a time? */
static bool is_told(const struct summary *row, const struct gpu_arch *arch,
                    double *outputs) {
  struct gpu_counts counts;
  if (!model_counts_of(row, &counts)) return false;
  maxsum_of_counts(arch, &counts, outputs);
  return isfinite(outputs[MAXSUM_TIME_MAX]);
}

/* The row that stands for its program, size and input: page kinds are the
 * host's, so the first will do. */
static bool is_drawn(const struct gpu_sweep *sweep, const struct survey *survey,
                     const char *device, const struct summary *row) {
  double outputs[GPU_OUTPUTS_MAX];
  if (!row->reps || !row->n || strcmp(row->algo, sweep->algo) ||
      strcmp(row->device, device) || *row->variant->file)
    return false;
  if (!strcmp(device, counted_on) && !is_told(row, &gpu_archs[0], outputs))
    return false;
  for (const struct summary *other = survey->rows; other < row; other++)
    if (other->n == row->n && other->reps && survey_same_program(other, row))
      return false;
  return true;
}

/* The size with most points; of such sizes, the largest. */
static uint64_t main_size(const struct found *found) {
  size_t most = 0;
  uint64_t best = 0;
  for (size_t i = 0; i < found->count; i++) {
    uint64_t n = found->rows[i]->n;
    size_t points = 0;
    for (size_t j = 0; j < found->count; j++) points += found->rows[j]->n == n;
    if (points < most || (points == most && n <= best)) continue;
    most = points;
    best = n;
  }
  return best;
}

/* Of the survey, or else of the one beside it. */
static struct found find(const struct gpu_sweep *sweep,
                         const struct survey *survey, const char *device) {
  const struct survey *const both[] = {survey, survey->beside};
  struct found found = {.count = 0};
  for (size_t s = 0; s < 2 && both[s] && !found.count; s++) {
    found.of = both[s];
    for (const struct summary *row = both[s]->rows; row < both[s]->end; row++)
      if (is_drawn(sweep, both[s], device, row))
        *ARRAY_ADD(found.rows, found.count) = row;
  }
  if (sweep->first) found.n = main_size(&found);
  return found;
}

/* NAN: its generator has no number. */
static double x_of(const struct gpu_sweep *sweep, const struct summary *row) {
  const char *name = row->variant->generator, *digits = name + strlen(name);
  if (!sweep->first) return log2((double)row->n);
  if (!*name) return sweep->first;
  while (digits > name && digits[-1] >= '0' && digits[-1] <= '9') digits--;
  return *digits ? strtod(digits, NULL) : NAN;
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

/* bank_conflicts writes each of n words 32 times, its case counts iterations of
 * a thread: as many where 512 threads of each multiprocessor share them out. */
enum { ROUNDS = 32, THREADS = 512 };

static void add_formula(const struct gpu_sweep *sweep,
                        const struct gpu_arch *arch, const struct pair *pair,
                        double n, double x) {
  const struct gpu_case *c = gpu_case_find(&gpu_model_maxsum, sweep->case_name);
  double parameters[GPU_PARAMETERS_MAX], outputs[GPU_OUTPUTS_MAX];
  for (size_t i = 0; c->parameters[i].name; i++)
    parameters[i] = c->parameters[i].usual;
  parameters[0] = sweep->of_thread ? n * ROUNDS / THREADS / arch->sms : n;
  if (sweep->first) parameters[1] = x;
  for (size_t i = 0; c->parameters[i].name; i++)
    if (!(parameters[i] >= c->parameters[i].least &&
          parameters[i] <= c->parameters[i].most))
      return;
  c->evaluate(arch, parameters, outputs);
  add_point(pair, x, outputs);
}

static bool is_in(const struct chart_panel *panel, const struct summary *row) {
  return !panel->n || row->n == panel->n;
}

/* The formulas at the points of a device. */
static void add_formulas(const struct gpu_sweep *sweep,
                         const struct found *found, const struct gpu_arch *arch,
                         const struct chart_panel *panel,
                         const struct pair *pair) {
  for (size_t i = 0; i < found->count; i++)
    if (is_in(panel, found->rows[i]))
      add_formula(sweep, arch, pair, (double)found->rows[i]->n,
                  x_of(sweep, found->rows[i]));
}

static void add_counted(const struct gpu_sweep *sweep,
                        const struct found *counted,
                        const struct gpu_arch *arch,
                        struct chart_panel *panel) {
  struct pair pair = add_pair(panel, false);
  double outputs[GPU_OUTPUTS_MAX];
  for (size_t i = 0; i < counted->count; i++)
    if (is_in(panel, counted->rows[i]) &&
        is_told(counted->rows[i], arch, outputs))
      add_point(&pair, x_of(sweep, counted->rows[i]), outputs);
}

static struct chart_panel *begin_panel(const struct gpu_sweep *sweep,
                                       struct chart *chart, const char *name,
                                       const char *how, uint64_t n) {
  struct chart_panel *panel =
      chart_panel(chart, sweep->axis, "time, ms", "%s, %s", name, how);
  panel->unit = "ms";
  panel->x.scale = sweep->log_parameter ? CHART_DOUBLES : CHART_LINEAR;
  panel->y.scale = sweep->log_time ? CHART_LOG : CHART_LINEAR;
  if (sweep->first) {
    panel->x.lo = sweep->log_parameter;
    panel->x.tics = 4;
  }
  panel->n = n;
  snprintf(panel->of, sizeof panel->of, n ? "%.50s, n = %llu" : "%.50s",
           sweep->algo, (unsigned long long)n);
  return panel;
}

static void sort_series(struct chart_panel *panel) {
  for (size_t i = 0; i < panel->count; i++) chart_sort(panel->series[i]);
}

/* The GPU of the source, at its sizes and at those that were counted. */
static void add_source(const struct gpu_sweep *sweep,
                       const struct found *counted, struct chart *chart) {
  const struct gpu_arch *arch = &gpu_archs[0];
  struct chart_panel *panel =
      begin_panel(sweep, chart, arch->title, "predicted", counted->n);
  if (counted->count) add_counted(sweep, counted, arch, panel);
  struct pair pair = add_pair(panel, true);
  for (double x = sweep->from; sweep->to > 0 && x <= sweep->to; x++)
    add_formula(sweep, arch, &pair, exp2(x), x);
  add_formulas(sweep, counted, arch, panel, &pair);
  sort_series(panel);
}

static void add_measured(const struct gpu_sweep *sweep,
                         const struct found *measured,
                         const struct found *counted, struct chart *chart) {
  struct gpu_record record = {0};
  char name[REPORT_MACHINE_SIZE];
  struct chart_panel *panel =
      begin_panel(sweep, chart, report_machine_gpu(measured->of->record, name),
                  "measured", measured->n);
  struct chart_series *series = chart_series(panel, 2, "measured");
  for (size_t i = 0; i < measured->count; i++)
    if (is_in(panel, measured->rows[i]))
      chart_point(series, x_of(sweep, measured->rows[i]),
                  survey_ms(measured->rows[i]));
  if (gpu_record_read(&record, measured->of->record)) {
    add_counted(sweep, counted, &record.arch, panel);
    struct pair pair = add_pair(panel, true);
    add_formulas(sweep, measured, &record.arch, panel, &pair);
  }
  sort_series(panel);
}

/* Of which size it is, where the axis does not say. */
static void tell_sizes(struct chart *chart) {
  for (size_t i = 0; i < chart->count; i++)
    if (chart->panels[i].n)
      chart_tell(chart, "%s%.60s: n = %llu", *chart->detail ? "; " : "",
                 chart->panels[i].title,
                 (unsigned long long)chart->panels[i].n);
  if (*chart->detail) chart_tell(chart, ".");
}

/* The GPU of the source, then the one that was measured: what there is of
 * them, from the survey and from the one beside it, unless that one draws it.
 */
static void gpu_fill(const struct survey *survey, struct chart *chart) {
  const struct gpu_sweep *sweep = chart->of;
  struct found counted = find(sweep, survey, counted_on);
  struct found measured = find(sweep, survey, measured_on);
  const struct found *drawn = counted.count ? &counted : &measured;
  if (drawn->count && drawn->of == survey) {
    chart->box.left = 84;
    if (counted.count || sweep->to > 0) add_source(sweep, &counted, chart);
    if (measured.count) add_measured(sweep, &measured, &counted, chart);
    tell_sizes(chart);
  }
  free(counted.rows);
  free(measured.rows);
}

static void write_point(FILE *out, const struct chart_panel *panel,
                        const struct chart_series *series,
                        const struct chart_point *point) {
  char algo[sizeof panel->of];
  snprintf(algo, sizeof algo, "%.*s", (int)strcspn(panel->of, ","), panel->of);
  figure_csv(out, "|sssgug\n", algo, panel->title, series->label, point->x,
             panel->n ? panel->n : (uint64_t)rint(exp2(point->x)), point->y);
}

/* What all of them say. */
#define LINES                                                            \
  " Solid lines are the MAX and SUM models with what the emulator "      \
  "counted; dashed lines with open marks are their formulas. The "       \
  "cycles of computing and of memory hide each other in MAX, and add "   \
  "up in SUM. The GTX 280 is at its clock; where a GPU was measured, a " \
  "panel beside it has its times, and the models with the cycles of "    \
  "the GTX 280 for an access and the multiprocessors, cores and clock "  \
  "of that GPU. Look how far the measured line is from the models, and " \
  "whether it bends where they do. Where arithmetic was not counted, "   \
  "the models are a lower bound."

#define FIGURE(id, of_, name_, x_, title_, caption_, ...)                    \
  const struct figure figure_##id = {                                        \
      .name = name_,                                                         \
      .title = title_,                                                       \
      .caption = caption_ LINES,                                             \
      .of_gpu = true,                                                        \
      .needs =                                                               \
          "It needs what the models take, counted or measured: vat run " of_ \
          " --device emu --counters auto, or cuda.",                         \
      .fill = gpu_fill,                                                      \
      .of = &(const struct gpu_sweep){__VA_ARGS__},                          \
      .head = "algo,panel,line," x_ ",n,ms",                                 \
      .write_point = write_point};

FIGURE(
    gpu_coalescing, "coalescing --generator all --sizes 2^16", "fig-gpu-3a",
    "parameter", "Coalesced access (Kothapalli et al., figure 3a)",
    "x axis: how many threads access words in sequence, a logarithm. y axis: "
    "time to double n words, in ms. One thread alone makes a transaction "
    "for each access; of 16 threads and more, a half-warp shares one.",
    .algo = "coalescing", .case_name = "coalescing",
    .axis = "stride: threads that access words in sequence", .first = 32,
    .log_parameter = true)

FIGURE(
    gpu_banks, "bank_conflicts --generator all --sizes 2^16", "fig-gpu-3b",
    "parameter", "Bank conflicts (Kothapalli et al., figure 3b)",
    "x axis: how many words apart threads write. y axis: time to write n words "
    "to shared memory 32 times, in ms. In the formula as many threads meet "
    "in a bank; counted are those that do: the greatest common divisor of "
    "the distance and the 32 banks, so none at odd distances.",
    .algo = "bank_conflicts", .case_name = "bank_conflicts",
    .axis = "words between threads", .first = 1, .of_thread = true)

FIGURE(gpu_matmul, "matmul_tiled --sizes 2^6:2^9*2", "fig-gpu-4a", "log2_n",
       "Matrix multiplication (Kothapalli et al., figure 4a)",
       "x axis: log\342\202\202 of the side of the matrices. y axis: time to "
       "multiply two of them in tiles of 16 x 16, in ms, a logarithm.",
       .algo = "matmul_tiled", .case_name = "matmul",
       .axis = FIGURE_LOG2_N "  (n \303\227 n matrices)", .from = 6, .to = 11,
       .log_time = true)

FIGURE(gpu_list_ranking, "list_ranking_hj --sizes 2^18:2^22*2", "fig-gpu-4b",
       "log2_n", "List ranking (Kothapalli et al., figure 4b)",
       "x axis: log\342\202\202 n. y axis: time to rank a random list of n "
       "elements, in ms, a logarithm. The formula is of the walk along n / "
       "log\342\202\202 n sublists alone: it waits for the longest and "
       "computes nothing, so MAX and SUM are one line. Counted is all that "
       "the recursive algorithm does, of a mean thread. Below some 2^18 "
       "elements the formula is flat, because its threads do not fill the GPU.",
       .algo = "list_ranking_hj", .case_name = "list_ranking",
       .axis = FIGURE_LOG2_N, .from = 18, .to = 22, .log_time = true)

FIGURE(gpu_histogram, "histogram_shared --sizes 2^20:2^24*2", "fig-gpu-5",
       "log2_n", "Histogram (Kothapalli et al., figure 5)",
       "x axis: log\342\202\202 n. y axis: time to count n words in 256 bins, "
       "first in shared memory, in ms, a logarithm. The formula has a read, "
       "five operations and two accesses of shared memory for a word, whose "
       "threads meet in banks as random ones do, and a share of the bins for "
       "each thread, so it is flat for few words. Counted is what the kernel "
       "does, its atomics on shared memory as turns of banks.",
       .algo = "histogram_shared", .case_name = "histogram",
       .axis = FIGURE_LOG2_N, .from = 20, .to = 26, .log_time = true)
