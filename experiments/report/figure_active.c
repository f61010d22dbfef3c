/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 6.5 of L. Ma, PhD thesis 2014: shortest paths by products where fewer
 * blocks are active than could be, with sub-blocks of 32. */
#include <math.h>
#include <string.h>

#include "experiments/report/calibrated_panel.h"
#include "experiments/report/figure.h"
#include "gpu_algos/blocks.h"
#include "huge_pages/size_text.h"

enum { SIDE = 32, LEFT_ALONE = 4 }; /* B_a, where it was, in the source */

static void predict(struct chart *chart) {
  static const double active[] = {1, 2, LEFT_ALONE};
  struct chart_panel *panel = calibrated_predicted(
      chart, CALIBRATED_PATHS, "T, threads per core", "time, of the least");
  panel->x.tics = 8;
  for (size_t i = 0; i < 3; i++) {
    struct chart_series *series =
        chart_series(panel, i, "B_a = %.0f", active[i]);
    for (int threads = 1; threads <= 48; threads++)
      chart_point(series, threads,
                  calibrated_paths_time(SIDE, active[i], threads));
    series->dash = i;
    series->every = 4;
  }
}

/* Are its sub-blocks of 32?  Two of them lie in shared memory beside what is
 * left alone, and two of twice the side do not. */
static bool is_drawn(const struct summary *row) {
  const unsigned bytes = 2 * SIDE * SIDE * sizeof(int32_t);
  const unsigned dummy = row->variant->dummy_shared;
  return row->variant->block_threads && bytes + dummy <= GPU_SHARED_BYTES &&
         4 * bytes + dummy > GPU_SHARED_BYTES;
}

static bool same_line(const struct summary *a, const struct summary *b) {
  struct sample_variant one = *a->variant, other = *b->variant;
  one.block_threads = other.block_threads = 0;
  return a->n == b->n && !strcmp(a->pages, b->pages) &&
         !sample_variant_compare(&one, &other);
}

static void name(const struct summary *row, char label[CHART_LABEL]) {
  char dummy[HP_SIZE_TEXT];
  snprintf(label, CHART_LABEL, "%s idle",
           hp_size_text(row->variant->dummy_shared, dummy));
}

static double lg_threads(const struct summary *row) {
  return log2(row->variant->block_threads);
}

static void active_fill(const struct survey *survey, struct chart *chart) {
  static const struct calibrated_lines lines = {
      "apsp_matmul", CALIBRATED_LOG2 "threads of a block",
      "time, ms",    is_drawn,
      same_line,     name,
      lg_threads,    survey_ms};
  const struct survey *of;
  predict(chart);
  calibrated_rows(chart, survey, &lines, &of);
}

const struct figure figure_calibrated_active = {
    .name = "fig-calibrated-6.5",
    .title = "Shortest paths, over the blocks that are active (Ma, figure 6.5)",
    .caption =
        "Shortest paths of 8192 vertices by products, in sub-blocks of 32 x "
        "32. By the model it does not matter how many blocks are active, as "
        "many as there are; on the GTX 480 of the source times were up to four "
        "times longer where B_a was left alone than where it was 1. Where a "
        "GPU was measured, with blocks that hold shared memory idle so that "
        "fewer are active, it stands beside; the idle memory that leaves "
        "sub-blocks of 32 is 16388 bytes to 40960.",
    .needs =
        "It needs results of apsp_matmul: for IDLE in 16400 24000 40960; do "
        "vat run apsp_matmul --device cuda --sizes 8192 --dummy-shared $IDLE "
        "--block-threads 256 -o $IDLE.jsonl; done; vat report *.jsonl. The "
        "model stands with --device emu, too.",
    .of_gpu = true,
    .fill = active_fill,
    .algo = "apsp_matmul"};
