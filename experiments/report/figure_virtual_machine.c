/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.6: permute and introsort on a virtual machine, time divided by n
 * (not by RAM complexity) over log2 n; a line per program and page kind. */
#include <math.h>
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/plot_lines.h"

static const struct plot_grid panel = {.columns = 1,
                                       .rows = 1,
                                       .width = 640,
                                       .height = 400,
                                       .left = 64,
                                       .right = 180,
                                       .top = 38,
                                       .bottom = 48};

static bool is_of(const struct summary *row, const char *algo) {
  return row && !strcmp(row->algo, algo) && !strcmp(row->device, "cpu") &&
         !*row->variant->generator && !*row->variant->file;
}

static bool is_drawn(const struct summary *row) {
  return (is_of(row, "permute") || is_of(row, "introsort")) && row->n &&
         row->reps && isfinite(row->ns_per_op_min);
}

static double ns_per_element(const struct summary *row) {
  return row->ns_per_op_min * row->ram_ops / (double)row->n;
}

static bool is_virtual(const struct survey *survey) {
  const json_t *vm = json_object_get(survey->record, "vm");
  return json_is_true(json_object_get(vm, "is_vm"));
}

/* One alone has nothing to be compared with. */
static bool has_data(const struct survey *survey) {
  bool permute = false, introsort = false;
  for (size_t i = 0; i < survey->count; i++) {
    const struct summary *row = &survey->rows[i];
    permute |= is_drawn(row) && is_of(row, "permute");
    introsort |= is_drawn(row) && is_of(row, "introsort");
  }
  return permute && introsort && is_virtual(survey);
}

static void csv(FILE *out, const struct summary *row) {
  fprintf(out, ",%.6g,%zu", ns_per_element(row), row->reps);
}

static void add_lines(const struct survey *survey, size_t program,
                      struct plot_lines *lines) {
  if (!is_of(survey->programs[program], "permute") &&
      !is_of(survey->programs[program], "introsort"))
    return;
  for (size_t j = 0; j < survey->kind_count; j++) {
    char label[PLOT_LINE_LABEL];
    snprintf(label, sizeof label, "%.20s %.12s",
             survey->programs[program]->algo, survey->kinds[j]);
    struct plot_line *line =
        plot_lines_add(lines, label, survey_place(survey, program), j);
    for (uint64_t n = 0; (n = survey_next_size(survey, program, n));) {
      const struct summary *row =
          survey_row(survey, program, n, survey->kinds[j]);
      if (is_drawn(row))
        plot_line_point(line, log2((double)n), ns_per_element(row));
    }
  }
}

static void draw(FILE *script, const struct survey *survey,
                 enum plot_format format) {
  struct plot_grid grid = figure_grid(&panel, survey);
  struct plot_lines lines = {0};
  for (size_t i = 0; i < survey->program_count; i++)
    add_lines(survey, i, &lines);
  struct plot_range range = plot_lines_range(&lines);
  plot_lines_make_room(&grid, &lines);
  plot_begin(script, &grid, format);
  plot_labels(script, "log\342\202\202 n", "ns per element");
  plot_panel(script, &grid, 0, "Time divided by n", &range);
  plot_lines_draw(script, &grid, &range, &lines);
  plot_end(script);
  plot_lines_fini(&lines);
}

/* On base pages: the largest size up to `most`, or the least from there on. */
static const struct summary *next_to(const struct survey *survey,
                                     const char *algo, uint64_t most,
                                     bool above) {
  const struct summary *best = NULL;
  for (size_t i = 0; i < survey->count; i++) {
    const struct summary *row = &survey->rows[i];
    if (!row->base || !is_drawn(row) || !is_of(row, algo)) continue;
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
static void detail(const struct survey *survey, char text[FIGURE_DETAIL_SIZE]) {
  const struct summary *permute = next_to(survey, "permute", UINT64_MAX, false);
  const struct summary *introsort =
      next_to(survey, "introsort", UINT64_MAX, false);
  if (!permute || !introsort) return;
  const struct summary *end = permute->n < introsort->n ? permute : introsort;
  double shuffling = line_at(survey, "permute", end->n);
  double sorting = line_at(survey, "introsort", end->n);
  if (!(shuffling > 0) || !(sorting > 0)) return;
  char a[HUMAN_SIZE], b[HUMAN_SIZE], pages[HUMAN_SIZE];
  snprintf(text, FIGURE_DETAIL_SIZE,
           "Here, on %s and at n = %llu, permute takes %s ns an element and "
           "introsort %s: sorting %s.",
           human_pages(end->pages, pages), (unsigned long long)end->n,
           human_number(shuffling, a), human_number(sorting, b),
           sorting < shuffling
               ? "is cheaper than shuffling, as in the thesis"
               : "is still the dearer of the two, unlike in the thesis");
}

const struct figure figure_virtual_machine = {
    .name = "fig-2.6",
    .title = "Shuffling and sorting on a virtual machine",
    .caption =
        "Least time divided by n, not by RAM complexity; page kinds differ by "
        "their dashes. Permute does n steps and introsort n log n, so the line "
        "of the first should be level and far below the other. But permute "
        "jumps about, and on a virtual machine each address is translated "
        "twice; introsort goes through memory in sequence. The thesis found "
        "sorting to take less time than shuffling on its machine. Look how far "
        "the two lines approach each other as n grows, and how much of "
        "permute's climb bigger pages take away.",
    .needs =
        "It needs a virtual machine, and both programs: vat run permute "
        "introsort.",
    .detail = detail,
    .has_data = has_data,
    .draw = draw,
    .is_drawn = is_drawn,
    .csv_head = "ns_per_element_min,reps",
    .csv = csv,
};
