/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 4.1 to 4.7, 4.10 and 4.12 to 4.14 of L. Ma, PhD thesis 2014: what the
 * TMM model says on the GPUs of the source, by its formulas (dashed) and by
 * accesses that the emulator counted (solid), and what was measured. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/report_machine.h"
#include "experiments/report/tmm_rows.h"

/* Lines of the latter are dashed, their marks open. */
enum { COUNTED, FORMULA, SOURCES };

/* Threads per core: from 1/16 on, as the model is flat early. */
enum { LG_THREADS_LEAST = -4 };

struct drawing;

/* A kind of panels.  A time is a logarithm. */
struct shape {
  const char *x, *y, *unit; /* of each line's last value; NULL: none */
  void (*add)(const struct drawing *d);
};
static const struct shape block_ratios, measured_blocks;

struct plot {
  const char *algos[2]; /* the second may be NULL */
  enum tmm_by by;
  struct {
    const char *machine; /* NULL: of what was measured */
    const struct shape *shape;
  } panels[2];
  bool linear; /* beside a line that grows as n */
};

struct drawing {
  const struct survey *survey;
  const struct plot *plot;
  const struct shape *shape;
  const struct tmm_machine *machine;
  struct chart_panel *panel;
};

/* NAN: there cannot be so many threads. */
static double time_of(const struct tmm_machine *machine,
                      const struct tmm_program *program, double threads) {
  struct tmm_result result;
  tmm_evaluate(machine, program, threads, &result);
  return result.threads < threads && isfinite(threads) ? NAN : result.time;
}

static double speedup(const struct tmm_machine *machine,
                      const struct tmm_program *program, double threads) {
  return program->T1 / time_of(machine, program, threads);
}

static const struct tmm_program *program_of(const struct tmm_row *row,
                                            int source) {
  return source == COUNTED ? &row->counted : &row->formula;
}

static struct chart_series *add_series(const struct drawing *d,
                                       const char *name, size_t place,
                                       int source) {
  struct chart_series *series = chart_series(
      d->panel, place, "%s%s", name, source == COUNTED ? "" : ", formula");
  series->dash = series->open = source == FORMULA;
  return series;
}

/* All rows of one of the algorithms, which the panel is named by: "apsp_matmul,
 * n = 256", the size where rows are not told apart by it; a second algorithm
 * stands beside the first. */
static size_t rows_of(const struct drawing *d, size_t which, const char *device,
                      struct tmm_row rows[TMM_ROWS_MOST]) {
  const char *algo = d->plot->algos[which];
  size_t count =
      tmm_rows(d->survey, algo, device, d->machine, d->plot->by, rows);
  char *of = d->panel->of;
  size_t used = strcspn(of, ","), size = sizeof d->panel->of;
  if (!used || strncmp(of, algo, used))
    used += (size_t)snprintf(of + used, size - used, "%s%s",
                             used ? " and " : "", algo);
  if (d->plot->by != TMM_BY_N && count && used < size)
    snprintf(of + used, size - used, ", n = %.0f", rows[0].n);
  return count;
}

/* Of each row its speed-up; where rows differ in n, the formula is of the
 * largest. */
static void over_threads(const struct drawing *d) {
  struct tmm_row rows[TMM_ROWS_MOST];
  const enum tmm_by by = d->plot->by;
  size_t count = rows_of(d, 0, "emu", rows);
  for (size_t i = 0; i < count; i++)
    for (int s = 0; s < SOURCES; s++) {
      bool same = by == TMM_BY_N && s == FORMULA; /* for all of them */
      if (same && i + 1 < count) continue;
      struct chart_series *series =
          add_series(d, same ? "any n" : TMM_LABEL(&rows[i], by), i, s);
      for (int lg = LG_THREADS_LEAST; exp2(lg) <= d->machine->X; lg++)
        chart_point(series, lg,
                    speedup(d->machine, program_of(&rows[i], s), exp2(lg)));
    }
}

/* The row of the same graph, or NULL. */
static const struct tmm_row *same_graph(const struct tmm_row *rows,
                                        size_t count,
                                        const struct tmm_row *row) {
  for (size_t i = 0; i < count; i++)
    if (rows[i].n == row->n && rows[i].m == row->m) return &rows[i];
  return NULL;
}

