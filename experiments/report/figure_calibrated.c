/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 5.2 to 5.4, 5.12, 5.16 and 6.1 to 6.5 of L. Ma, PhD thesis 2014: what
 * blocks, caches and threads do to times, as the calibrated and the integrated
 * model have it for the GTX 480, and what was measured. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/gpu_models/gpu_record.h"
#include "experiments/report/chart_layout.h"
#include "experiments/report/figure.h"
#include "gpu_algos/blocks.h"
#include "gpu_algos/models/calibrated.h"
#include "gpu_algos/models/integrated.h"
#include "huge_pages/size_text.h"

#define BLOCKS_AXIS "blocks that are requested, B_r"

/* Table 5.4; blocks of 1024 threads, of which one is active; and what is
 * drawn of them, as there. */
enum { SMS = 15, ACTIVE = 1, BLOCKS = 90 };

static struct chart_panel *zigzag(struct chart *chart, const char *what,
                                  bool throughput) {
  struct chart_panel *panel = figure_gpu_panel(
      chart, NULL, what, BLOCKS_AXIS,
      throughput ? "throughput, of the most" : "time, of the least");
  panel->x.tics = SMS;
  panel->x.lo = 0;
  struct chart_series *series =
      chart_series(panel, 0, throughput ? "1 / f_sched" : "f_sched");
  for (int blocks = 1; blocks <= BLOCKS; blocks++) {
    double factor = calibrated_sched(blocks, ACTIVE, SMS);
    chart_point(series, blocks, throughput ? 1 / factor : factor);
  }
  return panel;
}

/* Where a row that was measured on a GPU stands. */
struct mark {
  uint64_t n;
  const char *pages;
  struct sample_variant line; /* all of one line have these three */
  char label[CHART_LABEL];
  double x, y;
};

/* What is drawn of an algorithm's rows. */
struct lines {
  const char *algo, *x_axis, *y_axis;
  /* Takes from `line` what its marks differ in; false: it is not drawn. */
  bool (*place)(const struct summary *row, struct mark *mark);
};

static bool same_line(const struct mark *a, const struct mark *b) {
  return a->n == b->n && !strcmp(a->pages, b->pages) &&
         !sample_variant_compare(&a->line, &b->line);
}

static void add_line(struct chart_panel *panel, const struct mark *marks,
                     size_t count, size_t first) {
  for (size_t i = 0; i < first; i++)
    if (same_line(&marks[i], &marks[first])) return;
  struct chart_series *series =
      chart_series(panel, panel->count, "%s", marks[first].label);
  for (size_t i = first; i < count; i++)
    if (same_line(&marks[i], &marks[first]))
      chart_point(series, marks[i].x, marks[i].y);
  chart_sort(series);
}

/* All that all results files have of them, of which `first` is the first; NULL:
 * there are none. */
static struct chart_panel *add_measured(struct chart *chart,
                                        const struct survey *survey,
                                        const struct lines *lines,
                                        const struct survey **first) {
  struct mark *marks = NULL;
  const struct survey *of;
  size_t count = 0;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (const struct summary *row = of->rows; row < of->end; row++) {
      struct mark mark = {row->n, row->pages, *row->variant, "", NAN, NAN};
      if (!row->reps || strcmp(row->algo, lines->algo) ||
          strcmp(row->device, "cuda") || !lines->place(row, &mark))
        continue;
      if (!count) *first = of;
      *ARRAY_ADD(marks, count) = mark;
    }
  if (!count) return NULL;
  struct chart_panel *panel = figure_gpu_panel(chart, *first, lines->algo,
                                               lines->x_axis, lines->y_axis);
  for (size_t i = 0; i < count; i++) add_line(panel, marks, count, i);
  free(marks);
  return panel;
}

/* Million a second; a line for each input and all else that was chosen. */
static bool place_blocks(const struct summary *row, struct mark *mark) {
  char text[VARIANT_LABEL];
  mark->x = mark->line.grid_blocks;
  mark->y = 1e3 / row->ns_per_op_min;
  mark->pages = "";
  mark->line.grid_blocks = 0;
  const char *rest = sample_variant_label(&mark->line, text);
  if (!strncmp(rest, ", ", 2)) rest += 2;
  snprintf(mark->label, CHART_LABEL, "%.60s", *rest ? rest : row->algo);
  return mark->x > 0;
}

/* Peaks are in multiples of the multiprocessors, where the record has them. */
static double tics_of(const struct survey *of,
                      const struct chart_panel *panel) {
  const struct chart_range range = chart_needs(panel);
  double sms = gpu_record_sms(json_object_get(of->record, "gpu"));
  if (sms > 0 && sms < range.x_hi) return sms * ceil(range.x_hi / sms / 8);
  return exp2(fmax(0, ceil(log2(range.x_hi / 8))));
}

