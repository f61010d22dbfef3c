/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report_page.h -- index.html, section by section. */
#pragma once
#include <stdio.h>

#include "experiments/report/pieces.h"
#include "experiments/report/report_machine.h"
#include "experiments/report/survey.h"
#include "experiments/results/results.h"

enum { REPORT_FIGURES_MAX = 64, REPORT_SUFFIX_SIZE = 24 };

/* What one results file contributes. */
struct report_part {
  const char *path;
  const struct results *results;
  struct summary *rows;
  size_t row_count;
  struct survey survey;
  struct pieces pieces;            /* of the survey */
  char suffix[REPORT_SUFFIX_SIZE]; /* of its files: "" or "-2" */
  char *svg[REPORT_FIGURES_MAX];   /* NULL where a figure has no data */
};

void report_page(FILE *page, const struct report_part *parts, size_t count);
