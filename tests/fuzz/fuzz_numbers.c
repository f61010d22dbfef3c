/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A libFuzzer target for lists of numbers on command lines; run.sh builds and
 * runs it.  What it accepts has to be numbers that models take, and what it
 * rejects must say why. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/numbers.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  struct numbers numbers;
  char error[256] = "", *text = malloc(count + 1);
  if (!text) abort();
  memcpy(text, bytes, count);
  text[count] = '\0';
  bool whole = count % 2;
  if (numbers_parse(text, -4, whole, &numbers, error, sizeof error)) {
    if (!*error || numbers.at || numbers.count) abort();
  } else if (!numbers.count || numbers.count > NUMBERS_MOST) {
    abort();
  }
  for (size_t i = 0; i < numbers.count; i++)
    if (!(numbers.at[i] >= -4) || isinf(numbers.at[i]) ||
        (whole && numbers.at[i] != floor(numbers.at[i])))
      abort();
  free(numbers.at);
  free(text);
  return 0;
}