static void throughputs(const struct survey *survey, struct chart *chart) {
  const struct lines *lines = chart->of;
  const struct survey *of;
  zigzag(chart, lines->algo, true);
  struct chart_panel *panel = add_measured(chart, survey, lines, &of);
  if (!panel) return;
  panel->unit = "M/s";
  panel->x.lo = 0;
  panel->x.tics = tics_of(of, panel);
}

static void hit_rates(const struct survey *survey, struct chart *chart) {
  static const double caches[] = {16, 48};
  (void)survey;
  struct chart_panel *panel = figure_gpu_panel(
      chart, NULL, "hash_random",
      FIGURE_LOG2 "m, KiB that are accessed at random", "share of accesses");
  for (size_t c = 0; c < 2; c++)
    for (size_t miss = 0; miss < 2; miss++) {
      struct chart_series *series = chart_series(
          panel, c, "%s, C_s = %.0f KiB", miss ? "misses" : "hits", caches[c]);
      series->dash = miss;
      series->open = miss;
      for (int step = 0; step <= 40; step++) {
        double lg = step / 4., rate = calibrated_hit_rate(caches[c], exp2(lg));
        chart_point(series, lg, miss ? 1 - rate : rate);
      }
    }
}

static void schedule(const struct survey *survey, struct chart *chart) {
  (void)survey;
  struct chart_panel *panel = zigzag(chart, "any algorithm", false);
  panel->y.scale = CHART_LOG;
}

/* Section 6.3: shortest paths of so many vertices by products, on the GTX 480
 * with L as its times flatten by, at T = 8, 16, 32 of sub-blocks of 64, 32 and
 * 16: over the time of computing alone. */
enum { VERTICES = 8192, GROUP = 32, LATENCY = 16384, CHUNK = 32 };
#define PATHS_NAME "apsp_matmul, n = 8192"

static double paths_time(double sub_block, double active, double threads) {
  const double side = VERTICES / sub_block;
  struct integrated_grid grid = {.cores = SMS * GROUP,
                                 .group = GROUP,
                                 .blocks = side * side,
                                 .active = active,
                                 .threads = threads,
                                 .latency = LATENCY};
  struct integrated_grid hidden = grid;
  hidden.threads = INFINITY;
  hidden.active = 1;
  return integrated_apsp_time(&grid, VERTICES, CHUNK) /
         integrated_apsp_time(&hidden, VERTICES, CHUNK);
}

static double shortest_paths(double sub_block, double threads) {
  return paths_time(sub_block, ACTIVE, threads);
}

static struct chart_panel *paths(struct chart *chart, const char *axis,
                                 double tics) {
  struct chart_panel *panel =
      figure_gpu_panel(chart, NULL, PATHS_NAME, axis, "time, of the least");
  panel->x.tics = tics;
  return panel;
}

static void over_ratio(const struct survey *survey, struct chart *chart) {
  (void)survey;
  struct chart_series *series =
      chart_series(paths(chart, "\342\210\232B_r / T", 128), 0, "any S_D");
  for (double threads = 1; threads <= 48; threads *= 1.25)
    chart_point(series, VERTICES / (16 * threads), shortest_paths(16, threads));
  chart_sort(series);
}

static void over_threads(const struct survey *survey, struct chart *chart) {
  (void)survey;
  struct chart_panel *panel = paths(chart, "T, threads per core", 8);
  for (int lg = 6; lg >= 3; lg--) {
    struct chart_series *series =
        chart_series(panel, (size_t)(6 - lg), "S_D = %.0f", exp2(lg));
    for (int threads = 1; threads <= 48; threads++)
      chart_point(series, threads, shortest_paths(exp2(lg), threads));
  }
}

static void over_blocks(const struct survey *survey, struct chart *chart) {
  (void)survey;
  struct chart_panel *panel = paths(chart, FIGURE_LOG2 "B_r", 0);
  for (int t = 0; t < 5; t++) {
    struct chart_series *series =
        chart_series(panel, (size_t)t, "T = %.0f", exp2(t + 1));
    for (int lg = 3; lg <= 6; lg++)
      chart_point(series, 2 * log2(VERTICES / exp2(lg)),
                  shortest_paths(exp2(lg), exp2(t + 1)));
    chart_sort(series);
  }
}

