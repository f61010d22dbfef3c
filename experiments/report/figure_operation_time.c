/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.1: time divided by RAM complexity, over log2 n; a panel per page
 * kind.  The minimum over repetitions, as in section 2.1.2 of the thesis: it
 * estimates the cost that must be incurred. */
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/meaning.h"

/* Points of one size alone are larger. */
#define ALONE_SIZE 0.9

/* Programs whose growth the caption tells. */
enum { GROWTHS_MOST = 10 };

static const char *base_kind(const struct survey *survey,
                             const char *otherwise) {
  for (size_t i = 0; i < survey->count; i++)
    if (survey->rows[i].base) return survey->rows[i].pages;
  return otherwise;
}

static void add_program(struct chart_panel *panel, const struct survey *survey,
                        size_t program, const char *kind) {
  struct chart_series *series =
      chart_series(panel, survey_place(survey, program), "%s",
                   FIGURE_LABELED(survey->programs[program]));
  figure_mark_tuned(series, survey, program);
  figure_add_rows(series, survey, program, kind, survey_has_time, survey_ns);
  const struct summary *of = survey->programs[program];
  if (!survey_next_size(survey, of, survey_next_size(survey, of, 0)))
    series->size = ALONE_SIZE;
}

/* Lines of base pages in grey behind those of other kinds show the gain. */
static void add_panel(struct chart *chart, const struct survey *survey,
                      const char *kind) {
  const char *base = base_kind(survey, kind);
  bool behind = strcmp(base, kind) != 0;
  char pages[HUMAN_SIZE];
  human_pages(kind, pages);
  struct chart_panel *panel =
      chart_panel(chart, FIGURE_LOG2_N, "ns per operation", "%c%s%s",
                  pages[0] == 't' ? 'T' : pages[0], pages + 1,
                  behind ? "  (grey: 4 KiB pages)" : "");
  for (size_t i = 0; behind && i < figure_programs(survey); i++) {
    struct chart_series *series = chart_series(panel, 0, "%s", "");
    series->grey = true;
    figure_add_rows(series, survey, i, base, survey_has_time, survey_ns);
  }
  for (size_t i = 0; i < figure_programs(survey); i++)
    add_program(panel, survey, i, kind);
  panel->more = survey->program_count - figure_programs(survey);
}

/* The row on base pages with the least n, or the largest. */
static const struct summary *end_of(const struct survey *survey, size_t program,
                                    bool last) {
  const struct summary *end = NULL;
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (row->base && survey_has_time(row) && (last || !end) &&
        survey_same_program(survey->programs[program], row))
      end = row;
  return end;
}

/* By what factor each line rises: which are level, and which are not. */
static void tell_growth(const struct survey *survey, struct chart *chart) {
  size_t told = 0;
  for (size_t i = 0; i < survey->program_count && told < GROWTHS_MOST; i++) {
    const struct summary *first = end_of(survey, i, false);
    const struct summary *last = end_of(survey, i, true);
    if (!first || !last || last->n == first->n) continue;
    chart_tell(chart, "%s%s %s",
               told++ ? ", "
                      : " From the smallest to the largest n on base "
                        "pages, the time per operation grows by a "
                        "factor of: ",
               FIGURE_LABELED(survey->programs[i]),
               HUMAN_NUMBER(last->ns_per_op_min / first->ns_per_op_min));
  }
  if (told) chart_tell(chart, ".");
}

static void operation_time_fill(const struct survey *survey,
                                struct chart *chart) {
  chart->box = (struct chart_box){498, 350, 64, 178, 38, 48};
  chart->same_x = chart->same_y = chart->compact = true;
  for (size_t i = 0; i < survey->kind_count; i++)
    if (figure_has_kind(survey, survey->kinds[i], survey_has_time))
      add_panel(chart, survey, survey->kinds[i]);
  chart->columns = chart->count > 1 ? 2 : 1;
  struct meaning_headline headline;
  meaning_headline_of(survey, &headline);
  if (headline.compared) chart_tell(chart, "This machine: %s.", headline.title);
  figure_tell_thesis(chart, survey, FIGURE_TUNED_LINES);
  tell_growth(survey, chart);
}

static void write_cells(FILE *out, const struct summary *row) {
  figure_csv(out, "ggu", row->ns_per_op_min, row->ns_per_op_median,
             (uint64_t)row->reps);
}

const struct figure figure_operation_time = {
    .name = "fig-2.1",
    .title = "Normalised operation time",
    .caption =
        "x axis: log\342\202\202 n, where n is the number of elements. y axis: "
        "shortest time per operation in ns. An operation is one step of the "
        "RAM model: n steps for a scan, n log\342\202\202 n for a sort, "
        "n&sup2; for a transpose. If every step took the same time, the lines "
        "would be level. A line that rises shows the cost of caches and of "
        "address translation. Where a line for larger pages lies below the "
        "grey line for 4 KiB pages, most of the difference is translation. "
        "Figure 2.5 shows which differences are more than noise.",
    .needs =
        "It needs a sample that counts, of a size above 0; times of the "
        "emulator are those of no machine.",
    .fill = operation_time_fill,
    .head = "ns_per_op_min,ns_per_op_median,reps",
    .write_cells = write_cells,
    .is_drawn = survey_has_time,
};
