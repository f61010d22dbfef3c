/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/figure.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cpu_algos/algo_sets.h"
#include "experiments/cli/human.h"
#include "experiments/cli/utf8.h"
#include "experiments/report/chart_layout.h"
#include "experiments/report/report_machine.h"
#include "experiments/report/tmm_rows.h"

const char *figure_title(const struct figure *figure,
                         char title[FIGURE_TITLE_SIZE]) {
  const char *number = figure->name + strlen("fig-");
  bool numbered = *number >= '2' && *number <= '9';
  snprintf(title, FIGURE_TITLE_SIZE, "%s%s%s%s", numbered ? "Figure " : "",
           numbered ? number : "", numbered ? ". " : "", figure->title);
  return title;
}

bool figure_chart(const struct figure *figure, const struct survey *survey,
                  struct chart *chart) {
  *chart =
      (struct chart){.of = figure->of, .box = {470, 402, 104, 120, 56, 52}};
  report_machine_titles(survey, figure->of_gpu, chart->foot);
  if (figure->algo && tmm_first_survey(survey, figure->algo) != survey)
    return false;
  figure->fill(survey, chart);
  chart_finish(chart);
  return chart_has_points(chart);
}

bool figure_has_data(const struct figure *figure, const struct survey *survey) {
  struct chart chart;
  bool has = figure_chart(figure, survey, &chart);
  chart_fini(&chart);
  return has;
}

static void print_quoted(FILE *out, const char *text) {
  fputc('"', out);
  while (*text) {
    if (*text == '"') fputc('"', out);
    text += utf8_print(out, text);
  }
  fputc('"', out);
}

static void print_number(FILE *out, double number) {
  if (isfinite(number)) fprintf(out, "%.6g", number);
}

void figure_csv(FILE *out, const char *format, ...) {
  bool first = false;
  va_list args;
  va_start(args, format);
  for (; *format; format++) {
    if (*format == '\n') fputc('\n', out);
    first |= *format == '|';
    if (*format == '|' || *format == '\n') continue;
    if (!first) fputc(',', out);
    first = false;
    if (*format == 's') print_quoted(out, va_arg(args, const char *));
    if (*format == 'w') fputs(va_arg(args, const char *), out);
    if (*format == 'u') fprintf(out, "%" PRIu64, va_arg(args, uint64_t));
    if (*format == 'g') print_number(out, va_arg(args, double));
    if (*format == 'l') fprintf(out, "%.5f", va_arg(args, double));
  }
  va_end(args);
}

static void write_row(FILE *out, const struct figure *figure,
                      const struct summary *row) {
  figure_csv(out, "|sssul", row->algo, row->device, row->pages, row->n,
             log2((double)row->n));
  figure->write_cells(out, row);
  figure_csv(out, "sss\n", row->variant->generator, row->variant->file,
             row->variant->alloc);
}

static void write_point(FILE *out, const struct chart_panel *panel,
                        const struct chart_series *series,
                        const struct chart_point *point) {
  figure_csv(out, "|sssgsg\n", panel->title, series->label, panel->x.title,
             point->x, panel->y.title, point->y);
}

static void write_points(FILE *out, const struct figure *figure,
                         const struct chart *chart) {
  if (!figure->head) fputs("panel,line,x_axis,x,y_axis,y\n", out);
  for (size_t p = 0; p < chart->count; p++)
    for (size_t i = 0; i < chart->panels[p].count; i++) {
      const struct chart_series *series = chart->panels[p].series[i];
      for (size_t j = 0; j < series->count; j++)
        (figure->write_point ? figure->write_point : write_point)(
            out, &chart->panels[p], series, &series->points[j]);
    }
}

void figure_write_csv(const struct figure *figure, FILE *out,
                      const struct survey *survey, const struct chart *chart) {
  if (figure->write_cells)
    fprintf(out, "algo,device,pages,n,log2_n,%s,generator,input,alloc\n",
            figure->head);
  else if (figure->head)
    fprintf(out, "%s\n", figure->head);
  if (figure->write_lines)
    figure->write_lines(out, survey);
  else if (!figure->write_cells)
    write_points(out, figure, chart);
  else
    for (const struct summary *row = survey->rows; row < survey->end; row++)
      if (figure->is_drawn(row)) write_row(out, figure, row);
}

size_t figure_programs(const struct survey *survey) {
  return survey->program_count < FIGURE_PROGRAMS_MAX ? survey->program_count
                                                     : FIGURE_PROGRAMS_MAX;
}

const char *figure_label(const struct summary *row, char label[FIGURE_LABEL],
                         size_t most) {
  const char *whole = SURVEY_LABEL(row);
  if (most > FIGURE_LABEL) most = FIGURE_LABEL;
  snprintf(label, most, "%s", whole);
  if (strlen(whole) < most) return label;
  label[most - sizeof "\342\200\246"] = '\0';
  utf8_trim(label);
  return strcat(label, "\342\200\246");
}

struct chart_panel *figure_gpu_panel(struct chart *chart,
                                     const struct survey *of, const char *what,
                                     const char *x, const char *y) {
  char name[REPORT_MACHINE_SIZE];
  struct chart_panel *panel =
      chart_panel(chart, x, y, "%.80s, %s",
                  of ? report_machine_gpu(of->record, name) : "GeForce GTX 480",
                  of ? "measured" : "predicted");
  snprintf(panel->of, sizeof panel->of, "%s", what);
  panel->of_no_input = !of;
  return panel;
}

bool figure_has_kind(const struct survey *survey, const char *kind,
                     figure_row_test *is_drawn) {
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (is_drawn(row) && !strcmp(row->pages, kind)) return true;
  return false;
}

void figure_add_rows(struct chart_series *series, const struct survey *survey,
                     size_t program, const char *kind,
                     figure_row_test *is_drawn, figure_row_value *value) {
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (survey_same_program(survey->programs[program], row) &&
        !strcmp(row->pages, kind) && is_drawn(row))
      chart_point(series, log2((double)row->n), value(row));
}

/* Is it one of section 2.1 as the thesis has it?  Three are ours, too. */
static bool is_thesis(const struct summary *row) {
  const struct algo_set *set = cpu_algo_set_find("thesis");
  for (size_t i = 0; i < cpu_algo_set_count(set); i++)
    if (survey_is_usual(row, set->algos[i])) return true;
  return false;
}

static const char *tunes(const struct summary *row) {
  const struct algo *algo = cpu_algo_find(row->algo);
  return algo && survey_is_usual(row, row->algo) ? algo->tunes : NULL;
}

void figure_tell_thesis(struct chart *chart, const struct survey *survey,
                        const char *beside) {
  char own[NAMES_SIZE] = "", tuned[NAMES_SIZE] = "";
  bool any = false;
  for (size_t i = 0; i < survey->program_count; i++) {
    const struct summary *row = survey->programs[i];
    if (is_thesis(row)) names_add(own, row->algo);
    if (tunes(row)) names_add(tuned, row->algo);
    any |= survey_tuned_of(survey, row) != NULL;
  }
  if (*own)
    chart_tell(chart, "%sAs in the thesis: %s.", *chart->detail ? " " : "",
               own);
  if (*tuned)
    chart_tell(chart, "%sTuned versions of programs of the thesis%s%s: %s.",
               *chart->detail ? " " : "", any ? ", " : "", any ? beside : "",
               tuned);
}

void figure_mark_tuned(struct chart_series *series, const struct survey *survey,
                       size_t program) {
  if (!survey_tuned_of(survey, survey->programs[program])) return;
  series->dash = 1;
  series->open = true;
}
