/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tau and W of each machine that has a calibration. */

#include "experiments/probe/calibration.h"
#include "experiments/report/figure.h"
#include "experiments/report/report_machine.h"
#include "huge_pages/page_kind.h"

static const char *kind_name(size_t index) {
  const struct hp_kind *kind = hp_kind_at(index);
  return kind->base ? *kind->known_as : kind->name;
}

/* Of page kinds, as in the figure of one calibration. */
static size_t kind_colour(size_t index) {
  return index ? (index - 1) % CHART_BLACK : CHART_BLACK;
}

/* By the number of its results, where there are any. */
static void name_machine(const struct survey *survey, size_t index,
                         char name[MACHINES_LABEL]) {
  const struct calibration *cal = survey->calibrations[index];
  char title[REPORT_MACHINE_SIZE];
  for (size_t i = 0; i < machines_count(survey); i++)
    if (calibration_is_of(cal, survey_at(survey, i)->record)) {
      machines_label(survey, i, name);
      return;
    }
  report_machine_title(cal->machine, title);
  snprintf(name, MACHINES_LABEL, "%c  %.100s", (char)('a' + index % 26), title);
}

static void add_panel(struct chart *chart, const struct survey *survey,
                      const char *title, const char *axis, bool of_tau) {
  struct chart_panel *panel = chart_panel(chart, axis, "", "%s", title);
  for (size_t k = 0; k < hp_kind_count(); k++) {
    struct chart_series *series = chart_series(panel, kind_colour(k), "%s", "");
    series->apart = true;
    for (size_t i = 0; survey->calibrations[i]; i++) {
      const struct cal_pages *pages =
          calibration_pages(survey->calibrations[i], kind_name(k));
      char name[MACHINES_LABEL];
      name_machine(survey, i, name);
      double row = chart_row(panel, name);
      if (!pages) continue;
      struct cal_value value = of_tau ? pages->tau_ns : pages->tc_nodes;
      chart_interval(series, value.value, row, value.lo, value.hi);
    }
  }
}

static void add_keys(struct chart *chart, const struct survey *survey) {
  for (size_t k = 0; k < hp_kind_count(); k++) {
    bool any = false;
    for (size_t i = 0; survey->calibrations[i]; i++)
      any |= calibration_pages(survey->calibrations[i], kind_name(k)) != NULL;
    if (any) chart_key(chart, kind_colour(k), "%s", HUMAN_PAGES(kind_name(k)));
  }
}

/* Drawn once, of two at least. */
static void machines_tau_fill(const struct survey *survey,
                              struct chart *chart) {
  const struct calibration *const *all = survey->calibrations;
  if (!all || !all[0] || !all[1] || survey_at(survey, 0) != survey) return;
  *chart->foot = '\0';
  chart->box = (struct chart_box){780, 0, 0, 24, 34, 48};
  chart->columns = 1;
  chart->head = 40;
  add_keys(chart, survey);
  add_panel(chart, survey, "tau: a miss of the translation cache", "ns", true);
  add_panel(chart, survey, "W: what the translation cache holds", "entries",
            false);
}

static void machines_tau_write_lines(FILE *out, const struct survey *survey) {
  for (size_t i = 0; survey->calibrations[i]; i++) {
    const struct calibration *cal = survey->calibrations[i];
    char name[MACHINES_LABEL];
    name_machine(survey, i, name);
    for (size_t k = 0; k < cal->page_count; k++) {
      const struct cal_value tau = cal->pages[k].tau_ns,
                             nodes = cal->pages[k].tc_nodes;
      figure_csv(out, "|ssgggggg\n", name, cal->pages[k].kind, tau.value,
                 tau.lo, tau.hi, nodes.value, nodes.lo, nodes.hi);
    }
  }
}

const struct figure figure_machines_tau = {
    .name = "fig-machines-tau",
    .title = "tau and W of each machine",
    .caption =
        "The two numbers in which machines differ in the VAT model, as "
        "calibrated, with their 95 % intervals where they are known: tau, "
        "the cost of a translation that is not at hand, its table lines "
        "being near; and W, how many translations are kept. Numbers are "
        "those of the results; letters are machines without results. Look "
        "for a large W, which lets a line of figure 2.5 fall late, and a "
        "large tau, which lets it fall far.",
    .needs =
        "It needs the calibrations of two machines at least: vat report "
        "--machine a.json --machine b.json.",
    .fill = machines_tau_fill,
    .head =
        "machine,pages,tau_ns,tau_lo,tau_hi,tc_nodes,tc_nodes_lo,tc_nodes_hi",
    .write_lines = machines_tau_write_lines,
};
