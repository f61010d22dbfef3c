/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/tmm_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/gpu_models/gpu_record.h"

static const char counted_on[] = "emu", measured_on[] = "cuda";

/* Lines of the latter are dashed, their marks open. */
enum { COUNTED, FORMULA, SOURCES };

/* Threads per core: from 1/16 on, as the model is flat early. */
enum { LG_THREADS_LEAST = -4 };

double tmm_time(const struct tmm_machine *machine,
                const struct tmm_program *program, double threads) {
  struct tmm_result result;
  tmm_evaluate(machine, program, threads, &result);
  return result.threads < threads && isfinite(threads) ? NAN : result.time;
}

double tmm_speedup(const struct tmm_machine *machine,
                   const struct tmm_program *program, double threads) {
  return program->T1 / tmm_time(machine, program, threads);
}

static const struct tmm_program *program_of(const struct tmm_row *row,
                                            int source) {
  return source == COUNTED ? &row->counted : &row->formula;
}

static struct chart_series *of_source(struct chart_series *series, int source) {
  series->dash = (size_t)source;
  series->open = source == FORMULA;
  return series;
}

static struct chart_series *add_series(struct chart_panel *panel,
                                       const char *name, size_t place,
                                       int source) {
  return of_source(chart_series(panel, place, "%s%s", name,
                                source == COUNTED ? "" : ", formula"),
                   source);
}

/* Of a time, "time, ms", what follows is the unit of each line's last value. */
static void on_axes(struct chart_panel *panel, const char *x, const char *y) {
  static const char time[] = "time, ";
  panel->x.title = x;
  panel->y.title = y;
  if (!strcmp(y, "time, ms") || !strcmp(y, "time, steps"))
    panel->unit = y + strlen(time);
}

/* "apsp_matmul, n = 256", the size where rows are not told apart by it; a
 * second algorithm stands beside the first. */
static void name_algo(struct chart_panel *panel, const char *algo,
                      enum tmm_by by, const struct tmm_row *rows,
                      size_t count) {
  size_t used = strcspn(panel->of, ","); /* the size comes last */
  if (!used || strncmp(panel->of, algo, used))
    used += (size_t)snprintf(panel->of + used, sizeof panel->of - used, "%s%s",
                             used ? " and " : "", algo);
  if (by != TMM_BY_N && count && used < sizeof panel->of)
    snprintf(panel->of + used, sizeof panel->of - used, ", n = %.0f",
             rows[0].n);
}

#define LOG2 "log\342\202\202 "

void tmm_over_threads(struct chart_panel *panel, const struct survey *survey,
                      const char *algo, const struct tmm_machine *machine,
                      enum tmm_by by, tmm_quantity *quantity) {
  struct tmm_row rows[TMM_ROWS_MOST];
  char name[TMM_ROW_LABEL];
  size_t count = tmm_rows(survey, algo, counted_on, machine, by, rows);
  name_algo(panel, algo, by, rows, count);
  on_axes(panel, LOG2 "T, threads per core", "speed-up");
  for (size_t i = 0; i < count; i++)
    for (int s = 0; s < SOURCES; s++) {
      bool same = by == TMM_BY_N && s == FORMULA; /* for all of them */
      if (same && i + 1 < count) continue;
      struct chart_series *series = add_series(
          panel, same ? "any n" : tmm_row_label(&rows[i], by, name), i, s);
      for (int lg = LG_THREADS_LEAST; exp2(lg) <= machine->X; lg++)
        chart_point(series, lg,
                    quantity(machine, program_of(&rows[i], s), exp2(lg)));
    }
}

