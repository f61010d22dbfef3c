/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A libFuzzer target for the reader of results files; run.sh builds and runs
 * it.  What it accepts must also come through summaries, and what it rejects
 * must say why. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "experiments/results/results.h"
#include "experiments/results/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void summarize(const struct results *results) {
  struct summary *rows;
  size_t row_count;
  summaries_make(results->samples, results->count, &rows, &row_count);
  summaries_add_simulated(rows, row_count, results->simulated,
                          results->simulated_count);
  for (size_t i = 0; i < row_count; i++) json_decref(summary_to_json(&rows[i]));
  free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  struct results *machines;
  size_t machine_count;
  char path[64], error[RESULTS_ERROR_SIZE];
  int fd = memfd_create("results", MFD_CLOEXEC);
  if (fd < 0 || write(fd, bytes, count) != (ssize_t)count) abort();
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (results_read_machines(&machines, &machine_count, path, error) && !*error)
    abort();
  for (size_t i = 0; i < machine_count; i++) {
    summarize(&machines[i]);
    results_fini(&machines[i]);
  }
  free(machines);
  close(fd);
  return 0;
}
