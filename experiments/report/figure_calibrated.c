/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 5.2, 5.3, 5.12, 5.16 and 6.1 to 6.4 of L. Ma, PhD thesis 2014: what
 * blocks, caches and threads do to times, as the calibrated and the integrated
 * model have it for the GTX 480, and what was measured. */
#include <math.h>
#include <string.h>

#include "experiments/gpu_models/gpu_record.h"
#include "experiments/report/calibrated_panel.h"
#include "experiments/report/figure.h"
#include "gpu_algos/models/calibrated.h"

#define BLOCKS_AXIS "blocks that are requested, B_r"

/* Table 5.4; blocks of 1024 threads, of which one is active; and what is
 * drawn of them, as there. */
enum { SMS = 15, ACTIVE = 1, BLOCKS = 90 };

static void zigzag(struct panel *panel, const char *what, bool throughput) {
  calibrated_predicted(
      panel, what, BLOCKS_AXIS,
      throughput ? "throughput, of the most" : "time, of the least");
  panel->tics = SMS;
  panel->from_zero = true;
  struct plot_line *line = plot_lines_add(
      &panel->lines, throughput ? "1 / f_sched" : "f_sched", 0, 0);
  for (int blocks = 1; blocks <= BLOCKS; blocks++) {
    double factor = calibrated_sched(blocks, ACTIVE, SMS);
    plot_line_point(line, blocks, throughput ? 1 / factor : factor);
  }
}

static bool asked_for(const struct summary *row) {
  return row->variant->grid_blocks;
}

/* A line for each input and all else that was chosen. */
static bool same_line(const struct summary *a, const struct summary *b) {
  struct sample_variant one = *a->variant, other = *b->variant;
  one.grid_blocks = other.grid_blocks = 0;
  return a->n == b->n && !sample_variant_compare(&one, &other);
}

static void name_line(const struct summary *row, char label[PLOT_LINE_LABEL]) {
  struct sample_variant variant = *row->variant;
  char text[VARIANT_LABEL];
  variant.grid_blocks = 0;
  const char *rest = sample_variant_label(&variant, text);
  if (!strncmp(rest, ", ", 2)) rest += 2;
  snprintf(label, PLOT_LINE_LABEL, "%.60s", *rest ? rest : row->algo);
}

static double blocks_of(const struct summary *row) {
  return row->variant->grid_blocks;
}

static double million_a_second(const struct summary *row) {
  return 1e3 / row->ns_per_op_min;
}

/* Peaks are in multiples of the multiprocessors, where the record has them. */
static double tics_of(const struct survey *of, const struct panel *panel) {
  const struct plot_range range = plot_lines_range(&panel->lines);
  double sms = gpu_record_sms(json_object_get(of->record, "gpu"));
  if (sms > 0 && sms < range.x_hi) return sms * ceil(range.x_hi / sms / 8);
  return exp2(fmax(0, ceil(log2(range.x_hi / 8))));
}

static void measured(struct panel *panel, const struct survey *survey,
                     const char *algo, const char *y) {
  const struct calibrated_lines lines = {
      algo, asked_for, same_line, name_line, blocks_of, million_a_second};
  const struct survey *of = calibrated_add_lines(panel, survey, &lines);
  if (!of) return;
  calibrated_measured(panel, of, algo, BLOCKS_AXIS, y);
  panel->lines.unit = "M/s";
  panel->from_zero = true;
  panel->tics = tics_of(of, panel);
}

static size_t throughputs(const struct survey *survey,
                          struct panel panels[PANELS], const char *algo,
                          const char *y) {
  zigzag(&panels[0], algo, true);
  measured(&panels[1], survey, algo, y);
  return panels_keep(panels, 2);
}

static size_t hash_random(const struct survey *survey,
                          struct panel panels[PANELS]) {
  return throughputs(survey, panels, "hash_random",
                     "million look-ups a second");
}

static size_t bloom_blastn(const struct survey *survey,
                           struct panel panels[PANELS]) {
  return throughputs(survey, panels, "bloom_blastn",
                     "million letters of the database a second");
}

static size_t facs(const struct survey *survey, struct panel panels[PANELS]) {
  return throughputs(survey, panels, "facs",
                     "million letters of reads a second");
}

static size_t hit_rates(const struct survey *survey,
                        struct panel panels[PANELS]) {
  static const double caches[] = {16, 48};
  (void)survey;
  calibrated_predicted(&panels[0], "hash_random",
                       CALIBRATED_LOG2 "m, KiB that are accessed at random",
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
  zigzag(&panels[0], "any algorithm", false);
  panels[0].log_y = true;
  return 1;
}

static double shortest_paths(double sub_block, double threads) {
  return calibrated_paths_time(sub_block, ACTIVE, threads);
}

static size_t over_ratio(const struct survey *survey,
                         struct panel panels[PANELS]) {
  (void)survey;
  calibrated_predicted(&panels[0], CALIBRATED_PATHS, "\342\210\232B_r / T",
                       "time, of the least");
  panels[0].tics = 128;
  struct plot_line *line = plot_lines_add(&panels[0].lines, "any S_D", 0, 0);
  for (double threads = 1; threads <= 48; threads *= 1.25)
    plot_line_point(line, CALIBRATED_VERTICES / (16 * threads),
                    shortest_paths(16, threads));
  plot_line_sort(line);
  return 1;
}

static size_t over_threads(const struct survey *survey,
                           struct panel panels[PANELS]) {
  (void)survey;
  calibrated_predicted(&panels[0], CALIBRATED_PATHS, "T, threads per core",
                       "time, of the least");
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
  calibrated_predicted(&panels[0], CALIBRATED_PATHS, CALIBRATED_LOG2 "B_r",
                       "time, of the least");
  for (int t = 0; t < 5; t++) {
    char label[PLOT_LINE_LABEL];
    snprintf(label, sizeof label, "T = %.0f", exp2(t + 1));
    struct plot_line *line =
        plot_lines_add(&panels[0].lines, label, (size_t)t, 0);
    for (int lg = 3; lg <= 6; lg++)
      plot_line_point(line, 2 * log2(CALIBRATED_VERTICES / exp2(lg)),
                      shortest_paths(exp2(lg), exp2(t + 1)));
    plot_line_sort(line);
  }
  return 1;
}

#define FIGURE(file, number, id, algo_, title_, caption_)                  \
  const struct figure figure_calibrated_##id = {                           \
      .name = "fig-calibrated-" file,                                      \
      .title = title_ " (Ma, figure " number ")",                          \
      .caption = caption_,                                                 \
      .of_gpu = true,                                                      \
      .needs = "It needs results of " algo_ ": vat run " algo_             \
               " --device cuda --grid-blocks LIST; the model stands with " \
               "--device emu, too.",                                       \
      .panels = id,                                                        \
      .algo = algo_};

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
