/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.7: time per element of the transposes over log2 n, n x n doubles; a
 * line per program and page kind.  Beside it, where that was simulated, the
 * misses of a translation cache per element, which grow in jumps. */
#include <math.h>
#include <string.h>

#include "cpu_algos/transpose.h"
#include "experiments/report/figure.h"

enum { ALONE_WIDTH = 690 };

/* A panel each. */
static const struct {
  const char *title, *axis;
  figure_row_value *value;
} quantities[] = {
    {"Measured time", "ns per element", survey_ns},
    {"Simulated translation", "misses per element", survey_simulated},
};

/* A matrix and its transpose are what all of them work in. */
static bool is_drawn(const struct summary *row) {
  const struct algo *algo = row ? cpu_algo_find(row->algo) : NULL;
  return algo && algo->bytes == cpu_transpose_bytes && row->reps && row->n &&
         isfinite(row->ns_per_op_min); /* 0 has no logarithm */
}

/* The W that was simulated, 0 where none was. */
static uint64_t tc_nodes_of(const struct survey *survey) {
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (is_drawn(row) && row->simulated) return row->simulated->tc_nodes;
  return 0;
}

/* What the colours do not tell. */
static void add_legend(struct chart *chart, const struct survey *survey) {
  char text[CHART_NAME] = "";
  size_t at = 0;
  for (size_t j = 0; j < survey->kind_count && at < sizeof text / 2; j++)
    if (figure_has_kind(survey, survey->kinds[j], is_drawn))
      at += (size_t)snprintf(text + at, sizeof text - at, "%s%.6s %s",
                             at ? ", " : "", survey->kinds[j],
                             chart_dash_name(j));
  if (tc_nodes_of(survey))
    snprintf(text + at, sizeof text - at,
             "; a translation cache of W = %llu nodes",
             (unsigned long long)tc_nodes_of(survey));
  chart->head = 46;
  chart_key(chart, CHART_KEYS, "%s", text);
}

/* "transpose_rows" is "rows" here. */
static const char *short_name(const char *algo) {
  const char *cut = strchr(algo, '_');
  return cut ? cut + 1 : algo;
}

static void transposes_fill(const struct survey *survey, struct chart *chart) {
  chart->box = (struct chart_box){510, 430, 64, 190, 38, 48};
  chart->same_x = chart->compact = true;
  add_legend(chart, survey);
  for (size_t q = 0; q < sizeof quantities / sizeof *quantities; q++) {
    struct chart_panel *panel =
        chart_panel(chart, FIGURE_LOG2_N "  (a matrix of n \303\227 n doubles)",
                    quantities[q].axis, "%s", quantities[q].title);
    /* From there on a column is on more pages than the TC has nodes. */
    chart_mark(panel, log2((double)tc_nodes_of(survey)), "n = W");
    for (size_t i = 0; i < figure_programs(survey); i++)
      for (size_t j = 0; j < survey->kind_count; j++) {
        struct chart_series *series = chart_series(
            panel, survey_place(survey, i), "%.12s %.6s",
            short_name(survey->programs[i]->algo), survey->kinds[j]);
        series->dash = j;
        figure_add_rows(series, survey, i, survey->kinds[j], is_drawn,
                        quantities[q].value);
      }
  }
  chart_drop_empty(chart);
  if (chart->count == 1) chart->box.width = ALONE_WIDTH;
}

static void write_cells(FILE *out, const struct summary *row) {
  figure_csv(out, "ggu", row->ns_per_op_min, row->ns_per_op_median,
             (uint64_t)row->reps);
  if (row->simulated)
    figure_csv(out, "gu", survey_simulated(row), row->simulated->tc_nodes);
  else
    figure_csv(out, "--");
}

const struct figure figure_transposes = {
    .name = "fig-2.7",
    .title = "Transposing a matrix, row by row and recursively",
    .caption =
        "x axis: log\342\202\202 of the side n of the matrix. y axis: shortest "
        "time per element in ns; solid and dashed lines are the page kinds. "
        "transpose_rows writes the matrix one column at a time. Once a row "
        "fills a page, each element of a column is on another page. While the "
        "translation caches hold the pages of a column, the next column finds "
        "them there. Beyond that, each write costs a translation, and at still "
        "larger sides also a node above it. So the cost rises in jumps that "
        "are a factor of 512 apart; the first jump is that of the caches. From "
        "the grey line on, a column has more rows than the simulated cache has "
        "nodes. The other programs halve the matrix, or store it recursively, "
        "and use few pages at a time.",
    .needs =
        "It needs the transposes: vat run transpose_rows transpose_recursive "
        "transpose_morton --simulate -o FILE, then vat report FILE.",
    .fill = transposes_fill,
    .head = "ns_per_op_min,ns_per_op_median,reps,sim_misses_per_op,tc_nodes",
    .write_cells = write_cells,
    .is_drawn = is_drawn,
};
