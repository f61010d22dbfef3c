/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/human.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "huge_pages/page_kind.h"
#include "huge_pages/size_text.h"

const char *human_number(double value, char text[HUMAN_SIZE]) {
  double size = fabs(value);
  if (isnan(value))
    strcpy(text, "-");
  else if (size == 0)
    strcpy(text, "0");
  else if (size >= 1e7 || size < 0.0995)
    snprintf(text, HUMAN_SIZE, "%.3g", value);
  else
    snprintf(text, HUMAN_SIZE, "%.*f",
             size >= 99.95    ? 0
             : size >= 9.995  ? 1
             : size >= 0.9995 ? 2
                              : 3,
             value);
  return text;
}

int human_digits(double bound, bool leaves_out_1) {
  double off = fabs(bound - 1);
  return !leaves_out_1 || off >= 5e-3 ? 2 : off >= 5e-4 ? 3 : 4;
}

const char *human_interval(double lo, double hi, char text[HUMAN_SIZE]) {
  snprintf(text, HUMAN_SIZE, "[%.*f, %.*f]", human_digits(lo, lo > 1), lo,
           human_digits(hi, hi < 1), hi);
  return text;
}

const char *human_pages(const char *name, char text[HUMAN_SIZE]) {
  size_t bytes = hp_page_bytes(name);
  const struct hp_kind *kind = hp_kind_find(name);
  if (kind && kind->words)
    snprintf(text, HUMAN_SIZE, "%s", kind->words);
  else if (!bytes && strchr(name, '-')) /* "thp-64k" */
    snprintf(text, HUMAN_SIZE, "%.18s transparent pages",
             HP_SIZE_SHOWN(hp_kind_usual_bytes(name)));
  else
    snprintf(text, HUMAN_SIZE, "%.30s pages",
             bytes ? HP_SIZE_SHOWN(bytes) : name);
  return text;
}

void names_add(char names[NAMES_SIZE], const char *name) {
  size_t used = strlen(names);
  snprintf(names + used, NAMES_SIZE - used, "%s%s", used ? ", " : "", name);
}

const char *names_of(const void *rows, size_t row_bytes,
                     char names[NAMES_SIZE]) {
  const char *row = rows, *name;
  for (; (name = *(const char *const *)row); row += row_bytes)
    names_add(names, name);
  return names;
}
