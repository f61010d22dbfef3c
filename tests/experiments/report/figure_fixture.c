/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/report/figure_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/chart_layout.h"
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
  static json_t *record;
  struct survey survey;
  survey_init(&survey, rows, count);
  if (!record) record = json_pack("{ss}", "host_cpu", "Some machine");
  survey.record = record;
  return survey;
}

bool figure_near(double value, double expected) {
  bool is = fabs(value - expected) <= 1e-5 * fabs(expected);
  if (!is) printf("\n%g is not %g\n", value, expected);
  return is;
}

struct chart *figure_chart_of(const struct figure *figure,
                              const struct survey *survey) {
  struct chart *chart = malloc(sizeof *chart);
  CU_ASSERT_TRUE(figure_chart(figure, survey, chart));
  return chart;
}

void figure_chart_free(struct chart *chart) {
  chart_fini(chart);
  free(chart);
}

char *figure_detail_of(const struct figure *figure,
                       const struct survey *survey) {
  struct chart chart;
  figure_chart(figure, survey, &chart);
  char *text = strdup(chart.detail);
  chart_fini(&chart);
  return text;
}

char *figure_csv_of(const struct figure *figure, const struct survey *survey) {
  char *text;
  size_t size;
  struct chart chart;
  FILE *out = open_memstream(&text, &size);
  figure_chart(figure, survey, &chart);
  figure_write_csv(figure, out, survey, &chart);
  chart_fini(&chart);
  fclose(out);
  return text;
}

const struct chart_series *figure_series(const struct chart *chart,
                                         size_t panel, const char *label) {
  static const struct chart_series none;
  for (size_t i = 0; panel < chart->count && i < chart->panels[panel].count;
       i++)
    if (chart->panels[panel].series[i]->count &&
        !strcmp(chart->panels[panel].series[i]->label, label))
      return chart->panels[panel].series[i];
  printf("\nno %s in panel %zu\n", label, panel);
  CU_FAIL("no such series");
  return &none;
}

bool figure_ends_in(const struct chart *chart, const char *text) {
  char label[CHART_TEXT];
  for (size_t p = 0; p < chart->count; p++)
    for (size_t i = 0; i < chart->panels[p].count; i++)
      if (chart->panels[p].series[i]->count &&
          !strcmp(text, chart_label_text(chart, &chart->panels[p],
                                         chart->panels[p].series[i], label)))
        return true;
  for (size_t p = 0; p < chart->count; p++)
    for (size_t i = 0; i < chart->panels[p].count; i++)
      printf("\nnot %s: %s\n", text,
             chart_label_text(chart, &chart->panels[p],
                              chart->panels[p].series[i], label));
  return false;
}

bool figure_has_title(const struct chart *chart, const char *title) {
  for (size_t i = 0; i < chart->count; i++)
    if (!strcmp(chart->panels[i].title, title)) return true;
  for (size_t i = 0; i < chart->count; i++)
    printf("\nnot %s: %s\n", title, chart->panels[i].title);
  return false;
}

bool figure_is_of(const struct chart *chart, const char *of) {
  for (size_t i = 0; i < chart->count; i++)
    if (!strcmp(chart->panels[i].of, of)) return true;
  printf("\nno panel is of %s\n", of);
  return false;
}

bool figure_has_key(const struct chart *chart, const char *part) {
  for (size_t i = 0; i < chart->key_count; i++)
    if (strstr(chart->keys[i].text, part)) return true;
  return false;
}

double figure_mark(const struct chart_panel *panel, const char *name) {
  for (size_t i = 0; i < panel->mark_count; i++)
    if (!strcmp(panel->marks[i].name, name)) return panel->marks[i].at;
  return NAN;
}

double figure_y_at(const struct chart_series *series, double x) {
  for (size_t i = 0; i < series->count; i++)
    if (fabs(series->points[i].x - x) < 1e-9) return series->points[i].y;
  return NAN;
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
