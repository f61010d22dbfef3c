/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "experiments/cli/utf8.h"
#include "experiments/report/figure.h"
#include "experiments/report/tmm_rows.h"

const struct figure *const figures[] = {
    &figure_operation_time,
    &figure_em_complexity,
    &figure_logarithms,
    &figure_page_ratio,
    &figure_virtual_machine,
    &figure_transposes,
    &figure_all_w,
    &figure_calibration,
    &figure_predicted,
    &figure_machines_time,
    &figure_machines_pages,
    &figure_machines_tau,
    &figure_machines_virtual,
    &figure_hull_operations,
    &figure_hull_iterations,
    &figure_gpu_coalescing,
    &figure_gpu_banks,
    &figure_gpu_matmul,
    &figure_gpu_list_ranking,
    &figure_gpu_histogram,
    &figure_tmm_matmul_sizes,
    &figure_tmm_johnson_densities,
    &figure_tmm_johnson_edges,
    &figure_tmm_matmul_blocks,
    &figure_tmm_matmul_differences,
    &figure_tmm_matmul_machines,
    &figure_tmm_matmul_over_johnson,
    &figure_tmm_matching,
    &figure_tmm_fft_latencies,
    &figure_tmm_merge_sort,
    &figure_tmm_list_ranking,
    &figure_calibrated_hash_random,
    &figure_calibrated_hit_rates,
    &figure_calibrated_cache_time,
    &figure_calibrated_rate_lines,
    &figure_calibrated_rates,
    &figure_calibrated_functions,
    &figure_calibrated_sub_queries,
    &figure_calibrated_bloom_blastn,
    &figure_calibrated_fit,
    &figure_calibrated_tradeoff,
    &figure_calibrated_facs,
    &figure_calibrated_schedule,
    &figure_calibrated_over_ratio,
    &figure_calibrated_over_threads,
    &figure_calibrated_over_blocks,
    &figure_calibrated_active,
    NULL,
};

const char *figure_title(const struct figure *figure,
                         char title[FIGURE_TITLE_SIZE]) {
  const char *number = figure->name + strlen("fig-");
  bool numbered = *number >= '2' && *number <= '9';
  snprintf(title, FIGURE_TITLE_SIZE, "%s%s%s%s", numbered ? "Figure " : "",
           numbered ? number : "", numbered ? ". " : "", figure->title);
  return title;
}

size_t figure_programs(const struct survey *survey) {
  return survey->program_count < FIGURE_PROGRAMS_MAX ? survey->program_count
                                                     : FIGURE_PROGRAMS_MAX;
}

struct plot_grid figure_grid(const struct plot_grid *grid,
                             const struct survey *survey) {
  struct plot_grid named = *grid;
  named.foot = survey->machine;
  return named;
}

struct plot_grid figure_gpu_grid(const struct plot_grid *grid,
                                 const struct survey *survey) {
  struct plot_grid named = figure_grid(grid, survey);
  if (survey->gpu_machine) named.foot = survey->gpu_machine;
  return named;
}

bool figure_has_data(const struct figure *figure, const struct survey *survey) {
  if (figure->has_data) return figure->has_data(survey);
  if (figure->panels)
    return tmm_first_survey(survey, figure->algo) == survey &&
           panels_any(survey, figure->panels);
  for (size_t i = 0; i < survey->count; i++)
    if (figure->is_drawn(&survey->rows[i])) return true;
  return false;
}

bool figure_has_kind(const struct figure *figure, const struct survey *survey,
                     const char *kind) {
  for (size_t i = 0; i < survey->count; i++)
    if (figure->is_drawn(&survey->rows[i]) &&
        !strcmp(survey->rows[i].pages, kind))
      return true;
  return false;
}

static double log2_n(const struct summary *row) { return log2((double)row->n); }

struct plot_range figure_x_range(const struct figure *figure,
                                 const struct survey *survey) {
  struct plot_range range = {NAN, NAN, 0, 0};
  for (size_t i = 0; i < survey->count; i++) {
    const struct summary *row = &survey->rows[i];
    if (!figure->is_drawn(row)) continue;
    range.x_lo = fmin(range.x_lo, log2_n(row));
    range.x_hi = fmax(range.x_hi, log2_n(row));
  }
  plot_round_x(&range);
  return range;
}

void figure_draw(const struct figure *figure, FILE *script,
                 const struct survey *survey, enum plot_format format) {
  if (figure->panels)
    panels_draw(script, survey, format, figure->panels);
  else
    figure->draw(script, survey, format);
}

static void write_line(const struct figure *figure, FILE *script,
                       const struct survey *survey, size_t program,
                       const char *kind) {
  for (uint64_t n = 0; (n = survey_next_size(survey, program, n));) {
    const struct summary *row = survey_row(survey, program, n, kind);
    if (!figure->is_drawn(row)) continue;
    fprintf(script, "%.5f ", log2_n(row));
    figure->point(script, row);
    fputc('\n', script);
  }
}

void figure_write_data(const struct figure *figure, FILE *script,
                       const struct survey *survey) {
  for (size_t i = 0; i < figure_programs(survey); i++) {
    for (size_t j = 0; j < survey->kind_count; j++) {
      fprintf(script, "$d%zu_%zu << END\n", i, j);
      write_line(figure, script, survey, i, survey->kinds[j]);
      fputs("END\n", script);
    }
  }
}

void figure_csv_first(FILE *out, const char *text) {
  fputc('"', out);
  while (*text) {
    if (*text == '"') fputc('"', out);
    text += utf8_print(out, text);
  }
  fputc('"', out);
}

void figure_csv_text(FILE *out, const char *text) {
  fputc(',', out);
  figure_csv_first(out, text);
}

void figure_csv_number(FILE *out, double number) {
  fputc(',', out);
  if (isfinite(number)) fprintf(out, "%.6g", number);
}

void figure_write_csv(const struct figure *figure, FILE *out,
                      const struct survey *survey) {
  if (figure->write_csv) {
    figure->write_csv(out, survey);
    return;
  }
  if (figure->panels) {
    panels_write_csv(out, survey, figure->panels);
    return;
  }
  fprintf(out, "algo,device,pages,n,log2_n,%s,generator,input,alloc\n",
          figure->csv_head);
  for (size_t i = 0; i < survey->count; i++) {
    const struct summary *row = &survey->rows[i];
    if (!figure->is_drawn(row)) continue;
    figure_csv_first(out, row->algo);
    figure_csv_text(out, row->device);
    figure_csv_text(out, row->pages);
    fprintf(out, ",%llu,%.5f", (unsigned long long)row->n, log2_n(row));
    figure->csv(out, row);
    figure_csv_text(out, row->variant->generator);
    figure_csv_text(out, row->variant->file);
    figure_csv_text(out, row->variant->alloc);
    fputc('\n', out);
  }
}
