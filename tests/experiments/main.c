/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/check.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

int main(void) {
  static const struct check_suite *const suites[] = {
      &suite_alloc,
      &suite_bounds_24,
      &suite_calibration,
      &suite_compare_backing,
      &suite_compare_executable,
      &suite_compare_outcome,
      &suite_counters,
      &suite_counters_cpu,
      &suite_counters_ladder,
      &suite_counters_page_faults,
      &suite_counters_papi,
      &suite_counters_pmu,
      &suite_data,
      &suite_derive,
      &suite_derive_vm,
      &suite_derive_neighbours,
      &suite_window,
      &suite_doctor,
      &suite_doctor_machine,
      &suite_doctor_nobody,
      &suite_figures,
      &suite_figures_gpu,
      &suite_figures_prediction,
      &suite_figures_thesis,
      &suite_gnuplot,
      &suite_gnuplot_absent,
      &suite_html,
      &suite_interrupt,
      &suite_kernels,
      &suite_line_uses,
      &suite_list,
      &suite_model,
      &suite_plan,
      &suite_predict,
      &suite_profile,
      &suite_ratio,
      &suite_report_drawing,
      &suite_report_page,
      &suite_report_prediction,
      &suite_report_text,
      &suite_results_json,
      &suite_results_reader,
      &suite_results_writer,
      &suite_reuse,
      &suite_reuse_ahead,
      &suite_reuse_cache,
      &suite_reuse_json,
      &suite_sample_variant,
      &suite_sim,
      &suite_sim_classify,
      &suite_sim_refusals,
      &suite_sim_tlb,
      &suite_sim_tlb_streams,
      &suite_simulated,
      &suite_sizes,
      &suite_stream,
      &suite_stream_counts,
      &suite_summary,
      &suite_tc_curves,
      &suite_trace,
      &suite_transposes,
      &suite_validate,
      &suite_validate_costs,
      &suite_validate_shares,
      &suite_validate_judge,
      &suite_veb,
      &suite_what_if,
      NULL,
  };
  /* Reports keep what they simulate; nothing is taken from elsewhere. */
  struct scratch cache;
  scratch_init(&cache);
  setenv("VAT_CACHE_DIR", cache.dir, 1);
  int status = check_main(suites);
  scratch_fini(&cache);
  return status;
}
