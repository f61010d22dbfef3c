/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/figure_fixture.h"

#include <stdio.h>
#include <string.h>

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
