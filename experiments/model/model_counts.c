/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/model/model_counts.h"

#include <math.h>
#include <string.h>

static double counter_of(const struct summary *row, const char *name) {
  for (size_t i = 0; i < row->counters; i++)
    if (row->counter[i].present && !strcmp(row->counter[i].name, name))
      return (double)row->counter[i].value;
  return NAN;
}

bool model_counts_of(const struct summary *row, struct gpu_counts *counts) {
  *counts = (struct gpu_counts){
      .warp_instructions = counter_of(row, "warp_instructions"),
      .arithmetic = counter_of(row, "arithmetic"),
      .accesses = counter_of(row, "accesses"),
      .lines = counter_of(row, "lines_read") + counter_of(row, "lines_written"),
      .bank_waves = counter_of(row, "bank_waves"),
      .threads = counter_of(row, "threads"),
      .thread_blocks = counter_of(row, "thread_blocks")};
  return row->reps && (isfinite(counts->accesses) || isfinite(counts->lines) ||
                       isfinite(counts->bank_waves));
}

double model_counts_accesses(const struct summary *row) {
  return counter_of(row, "lines_read") + counter_of(row, "lines_written") +
         counter_of(row, "atomic_sectors");
}
