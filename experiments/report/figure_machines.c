/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 2.1 and 2.5 over machines: a panel per program, a line per machine,
 * over log2 n. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/machines.h"

static const struct plot_grid layout = {
    .height = 250, .left = 52, .right = 14, .top = 34, .bottom = 48};
enum { FIGURE_WIDTH = 980, COLUMNS = 4 };

/* As in figure 2.5, what is beyond stretches no axis that all panels share. */
enum { PERCENT_LEAST = 0, PERCENT_MOST = 150 };

/* What a figure draws of a machine's program at n; y NAN: nothing. */
struct value {
  double y, lo, hi;
};
typedef struct value value_of(const struct survey *survey,
                              const struct survey *machine,
                              const struct summary *program, uint64_t n);

static const struct value nothing = {NAN, NAN, NAN};

static struct value time_of(const struct survey *survey,
                            const struct survey *machine,
                            const struct summary *program, uint64_t n) {
  (void)survey;
  const struct summary *row = machines_row(machine, program, n, NULL);
  if (!machines_has_time(row)) return nothing;
  return (struct value){row->ns_per_op_min, NAN, NAN};
}

static struct value percent_of(const struct survey *survey,
                               const struct survey *machine,
                               const struct summary *program, uint64_t n) {
  const char *kind = machines_big_kind(survey);
  const struct summary *row =
      kind ? machines_row(machine, program, n, kind) : NULL;
  if (!machines_has_ratio(row)) return nothing;
  return (struct value){100 * row->ratio_to_4k, 100 * row->ratio_lo,
                        100 * row->ratio_hi};
}

static bool has_any(const struct survey *survey, const struct survey *machine,
                    const struct summary *program, value_of *value) {
  for (uint64_t n = 0; (n = machines_next_size(machine, program, n));)
    if (isfinite(value(survey, machine, program, n).y)) return true;
  return false;
}

/* Those that two machines have at least, in the order of the first; a panel
 * each. */
struct programs {
  const struct summary *rows[FIGURE_PROGRAMS_MAX];
  size_t count;
};

static void add_program(const struct survey *survey, struct programs *programs,
                        const struct summary *program, value_of *value) {
  size_t have = 0;
  for (size_t i = 0; i < programs->count; i++)
    if (survey_same_program(programs->rows[i], program)) return;
  for (size_t i = 0; i < machines_count(survey); i++)
    have += has_any(survey, survey_at(survey, i), program, value);
  if (have >= 2 && programs->count < FIGURE_PROGRAMS_MAX)
    programs->rows[programs->count++] = program;
}

static struct programs programs_of(const struct survey *survey,
                                   value_of *value) {
  struct programs programs = {.count = 0};
  for (size_t i = 0; machines_begin(survey) && i < machines_count(survey);
       i++) {
    const struct survey *machine = survey_at(survey, i);
    for (size_t j = 0; j < machine->program_count; j++)
      add_program(survey, &programs, machine->programs[j], value);
  }
  return programs;
}

static void write_data(FILE *script, const struct survey *survey,
                       const struct programs *programs, value_of *value) {
  for (size_t i = 0; i < programs->count; i++)
    for (size_t j = 0; j < machines_count(survey); j++) {
      const struct survey *machine = survey_at(survey, j);
      fprintf(script, "$d%zu_%zu << END\n", i, j);
      for (uint64_t n = 0;
           (n = machines_next_size(machine, programs->rows[i], n));) {
        struct value v = value(survey, machine, programs->rows[i], n);
        if (isfinite(v.y))
          fprintf(script, "%.5f %.6g %.6g %.6g\n", log2((double)n), v.y, v.lo,
                  v.hi);
      }
      fputs("END\n", script);
    }
}

/* Of one panel: the largest y from 0, and all x. */
static void widen(struct plot_range *range, const struct survey *survey,
                  const struct summary *program, value_of *value) {
  for (size_t j = 0; j < machines_count(survey); j++) {
    const struct survey *machine = survey_at(survey, j);
    for (uint64_t n = 0; (n = machines_next_size(machine, program, n));) {
      struct value v = value(survey, machine, program, n);
      if (!isfinite(v.y)) continue;
      range->x_lo = fmin(range->x_lo, log2((double)n));
      range->x_hi = fmax(range->x_hi, log2((double)n));
      range->y_lo = fmin(range->y_lo, v.y);
      range->y_hi = fmax(range->y_hi, v.y);
    }
  }
}

