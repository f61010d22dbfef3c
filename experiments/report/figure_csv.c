/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/figure_csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>

#include "experiments/cli/utf8.h"

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
