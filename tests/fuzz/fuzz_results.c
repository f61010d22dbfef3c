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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  struct results results;
  struct summary *rows;
  size_t row_count;
  char path[64], error[RESULTS_ERROR_SIZE];
  int fd = memfd_create("results", MFD_CLOEXEC);
  if (fd < 0 || write(fd, bytes, count) != (ssize_t)count) abort();
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (results_read(&results, path, error)) {
    if (!*error) abort();
  } else {
    if (summaries_make(results.samples, results.count, &rows, &row_count))
      abort();
    summaries_add_simulated(rows, row_count, results.simulated,
                            results.simulated_count);
    for (size_t i = 0; i < row_count; i++)
      json_decref(summary_to_json(&rows[i]));
    free(rows);
  }
  results_fini(&results);
  close(fd);
  return 0;
}
