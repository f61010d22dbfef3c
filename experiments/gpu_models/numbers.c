/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/sizes.h"

/* Room doubles where the count is a power of two, or is none. */
static int append(struct numbers *numbers, double number) {
  size_t count = numbers->count;
  if (count == NUMBERS_MOST) return -1;
  if (!(count & (count - 1))) {
    double *at = realloc(numbers->at, (count ? 2 * count : 1) * sizeof *at);
    if (!at) return -1;
    numbers->at = at;
  }
  numbers->at[numbers->count++] = number;
  return 0;
}

/* Digits with a point or an exponent, and a power of 1024. */
static int parse_fraction(const char *text, double *number) {
  static const char suffixes[] = "kKmMgGtT";
  char *end;
  if (strspn(text, "0123456789.eE+-") == 0 || !strchr("0123456789.", *text))
    return -1;
  *number = strtod(text, &end);
  const char *suffix = *end ? strchr(suffixes, *end) : NULL;
  if (end == text || strpbrk(text, "xXpP") || (*end && (!suffix || end[1])))
    return -1;
  if (suffix) *number = ldexp(*number, 10 * ((int)(suffix - suffixes) / 2 + 1));
  return 0;
}

static int parse_number(const char *text, double *number) {
  uint64_t size;
  bool minus = *text == '-';
  if (minus) text++;
  if (!size_parse(text, &size))
    *number = (double)size;
  else if (parse_fraction(text, number))
    return -1;
  if (minus) *number = -*number;
  return fabs(*number) <= 1e100 ? 0 : -1;
}

/* Each is from * factor^i, so that errors do not grow; a last one that is the
 * end but for its rounding is the end.  Whole ones are rounded, each once. */
static int append_range(struct numbers *numbers, double from, double to,
                        double factor, bool whole) {
  double last = -1;
  for (int i = 0;; i++) {
    double number = from * pow(factor, i);
    if (fabs(number - to) < 1e-9 * to) number = to;
    if (whole) number = round(number);
    if (number > to) return 0;
    if (number > last && number >= from && append(numbers, number)) return -1;
    last = number;
  }
}

/* `dots` is where its ".." or ":" begins. */
static int parse_range(char *text, char *dots, bool whole,
                       struct numbers *numbers) {
  double from, to, factor = 2;
  char *end = dots + (*dots == ':' ? 1 : 2), *star = strchr(end, '*');
  *dots = '\0';
  if (star) {
    *star = '\0';
    if (parse_number(star + 1, &factor) || factor < 1.001) return -1;
  }
  if (parse_number(text, &from) || parse_number(end, &to) || from > to ||
      from < 1e-100) /* no factor leads away from 0 */
    return -1;
  return append_range(numbers, from, to, factor, whole);
}

static int parse_item(char *item, bool whole, struct numbers *numbers) {
  double number;
  char *dots = strstr(item, "..");
  if (!dots) dots = strchr(item, ':');
  if (dots) return parse_range(item, dots, whole, numbers);
  return parse_number(item, &number) || append(numbers, number) ? -1 : 0;
}

/* Those from `first` on, of which there are some. */
static bool is_taken(const struct numbers *numbers, size_t first, double least,
                     bool whole) {
  if (numbers->count == first) return false; /* none whole from 1.2 to 1.4 */
  for (size_t i = first; i < numbers->count; i++) {
    double number = numbers->at[i];
    if (number < least || (whole && number != floor(number))) return false;
  }
  return true;
}

int numbers_parse(const char *text, double least, bool whole,
                  struct numbers *numbers, char *error, size_t error_size) {
  char *copy = strdup(text), *rest = copy, *item, shown[64] = "";
  bool bad = !copy;
  *numbers = (struct numbers){0};
  while (!bad && (item = strsep(&rest, ","))) {
    size_t first = numbers->count;
    snprintf(shown, sizeof shown, "%s", item);
    bad = parse_item(item, whole, numbers) ||
          !is_taken(numbers, first, least, whole);
  }
  free(copy);
  if (!bad) return 0;
  free(numbers->at);
  *numbers = (struct numbers){0};
  snprintf(error, error_size,
           "%s: no %snumber that it takes, or over %d of them; write 8192, "
           "2^13, %s32K, or a range such as 32K..32M or 4..48*2",
           *shown ? shown : "''", whole ? "whole " : "", NUMBERS_MOST,
           whole ? "" : "1.5, ");
  return -1;
}

const char *number_text(double value, char text[NUMBER_SIZE]) {
  bool whole = value == floor(value) && fabs(value) < 1e10;
  snprintf(text, NUMBER_SIZE, whole ? "%.0f" : "%.3g", value);
  return text;
}
