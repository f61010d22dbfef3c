/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 5.2, 5.3, 5.12, 5.16 and 6.1 to 6.4 of L. Ma, PhD thesis 2014: what
 * blocks, caches and threads do to times, as the calibrated and the integrated
 * model have it for the GTX 480, and what was measured. */
#include <math.h>
#include <string.h>

#include "experiments/model/gpu_record.h"
#include "experiments/report/figure.h"
#include "experiments/report/panels.h"
#include "experiments/report/tmm_rows.h"
#include "gpu_algos/models/calibrated.h"
#include "gpu_algos/models/integrated.h"

#define LOG2 "log\342\202\202 "
#define BLOCKS_AXIS "blocks that are requested, B_r"

/* Table 5.4; blocks of 1024 threads, of which one is active; and what is
 * drawn of them, as there. */
enum { SMS = 15, GROUP = 32, ACTIVE = 1, BLOCKS = 90 };

static void begin(struct panel *panel, const char *x, const char *y) {
  snprintf(panel->title, sizeof panel->title, "GeForce GTX 480, predicted");
  panel->x = x;
  panel->y = y;
}

static void zigzag(struct panel *panel, bool throughput) {
  begin(panel, BLOCKS_AXIS,
        throughput ? "throughput, of the most" : "time, of the least");
  panel->tics = SMS;
  struct plot_line *line = plot_lines_add(
      &panel->lines, throughput ? "1 / f_sched" : "f_sched", 0, 0);
  for (int blocks = 1; blocks <= BLOCKS; blocks++) {
    double factor = calibrated_sched(blocks, ACTIVE, SMS);
    plot_line_point(line, blocks, throughput ? 1 / factor : factor);
  }
}

/* Times of a GPU where numbers of blocks were asked for, a line for each input
 * and all else that was chosen. */
static bool is_measured(const struct summary *row, const char *algo) {
  return row->reps && !strcmp(row->algo, algo) &&
         !strcmp(row->device, "cuda") && row->variant->grid_blocks;
}

/* Of all results files the first that has any; NULL: none has. */
static const struct survey *measured_survey(const struct survey *survey,
                                            const char *algo) {
  const struct survey *of;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (size_t i = 0; i < of->count; i++)
      if (is_measured(&of->rows[i], algo)) return of;
  return NULL;
}

static bool same_line(const struct summary *a, const struct summary *b) {
  struct sample_variant one = *a->variant, other = *b->variant;
  one.grid_blocks = other.grid_blocks = 0;
  return a->n == b->n && !sample_variant_compare(&one, &other);
}

static bool is_first(const struct survey *survey, size_t index,
                     const char *algo) {
  for (size_t i = 0; i < index; i++)
    if (is_measured(&survey->rows[i], algo) &&
        same_line(&survey->rows[i], &survey->rows[index]))
      return false;
  return true;
}

static void name_line(const struct summary *row, char label[PLOT_LINE_LABEL]) {
  struct sample_variant variant = *row->variant;
  char text[VARIANT_LABEL];
  variant.grid_blocks = 0;
  const char *rest = sample_variant_label(&variant, text);
  if (!strncmp(rest, ", ", 2)) rest += 2;
  snprintf(label, PLOT_LINE_LABEL, "%.60s", *rest ? rest : row->algo);
}

static void measured(struct panel *panel, const struct survey *any,
                     const char *algo) {
  const struct survey *survey = measured_survey(any, algo);
  struct gpu_record gpu = {0};
  char label[PLOT_LINE_LABEL];
  if (!survey) return;
  gpu_record_read(&gpu, survey->record);
  snprintf(panel->title, sizeof panel->title, "%.80s, measured",
           *gpu.name ? gpu.name : "a GPU");
  panel->x = BLOCKS_AXIS;
  panel->y = "throughput, million a second";
  for (size_t i = 0; i < survey->count; i++) {
    const struct summary *row = &survey->rows[i];
    if (!is_measured(row, algo) || !is_first(survey, i, algo)) continue;
    name_line(row, label);
    struct plot_line *line =
        plot_lines_add(&panel->lines, label, panel->lines.count, 0);
    for (size_t j = i; j < survey->count; j++)
      if (is_measured(&survey->rows[j], algo) &&
          same_line(row, &survey->rows[j]))
        plot_line_point(line, survey->rows[j].variant->grid_blocks,
                        1e3 / survey->rows[j].ns_per_op_min);
    plot_line_sort(line);
  }
  struct plot_range range = plot_lines_range(&panel->lines);
  panel->tics = exp2(fmax(0, ceil(log2(range.x_hi / 8))));
}

