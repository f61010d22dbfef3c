/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/human.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/results/sample_json.h"

const char *human_bytes(double bytes, char text[HUMAN_SIZE]) {
  static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                      "TiB", "PiB", "EiB"};
  size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
    bytes /= 1024;
  snprintf(text, HUMAN_SIZE, "%.3g %s", bytes, units[unit]);
  return text;
}

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

const char *human_pages(const char *kind, char text[HUMAN_SIZE]) {
  char size[HUMAN_SIZE];
  size_t bytes = sample_page_bytes(kind);
  if (!strcmp(kind, "thp"))
    strcpy(text, "transparent huge pages");
  else
    snprintf(text, HUMAN_SIZE, "%.30s pages",
             bytes ? human_bytes((double)bytes, size) : kind);
  return text;
}
