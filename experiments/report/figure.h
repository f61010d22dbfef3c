/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/figure.h -- the figures of the report.
 *
 * Numbered as in Jurkiewicz's PhD thesis, whose figures they measure anew;
 * those of GPUs say whose they are.  A figure states its data twice: as CSV,
 * and as a script that draws it.
 */
#ifndef EXPERIMENTS_REPORT_FIGURE_H
#define EXPERIMENTS_REPORT_FIGURE_H
#include <stdbool.h>
#include <stdio.h>

#include "experiments/report/panels.h"
#include "experiments/report/plot.h"
#include "experiments/report/survey.h"

/* Programs a figure draws at most; more would be no figure but a wall. */
enum { FIGURE_PROGRAMS_MAX = 24 };

enum { FIGURE_DETAIL_SIZE = 1024 };

struct figure {
  const char *name; /* of its files: "fig-2.1"; no other's beginning */
  const char *title;
  const char *caption; /* what is drawn, and what to see in it */
  const char *needs;   /* what is missing where it has no data */
  bool of_gpu;         /* nobody misses it who has no GPU's results */
  /* What the caption says of these data, in sentences; NULL: nothing. */
  void (*detail)(const struct survey *survey, char text[FIGURE_DETAIL_SIZE]);
  /* Panels of lines (panels.h), in place of has_data, draw and write_csv; drawn
   * once, with the first results file that has `algo`.  NULL: it has none. */
  panels_fill *panels;
  const char *algo;
  /* NULL: there is a row that is drawn, or a panel. */
  bool (*has_data)(const struct survey *survey);
  /* Draws; only called where there are data. */
  void (*draw)(FILE *script, const struct survey *survey,
               enum plot_format format);
  /* All that is drawn as numbers, with a head.  NULL: a line a drawn row, or a
   * point of a panel. */
  void (*write_csv)(FILE *out, const struct survey *survey);

  /* For a figure of rows; others leave these out. */
  bool (*is_drawn)(const struct summary *row); /* false for NULL */
  /* A row's numbers behind log2 n in a data block, and the last columns of its
   * line in the CSV, each with a comma before it. */
  void (*point)(FILE *script, const struct summary *row);
  const char *csv_head; /* names of those columns */
  void (*csv)(FILE *out, const struct summary *row);
};

extern const struct figure *const figures[]; /* NULL-ended, reading order */
extern const struct figure figure_all_w, figure_calibrated_active,
    figure_calibrated_bloom_blastn, figure_calibrated_cache_time,
    figure_calibrated_facs, figure_calibrated_fit, figure_calibrated_functions,
    figure_calibrated_hash_random, figure_calibrated_hit_rates,
    figure_calibrated_over_blocks, figure_calibrated_over_ratio,
    figure_calibrated_over_threads, figure_calibrated_rate_lines,
    figure_calibrated_rates, figure_calibrated_schedule,
    figure_calibrated_sub_queries, figure_calibrated_tradeoff,
    figure_calibration, figure_em_complexity, figure_gpu_banks,
    figure_gpu_coalescing, figure_gpu_histogram, figure_gpu_list_ranking,
    figure_gpu_matmul, figure_hull_iterations, figure_hull_operations,
    figure_logarithms, figure_machines_pages, figure_machines_tau,
    figure_machines_time, figure_machines_virtual, figure_operation_time,
    figure_page_ratio, figure_predicted, figure_tmm_fft_latencies,
    figure_tmm_johnson_densities, figure_tmm_johnson_edges,
    figure_tmm_list_ranking, figure_tmm_matching, figure_tmm_matmul_blocks,
    figure_tmm_matmul_differences, figure_tmm_matmul_machines,
    figure_tmm_matmul_over_johnson, figure_tmm_matmul_sizes,
    figure_tmm_merge_sort, figure_transposes, figure_virtual_machine;

/* "Figure 2.1. Normalised operation time"; a title alone where the thesis has
 * no such figure. */
enum { FIGURE_TITLE_SIZE = 160 };
const char *figure_title(const struct figure *figure,
                         char title[FIGURE_TITLE_SIZE]);

/* Programs drawn: all, up to FIGURE_PROGRAMS_MAX. */
size_t figure_programs(const struct survey *survey);

/* Are there data to draw?  And, for figures of rows, any of one page kind? */
bool figure_has_data(const struct figure *figure, const struct survey *survey);
bool figure_has_kind(const struct figure *figure, const struct survey *survey,
                     const char *kind);

/* `grid`, with the machine named below its panels; for a figure of GPUs. */
struct plot_grid figure_grid(const struct plot_grid *grid,
                             const struct survey *survey);
struct plot_grid figure_gpu_grid(const struct plot_grid *grid,
                                 const struct survey *survey);

/* The x axis, rounded; both ends of y are 0. */
struct plot_range figure_x_range(const struct figure *figure,
                                 const struct survey *survey);

/* A text in quotes, whatever the text: as the first of a line, and behind a
 * comma; and a comma and a number, or nothing behind it where it is not finite.
 */
void figure_csv_first(FILE *out, const char *text);
void figure_csv_text(FILE *out, const char *text);
void figure_csv_number(FILE *out, double number);

/* Only called where there are data. */
void figure_draw(const struct figure *figure, FILE *script,
                 const struct survey *survey, enum plot_format format);

/* A data block $dP_K for each program P and page kind K. */
void figure_write_data(const struct figure *figure, FILE *script,
                       const struct survey *survey);
void figure_write_csv(const struct figure *figure, FILE *out,
                      const struct survey *survey);
#endif
