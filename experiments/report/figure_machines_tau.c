/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tau and W of each machine that has a calibration. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/probe/calibration.h"
#include "experiments/report/figure.h"
#include "experiments/report/machines.h"
#include "experiments/report/plot_dots.h"
#include "experiments/report/report_page.h"

static const struct plot_grid layout = {.columns = 1,
                                        .rows = 2,
                                        .width = 780,
                                        .right = 24,
                                        .top = 34,
                                        .bottom = 48,
                                        .head = 40};

/* Of page kinds, as in the figure of one calibration. */
enum { BLACK = 6 };
static const struct {
  const char *kind;
  size_t colour;
} kinds[] = {{"4k", BLACK}, {"thp", 0}, {"2m", 1}, {"1g", 2}};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct panel_of {
  const char *title, *x;
  struct cal_value (*value)(const struct cal_pages *pages);
};

static struct cal_value tau(const struct cal_pages *pages) {
  return pages->tau_ns;
}
static struct cal_value nodes(const struct cal_pages *pages) {
  return pages->tc_nodes;
}

static const struct panel_of panels[] = {
    {"tau: a miss of the translation cache", "ns", tau},
    {"W: what the translation cache holds", "entries", nodes},
};
enum { PANELS_OF = sizeof panels / sizeof *panels };

/* By the number of its results, where there are any. */
static void name_machine(const struct survey *survey,
                         const struct calibration *cal, size_t index,
                         char name[MACHINES_LABEL]) {
  char title[REPORT_MACHINE_SIZE];
  for (size_t i = 0; i < machines_count(survey); i++)
    if (calibration_is_of(cal, survey_at(survey, i)->record)) {
      machines_label(survey, i, name);
      return;
    }
  report_machine_title(cal->machine, title);
  snprintf(name, MACHINES_LABEL, "%c  %.100s", (char)('a' + index % 26), title);
}

static void fill(struct plot_dots *dots, const struct survey *survey,
                 const struct panel_of *panel) {
  for (size_t i = 0; survey->calibrations[i]; i++) {
    const struct calibration *cal = survey->calibrations[i];
    char name[MACHINES_LABEL];
    name_machine(survey, cal, i, name);
    size_t row = plot_dots_row(dots, name);
    for (size_t k = 0; k < KINDS; k++) {
      const struct cal_pages *pages = calibration_pages(cal, kinds[k].kind);
      if (!pages) continue;
      struct cal_value value = panel->value(pages);
      plot_dots_add(dots, row, k, value.value, value.lo, value.hi,
                    kinds[k].colour);
    }
  }
}

/* Drawn once, of two at least. */
static bool has_data(const struct survey *survey) {
  const struct calibration *const *all = survey->calibrations;
  return all && all[0] && all[1] && survey_at(survey, 0) == survey;
}

static void write_legend(FILE *script, const struct plot_grid *grid,
                         const struct survey *survey) {
  int x = 16;
  for (size_t k = 0; k < KINDS; k++) {
    bool any = false;
    char pages[HUMAN_SIZE];
    for (size_t i = 0; survey->calibrations[i]; i++)
      any |= calibration_pages(survey->calibrations[i], kinds[k].kind) != NULL;
    if (!any) continue;
    human_pages(kinds[k].kind, pages);
    plot_legend(script, grid, x, plot_colour(kinds[k].colour),
                plot_shape(kinds[k].colour), pages);
    x += 36 + PLOT_CHARACTER_PIXELS * (int)strlen(pages);
  }
}

static void draw(FILE *script, const struct survey *survey,
                 enum plot_format format) {
  struct plot_grid grid = layout;
  struct plot_dots *dots = calloc(PANELS_OF, sizeof *dots);
  if (!dots) return;
  for (size_t i = 0; i < PANELS_OF; i++) {
    fill(&dots[i], survey, &panels[i]);
    plot_dots_write(script, &dots[i], i);
  }
  grid.left = plot_dots_left(dots);
  grid.width += grid.left;
  grid.height = grid.top + grid.bottom + plot_dots_height(dots);
  plot_begin(script, &grid, format);
  for (size_t i = 0; i < PANELS_OF; i++) {
    const struct plot_range range = plot_dots_range(&dots[i]);
    plot_labels(script, panels[i].x, "");
    plot_panel(script, &grid, i, panels[i].title, &range);
    if (!i) write_legend(script, &grid, survey);
    plot_dots_draw(script, &dots[i], i, NULL);
  }
  plot_end(script);
  free(dots);
}

static void write_csv(FILE *out, const struct survey *survey) {
  fputs("machine,pages,tau_ns,tau_lo,tau_hi,tc_nodes,tc_nodes_lo,tc_nodes_hi\n",
        out);
  for (size_t i = 0; survey->calibrations[i]; i++) {
    const struct calibration *cal = survey->calibrations[i];
    char name[MACHINES_LABEL];
    name_machine(survey, cal, i, name);
    for (size_t k = 0; k < cal->page_count; k++) {
      const struct cal_value values[] = {tau(&cal->pages[k]),
                                         nodes(&cal->pages[k])};
      figure_csv_first(out, name);
      figure_csv_text(out, cal->pages[k].kind);
      for (size_t j = 0; j < 2; j++) {
        figure_csv_number(out, values[j].value);
        figure_csv_number(out, values[j].lo);
        figure_csv_number(out, values[j].hi);
      }
      fputc('\n', out);
    }
  }
}

const struct figure figure_machines_tau = {
    .name = "fig-machines-tau",
    .title = "tau and W of each machine",
    .caption =
        "The two numbers by which machines differ in the VAT model, as "
        "calibrated, with their 95 % intervals where they are known: tau, what "
        "a translation costs that is not at hand, its table lines being near; "
        "and W, how many are kept. Numbers are those of the results; letters "
        "are machines that there are no results of. A large W lets a line of "
        "figure 2.5 fall late, a large tau lets it fall far.",
    .needs =
        "It needs the calibrations of two machines at least: vat report "
        "--machine a.json --machine b.json.",
    .has_data = has_data,
    .draw = draw,
    .write_csv = write_csv,
};
