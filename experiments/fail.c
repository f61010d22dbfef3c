/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdio.h>

#include "experiments/command.h"

int fail(int code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("vat: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return code;
}
