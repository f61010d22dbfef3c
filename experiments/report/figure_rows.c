/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/figure_rows.h"

#include <math.h>
#include <string.h>

#include "experiments/report/figure_csv.h"

size_t figure_programs(const struct survey *survey) {
  return survey->program_count < FIGURE_PROGRAMS_MAX ? survey->program_count
                                                     : FIGURE_PROGRAMS_MAX;
}

bool figure_has_kind(const struct survey *survey, const char *kind,
                     figure_row_test *is_drawn) {
  for (size_t i = 0; i < survey->count; i++)
    if (is_drawn(&survey->rows[i]) && !strcmp(survey->rows[i].pages, kind))
      return true;
  return false;
}

void figure_add_rows(struct chart_series *series, const struct survey *survey,
                     size_t program, const char *kind,
                     figure_row_test *is_drawn, figure_row_value *value) {
  for (uint64_t n = 0; (n = survey_next_size(survey, program, n));) {
    const struct summary *row = survey_row(survey, program, n, kind);
    if (is_drawn(row)) chart_point(series, log2((double)n), value(row));
  }
}

void figure_write_rows(FILE *out, const struct survey *survey,
                       figure_row_test *is_drawn, const char *head,
                       void (*cells)(FILE *out, const struct summary *row)) {
  fprintf(out, "algo,device,pages,n,log2_n,%s,generator,input,alloc\n", head);
  for (size_t i = 0; i < survey->count; i++) {
    const struct summary *row = &survey->rows[i];
    if (!is_drawn(row)) continue;
    figure_csv(out, "|sssul", row->algo, row->device, row->pages, row->n,
               log2((double)row->n));
    cells(out, row);
    figure_csv(out, "sss\n", row->variant->generator, row->variant->file,
               row->variant->alloc);
  }
}
