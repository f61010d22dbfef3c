/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/check.h"
#include "tests/experiments/suites.h"

int main(void) {
  static const struct check_suite *const suites[] = {
      &suite_interrupt,
      &suite_plan,
      &suite_report_drawing,
      &suite_report_page,
      &suite_report_text,
      &suite_results_json,
      &suite_results_reader,
      &suite_results_writer,
      &suite_sizes,
      &suite_summary,
      NULL,
  };
  return check_main(suites);
}
