/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/model_counts.h"

#include <math.h>
#include <string.h>

double model_counter(const struct summary *row, const char *name) {
  for (size_t i = 0; i < row->counters; i++)
    if (row->counter[i].present && !strcmp(row->counter[i].name, name))
      return (double)row->counter[i].value;
  return NAN;
}

bool model_counts_of(const struct summary *row, struct gpu_counts *counts) {
  *counts = (struct gpu_counts){
      .warp_instructions = model_counter(row, "warp_instructions"),
      .arithmetic = model_counter(row, "arithmetic"),
      .accesses = model_counter(row, "accesses"),
      .lines = model_counter(row, "lines_read") +
               model_counter(row, "lines_written"),
      .bank_waves = model_counter(row, "bank_waves"),
      .threads = model_counter(row, "threads"),
      .thread_blocks = model_counter(row, "thread_blocks")};
  return row->reps && (isfinite(counts->accesses) || isfinite(counts->lines) ||
                       isfinite(counts->bank_waves));
}

double model_counts_accesses(const struct summary *row) {
  return model_counter(row, "lines_read") +
         model_counter(row, "lines_written") +
         model_counter(row, "atomic_sectors");
}
