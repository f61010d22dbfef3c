/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/check.h"
#include "tests/experiments/suites.h"

int main(void) {
  static const struct check_suite *const suites[] = {
      &suite_interrupt,
      &suite_plan,
      &suite_sizes,
      NULL,
  };
  return check_main(suites);
}
