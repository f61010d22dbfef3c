/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_number.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

static unsigned digit_of(char c) {
  return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                : UINT_MAX;
}

const char *profile_number(char **text, unsigned base, uint64_t *value) {
  char *at = *text;
  uint64_t sum = 0;
  bool large = false;
  while (*at == ' ') at++;
  if (*at == '-' || *at == '+') return "a number is negative";
  const char *first = at;
  for (unsigned digit; (digit = digit_of(*at)) < base; at++)
    large |= __builtin_mul_overflow(sum, base, &sum) ||
             __builtin_add_overflow(sum, digit, &sum);
  if (at == first) return "a number is missing";
  if (large) return "a number is too large";
  if (*at != ' ' && *at) return "this is no number";
  *value = sum;
  *text = at;
  return NULL;
}
