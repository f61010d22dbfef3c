/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 2.1 and 2.5 over machines: a panel per program, a line per machine,
 * over log2 n; and servers against virtual machines: what larger pages leave of
 * the time of each program. */
#include <math.h>
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/report_machine.h"

enum { FIGURE_WIDTH = 980, ALONE_WIDTH = 690, COLUMNS = 4 };

/* As in figure 2.5, what is beyond stretches no axis that all panels share. */
enum { PERCENT_LEAST = 0, PERCENT_MOST = 150 };

/* Bands of more machines are a blur. */
enum { BANDS_MOST = 3 };

/* Is it the first of several? */
static bool is_first(const struct survey *survey) {
  return survey->all && survey->all[0] == survey && survey->all[1];
}

/* Those that two machines have at least, in the order of the first; a panel
 * each.  `kind`: of pages, NULL: base pages. */
struct programs {
  const struct summary *rows[FIGURE_PROGRAMS_MAX];
  size_t count;
  const char *kind;
};

/* What a figure draws of a machine's program at n; NULL: nothing. */
static const struct summary *row_of(const struct survey *machine,
                                    const struct summary *program, uint64_t n,
                                    const char *kind) {
  const struct summary *row = survey_row(machine, program, n, kind);
  return (kind ? survey_has_ratio(row) : survey_has_time(row)) ? row : NULL;
}

static bool has_any(const struct survey *machine, const struct summary *program,
                    const char *kind) {
  for (uint64_t n = 0; (n = survey_next_size(machine, program, n));)
    if (row_of(machine, program, n, kind)) return true;
  return false;
}

static void add_program(const struct survey *survey, struct programs *programs,
                        const struct summary *program) {
  size_t have = 0;
  for (size_t i = 0; i < programs->count; i++)
    if (survey_same_program(programs->rows[i], program)) return;
  for (size_t i = 0; i < machines_count(survey); i++)
    have += has_any(survey_at(survey, i), program, programs->kind);
  if (have >= 2 && programs->count < FIGURE_PROGRAMS_MAX)
    programs->rows[programs->count++] = program;
}

static struct programs programs_of(const struct survey *survey,
                                   const char *kind) {
  struct programs programs = {.kind = kind};
  for (size_t i = 0; is_first(survey) && i < machines_count(survey); i++) {
    const struct survey *machine = survey_at(survey, i);
    for (size_t j = 0; j < machine->program_count; j++)
      add_program(survey, &programs, machine->programs[j]);
  }
  return programs;
}

static void add_machine(struct chart_panel *panel, const struct survey *survey,
                        size_t machine, const struct summary *program,
                        const struct programs *programs) {
  struct chart_series *series = chart_series(panel, machine, "%s", "");
  const struct survey *of = survey_at(survey, machine);
  if (programs->kind && machines_count(survey) <= BANDS_MOST)
    series->interval = CHART_BAND;
  for (uint64_t n = 0; (n = survey_next_size(of, program, n));) {
    const struct summary *row = row_of(of, program, n, programs->kind);
    if (row && programs->kind)
      chart_interval(series, log2((double)n), 100 * row->ratio_to_4k,
                     100 * row->ratio_lo, 100 * row->ratio_hi);
    else if (row)
      chart_point(series, log2((double)n), row->ns_per_op_min);
  }
}

static void machines_fill(const struct survey *survey, struct chart *chart,
                          const struct programs *programs) {
  size_t count = programs->count;
  *chart->foot = '\0';
  chart->columns = count < COLUMNS ? count : count == COLUMNS ? 2 : COLUMNS;
  chart->box = (struct chart_box){ALONE_WIDTH, 250, 52, 14, 34, 48};
  if (count > 1) chart->box.width = FIGURE_WIDTH / (int)chart->columns;
  chart->same_x = true;
  for (size_t i = 0; i < count; i++) {
    bool lowest = i + chart->columns >= count;
    struct chart_panel *panel =
        chart_panel(chart, lowest ? FIGURE_LOG2_N : "", "", "%s",
                    SURVEY_LABEL(programs->rows[i]));
    for (size_t j = 0; j < machines_count(survey); j++)
      add_machine(panel, survey, j, programs->rows[i], programs);
  }
}

/* A legend: what is measured, and a line a machine. */
static void add_keys(struct chart *chart, const struct survey *survey,
                     const char *measure) {
  chart->legend = CHART_IN_LINES;
  chart_key(chart, CHART_KEYS, "%s", measure);
  for (size_t i = 0; i < machines_count(survey); i++)
    chart_key(chart, i, "%s", MACHINES_LABELED(survey, i));
}

static void fill_time(const struct survey *survey, struct chart *chart) {
  const struct programs programs = programs_of(survey, NULL);
  add_keys(chart, survey, "ns an operation on base pages, of each machine:");
  machines_fill(survey, chart, &programs);
}

/* The kind of larger pages that most of the machines have ratios on, the
 * smallest of those that tie; NULL: none, or it is not the first of several. */
