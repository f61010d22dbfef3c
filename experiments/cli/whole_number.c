/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/whole_number.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "experiments/cli/command.h"

int whole_number_parse(const char *text, uint64_t *value) {
  bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char *digits = hexadecimal ? text + 2 : text;
  unsigned char first = (unsigned char)*digits;
  char *end;
  if (!(hexadecimal ? isxdigit(first) : isdigit(first))) goto bad;
  errno = 0;
  *value = strtoull(digits, &end, hexadecimal ? 16 : 10);
  if (!*end) return errno ? -1 : 0;
bad:
  errno = EINVAL;
  return -1;
}

uint64_t whole_number_option(const char *option, const char *text,
                             uint64_t least, uint64_t most) {
  uint64_t value;
  if (whole_number_parse(text, &value) || value < least || value > most)
    exit(fail(VAT_USAGE, "%s: '%s' is not a whole number from %llu to %llu",
              option, text, (unsigned long long)least,
              (unsigned long long)most));
  return value;
}
