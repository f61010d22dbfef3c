/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/vat/suites_vat.h"

int main(void) {
  static const struct check_suite *const suites[] = {
      &suite_policies,
      &suite_recency,
      &suite_trace_formats,
      &suite_trace_input,
      &suite_trace_vat,
      &suite_tree,
      NULL,
  };
  return check_main(suites);
}
