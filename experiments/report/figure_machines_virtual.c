/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Servers against virtual machines: what bigger pages leave of the time of each
 * program, at the largest size that one of each kind was measured at. */
#include "experiments/report/figure.h"
#include "experiments/report/machines.h"

/* Colours of servers and of virtual machines. */
enum { SERVER, VIRTUAL, SORTS };
static const char *const sort_names[] = {"server", "virtual machine"};

/* A disturbed interval says no more. */
enum { PERCENT_MOST = 160 };

static size_t sort_of(const struct survey *machine) {
  return machines_is_virtual(machine) ? VIRTUAL : SERVER;
}

static const struct summary *ratio_of(const struct survey *machine,
                                      const struct summary *program, uint64_t n,
                                      const char *kind) {
  const struct summary *row = survey_row(machine, program, n, kind);
  return survey_has_ratio(row) ? row : NULL;
}

static bool has_both(const struct survey *survey, const struct summary *program,
                     uint64_t n, const char *kind) {
  bool has[SORTS] = {false, false};
  for (size_t i = 0; i < machines_count(survey); i++)
    if (ratio_of(survey_at(survey, i), program, n, kind))
      has[sort_of(survey_at(survey, i))] = true;
  return has[SERVER] && has[VIRTUAL];
}

/* The row of a machine's program that is drawn; NULL: none. */
static const struct summary *dot_of(const struct survey *survey, size_t machine,
                                    size_t program) {
  const struct survey *of = survey_at(survey, machine);
  const char *kind = machines_big_kind(survey);
  uint64_t largest = 0;
  for (size_t i = 0; kind && i < machines_count(survey); i++)
    for (uint64_t n = 0; (n = survey_next_size(survey_at(survey, i),
                                               of->programs[program], n));)
      if (n > largest && has_both(survey, of->programs[program], n, kind))
        largest = n;
  return largest ? ratio_of(of, of->programs[program], largest, kind) : NULL;
}

static void add_machine(struct chart_panel *panel, const struct survey *survey,
                        size_t machine) {
  const struct survey *of = survey_at(survey, machine);
  struct chart_series *series = chart_series(panel, sort_of(of), "%s", "");
  series->apart = true;
  for (size_t p = 0; p < of->program_count; p++) {
    char label[SURVEY_LABEL_SIZE], name[CHART_NAME];
    const struct summary *row = dot_of(survey, machine, p);
    if (!row) continue;
    snprintf(name, sizeof name, "%.60s, n = %llu", survey_label(row, label),
             (unsigned long long)row->n);
    chart_interval(series, 100 * row->ratio_to_4k, chart_row(panel, name),
                   100 * row->ratio_lo, 100 * row->ratio_hi);
  }
}

static void machines_virtual_fill(const struct survey *survey,
                                  struct chart *chart) {
  char pages[HUMAN_SIZE];
  const char *kind = machines_big_kind(survey);
  if (!kind) return;
  *chart->foot = '\0';
  chart->box = (struct chart_box){640, 0, 0, 24, 6, 48};
  chart->head = 44;
  chart_key(chart, CHART_KEYS,
            "%% of the time on base pages, on %s:", human_pages(kind, pages));
  for (size_t i = 0; i < SORTS; i++) chart_key(chart, i, "%s", sort_names[i]);
  struct chart_panel *panel =
      chart_panel(chart, "% of the time on base pages", "", "%s", "");
  panel->x.most = PERCENT_MOST;
  panel->band_lo = 100 * (1 - SUMMARY_NOISE_FLOOR);
  panel->band_hi = 100 * (1 + SUMMARY_NOISE_FLOOR);
  for (size_t m = 0; m < machines_count(survey); m++)
    add_machine(panel, survey, m);
}

static void machines_virtual_write_lines(FILE *out,
                                         const struct survey *survey) {
  for (size_t m = 0; m < machines_count(survey); m++) {
    const struct survey *machine = survey_at(survey, m);
    for (size_t p = 0; p < machine->program_count; p++) {
      char label[MACHINES_LABEL], program[SURVEY_LABEL_SIZE];
      const struct summary *row = dot_of(survey, m, p);
      if (row)
        figure_csv(out, "|ssssuggg\n", machines_label(survey, m, label),
                   sort_names[sort_of(machine)], survey_label(row, program),
                   row->pages, row->n, 100 * row->ratio_to_4k,
                   100 * row->ratio_lo, 100 * row->ratio_hi);
    }
  }
}

const struct figure figure_machines_virtual = {
    .name = "fig-machines-virtual",
    .title = "Servers against virtual machines",
    .caption =
        "What bigger pages leave of the time of each program, a dot a machine "
        "with its 95 % interval, at the largest size that a server and a "
        "virtual machine were both measured at; machines are below each other "
        "by their numbers. Which is which, their records tell. A virtual "
        "machine translates each address twice, so that a walk is longer: "
        "where translation matters, its dots should be further left. In the "
        "grey band there is no difference.",
    .needs =
        "It needs the results of a server and of a virtual machine, with a "
        "program and a size that both have measured on base pages and on one "
        "more kind of pages.",
    .fill = machines_virtual_fill,
    .head =
        "machine,sort,program,pages,n,percent_of_base,percent_lo,percent_hi",
    .write_lines = machines_virtual_write_lines,
};