static const char *big_kind(const struct survey *survey) {
  const char *best = NULL;
  size_t most = 0;
  for (size_t i = 0; is_first(survey) && i < machines_count(survey); i++) {
    const struct survey *machine = survey_at(survey, i);
    for (size_t k = 0; k < machine->kind_count; k++) {
      size_t have = 0;
      for (size_t j = 0; j < machines_count(survey); j++)
        have += figure_has_kind(survey_at(survey, j), machine->kinds[k],
                                survey_has_ratio);
      if (have <= most) continue;
      most = have;
      best = machine->kinds[k];
    }
  }
  return best;
}

static void fill_pages(const struct survey *survey, struct chart *chart) {
  const char *kind = big_kind(survey);
  if (!kind) return;
  const struct programs programs = programs_of(survey, kind);
  char measure[CHART_NAME];
  double lo = 98, hi = 102; /* and 3 more */
  snprintf(measure, sizeof measure,
           "%% of the time on base pages, on %s, of each machine:",
           HUMAN_PAGES(kind));
  add_keys(chart, survey, measure);
  machines_fill(survey, chart, &programs);
  chart_extent(chart, &lo, &hi);
  for (size_t i = 0; i < chart->count; i++) {
    struct chart_panel *panel = &chart->panels[i];
    panel->y.lo = 10 * floor(fmax(PERCENT_LEAST, lo - 3) / 10);
    panel->y.hi = 10 * ceil(fmin(PERCENT_MOST, hi + 3) / 10);
    panel->level = 100;
    panel->band_lo = 100 * (1 - SUMMARY_NOISE_FLOOR);
    panel->band_hi = 100 * (1 + SUMMARY_NOISE_FLOOR);
  }
}

static void write_program(FILE *out, const struct survey *survey,
                          size_t machine, const struct summary *program,
                          const char *kind) {
  const struct survey *of = survey_at(survey, machine);
  char label[MACHINES_LABEL];
  machines_label(survey, machine, label);
  for (uint64_t n = 0; (n = survey_next_size(of, program, n));) {
    const struct summary *row = row_of(of, program, n, kind);
    if (!row) continue;
    figure_csv(out, "|usus", (uint64_t)machine + 1, strchr(label, ' ') + 2,
               (uint64_t)report_machine_is_virtual(of->record),
               SURVEY_LABEL(program));
    figure_csv(out, "ulggg\n", n, log2((double)n),
               kind ? 100 * row->ratio_to_4k : row->ns_per_op_min,
               kind ? 100 * row->ratio_lo : NAN,
               kind ? 100 * row->ratio_hi : NAN);
  }
}

static void machines_write_lines(FILE *out, const struct survey *survey,
                                 const char *kind) {
  const struct programs programs = programs_of(survey, kind);
  for (size_t j = 0; j < machines_count(survey); j++)
    for (size_t i = 0; i < programs.count; i++)
      write_program(out, survey, j, programs.rows[i], kind);
}

static void write_time_lines(FILE *out, const struct survey *survey) {
  machines_write_lines(out, survey, NULL);
}

static void write_pages_lines(FILE *out, const struct survey *survey) {
  machines_write_lines(out, survey, big_kind(survey));
}

#define HEAD "machine,title,virtual,program,n,log2_n,"

const struct figure figure_machines_time = {
    .name = "fig-machines-time",
    .title = "Normalised operation time, over machines",
    .caption =
        "Figure 2.1 for each machine on 4 KiB pages, with one panel for each "
        "program. x axis: log\342\202\202 n, where n is the number of "
        "elements. y axis: shortest time per operation in ns, from 0. Each "
        "machine has the number of its results. If a line rises earlier or "
        "further than others, the caches or the TLBs of that machine hold "
        "less, or cost more to miss. Figure 2.5 over machines tells the two "
        "apart. Level lines at different heights are machines of different "
        "speed.",
    .needs =
        "It needs the results of two machines at least, with a program "
        "that both have: vat report a.jsonl b.jsonl, or vat report "
        "FILE with a file that vat merge wrote.",
    .fill = fill_time,
    .head = HEAD "ns_per_op_min,lo,hi",
    .write_lines = write_time_lines,
};

const struct figure figure_machines_pages = {
    .name = "fig-machines-pages",
    .title = "Time on larger pages as a percentage, for each machine",
    .caption =
        "Figure 2.5 for each machine, on the page kind that most of them were "
        "measured on. x axis: log\342\202\202 n, where n is the number of "
        "elements. y axis: time as a percentage of the time on base pages. "
        "Below 100, the page kind is faster. Coloured bands, for up to three "
        "machines, are 95 % intervals; the CSV file has all. In the grey band, "
        "there is no difference. The lower a line, the more of the time of "
        "that machine is translation. A line falls at a larger n where the "
        "TLBs hold more. It falls further where a translation costs more, as "
        "on a virtual machine, which translates each address twice.",
    .needs =
        "It needs the results of two machines at least, with a program that "
        "both have measured on base pages and on one more kind of pages.",
    .fill = fill_pages,
    .head = HEAD "percent_of_base,percent_lo,percent_hi",
    .write_lines = write_pages_lines,
};