static struct plot_range range_of(const struct survey *survey,
                                  const struct programs *programs,
                                  value_of *value) {
  struct plot_range range = {NAN, NAN, NAN, NAN};
  for (size_t i = 0; i < programs->count; i++)
    widen(&range, survey, programs->rows[i], value);
  plot_round_x(&range);
  return range;
}

static struct plot_grid grid_of(const struct survey *survey, size_t panels) {
  struct plot_grid grid = layout;
  grid.columns = panels < COLUMNS ? (int)panels : COLUMNS;
  if (panels == COLUMNS) grid.columns = 2; /* full rows */
  grid.rows = ((int)panels + grid.columns - 1) / grid.columns;
  grid.width = grid.columns == 1 ? 690 : FIGURE_WIDTH / grid.columns;
  machines_make_head(&grid, survey);
  return grid;
}

/* Bands of more machines are a blur. */
enum { BANDS_MOST = 3 };

/* Bands where there are intervals, and lines over them. */
static void plot_machines(FILE *script, const struct survey *survey,
                          const struct summary *program, size_t panel,
                          value_of *value, bool percent) {
  bool bands = percent && machines_count(survey) <= BANDS_MOST;
  fprintf(script, "plot %s", percent ? "100 lc rgb '#808080' lw 1" : "NaN");
  for (size_t j = 0; j < machines_count(survey); j++) {
    if (!has_any(survey, survey_at(survey, j), program, value)) continue;
    if (bands)
      fprintf(script, ", $d%zu_%zu using 1:3:4 with filledcurves lc rgb '%s'",
              panel, j, plot_colour(j));
    fprintf(script,
            ", $d%zu_%zu using 1:2 with linespoints lc rgb '%s' lw 2 pt %s "
            "ps 0.45",
            panel, j, plot_colour(j), plot_shape(j));
  }
  fputc('\n', script);
}

static void draw_panel(FILE *script, const struct plot_grid *grid,
                       const struct programs *programs, size_t panel,
                       const struct plot_range *range) {
  char label[SURVEY_LABEL_SIZE];
  bool lowest = panel + (size_t)grid->columns >= programs->count;
  plot_labels(script, lowest ? "log\342\202\202 n" : "", "");
  plot_panel(script, grid, panel, survey_label(programs->rows[panel], label),
             range);
}

static void draw_time(FILE *script, const struct survey *survey,
                      enum plot_format format) {
  const struct programs programs = programs_of(survey, time_of);
  const struct plot_grid grid = grid_of(survey, programs.count);
  struct plot_range range = range_of(survey, &programs, time_of);
  write_data(script, survey, &programs, time_of);
  plot_begin(script, &grid, format);
  for (size_t i = 0; i < programs.count; i++) {
    struct plot_range own = {NAN, NAN, NAN, NAN};
    widen(&own, survey, programs.rows[i], time_of);
    range.y_lo = 0;
    range.y_hi = 1.06 * own.y_hi;
    draw_panel(script, &grid, &programs, i, &range);
    if (!i)
      machines_write_head(script, &grid, survey,
                          "ns an operation on base pages, of each machine:");
    plot_machines(script, survey, programs.rows[i], i, time_of, false);
  }
  plot_end(script);
}

