/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.6: permute and introsort, ours and the C++ library's, on a virtual
 * machine, time divided by n (not by RAM complexity) over log2 n; a line per
 * program and page kind. */
#include <math.h>

#include "experiments/report/figure.h"
#include "experiments/report/report_machine.h"

static bool is_of_figure(const struct summary *row) {
  return survey_is_usual(row, "permute") || survey_is_usual(row, "std_sort") ||
         survey_is_usual(row, "introsort");
}

static bool is_drawn(const struct summary *row) {
  return is_of_figure(row) && survey_has_time(row);
}

static double ns_per_element(const struct summary *row) {
  return row->ns_per_op_min * row->ram_ops / (double)row->n;
}

static bool has(const struct survey *survey, const char *algo) {
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (is_drawn(row) && survey_is_usual(row, algo)) return true;
  return false;
}

/* That of the thesis where it was measured. */
static const char *sort_of(const struct survey *survey) {
  return has(survey, "std_sort") ? "std_sort" : "introsort";
}

/* On base pages: the largest size up to `most`, or the least from there on. */
static const struct summary *next_to(const struct survey *survey,
                                     const char *algo, uint64_t most,
                                     bool above) {
  const struct summary *best = NULL;
  for (const struct summary *row = survey->rows; row < survey->end; row++) {
    if (!row->base || !is_drawn(row) || !survey_is_usual(row, algo)) continue;
    if (above ? row->n < most : row->n > most) continue;
    if (!best || (above ? row->n < best->n : row->n > best->n)) best = row;
  }
  return best;
}

/* Where its line is at n; NAN where it has none. */
static double line_at(const struct survey *survey, const char *algo,
                      uint64_t n) {
  const struct summary *left = next_to(survey, algo, n, false);
  const struct summary *right = next_to(survey, algo, n, true);
  if (!left || !right) return NAN;
  double span = log2((double)right->n / (double)left->n);
  double part = span > 0 ? log2((double)n / (double)left->n) / span : 0;
  return ns_per_element(left) +
         part * (ns_per_element(right) - ns_per_element(left));
}

/* At the largest size that both lines reach, on base pages. */
static void virtual_machine_tell(const struct survey *survey,
                                 struct chart *chart) {
  const struct summary *permute = next_to(survey, "permute", UINT64_MAX, false);
  const struct summary *sort =
      next_to(survey, sort_of(survey), UINT64_MAX, false);
  if (!permute || !sort) return;
  const struct summary *end = permute->n < sort->n ? permute : sort;
  double shuffling = line_at(survey, "permute", end->n);
  double sorting = line_at(survey, sort->algo, end->n);
  if (!(shuffling > 0) || !(sorting > 0)) return;
  chart_tell(
      chart,
      "Here, on %s and at n = %llu, the line of permute is at %s ns "
      "per element and that of %s at %s: sorting %s.",
      HUMAN_PAGES(end->pages), (unsigned long long)end->n,
      HUMAN_NUMBER(shuffling), sort->algo, HUMAN_NUMBER(sorting),
      sorting < shuffling
          ? "takes less time than shuffling, as in the thesis"
          : "still takes more time than shuffling, unlike in the thesis");
}

/* One alone has nothing to be compared with. */
static void virtual_machine_fill(const struct survey *survey,
                                 struct chart *chart) {
  if (!has(survey, "permute") || !has(survey, sort_of(survey)) ||
      !report_machine_is_virtual(survey->record))
    return;
  chart->box = (struct chart_box){640, 400, 64, 180, 38, 48};
  struct chart_panel *panel =
      chart_panel(chart, FIGURE_LOG2_N, "ns per element", "Time divided by n");
  for (size_t i = 0; i < survey->program_count; i++)
    for (size_t j = 0; j < survey->kind_count; j++) {
      if (!is_of_figure(survey->programs[i])) continue;
      struct chart_series *series =
          chart_series(panel, survey_place(survey, i), "%.20s %.12s",
                       survey->programs[i]->algo, survey->kinds[j]);
      series->dash = j;
      series->open = survey_tuned_of(survey, survey->programs[i]) != NULL;
      figure_add_rows(series, survey, i, survey->kinds[j], is_drawn,
                      ns_per_element);
    }
  virtual_machine_tell(survey, chart);
}

static void write_cells(FILE *out, const struct summary *row) {
  figure_csv(out, "gu", ns_per_element(row), (uint64_t)row->reps);
}

const struct figure figure_virtual_machine = {
    .name = "fig-2.6",
    .title = "Shuffling and sorting on a virtual machine",
    .caption =
        "x axis: log\342\202\202 n, where n is the number of elements. y axis: "
        "shortest time per element in ns; solid and dashed lines are the page "
        "kinds. permute takes n steps and a sort n log n, so permute should "
        "take far less time. But permute accesses memory at random, the sort "
        "reads it in sequence, and a virtual machine translates each address "
        "twice. On the machine of T. Jurkiewicz's PhD thesis, sorting took "
        "less time than shuffling. Compare how near the two lines come as n "
        "grows. Then look how much less permute rises on larger pages.",
    .needs =
        "It needs a virtual machine, permute, and introsort or std_sort: vat "
        "run permute introsort.",
    .fill = virtual_machine_fill,
    .head = "ns_per_element_min,reps",
    .write_cells = write_cells,
    .is_drawn = is_drawn,
};
