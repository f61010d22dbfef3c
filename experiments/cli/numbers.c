/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/numbers.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"

/* A factor that is as good as 1 is a typing error. */
enum { SAME_MOST = 1 << 20 };

static int refuse(int error) {
  errno = error;
  return -1;
}

int whole_number_parse(const char *text, uint64_t *value) {
  bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char *digits = hexadecimal ? text + 2 : text;
  unsigned char first = (unsigned char)*digits;
  char *end;
  if (!(hexadecimal ? isxdigit(first) : isdigit(first))) return refuse(EINVAL);
  errno = 0;
  *value = strtoull(digits, &end, hexadecimal ? 16 : 10);
  if (*end) return refuse(EINVAL);
  return errno ? -1 : 0;
}

/* base^exponent in whole numbers; 0 when it overflows. */
static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t value = 1;
  while (exponent--)
    if (__builtin_mul_overflow(value, base, &value)) return 0;
  return value;
}

/* Digits with a point or an exponent, and a power of 1024.  strtod would take
 * "inf", "nan", hexadecimal, signs and leading blanks. */
static int fraction_parse(const char *text, double *value) {
  static const char suffixes[] = "kKmMgGtT"; /* also KiB, as vat prints it */
  char *end;
  if (!*text || !strchr("0123456789.", *text) || strpbrk(text, "xXpP \t"))
    return refuse(EINVAL);
  *value = strtod(text, &end);
  const char *suffix = *end ? strchr(suffixes, *end) : NULL;
  if (end == text || (*end && (!suffix || (end[1] && strcmp(end + 1, "iB")))))
    return refuse(EINVAL);
  if (suffix) *value = ldexp(*value, 10 * ((int)(suffix - suffixes) / 2 + 1));
  return 0;
}

/* 1e6, 1.5e6, 1.5M: only what comes out whole is taken. */
static int whole_fraction_parse(const char *text, uint64_t *size) {
  double value;
  if (strpbrk(text, "+-") || fraction_parse(text, &value))
    return refuse(EINVAL);
  if (value != floor(value)) return refuse(EINVAL);
  if (value > 0x1p63) return refuse(ERANGE);
  *size = (uint64_t)value;
  return 0;
}

int size_parse(const char *text, uint64_t *size) {
  char *end;
  if (!isdigit((unsigned char)*text)) return refuse(EINVAL);
  errno = 0;
  uint64_t value = strtoull(text, &end, 10);
  if (errno) return -1;
  if (*end && *end != '^') return whole_fraction_parse(text, size);
  if (*end) {
    const char *digits = end + 1;
    uint64_t exponent = strtoull(digits, &end, 10);
    if (!isdigit((unsigned char)*digits) || *end || !value)
      return refuse(EINVAL);
    if (exponent > 64 && value > 1) exponent = 64;
    value = value == 1 ? 1 : power(value, exponent);
    if (!value) return refuse(ERANGE);
  }
  *size = value;
  return 0;
}

int real_parse(const char *text, double *value) {
  uint64_t size;
  bool minus = *text == '-';
  if (minus) text++;
  if (!size_parse(text, &size))
    *value = (double)size;
  else if (fraction_parse(text, value))
    return -1;
  if (minus) *value = -*value;
  return fabs(*value) <= 1e100 ? 0 : refuse(ERANGE);
}

/* A list while it is made: of sizes, or of real numbers. */
struct list {
  union item {
    uint64_t size;
    double number;
  } * at;
  size_t count;
  bool real, whole; /* whole: a range of real numbers is rounded */
};

static int append(struct list *list, union item item) {
  if (list->count == NUMBERS_MOST) return refuse(ERANGE);
  *ARRAY_ADD(list->at, list->count) = item;
  return 0;
}

static int append_value(struct list *list, double value) {
  union item item = {.number = value};
  if (!list->real) item.size = (uint64_t)value;
  return append(list, item);
}

/* Each is from * factor^i rounded, not the rounded one before times the factor:
 * so a range that starts later meets the same, and errors do not grow.  One
 * that is the end but for its rounding is the end. */