/* Time of one over that of the other, on the same graphs. */
static void over_other(const struct drawing *d) {
  struct tmm_row rows[TMM_ROWS_MOST], others[TMM_ROWS_MOST];
  size_t count = rows_of(d, 0, "emu", rows),
         more = rows_of(d, 1, "emu", others);
  for (size_t i = 0; i < count; i++) {
    const struct tmm_row *beside = same_graph(others, more, &rows[i]);
    for (int s = 0; beside && s < SOURCES; s++) {
      struct chart_series *series =
          add_series(d, TMM_LABEL(&rows[i], d->plot->by), i, s);
      for (int lg = LG_THREADS_LEAST; exp2(lg) <= d->machine->X; lg++)
        chart_point(series, lg,
                    time_of(d->machine, program_of(&rows[i], s), exp2(lg)) /
                        time_of(d->machine, program_of(beside, s), exp2(lg)));
    }
  }
}

/* Difference, or else ratio, of speed-ups with most and half as much side of
 * sub-blocks. */
static void over_blocks(const struct drawing *d) {
  struct tmm_row rows[TMM_ROWS_MOST];
  size_t count = rows_of(d, 0, "emu", rows);
  const bool ratio = d->shape == &block_ratios;
  for (int s = 0; count > 1 && s < SOURCES; s++) {
    struct chart_series *series =
        chart_series(d->panel, (size_t)s, s == COUNTED ? "counted" : "formula");
    series->dash = series->open = s == FORMULA;
    for (int lg = LG_THREADS_LEAST; exp2(lg) <= d->machine->X; lg++) {
      double most = speedup(d->machine, program_of(&rows[0], s), exp2(lg));
      double next = speedup(d->machine, program_of(&rows[1], s), exp2(lg));
      chart_point(series, lg, ratio ? most / next : most - next);
    }
  }
}

/* Time of all rows with so many threads each, over log2 m or n. */
static void add_times(const struct drawing *d, const struct tmm_row *rows,
                      size_t count, const char *name, size_t place,
                      double threads) {
  for (int s = 0; s < SOURCES; s++) {
    struct chart_series *series = add_series(d, name, place, s);
    for (size_t i = 0; i < count; i++)
      chart_point(series, log2(d->plot->by == TMM_BY_M ? rows[i].m : rows[i].n),
                  time_of(d->machine, program_of(&rows[i], s), threads));
  }
}

static void over_edges(const struct drawing *d) {
  struct tmm_row rows[TMM_ROWS_MOST];
  char name[TMM_ROW_LABEL];
  size_t count = rows_of(d, 0, "emu", rows);
  for (int lg = 1; lg <= 4 && exp2(lg) <= d->machine->X; lg++) {
    snprintf(name, sizeof name, "T = %g", exp2(lg));
    add_times(d, rows, count, name, (size_t)lg - 1, exp2(lg));
  }
}

/* With as many threads as there are. */
static void over_sizes(const struct drawing *d) {
  struct tmm_row rows[TMM_ROWS_MOST];
  for (size_t a = 0; a < 2 && d->plot->algos[a]; a++) {
    size_t count = rows_of(d, a, "emu", rows);
    add_times(d, rows, count, d->plot->algos[a], d->panel->count, INFINITY);
  }
}

/* Of the smallest n and the largest. */
static void over_latencies(const struct drawing *d) {
  struct tmm_row rows[TMM_ROWS_MOST];
  size_t count = rows_of(d, 0, "emu", rows), step = count > 1 ? count - 1 : 1;
  for (size_t i = 0; i < count; i += step)
    for (int s = 0; s < SOURCES; s++) {
      struct chart_series *series =
          add_series(d, TMM_LABEL(&rows[i], TMM_BY_N), i > 0, s);
      for (int lg = 0; lg <= 12; lg++) {
        struct tmm_machine slower = *d->machine;
        slower.L = exp2(lg);
        chart_point(series, lg,
                    time_of(&slower, program_of(&rows[i], s), INFINITY));
      }
    }
}

/* What was measured on a GPU: a line for each row over the threads of a block,
 * or else one for all over log2 n. */
static void add_measured(const struct drawing *d, size_t which) {
  struct tmm_row rows[TMM_ROWS_MOST];
  const bool of_blocks = d->shape == &measured_blocks;
  const char *algo = d->plot->algos[which];
  char gpu[REPORT_MACHINE_SIZE], label[CHART_LABEL];
  size_t count = rows_of(d, which, "cuda", rows);
  if (count)
    snprintf(d->panel->title, sizeof d->panel->title, "%.80s, measured",
             report_machine_gpu(rows[0].record, gpu));
  for (size_t i = 0; i < count; i++) {
    double threads = rows[i].summary->variant->block_threads;
    bool named = of_blocks && d->plot->algos[1];
    if (of_blocks == !threads) continue;
    snprintf(label, sizeof label, "%s%s%.20s",
             of_blocks ? TMM_LABEL(&rows[i], d->plot->by) : algo,
             named ? ", " : "", named ? algo : "");
    chart_point(chart_line(d->panel, label),
                log2(of_blocks ? threads : rows[i].n),
                survey_ms(rows[i].summary));
  }
}

