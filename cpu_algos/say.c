/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/say.h"

#include <stdarg.h>
#include <stdio.h>

const char *cpu_say(const char *format, ...) {
  static char sentence[240];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  return sentence;
}
