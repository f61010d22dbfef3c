/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/sizes.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A longer list, or one whose factor is as good as 1, is a typing error. */
enum { SIZES_MOST = 10000, SAME_MOST = 1 << 20 };

/* Room doubles where the count is a power of two, or is none. */
static int append(struct sizes *sizes, uint64_t size) {
  size_t count = sizes->count;
  if (count == SIZES_MOST) {
    errno = ERANGE;
    return -1;
  }
  if (!(count & (count - 1))) {
    uint64_t *at = realloc(sizes->at, (count ? 2 * count : 1) * sizeof *at);
    if (!at) return -1;
    sizes->at = at;
  }
  sizes->at[sizes->count++] = size;
  return 0;
}

/* base^exponent in whole numbers; 0 when it overflows. */
static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t value = 1;
  while (exponent--)
    if (__builtin_mul_overflow(value, base, &value)) return 0;
  return value;
}

static int suffix_shift(char suffix) {
  switch (suffix) {
    case 'k':
    case 'K':
      return 10;
    case 'm':
    case 'M':
      return 20;
    case 'g':
    case 'G':
      return 30;
    case 't':
    case 'T':
      return 40;
    default:
      return -1;
  }
}

/* 1e6, 1.5e6, 1.5M: only what comes out whole is taken. */
static int parse_real(const char *text, uint64_t *size) {
  char *end;
  double value = strtod(text, &end);
  int shift = *end ? suffix_shift(*end) : 0;
  if (end == text || shift < 0 || (*end && end[1])) goto bad;
  value = ldexp(value, shift);
  if (!(value >= 0) || value != floor(value)) goto bad;
  if (value > 0x1p63) {
    errno = ERANGE;
    return -1;
  }
  *size = (uint64_t)value;
  return 0;
bad:
  errno = EINVAL;
  return -1;
}

int size_parse(const char *text, uint64_t *size) {
  /* strtod would take "inf", "nan", hex, signs and leading blanks. */
  if (*text < '0' || *text > '9' || strpbrk(text, "xXpP+- \t")) {
    errno = EINVAL;
    return -1;
  }
  char *end;
  errno = 0;
  uint64_t value = strtoull(text, &end, 10);
  if (errno) return -1;
  if (*end == '^') {
    const char *digits = end + 1;
    uint64_t exponent = strtoull(digits, &end, 10);
    if (end == digits || *digits < '0' || *digits > '9' || *end || !value) {
      errno = EINVAL;
      return -1;
    }
    if (exponent > 64 && value > 1) exponent = 64;
    value = value == 1 ? 1 : power(value, exponent);
    if (!value) {
      errno = ERANGE;
      return -1;
    }
  } else if (*end) {
    return parse_real(text, size);
  }
  *size = value;
  return 0;
}

int sizes_range(uint64_t from, uint64_t to, double factor,
                struct sizes *sizes) {
  /* Each size is from * factor^i rounded, not the rounded one before times the
   * factor: so a range that starts later meets the same sizes. */
  uint64_t last = 0;
  for (unsigned i = 0, same = 0;; i++) {
    double size = round((double)from * pow(factor, i));
    if (!(size <= (double)to)) return 0;
    if ((uint64_t)size == last && same++ < SAME_MOST) continue;
    if ((uint64_t)size == last) {
      errno = ERANGE;
      return -1;
    }
    same = 0;
    last = (uint64_t)size;
    if (append(sizes, last)) return -1;
  }
}

static int parse_range(char *text, char *colon, struct sizes *sizes) {
  uint64_t from, to;
  double factor = SIZES_FACTOR;
  *colon = '\0';
  char *star = strchr(colon + 1, '*');
  if (star) {
    *star = '\0';
    char *end;
    factor = strtod(star + 1, &end);
    if (end == star + 1 || *end || !(factor > 1) || isinf(factor)) {
      errno = EINVAL;
      return -1;
    }
  }
  if (size_parse(text, &from) || size_parse(colon + 1, &to)) return -1;
  if (!from) { /* which no factor leads away from */
    errno = EINVAL;
    return -1;
  }
  if (from > to) {
    errno = EDOM;
    return -1;
  }
  return sizes_range(from, to, factor, sizes);
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void sort_unique(struct sizes *sizes) {
  qsort(sizes->at, sizes->count, sizeof *sizes->at, compare);
  size_t kept = 0;
  for (size_t i = 0; i < sizes->count; i++)
    if (!kept || sizes->at[i] != sizes->at[kept - 1])
      sizes->at[kept++] = sizes->at[i];
  sizes->count = kept;
}

static void explain(const char *item, char *error, size_t error_size) {
  if (errno == ENOMEM)
    snprintf(error, error_size, "no memory for the list of sizes");
  else if (errno == EDOM)
    snprintf(error, error_size,
             "%s: an empty range: it begins above its end; write the smaller "
             "size first",
             item);
  else if (errno == ERANGE)
    snprintf(error, error_size, "%s: too large, or too many sizes", item);
  else
    snprintf(error, error_size,
             "%s: not a size; write 65536, 2^20, 1e6, 4M, or a range "
             "FROM:TO*FACTOR like 2^16:2^24*1.4, from 1 at least",
             *item ? item : "''");
}

int sizes_parse(const char *text, struct sizes *sizes, char *error,
                size_t error_size) {
  *sizes = (struct sizes){0};
  char *copy = strdup(text), *rest = copy;
  if (!copy) {
    explain("", error, error_size);
    return -1;
  }
  while (rest) {
    char *item = strsep(&rest, ",");
    char shown[64];
    snprintf(shown, sizeof shown, "%s", item);
    char *colon = strchr(item, ':');
    uint64_t size;
    int bad = colon ? parse_range(item, colon, sizes)
                    : size_parse(item, &size) || append(sizes, size);
    if (!bad) continue;
    explain(shown, error, error_size);
    int saved = errno;
    free(sizes->at);
    free(copy);
    *sizes = (struct sizes){0};
    errno = saved;
    return -1;
  }
  free(copy);
  sort_unique(sizes);
  return 0;
}
