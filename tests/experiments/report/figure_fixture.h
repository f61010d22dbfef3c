/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a figure shows, and what it writes. */
#pragma once
#include <stdbool.h>

#include "experiments/report/figure.h"

extern const struct figure figure_all_w, figure_calibrated_active,
    figure_calibrated_cache_time, figure_calibrated_facs, figure_calibrated_fit,
    figure_calibrated_functions, figure_calibrated_hash_random,
    figure_calibrated_hit_rates, figure_calibrated_over_blocks,
    figure_calibrated_over_ratio, figure_calibrated_over_threads,
    figure_calibrated_rate_lines, figure_calibrated_rates,
    figure_calibrated_schedule, figure_calibrated_sub_queries,
    figure_calibrated_tradeoff, figure_calibration, figure_em_complexity,
    figure_gpu_banks, figure_gpu_coalescing, figure_gpu_histogram,
    figure_gpu_list_ranking, figure_gpu_matmul, figure_hull_iterations,
    figure_hull_operations, figure_logarithms, figure_machines_pages,
    figure_machines_tau, figure_machines_time, figure_machines_virtual,
    figure_operation_time, figure_page_ratio, figure_page_sizes, figure_pieces,
    figure_predicted, figure_tmm_johnson_densities, figure_tmm_johnson_edges,
    figure_tmm_list_ranking, figure_tmm_matmul_blocks,
    figure_tmm_matmul_differences, figure_tmm_matmul_machines,
    figure_tmm_matmul_over_johnson, figure_tmm_matmul_sizes, figure_transposes,
    figure_virtual_machine;

/* A row of six repetitions of the usual input, "4k" being base pages; times are
 * 10 ns an operation, its ratio is none, both to be changed. */
struct summary figure_row(const char *algo, const char *pages, uint64_t n);

/* Give the row a counter. */
void figure_count(struct summary *row, const char *name, uint64_t value);

/* Of "Some machine"; release it with survey_fini(). */
struct survey figure_survey(const struct summary *rows, size_t count);

/* Within a part in 10^5; else both are printed. */
bool figure_near(double value, double expected);

/* The caller frees it with figure_chart_free(). */
struct chart *figure_chart_of(const struct figure *figure,
                              const struct survey *survey);
void figure_chart_free(struct chart *chart);

/* The text of the caption of these data, for free(). */
char *figure_detail_of(const struct figure *figure,
                       const struct survey *survey);

/* For free(). */
char *figure_csv_of(const struct figure *figure, const struct survey *survey);

/* The series of a panel that has that label; fails where there is none. */
const struct chart_series *figure_series(const struct chart *chart,
                                         size_t panel, const char *label);

/* Does any series end in a label of that text, "permute  12.0"?  Has any panel
 * that title, or that text above it?  Else they are printed. */
bool figure_ends_in(const struct chart *chart, const char *text);
bool figure_has_title(const struct chart *chart, const char *title);
bool figure_is_of(const struct chart *chart, const char *of);

/* Has the legend that line, to be found in it? */
bool figure_has_key(const struct chart *chart, const char *part);

/* Where the mark of that name is; NAN: there is none. */
double figure_mark(const struct chart_panel *panel, const char *name);

/* y of the series at x; NAN where it has none. */
double figure_y_at(const struct chart_series *series, double x);

/* y of a line at x in the CSV of panels; NAN where it is not. */
double figure_y_of(const char *csv, const char *panel, const char *line,
                   const char *axis, const char *x);

/* Does `text` have `part`?  Else both are printed. */
bool figure_text_has(const char *text, const char *part);