void tmm_over_edges(struct chart_panel *panel, const struct survey *survey,
                    const char *algo, const struct tmm_machine *machine) {
  struct tmm_row rows[TMM_ROWS_MOST];
  char name[TMM_ROW_LABEL];
  size_t count = tmm_rows(survey, algo, counted_on, machine, TMM_BY_M, rows);
  name_algo(panel, algo, TMM_BY_M, rows, count);
  on_axes(panel, LOG2 "m", "time, steps");
  panel->y.scale = CHART_LOG;
  for (size_t t = 0; t < 4 && exp2((double)t + 1) <= machine->X; t++)
    for (int s = 0; s < SOURCES; s++) {
      snprintf(name, sizeof name, "T = %g", exp2((double)t + 1));
      struct chart_series *series = add_series(panel, name, t, s);
      for (size_t i = 0; i < count; i++)
        chart_point(
            series, log2(rows[i].m),
            tmm_time(machine, program_of(&rows[i], s), exp2((double)t + 1)));
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

void tmm_over_other(struct chart_panel *panel, const struct survey *survey,
                    const char *algo, const char *other,
                    const struct tmm_machine *machine) {
  struct tmm_row rows[TMM_ROWS_MOST], others[TMM_ROWS_MOST];
  char name[TMM_ROW_LABEL];
  size_t count = tmm_rows(survey, algo, counted_on, machine, TMM_BY_M, rows);
  size_t more = tmm_rows(survey, other, counted_on, machine, TMM_BY_M, others);
  name_algo(panel, algo, TMM_BY_M, rows, count);
  name_algo(panel, other, TMM_BY_M, rows, count);
  on_axes(panel, LOG2 "T, threads per core", "time, over the other's");
  panel->y.scale = CHART_LOG;
  for (size_t i = 0; i < count; i++) {
    const struct tmm_row *beside = same_graph(others, more, &rows[i]);
    for (int s = 0; beside && s < SOURCES; s++) {
      struct chart_series *series =
          add_series(panel, tmm_row_label(&rows[i], TMM_BY_M, name), i, s);
      for (int lg = LG_THREADS_LEAST; exp2(lg) <= machine->X; lg++)
        chart_point(series, lg,
                    tmm_time(machine, program_of(&rows[i], s), exp2(lg)) /
                        tmm_time(machine, program_of(beside, s), exp2(lg)));
    }
  }
}

void tmm_over_blocks(struct chart_panel *panel, const struct survey *survey,
                     const char *algo, const struct tmm_machine *machine,
                     bool ratio) {
  struct tmm_row rows[TMM_ROWS_MOST];
  size_t count = tmm_rows(survey, algo, counted_on, machine, TMM_BY_Z, rows);
  name_algo(panel, algo, TMM_BY_Z, rows, count);
  on_axes(panel, LOG2 "T, threads per core",
          ratio ? "ratio of speed-ups" : "difference of speed-ups");
  for (int s = 0; count > 1 && s < SOURCES; s++) {
    struct chart_series *series = of_source(
        chart_series(panel, (size_t)s, s == COUNTED ? "counted" : "formula"),
        s);
    for (int lg = LG_THREADS_LEAST; exp2(lg) <= machine->X; lg++) {
      double most = tmm_speedup(machine, program_of(&rows[0], s), exp2(lg));
      double next = tmm_speedup(machine, program_of(&rows[1], s), exp2(lg));
      chart_point(series, lg, ratio ? most / next : most - next);
    }
  }
}

void tmm_over_sizes(struct chart_panel *panel, const struct survey *survey,
                    const char *algo, const struct tmm_machine *machine) {
  struct tmm_row rows[TMM_ROWS_MOST];
  size_t count = tmm_rows(survey, algo, counted_on, machine, TMM_BY_N, rows);
  size_t place = panel->count;
  name_algo(panel, algo, TMM_BY_N, rows, count);
  on_axes(panel, LOG2 "n", "time, steps");
  panel->y.scale = CHART_LOG;
  for (int s = 0; s < SOURCES; s++) {
    struct chart_series *series = add_series(panel, algo, place, s);
    for (size_t i = 0; i < count; i++)
      chart_point(series, log2(rows[i].n),
                  tmm_time(machine, program_of(&rows[i], s), INFINITY));
  }
}

void tmm_over_latencies(struct chart_panel *panel, const struct survey *survey,
                        const char *algo, const struct tmm_machine *machine) {
  struct tmm_row rows[TMM_ROWS_MOST];
  char name[TMM_ROW_LABEL];
  size_t count = tmm_rows(survey, algo, counted_on, machine, TMM_BY_N, rows);
  name_algo(panel, algo, TMM_BY_N, rows, count);
  on_axes(panel, LOG2 "L, steps of an access", "time, steps");
  panel->y.scale = CHART_LOG;
  size_t step = count > 1 ? count - 1 : 1; /* the first and the last */
  for (size_t i = 0; i < count; i += step)
    for (int s = 0; s < SOURCES; s++) {
      struct chart_series *series =
          add_series(panel, tmm_row_label(&rows[i], TMM_BY_N, name), i > 0, s);
      for (int lg = 0; lg <= 12; lg++) {
        struct tmm_machine slower = *machine;
        slower.L = exp2(lg);
        chart_point(series, lg,
                    tmm_time(&slower, program_of(&rows[i], s), INFINITY));
      }
    }
}

void tmm_linear(struct chart_panel *panel) {
  const struct chart_series *first = panel->count ? panel->series[0] : NULL;
  if (!first || first->count < 2) return;
  struct chart_point from = first->points[0];
  double to = first->points[first->count - 1].x;
  struct chart_series *series = chart_series(panel, 6, "linear");
  series->dash = 2;
  chart_point(series, from.x, from.y);
  chart_point(series, to, from.y * exp2(to - from.x));
}

static void name_gpu(struct chart_panel *panel, const json_t *record) {
  struct gpu_record gpu = {0};
  gpu_record_read(&gpu, record);
  snprintf(panel->title, sizeof panel->title, "%.80s, measured",
           *gpu.name ? gpu.name : "a GPU");
}

void tmm_measured(struct chart_panel *panel, const struct survey *survey,
                  const char *algo, enum tmm_by by, bool over_threads,
                  bool name) {
  struct tmm_row rows[TMM_ROWS_MOST];
  const struct tmm_machine *any = &tmm_machines[0];
  struct chart_series *series = NULL;
  char label[CHART_LABEL] = "", text[TMM_ROW_LABEL];
  size_t count = tmm_rows(survey, algo, measured_on, any, by, rows);
  name_algo(panel, algo, by, rows, count);
  on_axes(panel, over_threads ? LOG2 "threads of a block" : LOG2 "n",
          "time, ms");
  panel->y.scale = CHART_LOG;
  if (count) name_gpu(panel, rows[0].record);
  for (size_t i = 0; i < count; i++) {
    const struct summary *row = rows[i].summary;
    double threads = row->variant->block_threads;
    if (over_threads == !threads) continue;
    tmm_row_label(&rows[i], by, text);
    if (over_threads && strcmp(label, text)) series = NULL;
    if (!series) {
      snprintf(label, sizeof label, "%s", over_threads ? text : algo);
      series = chart_series(panel, panel->count, "%s%s%.20s", label,
                            name && over_threads ? ", " : "",
                            name && over_threads ? algo : "");
    }
    chart_point(series, over_threads ? log2(threads) : log2(rows[i].n),
                row->ns_per_op_min * row->ram_ops / 1e6);
  }
  for (size_t i = 0; i < panel->count; i++) chart_sort(panel->series[i]);
}