static size_t throughputs(const struct survey *survey,
                          struct panel panels[PANELS], const char *algo) {
  zigzag(&panels[0], true);
  measured(&panels[1], survey, algo);
  return panels_keep(panels, 2);
}

static size_t hash_random(const struct survey *survey,
                          struct panel panels[PANELS]) {
  return throughputs(survey, panels, "hash_random");
}

static size_t bloom_blastn(const struct survey *survey,
                           struct panel panels[PANELS]) {
  return throughputs(survey, panels, "bloom_blastn");
}

static size_t facs(const struct survey *survey, struct panel panels[PANELS]) {
  return throughputs(survey, panels, "facs");
}

static size_t hit_rates(const struct survey *survey,
                        struct panel panels[PANELS]) {
  static const double caches[] = {16, 48};
  (void)survey;
  begin(&panels[0], LOG2 "m, KiB that are accessed at random",
        "share of accesses");
  for (size_t c = 0; c < 2; c++)
    for (size_t miss = 0; miss < 2; miss++) {
      char label[PLOT_LINE_LABEL];
      snprintf(label, sizeof label, "%s, C_s = %.0f KiB",
               miss ? "misses" : "hits", caches[c]);
      struct plot_line *line = plot_lines_add(&panels[0].lines, label, c, miss);
      if (line) line->open = miss;
      for (int step = 0; step <= 40; step++) {
        double lg = step / 4., rate = calibrated_hit_rate(caches[c], exp2(lg));
        plot_line_point(line, lg, miss ? 1 - rate : rate);
      }
    }
  return panels_keep(panels, 1);
}

static size_t schedule(const struct survey *survey,
                       struct panel panels[PANELS]) {
  (void)survey;
  zigzag(&panels[0], false);
  panels[0].log_y = true;
  return 1;
}

/* Section 6.3: n vertices; L is what its times flatten by, at T = 8, 16, 32 of
 * sub-blocks of 64, 32 and 16, in chunks of 32 words. */
enum { VERTICES = 8192, LATENCY = 16384, CHUNK = 32 };

/* Over that of the least time there is, which computing takes. */
static double shortest_paths(double sub_block, double threads) {
  double side = VERTICES / sub_block;
  struct integrated_grid grid = {.cores = SMS * GROUP,
                                 .group = GROUP,
                                 .blocks = side * side,
                                 .active = ACTIVE,
                                 .threads = threads,
                                 .latency = LATENCY};
  struct integrated_grid hidden = grid;
  hidden.threads = INFINITY;
  return integrated_apsp_time(&grid, VERTICES, CHUNK) /
         integrated_apsp_time(&hidden, VERTICES, CHUNK);
}

static size_t over_ratio(const struct survey *survey,
                         struct panel panels[PANELS]) {
  (void)survey;
  begin(&panels[0], "\342\210\232B_r / T", "time, of the least");
  panels[0].tics = 128;
  struct plot_line *line = plot_lines_add(&panels[0].lines, "any S_D", 0, 0);
  for (double threads = 1; threads <= 48; threads *= 1.25)
    plot_line_point(line, VERTICES / (16 * threads),
                    shortest_paths(16, threads));
  plot_line_sort(line);
  return 1;
}

static size_t over_threads(const struct survey *survey,
                           struct panel panels[PANELS]) {
  (void)survey;
  begin(&panels[0], "T, threads per core", "time, of the least");
  panels[0].tics = 8;
  for (int lg = 6; lg >= 3; lg--) {
    char label[PLOT_LINE_LABEL];
    snprintf(label, sizeof label, "S_D = %.0f", exp2(lg));
    struct plot_line *line =
        plot_lines_add(&panels[0].lines, label, (size_t)(6 - lg), 0);
    for (int threads = 1; threads <= 48; threads++)
      plot_line_point(line, threads, shortest_paths(exp2(lg), threads));
  }
  return 1;
}

