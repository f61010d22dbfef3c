/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/parameters.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool take_number(const char **at, uint64_t *value) {
  char *end;
  if (**at < '0' || **at > '9') return false;
  errno = 0;
  *value = strtoull(*at, &end, 10);
  if (errno) return false;
  if (*end == 'K' && *value < UINT32_MAX) {
    *value *= 1024;
    end++;
  }
  *at = end;
  return true;
}

/* The one that is named here, and where its number is. */
static const struct cpu_parameter *take_name(const char **at,
                                             const struct cpu_parameter *all) {
  for (; all->name; all++) {
    size_t length = strlen(all->name);
    if (strncmp(*at, all->name, length) != 0 || (*at)[length] != '=') continue;
    *at += length + 1;
    return all;
  }
  return NULL;
}

bool cpu_parameters_take(const char *text, const struct cpu_parameter *all) {
  uint64_t seen = 0;
  for (const char *at = text; at && *at;) {
    const struct cpu_parameter *named = take_name(&at, all);
    if (!named || seen >> (named - all) & 1) return false;
    seen |= (uint64_t)1 << (named - all);
    if (!take_number(&at, named->value)) return false;
    if (*at == ',' && at[1])
      at++;
    else if (*at)
      return false;
  }
  return true;
}
