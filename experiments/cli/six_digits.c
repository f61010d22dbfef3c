/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/six_digits.h"

#include <stdio.h>
#include <stdlib.h>

double six_digits(double value) {
  char digits[32];
  snprintf(digits, sizeof digits, "%.6g", value);
  return strtod(digits, NULL);
}
