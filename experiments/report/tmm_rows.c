/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/tmm_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/order.h"
#include "experiments/device/device.h"
#include "experiments/gpu_models/model_counted.h"
#include "experiments/gpu_models/tmm_counted.h"
#include "gpu_algos/blocks.h"
#include "huge_pages/size_text.h"

static bool is_of(const struct summary *row, const char *algo,
                  const char *device) {
  return row->reps && row->n > 1 && !strcmp(row->algo, algo) &&
         !strcmp(row->device, device) && !*row->variant->file;
}

const struct survey *tmm_first_survey(const struct survey *survey,
                                      const char *algo) {
  static const char *const on[] = {"emu", "cuda"};
  const struct survey *of;
  for (size_t d = 0; d < 2; d++)
    for (size_t i = 0; (of = survey_at(survey, i)); i++)
      for (const struct summary *row = of->rows; row < of->end; row++)
        if (is_of(row, algo, on[d])) return of;
  return NULL;
}

static bool is_usual(const struct summary *row, enum tmm_by by) {
  const struct sample_variant *variant = row->variant;
  return (by == TMM_BY_M || !*variant->generator) &&
         (by == TMM_BY_Z || !variant->dummy_shared);
}

static const struct algo *algo_called(const char *name) {
  const struct algo *algo;
  size_t i = 0;
  while ((algo = device_any_algo(i)) && strcmp(algo->name, name)) i++;
  return algo;
}

/* False: the model has no row of it. */
static bool fill_row(const struct survey *survey, const struct summary *summary,
                     const struct tmm_machine *machine, struct tmm_row *row) {
  const struct sample_variant *variant = summary->variant;
  const struct algo *algo = algo_called(summary->algo);
  const struct tmm_algo *formula = tmm_algo_find(summary->algo);
  struct tmm_machine here = *machine;
  struct tmm_count count;
  if (!algo || !formula) return false;
  *row = (struct tmm_row){.summary = summary, .record = survey->record};
  row->Z = (GPU_SHARED_BYTES - (double)variant->dummy_shared) / 4;
  here.Z = fmin(here.Z, row->Z);
  tmm_counted_model(algo, formula,
                    *variant->generator ? variant->generator : NULL, summary->n,
                    &here, &count);
  row->n = count.n;
  row->m = count.m;
  row->k = count.k;
  row->formula = row->counted = count.program;
  row->counted.M = model_counts_accesses(summary);
  return row->n > 1 && row->Z > 0;
}

static int compare_rows(const void *left, const void *right) {
  const struct tmm_row *a = left, *b = right;
  int order = order_reals(a->n, b->n);
  if (!order) order = order_reals(a->m, b->m);
  return order ? order : order_reals(b->Z, a->Z);
}

/* Those of the size that most rows have; of such sizes, the largest. */
static size_t keep_one_size(struct tmm_row *rows, size_t count) {
  size_t first = 0, most = 0;
  for (size_t i = 0, next; i < count; i = next) {
    for (next = i; next < count && rows[next].n == rows[i].n;) next++;
    if (next - i < most) continue;
    first = i;
    most = next - i;
  }
  memmove(rows, rows + first, most * sizeof *rows);
  return most;
}

/* Is it there, on other pages of the host? */
static bool is_again(const struct tmm_row *rows, size_t count,
                     const struct summary *row) {
  for (size_t i = 0; i < count; i++)
    if (rows[i].summary->n == row->n &&
        survey_same_program(rows[i].summary, row))
      return true;
  return false;
}

/* Is it to be drawn, and not yet there? */
static bool is_taken(const struct tmm_row *rows, size_t count,
                     const struct summary *row, const char *algo,
                     const char *device, enum tmm_by by) {
  bool counted = !strcmp(device, "emu");
  return count < TMM_ROWS_MOST && is_of(row, algo, device) &&
         is_usual(row, by) && !is_again(rows, count, row) &&
         !(counted && row->variant->block_threads);
}

size_t tmm_rows(const struct survey *survey, const char *algo,
                const char *device, const struct tmm_machine *machine,
                enum tmm_by by, struct tmm_row rows[TMM_ROWS_MOST]) {
  const struct survey *of;
  size_t count = 0;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (const struct summary *row = of->rows; row < of->end; row++)
      if (is_taken(rows, count, row, algo, device, by) &&
          fill_row(of, row, machine, &rows[count]))
        count += strcmp(device, "emu") || isfinite(rows[count].counted.M);
  qsort(rows, count, sizeof *rows, compare_rows);
  return by == TMM_BY_N ? count : keep_one_size(rows, count);
}

const char *tmm_row_label(const struct tmm_row *row, enum tmm_by by,
                          char label[TMM_ROW_LABEL]) {
  if (by == TMM_BY_N)
    snprintf(label, TMM_ROW_LABEL, "n = %.0f", row->n);
  else if (by == TMM_BY_M && row->m == row->n)
    snprintf(label, TMM_ROW_LABEL, "m = n");
  else if (by == TMM_BY_M)
    snprintf(label, TMM_ROW_LABEL, "m = %.3g n", row->m / row->n);
  else
    snprintf(label, TMM_ROW_LABEL, "Z = %s",
             HP_SIZE_SHOWN((size_t)(4 * row->Z)));
  return label;
}