static void draw_pages(FILE *script, const struct survey *survey,
                       enum plot_format format) {
  const struct programs programs = programs_of(survey, percent_of);
  const struct plot_grid grid = grid_of(survey, programs.count);
  struct plot_range range = range_of(survey, &programs, percent_of);
  char measure[160], pages[HUMAN_SIZE];
  range.y_lo = 10 * floor(fmax(PERCENT_LEAST, fmin(range.y_lo - 3, 95)) / 10);
  range.y_hi = 10 * ceil(fmin(PERCENT_MOST, fmax(range.y_hi + 3, 105)) / 10);
  snprintf(measure, sizeof measure,
           "%% of the time on base pages, on %s, of each machine:",
           human_pages(machines_big_kind(survey), pages));
  write_data(script, survey, &programs, percent_of);
  plot_begin(script, &grid, format);
  fprintf(script,
          "set object 1 rectangle from graph 0, first %g to graph 1, first %g "
          "behind fillcolor rgb '#808080' fillstyle solid 0.18 noborder\n",
          100 * (1 - SUMMARY_NOISE_FLOOR), 100 * (1 + SUMMARY_NOISE_FLOOR));
  for (size_t i = 0; i < programs.count; i++) {
    draw_panel(script, &grid, &programs, i, &range);
    if (!i) machines_write_head(script, &grid, survey, measure);
    plot_machines(script, survey, programs.rows[i], i, percent_of, true);
  }
  plot_end(script);
}

static void write_csv(FILE *out, const struct survey *survey, const char *head,
                      value_of *value) {
  const struct programs programs = programs_of(survey, value);
  fprintf(out, "machine,title,virtual,program,n,log2_n,%s\n", head);
  for (size_t j = 0; j < machines_count(survey); j++)
    for (size_t i = 0; i < programs.count; i++) {
      const struct survey *machine = survey_at(survey, j);
      for (uint64_t n = 0;
           (n = machines_next_size(machine, programs.rows[i], n));) {
        char label[MACHINES_LABEL], program[SURVEY_LABEL_SIZE];
        struct value v = value(survey, machine, programs.rows[i], n);
        if (!isfinite(v.y)) continue;
        fprintf(out, "%zu", j + 1);
        figure_csv_text(out, strchr(machines_label(survey, j, label), ' ') + 2);
        fprintf(out, ",%d", machines_is_virtual(machine));
        figure_csv_text(out, survey_label(programs.rows[i], program));
        fprintf(out, ",%llu,%.5f", (unsigned long long)n, log2((double)n));
        figure_csv_number(out, v.y);
        figure_csv_number(out, v.lo);
        figure_csv_number(out, v.hi);
        fputc('\n', out);
      }
    }
}

static bool has_time(const struct survey *survey) {
  return programs_of(survey, time_of).count > 0;
}

static bool has_pages(const struct survey *survey) {
  return programs_of(survey, percent_of).count > 0;
}

static void write_time_csv(FILE *out, const struct survey *survey) {
  write_csv(out, survey, "ns_per_op_min,lo,hi", time_of);
}

static void write_pages_csv(FILE *out, const struct survey *survey) {
  write_csv(out, survey, "percent_of_base,percent_lo,percent_hi", percent_of);
}

const struct figure figure_machines_time = {
    .name = "fig-machines-time",
    .title = "Normalised operation time, over machines",
    .caption =
        "Figure 2.1 of each machine on base pages: a panel per program, each "
        "with an axis of its own from 0, over the logarithm of the input size; "
        "least of the repetitions. Machines have the numbers of their "
        "results. Where lines are level side by side, one machine is faster by "
        "a factor; where one climbs earlier or further than the other, its "
        "caches or its translation end earlier, which figure 2.5 over machines "
        "tells apart.",
    .needs =
        "It needs the results of two machines at least, with a program that "
        "both have: vat report a.jsonl b.jsonl, or a file of vat merge.",
    .has_data = has_time,
    .draw = draw_time,
    .write_csv = write_time_csv,
};

const struct figure figure_machines_pages = {
    .name = "fig-machines-pages",
    .title = "What bigger pages leave of the time, over machines",
    .caption =
        "Figure 2.5 of each machine, on the kind of pages that most of them "
        "have been measured on: time as a percentage of that on base pages, "
        "over the logarithm of the input size. Coloured bands, of up to three "
        "machines, are 95 % intervals (the CSV has all), the grey one around "
        "100 % is the noise floor. The lower a "
        "line, the more of that machine's time was translation: it falls later "
        "where the TLBs hold more, and lower where a walk costs more, as on a "
        "virtual machine, which translates twice.",
    .needs =
        "It needs the results of two machines at least, with a program that "
        "both have measured on base pages and on one more kind of pages.",
    .has_data = has_pages,
    .draw = draw_pages,
    .write_csv = write_pages_csv,
};