static void measured(const struct drawing *d) {
  for (size_t a = 0; a < 2 && d->plot->algos[a]; a++) add_measured(d, a);
  for (size_t i = 0; i < d->panel->count; i++) chart_sort(d->panel->series[i]);
}

/* From the first point of the panel's first line on. */
static void add_linear(struct chart_panel *panel) {
  const struct chart_series *first = panel->count ? panel->series[0] : NULL;
  if (!first || first->count < 2) return;
  struct chart_point from = first->points[0];
  double to = first->points[first->count - 1].x;
  struct chart_series *series = chart_series(panel, 6, "linear");
  series->dash = 2;
  chart_point(series, from.x, from.y);
  chart_point(series, to, from.y * exp2(to - from.x));
}

static void tmm_fill(const struct survey *survey, struct chart *chart) {
  const struct plot *plot = chart->of;
  for (size_t i = 0; i < 2 && plot->panels[i].shape; i++) {
    const char *machine = plot->panels[i].machine;
    struct drawing d = {survey, plot, plot->panels[i].shape,
                        machine ? tmm_machine_find(machine) : &tmm_machines[0],
                        NULL};
    d.panel = chart_panel(chart, d.shape->x, d.shape->y, "%s, predicted",
                          d.machine->title);
    d.panel->unit = d.shape->unit;
    if (!strncmp(d.shape->y, "time", 4)) d.panel->y.scale = CHART_LOG;
    d.shape->add(&d);
    if (plot->linear) add_linear(d.panel);
  }
  chart_drop_empty(chart);
}

#define THREADS FIGURE_LOG2 "T, threads per core"

static const struct shape
    speedups = {THREADS, "speed-up", NULL, over_threads},
    ratios = {THREADS, "time, over the other's", NULL, over_other},
    block_differences = {THREADS, "difference of speed-ups", NULL, over_blocks},
    block_ratios = {THREADS, "ratio of speed-ups", NULL, over_blocks},
    edges = {FIGURE_LOG2 "m", "time, steps", "steps", over_edges},
    sizes = {FIGURE_LOG2 "n", "time, steps", "steps", over_sizes},
    latencies = {FIGURE_LOG2 "L, steps of an access", "time, steps", "steps",
                 over_latencies},
    measured_blocks = {FIGURE_LOG2 "threads of a block", "time, ms", "ms",
                       measured},
    measured_sizes = {FIGURE_LOG2 "n", "time, ms", "ms", measured};

/* What all of them say. */
#define LINES                                                      \
  " The constants of the TMM model are 1: look where its curves "  \
  "bend, not how high they are. Solid lines have the accesses to " \
  "global memory that the emulator counted, at the sizes that "    \
  "ran there; dashed lines have those of the formula. Work and "   \
  "span are those of the formula in both. Where a GPU was "        \
  "measured, its times are in a panel beside the model: look "     \
  "whether they bend in the same place."

#define FIGURE(file, number, id, algo_, of_, title_, caption_, ...) \
  const struct figure figure_tmm_##id = {                           \
      .name = "fig-tmm-" file,                                      \
      .title = title_ " (Ma, figure " number ")",                   \
      .caption = caption_ LINES,                                    \
      .of_gpu = true,                                               \
      .needs = "It needs counts: vat run --device emu " of_ ".",    \
      .fill = tmm_fill,                                             \
      .of = &(const struct plot){.algos[0] = algo_, __VA_ARGS__},   \
      .algo = algo_};

/* Sizes and inputs that make them: see doc/tmm.md. */
#define GRAPHS " --sizes 256 --generator degree-1,degree-4,degree-16,degree-64"
#define BLOCKS                                                                \
  " --sizes 256, and once more with --dummy-shared 36864, which leaves less " \
  "room for sub-blocks"
#define SIZES " --sizes 2^7:2^15*4"

FIGURE(
    "4.01", "4.1", matmul_sizes, "apsp_matmul",
    "apsp_matmul --sizes 64,128,256",
    "Shortest paths by products, over threads",
    "x axis: threads per core T. y axis: speed-up of the dynamic programming "
    "algorithm, with sub-blocks of 64 x 64. It does not depend on n, and "
    "is flat from T = L / (C \342\210\232Z) on.",
    .by = TMM_BY_N, .panels = {{"gtx480", &speedups}, {NULL, &measured_blocks}})
