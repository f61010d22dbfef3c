/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/check.h"
#include "tests/experiments/suites.h"

int main(void) {
  static const struct check_suite *const suites[] = {
      &suite_alloc,
      &suite_bounds_24,
      &suite_counters,
      &suite_counters_cpu,
      &suite_counters_ladder,
      &suite_counters_page_faults,
      &suite_counters_papi,
      &suite_counters_pmu,
      &suite_data,
      &suite_doctor,
      &suite_doctor_machine,
      &suite_doctor_nobody,
      &suite_figures,
      &suite_gnuplot,
      &suite_gnuplot_absent,
      &suite_html,
      &suite_interrupt,
      &suite_list,
      &suite_plan,
      &suite_predict,
      &suite_ratio,
      &suite_report_drawing,
      &suite_report_page,
      &suite_report_text,
      &suite_results_json,
      &suite_results_reader,
      &suite_results_writer,
      &suite_sample_variant,
      &suite_sim,
      &suite_sim_refusals,
      &suite_simulated,
      &suite_sizes,
      &suite_stream,
      &suite_stream_counts,
      &suite_summary,
      &suite_trace,
      &suite_transposes,
      &suite_veb,
      NULL,
  };
  return check_main(suites);
}
