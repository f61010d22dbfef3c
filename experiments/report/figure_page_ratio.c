/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.5: time on larger pages as a percentage of that on 4 KiB pages, over
 * log2 n; a panel per program, a line per page kind. */
#include <math.h>
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/meaning.h"

enum { FIGURE_WIDTH = 980, ALONE_WIDTH = 690, TITLE_CHARACTER = 8 };

/* What is beyond does not stretch the axis, which all panels share: it is
 * mostly a disturbance of a small size.  But it gives way downwards to gains
 * that are told from noise: they are what the figure is about. */
enum { PERCENT_LEAST = 40, PERCENT_MOST = 150 };

/* Up to this many sizes, intervals are bars: a band needs length.  Those of one
 * size stand side by side, so far apart, around their place. */
enum { BAR_SIZES = 3 };
#define BAR_APART 0.08

static size_t sizes_of(const struct survey *survey,
                       const struct summary *program) {
  size_t sizes = 0;
  for (uint64_t n = 0; (n = survey_next_size(survey, program, n));) sizes++;
  return sizes;
}

static void set_axes(struct chart_panel *panel, const struct survey *survey) {
  struct chart_axis *x = &panel->x, *y = &panel->y;
  bool bars = false;
  y->lo = 95;
  y->hi = 105;
  for (const struct summary *row = survey->rows; row < survey->end; row++) {
    if (!survey_has_ratio(row)) continue;
    double percent = 100 * row->ratio_to_4k;
    double least = summary_is_significant(row) ? 0 : PERCENT_LEAST;
    x->lo = fmin(x->lo, floor(log2((double)row->n)));
    x->hi = fmax(x->hi, ceil(log2((double)row->n)));
    y->lo = fmin(y->lo, fmax(percent - 3, least));
    y->hi = fmax(y->hi, fmin(percent + 3, PERCENT_MOST));
  }
  for (size_t i = 0; i < figure_programs(survey); i++)
    bars |= sizes_of(survey, survey->programs[i]) <= BAR_SIZES;
  double beside = (x->lo == x->hi) + bars * 3 * BAR_APART;
  x->lo -= beside;
  x->hi += beside;
  y->lo = fmax(0, 10 * floor(y->lo / 10));
  y->hi = 10 * ceil(y->hi / 10);
}

/* `aside`: how far from their size bars stand. */
static void add_kind(struct chart_panel *panel, const struct survey *survey,
                     const struct summary *program, const char *kind,
                     double aside) {
  bool bars = sizes_of(survey, program) <= BAR_SIZES;
  struct chart_series *series = chart_series(panel, panel->count, "%s", "");
  series->size = 0.4;
  series->interval = bars ? CHART_BARS : CHART_BAND;
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (survey_same_program(program, row) && !strcmp(row->pages, kind) &&
        survey_has_ratio(row))
      chart_interval(series, log2((double)row->n) + (bars ? aside : 0),
                     100 * row->ratio_to_4k, 100 * row->ratio_lo,
                     100 * row->ratio_hi);
}

/* Full rows where that can be had: 7 and 8 programs in two rows of four. */
static size_t columns_for(size_t count) {
  if (count <= 3) return count;
  return count <= 6 || count == 9 ? count == 4 ? 2 : 3 : 4;
}

/* Kinds without data have no colour, so that colours do not depend on them. */
static void page_ratio_fill(const struct survey *survey, struct chart *chart) {
  size_t count = figure_programs(survey);
  double middle = -0.5;
  chart->columns = columns_for(count);
  chart->box = (struct chart_box){245, 250, 50, 14, 34, 48};
  if (count)
    chart->box.width =
        count == 1 ? ALONE_WIDTH : FIGURE_WIDTH / (int)chart->columns;
  chart->head = 46;
  chart_key(chart, CHART_KEYS, "%% of the time on 4 KiB pages:");
  for (size_t k = 0; k < survey->kind_count; k++) {
    if (!figure_has_kind(survey, survey->kinds[k], survey_has_ratio)) continue;
    chart_key(chart, chart->key_count - 1, "%s", HUMAN_PAGES(survey->kinds[k]));
    middle += 0.5;
  }
  for (size_t i = 0; i < count; i++) {
    bool lowest = i + chart->columns >= count;
    char label[FIGURE_LABEL];
    struct chart_panel *panel =
        chart_panel(chart, lowest ? FIGURE_LOG2_N : "", "", "%s",
                    figure_label(survey->programs[i], label,
                                 (size_t)(chart->box.width - chart->box.left) /
                                     TITLE_CHARACTER));
    panel->level = 100;
    panel->band_lo = 100 * (1 - SUMMARY_NOISE_FLOOR);
    panel->band_hi = 100 * (1 + SUMMARY_NOISE_FLOOR);
    panel->beyond = true;
    set_axes(panel, survey);
    for (size_t k = 0; k < survey->kind_count; k++)
      if (figure_has_kind(survey, survey->kinds[k], survey_has_ratio))
        add_kind(panel, survey, survey->programs[i], survey->kinds[k],
                 BAR_APART * ((double)panel->count - middle));
  }
  struct meaning_headline headline;
  meaning_headline_of(survey, &headline);
  if (headline.compared) chart_tell(chart, "This machine: %s.", headline.title);
  figure_tell_thesis(chart, survey, "each right behind its original");
}

static void write_cells(FILE *out, const struct summary *row) {
  figure_csv(out, "ggg", 100 * row->ratio_to_4k, 100 * row->ratio_lo,
             100 * row->ratio_hi);
}

const struct figure figure_page_ratio = {
    .name = "fig-2.5",
    .title = "Time on larger pages, as a percentage of the time on 4 KiB pages",
    .caption =
        "One panel for each program. x axis: log\342\202\202 n, where n is the "
        "number of elements. y axis: time on larger pages as a percentage of "
        "the time on 4 KiB pages. Below 100, larger pages are faster. Coloured "
        "bands or bars are 95 % intervals. In the grey band around 100 %, "
        "there is no difference. A "
        "triangle at an edge marks a point beyond it. Programs that access "
        "much memory at random gain most. Programs that read memory in "
        "sequence usually gain less.",
    .needs =
        "It needs samples on 4 KiB pages and on at least one other page kind, "
        "with equal repetitions.",
    .fill = page_ratio_fill,
    .head = "percent_of_4k,percent_lo,percent_hi",
    .write_cells = write_cells,
    .is_drawn = survey_has_ratio,
};
