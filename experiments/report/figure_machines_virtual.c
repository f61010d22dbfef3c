/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Servers against virtual machines: what bigger pages leave of the time of each
 * program, at the largest size that one of each kind was measured at. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/machines.h"
#include "experiments/report/plot_dots.h"

static const struct plot_grid layout = {.columns = 1,
                                        .rows = 1,
                                        .width = 640,
                                        .right = 24,
                                        .top = 6,
                                        .bottom = 48,
                                        .head = 44};

/* Colours of servers and of virtual machines. */
enum { SERVER, VIRTUAL, SORTS };
static const char *const sort_names[] = {"server", "virtual machine"};

static size_t sort_of(const struct survey *machine) {
  return machines_is_virtual(machine) ? VIRTUAL : SERVER;
}

static const struct summary *ratio_of(const struct survey *machine,
                                      const struct summary *program, uint64_t n,
                                      const char *kind) {
  const struct summary *row = machines_row(machine, program, n, kind);
  return machines_has_ratio(row) ? row : NULL;
}

static bool has_both(const struct survey *survey, const struct summary *program,
                     uint64_t n, const char *kind) {
  bool has[SORTS] = {false, false};
  for (size_t i = 0; i < machines_count(survey); i++)
    if (ratio_of(survey_at(survey, i), program, n, kind))
      has[sort_of(survey_at(survey, i))] = true;
  return has[SERVER] && has[VIRTUAL];
}

/* 0: none. */
static uint64_t size_of(const struct survey *survey,
                        const struct summary *program, const char *kind) {
  uint64_t largest = 0;
  for (size_t i = 0; i < machines_count(survey); i++)
    for (uint64_t n = 0;
         (n = machines_next_size(survey_at(survey, i), program, n));)
      if (n > largest && has_both(survey, program, n, kind)) largest = n;
  return largest;
}

/* A dot that is drawn, for who draws it or writes it. */
typedef void take_dot(void *arg, const struct survey *survey, size_t machine,
                      const struct summary *row);

static void each_dot(const struct survey *survey, take_dot *take, void *arg) {
  const char *kind = machines_begin(survey) ? machines_big_kind(survey) : NULL;
  for (size_t m = 0; kind && m < machines_count(survey); m++) {
    const struct survey *machine = survey_at(survey, m);
    for (size_t p = 0; p < machine->program_count; p++) {
      const struct summary *program = machine->programs[p];
      uint64_t n = size_of(survey, program, kind);
      const struct summary *row =
          n ? ratio_of(machine, program, n, kind) : NULL;
      if (row) take(arg, survey, m, row);
    }
  }
}

static void add_dot(void *arg, const struct survey *survey, size_t machine,
                    const struct summary *row) {
  char label[SURVEY_LABEL_SIZE], name[PLOT_DOTS_NAME];
  snprintf(name, sizeof name, "%.60s, n = %llu", survey_label(row, label),
           (unsigned long long)row->n);
  plot_dots_add(arg, plot_dots_row(arg, name), machine, 100 * row->ratio_to_4k,
                100 * row->ratio_lo, 100 * row->ratio_hi,
                sort_of(survey_at(survey, machine)));
}

static void note_dot(void *arg, const struct survey *survey, size_t machine,
                     const struct summary *row) {
  (void)survey;
  (void)machine;
  (void)row;
  *(bool *)arg = true;
}

static bool has_data(const struct survey *survey) {
  bool any = false;
  each_dot(survey, note_dot, &any);
  return any;
}

static void write_legend(FILE *script, const struct plot_grid *grid,
                         const struct survey *survey) {
  char measure[128], pages[HUMAN_SIZE];
  snprintf(measure, sizeof measure, "%% of the time on base pages, on %s:",
           human_pages(machines_big_kind(survey), pages));
  plot_legend(script, grid, 16, NULL, NULL, measure);
  int x = 30 + PLOT_CHARACTER_PIXELS * (int)strlen(measure);
  for (size_t i = 0; i < SORTS; i++) {
    plot_legend(script, grid, x, plot_colour(i), plot_shape(i), sort_names[i]);
    x += 36 + PLOT_CHARACTER_PIXELS * (int)strlen(sort_names[i]);
  }
}

static void draw(FILE *script, const struct survey *survey,
                 enum plot_format format) {
  struct plot_grid grid = layout;
  struct plot_dots *dots = calloc(1, sizeof *dots);
  if (!dots) return;
  each_dot(survey, add_dot, dots);
  plot_dots_write(script, dots, 0);
  grid.left = plot_dots_left(dots);
  grid.width += grid.left;
  grid.height = grid.top + grid.bottom + plot_dots_height(dots);
  struct plot_range range = plot_dots_range(dots);
  range.x_hi = fmin(range.x_hi, 160); /* a disturbed interval says no more */
  plot_begin(script, &grid, format);
  plot_labels(script, "% of the time on base pages", "");
  plot_panel(script, &grid, 0, "", &range);
  write_legend(script, &grid, survey);
  fprintf(script,
          "set object 1 rectangle from first %g, graph 0 to first %g, graph 1 "
          "behind fillcolor rgb '#808080' fillstyle solid 0.18 noborder\n",
          100 * (1 - SUMMARY_NOISE_FLOOR), 100 * (1 + SUMMARY_NOISE_FLOOR));
  plot_dots_draw(script, dots, 0, NULL);
  plot_end(script);
  free(dots);
}

static void write_dot(void *arg, const struct survey *survey, size_t machine,
                      const struct summary *row) {
  FILE *out = arg;
  char label[MACHINES_LABEL], program[SURVEY_LABEL_SIZE];
  figure_csv_first(out, machines_label(survey, machine, label));
  figure_csv_text(out, sort_names[sort_of(survey_at(survey, machine))]);
  figure_csv_text(out, survey_label(row, program));
  figure_csv_text(out, row->pages);
  fprintf(out, ",%llu", (unsigned long long)row->n);
  figure_csv_number(out, 100 * row->ratio_to_4k);
  figure_csv_number(out, 100 * row->ratio_lo);
  figure_csv_number(out, 100 * row->ratio_hi);
  fputc('\n', out);
}

static void write_csv(FILE *out, const struct survey *survey) {
  fputs("machine,sort,program,pages,n,percent_of_base,percent_lo,percent_hi\n",
        out);
  each_dot(survey, write_dot, out);
}

const struct figure figure_machines_virtual = {
    .name = "fig-machines-virtual",
    .title = "Servers against virtual machines",
    .caption =
        "What bigger pages leave of the time of each program, a dot a machine "
        "with its 95 % interval, at the largest size that a server and a "
        "virtual machine were both measured at; machines are below each other "
        "by "
        "their numbers. Which is which, their records tell. A virtual machine "
        "translates each address twice, so "
        "that a walk is longer: where translation matters, its dots should be "
        "further left. In the grey band there is no difference.",
    .needs =
        "It needs the results of a server and of a virtual machine, with a "
        "program and a size that both have measured on base pages and on one "
        "more kind of pages.",
    .has_data = has_data,
    .draw = draw,
    .write_csv = write_csv,
};
