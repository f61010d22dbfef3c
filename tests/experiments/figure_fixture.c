/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/figure_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

char *figure_script_of(const struct figure *figure,
                       const struct survey *survey) {
  char *text;
  size_t size;
  FILE *script = open_memstream(&text, &size);
  figure->draw(script, survey, PLOT_SVG);
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
