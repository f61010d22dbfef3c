/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suites of tests/experiments: declared here, listed in main.c. */
#pragma once
#include "tests/check.h"

extern const struct check_suite suite_alloc, suite_applications,
    suite_applications_live, suite_bounds_24, suite_root_files;
extern const struct check_suite suite_calibration, suite_calibration_curve,
    suite_coalescing, suite_derive, suite_kernels;
extern const struct check_suite suite_derive_vm, suite_derive_neighbours;
extern const struct check_suite suite_validate_shares, suite_mosaics;
extern const struct check_suite suite_compare_backing, suite_compare_outcome,
    suite_compare_child, suite_compare_executable;
extern const struct check_suite suite_counters;
extern const struct check_suite suite_counters_cpu;
extern const struct check_suite suite_counters_ladder;
extern const struct check_suite suite_counters_page_faults;
extern const struct check_suite suite_counters_papi;
extern const struct check_suite suite_counters_pmu;
extern const struct check_suite suite_data, suite_data_2bit, suite_data_dna;
extern const struct check_suite suite_doctor;
extern const struct check_suite suite_doctor_machine;
extern const struct check_suite suite_doctor_nobody;
extern const struct check_suite suite_chart, suite_figures, suite_figures_gpu,
    suite_figures_hull, suite_figures_machines, suite_figures_prediction,
    suite_figures_thesis, suite_figures_tmm, suite_figures_calibrated,
    suite_figures_filter, suite_report_prediction;
extern const struct check_suite suite_gnuplot, suite_gnuplot_absent, suite_html;
extern const struct check_suite suite_callers, suite_exec_rules, suite_look,
    suite_line_uses, suite_page_plan;
extern const struct check_suite suite_list, suite_merge, suite_model,
    suite_model_bloom, suite_model_sheets, suite_model_tmm, suite_numbers;
extern const struct check_suite suite_interrupt, suite_plan, suite_sizes;
extern const struct check_suite suite_other_file, suite_predict,
    suite_bounds_within, suite_printed;
extern const struct check_suite suite_pages_facts, suite_pages_reasons,
    suite_process_pages;
extern const struct check_suite suite_profile, suite_profile_heat;
extern const struct check_suite suite_perf_line, suite_samples;
extern const struct check_suite suite_ratio, suite_run_ratios,
    suite_report_drawing, suite_report_page;
extern const struct check_suite suite_report_text, suite_report_what_if,
    suite_summary;
extern const struct check_suite suite_random_bounds, suite_recorded;
extern const struct check_suite suite_results_json, suite_results_reader;
extern const struct check_suite suite_results_writer, suite_trace;
extern const struct check_suite suite_memory;
extern const struct check_suite suite_reuse_ahead;
extern const struct check_suite suite_reuse, suite_reuse_cache,
    suite_reuse_json;
extern const struct check_suite suite_pieces, suite_sample_variant,
    suite_segmented;
extern const struct check_suite suite_sim_classify, suite_sim_layout,
    suite_sim_tlb;
extern const struct check_suite suite_assumptions, suite_cost_bounds,
    suite_sim_cost;
extern const struct check_suite suite_sim_parallel, suite_sim_table,
    suite_sim_tlb_streams;
extern const struct check_suite suite_sim, suite_sim_refusals, suite_stream;
extern const struct check_suite suite_simulated, suite_transposes, suite_veb;
extern const struct check_suite suite_virtual_machines;
extern const struct check_suite suite_simulated, suite_transposes, suite_thesis,
    suite_veb;
extern const struct check_suite suite_spelling, suite_standing,
    suite_stream_counts, suite_tc_curves;
extern const struct check_suite suite_tmm_counts, suite_tmm_request;
extern const struct check_suite suite_progress, suite_text_table, suite_utf8,
    suite_validate, suite_validate_costs;
extern const struct check_suite suite_validate_judge, suite_what_if,
    suite_what_if_measured, suite_what_if_fault_time, suite_what_if_sizes,
    suite_chooser, suite_priced_chooser, suite_candidates, suite_heat_pieces,
    suite_small_blocks, suite_planning, suite_frame_names, suite_plan_costs,
    suite_plan_touches, suite_plan_ways, suite_costs_by_hand,
    suite_mosaics_figure, suite_plan_figure, suite_options, suite_overlap,
    suite_walk_costs, suite_whole_number;