/* Colours of servers and of virtual machines. */
enum { SERVER, VIRTUAL, SORTS };
static const char *const sort_names[] = {"server", "virtual machine"};

/* A disturbed interval says no more. */
enum { DOTS_PERCENT_MOST = 160 };

static size_t sort_of(const struct survey *machine) {
  return report_machine_is_virtual(machine->record) ? VIRTUAL : SERVER;
}

static bool has_both(const struct survey *survey, const struct summary *program,
                     uint64_t n, const char *kind) {
  bool has[SORTS] = {false, false};
  for (size_t i = 0; i < machines_count(survey); i++)
    if (row_of(survey_at(survey, i), program, n, kind))
      has[sort_of(survey_at(survey, i))] = true;
  return has[SERVER] && has[VIRTUAL];
}

/* The row of a machine's program that is drawn; NULL: none. */
static const struct summary *dot_of(const struct survey *survey, size_t machine,
                                    size_t program) {
  const struct survey *of = survey_at(survey, machine);
  const char *kind = big_kind(survey);
  uint64_t largest = 0;
  for (size_t i = 0; kind && i < machines_count(survey); i++)
    for (uint64_t n = 0; (n = survey_next_size(survey_at(survey, i),
                                               of->programs[program], n));)
      if (n > largest && has_both(survey, of->programs[program], n, kind))
        largest = n;
  return largest ? row_of(of, of->programs[program], largest, kind) : NULL;
}

static void add_dots(struct chart_panel *panel, const struct survey *survey,
                     size_t machine) {
  const struct survey *of = survey_at(survey, machine);
  struct chart_series *series = chart_series(panel, sort_of(of), "%s", "");
  series->apart = true;
  for (size_t p = 0; p < of->program_count; p++) {
    char name[CHART_NAME];
    const struct summary *row = dot_of(survey, machine, p);
    if (!row) continue;
    snprintf(name, sizeof name, "%.60s, n = %llu", SURVEY_LABEL(row),
             (unsigned long long)row->n);
    chart_interval(series, 100 * row->ratio_to_4k, chart_row(panel, name),
                   100 * row->ratio_lo, 100 * row->ratio_hi);
  }
}

static void machines_virtual_fill(const struct survey *survey,
                                  struct chart *chart) {
  const char *kind = big_kind(survey);
  if (!kind) return;
  *chart->foot = '\0';
  chart->box = (struct chart_box){640, 0, 0, 24, 6, 48};
  chart->head = 44;
  chart_key(chart, CHART_KEYS,
            "%% of the time on base pages, on %s:", HUMAN_PAGES(kind));
  for (size_t i = 0; i < SORTS; i++) chart_key(chart, i, "%s", sort_names[i]);
  struct chart_panel *panel =
      chart_panel(chart, "% of the time on base pages", "", "%s", "");
  panel->x.most = DOTS_PERCENT_MOST;
  panel->band_lo = 100 * (1 - SUMMARY_NOISE_FLOOR);
  panel->band_hi = 100 * (1 + SUMMARY_NOISE_FLOOR);
  for (size_t m = 0; m < machines_count(survey); m++)
    add_dots(panel, survey, m);
}

static void machines_virtual_write_lines(FILE *out,
                                         const struct survey *survey) {
  for (size_t m = 0; m < machines_count(survey); m++) {
    const struct survey *machine = survey_at(survey, m);
    for (size_t p = 0; p < machine->program_count; p++) {
      const struct summary *row = dot_of(survey, m, p);
      if (row)
        figure_csv(out, "|ssssuggg\n", MACHINES_LABELED(survey, m),
                   sort_names[sort_of(machine)], SURVEY_LABEL(row), row->pages,
                   row->n, 100 * row->ratio_to_4k, 100 * row->ratio_lo,
                   100 * row->ratio_hi);
    }
  }
}

const struct figure figure_machines_virtual = {
    .name = "fig-machines-virtual",
    .title = "Servers against virtual machines",
    .caption =
        "x axis: time on larger pages as a percentage of the time on base "
        "pages. Each dot is a machine with its 95 % interval, at the largest "
        "size that was measured on both a server and a virtual machine. y "
        "axis: the machines, by their numbers. A virtual machine translates "
        "each address twice, so larger pages should save more there: its dot "
        "should be further left. In the grey band, there is no difference.",
    .needs =
        "It needs the results of a server and of a virtual machine, with a "
        "program and a size that both have measured on base pages and on one "
        "more kind of pages.",
    .fill = machines_virtual_fill,
    .head =
        "machine,sort,program,pages,n,percent_of_base,percent_lo,percent_hi",
    .write_lines = machines_virtual_write_lines,
};
