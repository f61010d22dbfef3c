/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report_part.h -- what one results file contributes. */
#pragma once
#include "experiments/report/report_machine.h"
#include "experiments/report/survey.h"
#include "experiments/results/results.h"

enum { REPORT_FIGURES_MAX = 64, REPORT_SUFFIX_SIZE = 24 };

struct report_part {
  const char *path;
  const struct results *results;
  struct summary *rows;
  size_t row_count;
  struct survey survey;
  char suffix[REPORT_SUFFIX_SIZE]; /* of its files: "" or "-2" */
  /* For figures and captions, and for those of GPUs. */
  char machine[REPORT_MACHINE_SIZE], gpu_machine[REPORT_MACHINE_SIZE];
  char *svg[REPORT_FIGURES_MAX]; /* NULL where a figure has no data */
};