FIGURE("4.02", "4.2", johnson_densities, "johnson_array",
       "johnson_array" GRAPHS, "Johnson's algorithm, over threads",
       "x axis: threads per core. y axis: speed-up of Johnson's algorithm "
       "with arrays, a line for each density of the graph: the more "
       "edges, the more threads it takes.",
       .by = TMM_BY_M,
       .panels = {{"gtx480", &speedups}, {NULL, &measured_blocks}})
FIGURE("4.03", "4.3", johnson_edges, "johnson_array", "johnson_array" GRAPHS,
       "Johnson's algorithm, over edges",
       "x axis: edges of the graph. y axis: time of Johnson's algorithm "
       "with arrays. The formula has an access for each edge. The "
       "edges of a vertex lie side by side, so what is counted grows "
       "more slowly; with m = n most vertices are out of reach.",
       .by = TMM_BY_M, .panels = {{"gtx480", &edges}})
FIGURE("4.04", "4.4", matmul_blocks, "apsp_matmul", "apsp_matmul" BLOCKS,
       "Sub-blocks, over threads",
       "x axis: threads per core. y axis: speed-up of the dynamic "
       "programming algorithm where less shared memory is left, so "
       "that sub-blocks are smaller: a pair of lines for each "
       "--dummy-shared that was counted with.",
       .by = TMM_BY_Z,
       .panels = {{"gtx480", &speedups}, {NULL, &measured_blocks}})
FIGURE("4.05", "4.5", matmul_differences, "apsp_matmul", "apsp_matmul" BLOCKS,
       "Two sub-blocks, over threads",
       "x axis: threads per core. y axis: the two largest sub-blocks of figure "
       "4.4 against each other. The difference of their speed-ups grows with "
       "the threads, and their ratio is that of their sides, as long as "
       "memory decides both. From there on the model has them equal; the "
       "source measured a difference that stays.",
       .by = TMM_BY_Z,
       .panels = {{"gtx480", &block_differences}, {"gtx480", &block_ratios}})
FIGURE("4.06", "4.6", matmul_machines, "apsp_matmul", "apsp_matmul" BLOCKS,
       "Two machines, over threads",
       "x axis: threads per core. y axis: speed-up of the dynamic "
       "programming algorithm on two GPUs: a pair of lines for each "
       "size Z of local memory that --dummy-shared left.",
       .by = TMM_BY_Z, .panels = {{"gtx480", &speedups}, {"gtx680", &speedups}})
FIGURE("4.07", "4.7", matmul_over_johnson, "apsp_matmul",
       "apsp_matmul johnson_array" GRAPHS, "Products or Johnson's algorithm",
       "x axis: threads per core. y axis: time of the dynamic programming "
       "algorithm, divided by that of Johnson's with arrays: above 1 "
       "Johnson's is better.",
       .algos[1] = "johnson_array", .by = TMM_BY_M,
       .panels = {{"gtx480", &ratios}, {NULL, &measured_blocks}})
FIGURE("4.10", "4.10", matching, "suffix_tree",
       "suffix_tree suffix_array" SIZES, "String matching, over queries",
       "x axis: log\342\202\202 of the number of queries. y axis: time of "
       "the batch. It is flat until there are enough threads to hide "
       "all accesses, or as many as there can be.",
       .algos[1] = "suffix_array", .by = TMM_BY_N,
       .panels = {{"gtx580", &sizes}, {NULL, &measured_sizes}})
FIGURE("4.12", "4.12", fft_latencies, "fft_stockham", "fft_stockham" SIZES,
       "Fourier transforms, over the latency of memory",
       "x axis: the latency L of memory. y axis: time of the smallest and "
       "the largest n that were counted. Below some L, which is less "
       "for few points, work or span decides. The source has the "
       "clock of the memory instead, which grows to the left here.",
       .by = TMM_BY_N, .panels = {{"gtx280", &latencies}})
FIGURE(
    "4.13", "4.13", merge_sort, "merge_sort", "merge_sort" SIZES,
    "Merge sort, over keys",
    "x axis: log\342\202\202 n. y axis: time, beside a line that is linear in "
    "n: slower than that for few keys, faster for many. Work decides, and "
    "behind n = Z the formula omits the sorting of blocks.",
    .by = TMM_BY_N, .panels = {{"gtx280", &sizes}, {NULL, &measured_sizes}},
    .linear = true)
FIGURE("4.14", "4.14", list_ranking, "list_ranking_wyllie",
       "list_ranking_wyllie" SIZES, "List ranking, over elements",
       "x axis: log\342\202\202 n. y axis: time of Wyllie's algorithm, "
       "beside a line that is linear in n.",
       .by = TMM_BY_N, .panels = {{"gtx280", &sizes}, {NULL, &measured_sizes}},
       .linear = true)
