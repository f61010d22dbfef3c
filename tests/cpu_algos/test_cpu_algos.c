/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/check.h"

extern const struct check_suite suite_algos;
extern const struct check_suite suite_apsp;
extern const struct check_suite suite_bloom;
extern const struct check_suite suite_checks;
extern const struct check_suite suite_extremes;
extern const struct check_suite suite_fft;
extern const struct check_suite suite_funnel;
extern const struct check_suite suite_given;
extern const struct check_suite suite_graph;
extern const struct check_suite suite_heap;
extern const struct check_suite suite_histogram;
extern const struct check_suite suite_hull;
extern const struct check_suite suite_keys;
extern const struct check_suite suite_list_ranking;
extern const struct check_suite suite_matmul;
extern const struct check_suite suite_matrix;
extern const struct check_suite suite_orient;
extern const struct check_suite suite_parameters;
extern const struct check_suite suite_parts;
extern const struct check_suite suite_points;
extern const struct check_suite suite_quick;
extern const struct check_suite suite_random;
extern const struct check_suite suite_searches;
extern const struct check_suite suite_shares;
extern const struct check_suite suite_shuffle;
extern const struct check_suite suite_suffix_array;
extern const struct check_suite suite_transpose;

static const struct check_suite *const suites[] = {
    &suite_random,       &suite_keys,         &suite_shuffle, &suite_heap,
    &suite_quick,        &suite_searches,     &suite_matrix,  &suite_transpose,
    &suite_matmul,       &suite_orient,       &suite_points,  &suite_hull,
    &suite_list_ranking, &suite_histogram,    &suite_fft,     &suite_graph,
    &suite_apsp,         &suite_bloom,        &suite_shares,  &suite_parameters,
    &suite_parts,        &suite_suffix_array, &suite_algos,   &suite_given,
    &suite_extremes,     &suite_checks,       &suite_funnel,  NULL,
};

int main(void) { return check_main(suites); }