#define FIGURE(file, number, id, algo_, title_, caption_, ...)             \
  const struct figure figure_calibrated_##id = {                           \
      .name = "fig-calibrated-" file,                                      \
      .title = title_ " (Ma, figure " number ")",                          \
      .caption = caption_,                                                 \
      .of_gpu = true,                                                      \
      .needs = "It needs results of " algo_ ": vat run " algo_             \
               " --device cuda --grid-blocks LIST; the model stands with " \
               "--device emu, too.",                                       \
      .algo = algo_,                                                       \
      .fill = __VA_ARGS__};
#define THROUGHPUTS(algo, y)                 \
  throughputs, .of = &(const struct lines) { \
    algo, BLOCKS_AXIS, y, place_blocks       \
  }

/* What those of blocks say. */
#define ZIGZAG                                                     \
  " Look for the peaks: by the model throughput is highest where " \
  "B_r is a multiple of B_a P/Q, and nowhere else: 15, 30, ... "   \
  "on the GTX 480 with blocks of 1024 threads, one of which is "   \
  "active. Where a GPU was measured with --grid-blocks, it has a " \
  "panel beside."

FIGURE("5.02", "5.2", hash_random, "hash_random", "Random hashing, over blocks",
       "x axis: the blocks that are requested, B_r. y axis: throughput of "
       "random look-ups." ZIGZAG,
       THROUGHPUTS("hash_random", "million look-ups a second"))
FIGURE("5.03", "5.3", hit_rates, "hash_random",
       "Hits and misses, over what is accessed",
       "x axis: m, the bytes that are accessed at random. y axis: the "
       "share of accesses that the cache has, and that it does not "
       "have, by the model: min(1, C_s / m), and the rest.",
       hit_rates)
FIGURE("5.12", "5.12", bloom_blastn, "bloom_blastn",
       "The Bloom filter of BLASTN, over blocks",
       "x axis: the blocks that are requested, B_r. y axis: throughput, "
       "in letters of the database." ZIGZAG,
       THROUGHPUTS("bloom_blastn", "million letters of the database a second"))
FIGURE("5.16", "5.16", facs, "facs", "FACS, over blocks",
       "x axis: the blocks that are requested, B_r. y axis: throughput, "
       "in letters of reads." ZIGZAG,
       THROUGHPUTS("facs", "million letters of reads a second"))
FIGURE(
    "6.1", "6.1", schedule, "apsp_matmul", "Time over blocks",
    "x axis: blocks. y axis: the cost of blocks that do not come out even, by "
    "the model (f_sched with B_a = 1 and P/Q = 15), a logarithm. The least "
    "is at multiples of 15; the more blocks there are, the less it matters.",
    schedule)

/* What those of shortest paths say. */
#define PATHS                                                          \
  " Shortest paths of 8192 vertices by products, by the model, over "  \
  "the time that computing takes; L / C = 512, by which the source's " \
  "own times flatten."

FIGURE("6.2", "6.2", over_ratio, "apsp_matmul",
       "Shortest paths, over blocks and threads",
       "Time is linear in \342\210\232B_r / T where memory rules, and flat "
       "where computing does." PATHS,
       over_ratio)
FIGURE("6.3", "6.3", over_threads, "apsp_matmul",
       "Shortest paths, over threads per core",
       "The larger sub-blocks are, the fewer threads hide the memory: 8, 16, "
       "32 with sides of 64, 32 and 16." PATHS,
       over_threads)
FIGURE("6.4", "6.4", over_blocks, "apsp_matmul",
       "Shortest paths, over the number of blocks",
       "Smaller sub-blocks are more blocks, and more accesses: time grows with "
       "\342\210\232B_r unless threads hide them." PATHS,
       over_blocks)

/* Figure 5.4: time of random look-ups over the memory that they are in. */
#define SET_AXIS FIGURE_LOG2 "m, KiB that are accessed at random"

enum { CACHE = 48 }; /* C_s, KiB: the larger of the two there are */

/* G is found by measuring, and the source does not say it. */
static void predict_cache(struct chart *chart) {
  static const double slowdowns[] = {2, 4, 8};
  struct chart_panel *panel = figure_gpu_panel(chart, NULL, "hash_random",
                                               SET_AXIS, "time, of the least");
  for (size_t g = 0; g < 3; g++) {
    struct chart_series *series =
        chart_series(panel, g, "G = %.0f", slowdowns[g]);
    for (int step = 0; step <= 40; step++)
      chart_point(series, step / 4.,
                  calibrated_cache(CACHE, exp2(step / 4.), slowdowns[g]));
  }
}

