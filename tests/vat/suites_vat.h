/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suites of tests/vat: declared here, listed in main_vat.c. */
#pragma once
#include "tests/check.h"

extern const struct check_suite suite_bounds;
extern const struct check_suite suite_cells;
extern const struct check_suite suite_bounds_heapsort;
extern const struct check_suite suite_bounds_plain;
extern const struct check_suite suite_bounds_printed;
extern const struct check_suite suite_bounds_oblivious;
extern const struct check_suite suite_classify;
extern const struct check_suite suite_closed_forms;
extern const struct check_suite suite_code_tlb;
extern const struct check_suite suite_curves;
extern const struct check_suite suite_extra_cells;
extern const struct check_suite suite_extra_nodes;
extern const struct check_suite suite_layout;
extern const struct check_suite suite_lazy_tc;
extern const struct check_suite suite_guest_memory;
extern const struct check_suite suite_intake;
extern const struct check_suite suite_min_steps;
extern const struct check_suite suite_mixed_tlb;
extern const struct check_suite suite_heapsort_sums;
extern const struct check_suite suite_isp_follow;
extern const struct check_suite suite_isp_game;
extern const struct check_suite suite_nested;
extern const struct check_suite suite_nested_layout;
extern const struct check_suite suite_nested_limits;
extern const struct check_suite suite_nested_optimal;
extern const struct check_suite suite_nested_properties;
extern const struct check_suite suite_one_cache;
extern const struct check_suite suite_parallel;
extern const struct check_suite suite_parallel_theory;
extern const struct check_suite suite_policies;
extern const struct check_suite suite_ranges;
extern const struct check_suite suite_recency;
extern const struct check_suite suite_rrmin_lis;
extern const struct check_suite suite_table;
extern const struct check_suite suite_theory;
extern const struct check_suite suite_tlb;
extern const struct check_suite suite_trace_formats;
extern const struct check_suite suite_trace_input;
extern const struct check_suite suite_trace_steps;
extern const struct check_suite suite_trace_vat;
extern const struct check_suite suite_tree;
