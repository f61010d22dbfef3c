/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/vat/suites_vat.h"

int main(void) {
  static const struct check_suite *const suites[] = {
      /* clang-format off */
      &suite_bounds,
      &suite_cells,
      &suite_bounds_heapsort,
      &suite_bounds_plain,
      &suite_bounds_printed,
      &suite_bounds_oblivious,
      &suite_classify,
      &suite_closed_forms,
      &suite_code_tlb,
      &suite_curves,
      &suite_extra_cells,
      &suite_extra_nodes,
      &suite_layout,
      &suite_lazy_tc,
      &suite_guest_memory,
      &suite_heapsort_sums,
      &suite_intake,
      &suite_min_steps,
      &suite_mixed_tlb,
      &suite_isp_follow,
      &suite_isp_game,
      &suite_nested,
      &suite_nested_layout,
      &suite_nested_limits,
      &suite_nested_optimal,
      &suite_nested_properties,
      &suite_one_cache,
      &suite_parallel,
      &suite_parallel_theory,
      &suite_policies,
      &suite_ranges,
      &suite_recency,
      &suite_rrmin_lis,
      &suite_table,
      &suite_theory,
      &suite_tlb,
      &suite_trace_formats,
      &suite_trace_input,
      &suite_trace_steps,
      &suite_trace_vat,
      &suite_tree,
      NULL,
      /* clang-format on */
  };
  return check_main(suites);
}