/* Of a table in global memory, by the generator: "global-32k". */
static bool place_table(const struct summary *row, struct mark *mark) {
  static const char global[] = "global-";
  const char *generator = row->variant->generator;
  char *end;
  if (row->variant->grid_blocks || strncmp(generator, global, strlen(global)))
    return false;
  double size = strtod(generator + strlen(global), &end);
  mark->x = log2(*end == 'm' ? 1024 * size : size);
  mark->y = survey_ns(row);
  *mark->line.generator = '\0';
  snprintf(mark->label, CHART_LABEL, "n = %llu", (unsigned long long)row->n);
  return true;
}

static void cache_time_fill(const struct survey *survey, struct chart *chart) {
  static const struct lines lines = {"hash_random", SET_AXIS,
                                     "time, ns a look-up", place_table};
  const struct survey *of;
  predict_cache(chart);
  add_measured(chart, survey, &lines, &of);
}

const struct figure figure_calibrated_cache_time = {
    .name = "fig-calibrated-5.04",
    .title = "Time of random look-ups, over what is accessed (Ma, figure 5.4)",
    .caption =
        "x axis: m, the global memory that is read at random, as a logarithm. "
        "y axis: time of a look-up by the model (5.12), divided by the time of "
        "a look-up that hits the cache. The line is level while the cache of "
        "48 KiB holds the memory. Then it rises towards G, the cost of a miss. "
        "G has to be measured, because the source does not state it. If a GPU "
        "was measured, a second panel shows its times: look for the size at "
        "which they rise.",
    .needs =
        "It needs results of hash_random: vat run hash_random --device cuda "
        "--generator all; the model stands with --device emu, too.",
    .of_gpu = true,
    .fill = cache_time_fill,
    .algo = "hash_random"};

/* Figure 6.5: shortest paths by products where fewer blocks are active than
 * could be, with sub-blocks of 32. */
enum { SIDE = 32, LEFT_ALONE = 4 }; /* B_a, where it was, in the source */

static void predict_active(struct chart *chart) {
  static const double active[] = {1, 2, LEFT_ALONE};
  struct chart_panel *panel = figure_gpu_panel(
      chart, NULL, PATHS_NAME, "T, threads per core", "time, of the least");
  panel->x.tics = 8;
  for (size_t i = 0; i < 3; i++) {
    struct chart_series *series =
        chart_series(panel, i, "B_a = %.0f", active[i]);
    for (int threads = 1; threads <= 48; threads++)
      chart_point(series, threads, paths_time(SIDE, active[i], threads));
    series->dash = i;
    series->every = 4;
  }
}

/* Are its sub-blocks of 32?  Two of them lie in shared memory beside what is
 * left alone, and two of twice the side do not. */
static bool place_threads(const struct summary *row, struct mark *mark) {
  const unsigned bytes = 2 * SIDE * SIDE * sizeof(int32_t);
  const unsigned dummy = row->variant->dummy_shared;
  mark->x = log2(row->variant->block_threads);
  mark->y = survey_ms(row);
  mark->line.block_threads = 0;
  snprintf(mark->label, CHART_LABEL, "%s idle", HP_SIZE_SHOWN(dummy));
  return row->variant->block_threads && bytes + dummy <= GPU_SHARED_BYTES &&
         4 * bytes + dummy > GPU_SHARED_BYTES;
}

static void active_fill(const struct survey *survey, struct chart *chart) {
  static const struct lines lines = {"apsp_matmul",
                                     FIGURE_LOG2 "threads of a block",
                                     "time, ms", place_threads};
  const struct survey *of;
  predict_active(chart);
  add_measured(chart, survey, &lines, &of);
}

const struct figure figure_calibrated_active = {
    .name = "fig-calibrated-6.5",
    .title = "Shortest paths, over the blocks that are active (Ma, figure 6.5)",
    .caption =
        "x axis: threads per core T. y axis: time of shortest paths of 8192 "
        "vertices by products, in sub-blocks of 32 x 32. In the model, the "
        "number of active blocks (B_a) does not matter. On the GTX 480 of the "
        "source, times were up to four times longer where B_a was left alone "
        "than where it was 1. If a GPU was measured with idle shared memory, "
        "which limits the active blocks, a second panel shows its times. Idle "
        "memory of 16388 to 40960 bytes leaves sub-blocks of 32.",
    .needs =
        "It needs results of apsp_matmul: for IDLE in 16400 24000 40960; do "
        "vat run apsp_matmul --device cuda --sizes 8192 --dummy-shared $IDLE "
        "--block-threads 256 -o $IDLE.jsonl; done; vat report *.jsonl. The "
        "model stands with --device emu, too.",
    .of_gpu = true,
    .fill = active_fill,
    .algo = "apsp_matmul"};