static int append_factors(struct list *list, double from, double to,
                          double factor) {
  double last = -1;
  for (unsigned i = 0, same = 0;; i++) {
    double value = from * pow(factor, i);
    if (fabs(value - to) < 1e-9 * to) value = to;
    if (!list->real || list->whole) value = round(value);
    if (!(value <= to) || (!list->real && value >= 0x1p64)) return 0;
    if (value == last || value < from) {
      if (same++ < SAME_MOST) continue;
      return refuse(ERANGE);
    }
    same = 0;
    last = value;
    if (append_value(list, value)) return -1;
  }
}

static int append_steps(struct list *list, union item from, union item to,
                        union item step) {
  if (!list->real) {
    for (uint64_t size = from.size;; size += step.size) {
      if (append(list, (union item){.size = size})) return -1;
      if (to.size - size < step.size) return 0;
    }
  }
  for (unsigned i = 0;; i++) {
    double value = from.number + i * step.number;
    if (fabs(value - to.number) < 1e-9 * fabs(to.number)) value = to.number;
    if (list->whole) value = round(value);
    if (value > to.number) return 0;
    if (append_value(list, value)) return -1;
  }
}

/* Of "1,000,000" one item is "000". */
static int item_parse(const struct list *list, const char *text,
                      union item *item) {
  if (*text == '0' && isdigit((unsigned char)text[1])) return refuse(EINVAL);
  return list->real ? real_parse(text, &item->number)
                    : size_parse(text, &item->size);
}

/* The "*" or "+" that is not of an exponent, as in 1e+3. */
static char *growth_in(char *text) {
  for (char *at = text; *at; at++)
    if (*at == '*' || (*at == '+' && at > text && tolower(at[-1]) != 'e'))
      return at;
  return NULL;
}

/* `dots` is where its ".." or ":" begins. */
static int range_parse(struct list *list, char *text, char *dots) {
  union item from, to, step = {.size = 1};
  bool colon = *dots == ':', steps = !colon && !list->real;
  double factor = list->real ? 2 : SIZES_FACTOR;
  char *end = dots + (colon ? 1 : 2), *growth = growth_in(end);
  *dots = '\0';
  if (growth) {
    steps = *growth == '+';
    *growth++ = '\0';
    if (steps ? item_parse(list, growth, &step) : real_parse(growth, &factor))
      return -1;
  }
  if (item_parse(list, text, &from) || item_parse(list, end, &to)) return -1;
  double first = list->real ? from.number : (double)from.size;
  double last = list->real ? to.number : (double)to.size;
  if (steps ? list->real ? !(step.number > 0) : !step.size : !(factor > 1))
    return refuse(EINVAL);
  if (!steps && first < 1e-100)
    return refuse(EINVAL); /* no factor leads away */
  if (first > last) return refuse(EDOM);
  return steps ? append_steps(list, from, to, step)
               : append_factors(list, first, last, factor);
}

/* An item of the list, which is changed. */
static int list_add(struct list *list, char *text) {
  char *dots = strstr(text, "..");
  union item item;
  if (!dots) dots = strchr(text, ':');
  if (dots) return range_parse(list, text, dots);
  return item_parse(list, text, &item) ? -1 : append(list, item);
}

/* Those from `first` on, of which there are some. */
static bool is_taken(const struct list *list, size_t first, double least) {
  if (list->count == first) return false; /* none whole from 1.2 to 1.4 */
  for (size_t i = first; list->real && i < list->count; i++) {
    double number = list->at[i].number;
    if (number < least || (list->whole && number != floor(number)))
      return false;
  }
  return true;
}

static void explain(const struct list *list, const char *item, char *error,
                    size_t error_size) {
  if (!*item) item = "''";
  if (list->real)
    snprintf(
        error, error_size,
        "%s: not a %snumber in its range, or more than %d numbers; write 8192, "
        "2^13, %s32K, or a range such as 32K..32M, 4..48*2 or 4..48+4",
        item, list->whole ? "whole " : "", NUMBERS_MOST,
        list->whole ? "" : "1.5, ");
  else if (errno == EDOM)
    snprintf(error, error_size,
             "%s: an empty range: its start is above its end; write the "
             "smaller size first",
             item);
  else if (errno == ERANGE)
    snprintf(error, error_size,
             "%s: too large, or more than %d sizes; A..B takes every size; for "
             "fewer, write A..B+64 (step 64) or A:B*2 (factor 2)",
             item, NUMBERS_MOST);
  else
    snprintf(error, error_size,
             "%s: not a size; write a number such as 65536, 2^20, 1e6 or 4M, "
             "or a range such as 2^16:2^24*1.4, 1..90 or 32..1024+32",
             item);
}

