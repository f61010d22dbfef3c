/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/report/figure_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

struct summary figure_row(const char *algo, const char *pages, uint64_t n) {
  static const struct sample_variant usual;
  return (struct summary){.algo = algo,
                          .device = "cpu",
                          .variant = &usual,
                          .pages = pages,
                          .n = n,
                          .base = !strcmp(pages, "4k"),
                          .reps = 6,
                          .ram_ops = (double)n,
                          .ns_per_op_min = 10,
                          .ns_per_op_median = 10,
                          .ratio_to_4k = NAN,
                          .ratio_lo = NAN,
                          .ratio_hi = NAN};
}

void figure_count(struct summary *row, const char *name, uint64_t value) {
  struct sample_counter *counter = &row->counter[row->counters++];
  snprintf(counter->name, sizeof counter->name, "%s", name);
  counter->present = true;
  counter->value = value;
}

struct survey figure_survey(const struct summary *rows, size_t count) {
  struct survey survey;
  CU_ASSERT_EQUAL_FATAL(survey_init(&survey, rows, count), 0);
  survey.machine = "Some machine";
  return survey;
}

bool figure_near(double value, double expected) {
  bool is = fabs(value - expected) <= 1e-5 * fabs(expected);
  if (!is) printf("\n%g is not %g\n", value, expected);
  return is;
}

char *figure_script_of(const struct figure *figure,
                       const struct survey *survey) {
  char *text;
  size_t size;
  FILE *script = open_memstream(&text, &size);
  figure_draw(figure, script, survey, PLOT_SVG);
  fclose(script);
  return text;
}

char *figure_csv_of(const struct figure *figure, const struct survey *survey) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  figure_write_csv(figure, out, survey);
  fclose(out);
  return text;
}

bool figure_text_has(const char *text, const char *part) {
  bool found = strstr(text, part);
  if (!found) printf("\nno %s in\n%.2000s\n", part, text);
  return found;
}

double figure_y_of(const char *csv, const char *panel, const char *line,
                   const char *axis, const char *x) {
  char at[200];
  snprintf(at, sizeof at, "\"%s\",\"%s\",\"%s\",%s,\"", panel, line, axis, x);
  const char *found = strstr(csv, at);
  if (!found) return NAN;
  return strtod(strstr(found + strlen(at), "\",") + 2, NULL);
}
