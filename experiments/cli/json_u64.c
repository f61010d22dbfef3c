/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/json_u64.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

json_t *json_of_u64(uint64_t value) {
  if (value <= INT64_MAX) return json_integer((json_int_t)value);
  char digits[24];
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
  return json_string(digits);
}

bool u64_of_json(const json_t *json, uint64_t *value) {
  if (json_is_integer(json)) {
    *value = (uint64_t)json_integer_value(json);
    return json_integer_value(json) >= 0;
  }
  const char *digits = json_string_value(json);
  if (!digits || !isdigit((unsigned char)*digits)) return false;
  char *end;
  errno = 0;
  *value = strtoull(digits, &end, 10);
  return !*end && !errno;
}
