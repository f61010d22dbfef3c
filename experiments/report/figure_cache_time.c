/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 5.4 of L. Ma, PhD thesis 2014: time of random look-ups over the memory
 * that they are in. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/calibrated_panel.h"
#include "experiments/report/figure.h"
#include "gpu_algos/models/calibrated.h"

#define SET_AXIS CALIBRATED_LOG2 "m, KiB that are accessed at random"

enum { CACHE = 48 }; /* C_s, KiB: the larger of the two there are */

/* G is found by measuring, and the source does not say it. */
static void predict(struct chart *chart) {
  static const double slowdowns[] = {2, 4, 8};
  struct chart_panel *panel = calibrated_predicted(
      chart, "hash_random", SET_AXIS, "time, of the least");
  for (size_t g = 0; g < 3; g++) {
    struct chart_series *series =
        chart_series(panel, g, "G = %.0f", slowdowns[g]);
    for (int step = 0; step <= 40; step++)
      chart_point(series, step / 4.,
                  calibrated_cache(CACHE, exp2(step / 4.), slowdowns[g]));
  }
}

static const char global[] = "global-";

/* Of a table in global memory, by the generator: "global-32k". */
static bool is_drawn(const struct summary *row) {
  return !row->variant->grid_blocks &&
         !strncmp(row->variant->generator, global, strlen(global));
}

static bool same_line(const struct summary *a, const struct summary *b) {
  struct sample_variant one = *a->variant, other = *b->variant;
  *one.generator = *other.generator = '\0';
  return a->n == b->n && !strcmp(a->pages, b->pages) &&
         !sample_variant_compare(&one, &other);
}

static void name(const struct summary *row, char label[CHART_LABEL]) {
  snprintf(label, CHART_LABEL, "n = %llu", (unsigned long long)row->n);
}

static double lg_kib(const struct summary *row) {
  char *end;
  double size = strtod(row->variant->generator + strlen(global), &end);
  return log2(*end == 'm' ? 1024 * size : size);
}

static double ns(const struct summary *row) { return row->ns_per_op_min; }

static void cache_time_fill(const struct survey *survey, struct chart *chart) {
  static const struct calibrated_lines lines = {
      "hash_random", SET_AXIS, "time, ns a look-up", is_drawn, same_line, name,
      lg_kib,        ns};
  const struct survey *of;
  predict(chart);
  calibrated_rows(chart, survey, &lines, &of);
}

const struct figure figure_calibrated_cache_time = {
    .name = "fig-calibrated-5.04",
    .title = "Time of random look-ups, over what is accessed (Ma, figure 5.4)",
    .caption =
        "Look-ups at random in m bytes of global memory, over those that all "
        "hit the cache, by the model (5.12): flat while the cache of 48 KiB "
        "has them all, then towards G, what misses cost, which is measured; "
        "the source does not say its own. Where a GPU was measured it stands "
        "beside, with a cache of its own.",
    .needs =
        "It needs results of hash_random: vat run hash_random --device cuda "
        "--generator all; the model stands with --device emu, too.",
    .of_gpu = true,
    .fill = cache_time_fill,
    .algo = "hash_random"};