static int list_parse(const char *text, double least, struct list *list,
                      char *error, size_t error_size) {
  char *copy = memory_text(text), *rest = copy, *item, shown[64] = "";
  bool bad = false;
  while (!bad && (item = strsep(&rest, ","))) {
    size_t first = list->count;
    snprintf(shown, sizeof shown, "%s", item);
    bad = list_add(list, item) ||
          (!is_taken(list, first, least) && refuse(EINVAL));
  }
  int code = errno;
  if (bad) {
    explain(list, shown, error, error_size);
    free(list->at);
    list->at = NULL;
    list->count = 0;
  }
  free(copy);
  return bad ? refuse(code) : 0;
}

static int compare(const void *a, const void *b) {
  return order_words(*(const uint64_t *)a, *(const uint64_t *)b);
}

static void sort_unique(struct sizes *sizes) {
  qsort(sizes->at, sizes->count, sizeof *sizes->at, compare);
  size_t kept = 0;
  for (size_t i = 0; i < sizes->count; i++)
    if (!kept || sizes->at[i] != sizes->at[kept - 1])
      sizes->at[kept++] = sizes->at[i];
  sizes->count = kept;
}

int sizes_range(uint64_t from, uint64_t to, double factor,
                struct sizes *sizes) {
  struct list list = {(union item *)sizes->at, sizes->count, false, false};
  int failed = append_factors(&list, (double)from, (double)to, factor);
  *sizes = (struct sizes){(uint64_t *)list.at, list.count};
  return failed;
}

int sizes_parse(const char *text, struct sizes *sizes, char *error,
                size_t error_size) {
  struct list list = {0};
  int failed = list_parse(text, 0, &list, error, error_size);
  *sizes = (struct sizes){(uint64_t *)list.at, list.count};
  if (!failed) sort_unique(sizes);
  return failed;
}

int numbers_parse(const char *text, double least, bool whole,
                  struct numbers *numbers, char *error, size_t error_size) {
  struct list list = {.real = true, .whole = whole};
  int failed = list_parse(text, least, &list, error, error_size);
  *numbers = (struct numbers){(double *)list.at, list.count};
  return failed;
}

size_t numbers_combinations(const struct numbers *lists, size_t count,
                            size_t most, size_t *beyond) {
  size_t combinations = 1;
  for (*beyond = 0; *beyond < count; ++*beyond) {
    if (lists[*beyond].count) combinations *= lists[*beyond].count;
    if (combinations > most) return 0;
  }
  return combinations;
}

void numbers_combine(const struct numbers *lists, size_t count, size_t place,
                     double *values) {
  for (size_t i = count; i-- > 0;) {
    if (!lists[i].count) continue;
    values[i] = lists[i].at[place % lists[i].count];
    place /= lists[i].count;
  }
}

const char *number_text(double value, char text[NUMBER_SIZE]) {
  bool whole = value == floor(value) && fabs(value) < 1e10;
  snprintf(text, NUMBER_SIZE, whole ? "%.0f" : "%.3g", value);
  return text;
}

/* Digits alone, up to `end`; 0: none, or more than there may be. */
static uint32_t shard_number(const char *text, char end, const char **behind) {
  uint32_t value = 0;
  while (*text >= '0' && *text <= '9' && value <= SHARDS_MAX)
    value = 10 * value + (uint32_t)(*text++ - '0');
  *behind = text + 1;
  return *text == end && value <= SHARDS_MAX ? value : 0;
}

int shard_option(void *at, const char *option, const char *text) {
  struct shard *shard = at;
  const char *rest;
  shard->index = shard_number(text, '/', &rest);
  shard->count = shard->index ? shard_number(rest, '\0', &rest) : 0;
  if (shard->index && shard->index <= shard->count) return VAT_OK;
  return fail(
      VAT_USAGE,
      "--%s: '%s' is not a part; write I/N, such as 1/8 for the first of 8, N "
      "at most %d",
      option, text, SHARDS_MAX);
}

bool shard_has(const struct shard *shard, uint64_t point) {
  return !shard->count || point % shard->count + 1 == shard->index;
}