static size_t over_blocks(const struct survey *survey,
                          struct panel panels[PANELS]) {
  (void)survey;
  begin(&panels[0], LOG2 "B_r", "time, of the least");
  for (int t = 0; t < 5; t++) {
    char label[PLOT_LINE_LABEL];
    snprintf(label, sizeof label, "T = %.0f", exp2(t + 1));
    struct plot_line *line =
        plot_lines_add(&panels[0].lines, label, (size_t)t, 0);
    for (int lg = 3; lg <= 6; lg++)
      plot_line_point(line, 2 * log2(VERTICES / exp2(lg)),
                      shortest_paths(exp2(lg), exp2(t + 1)));
    plot_line_sort(line);
  }
  return 1;
}

#define FIGURE(file, number, id, algo, title_, caption_)                   \
  static void draw_##id(FILE *script, const struct survey *survey,         \
                        enum plot_format format) {                         \
    panels_draw(script, survey, format, id);                               \
  }                                                                        \
  static void csv_##id(FILE *out, const struct survey *survey) {           \
    panels_write_csv(out, survey, id);                                     \
  }                                                                        \
  static bool data_##id(const struct survey *survey) {                     \
    return tmm_first_survey(survey, algo) == survey;                       \
  }                                                                        \
  const struct figure figure_calibrated_##id = {                           \
      .name = "fig-calibrated-" file,                                      \
      .title = title_ " (Ma, figure " number ")",                          \
      .caption = caption_,                                                 \
      .of_gpu = true,                                                      \
      .needs = "It needs results of " algo ": vat run " algo               \
               " --device cuda --grid-blocks LIST; the model stands with " \
               "--device emu, too.",                                       \
      .has_data = data_##id,                                               \
      .draw = draw_##id,                                                   \
      .write_csv = csv_##id};

/* What those of blocks say. */
#define ZIGZAG                                                           \
  " By the model it is at its most where B_r is a multiple of B_a P/Q, " \
  "and nowhere else: 15, 30, ... on the GTX 480 with blocks of 1024 "    \
  "threads, one of which is active. Where a GPU was measured with "      \
  "--grid-blocks, it stands beside."

FIGURE("5.02", "5.2", hash_random, "hash_random", "Random hashing, over blocks",
       "Throughput of random look-ups over the blocks that are "
       "requested." ZIGZAG)
FIGURE("5.03", "5.3", hit_rates, "hash_random",
       "Hits and misses, over what is accessed",
       "Accesses at random to m bytes that the cache has, and that it lacks, "
       "by the model: min(1, C_s / m), and the rest.")
FIGURE("5.12", "5.12", bloom_blastn, "bloom_blastn",
       "The Bloom filter of BLASTN, over blocks",
       "Throughput, in letters of the database, over the blocks that are "
       "requested." ZIGZAG)
FIGURE("5.16", "5.16", facs, "facs", "FACS, over blocks",
       "Throughput, in letters of reads, over the blocks that are "
       "requested." ZIGZAG)
FIGURE("6.1", "6.1", schedule, "apsp_matmul", "Time over blocks",
       "What blocks that do not come out even cost, by the model: f_sched "
       "with B_a = 1 and P/Q = 15; time is a logarithm. The least is at "
       "multiples of 15, and the "
       "more blocks there are the less does it matter.")

/* What those of shortest paths say. */
#define PATHS                                                          \
  " Shortest paths of 8192 vertices by products, by the model, over "  \
  "the time that computing takes; L / C = 512, by which the source's " \
  "own times flatten."

FIGURE("6.2", "6.2", over_ratio, "apsp_matmul",
       "Shortest paths, over blocks and threads",
       "Time is linear in \342\210\232B_r / T where memory rules, and flat "
       "where computing does." PATHS)
FIGURE("6.3", "6.3", over_threads, "apsp_matmul",
       "Shortest paths, over threads per core",
       "The larger sub-blocks are, the fewer threads hide the memory: 8, 16, "
       "32 with sides of 64, 32 and 16." PATHS)
FIGURE("6.4", "6.4", over_blocks, "apsp_matmul",
       "Shortest paths, over the number of blocks",
       "Smaller sub-blocks are more blocks, and more accesses: time grows with "
       "\342\210\232B_r unless threads hide them." PATHS)
