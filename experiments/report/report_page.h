/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report_page.h -- index.html, section by section. */
#ifndef EXPERIMENTS_REPORT_REPORT_PAGE_H
#define EXPERIMENTS_REPORT_REPORT_PAGE_H
#include <stdio.h>

#include "experiments/report/survey.h"
#include "experiments/results/results.h"

enum {
  REPORT_FIGURES_MAX = 64,
  REPORT_SUFFIX_SIZE = 24,
  REPORT_MACHINE_SIZE = 224
};

/* What one results file contributes. */
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

void report_page(FILE *page, const struct report_part *parts, size_t count);

/* The machine as a card of terms and values. */
void report_machine(FILE *page, const json_t *machine);
/* Its name in a heading: the processor. */
const char *report_machine_name(const json_t *machine);
/* And what it is: "AMD EPYC, a KVM guest". */
void report_machine_title(const json_t *machine,
                          char title[REPORT_MACHINE_SIZE]);
/*
 * Those that times are of: that one, and the GPU where any are of one.
 * `of_gpu`: of figures of GPUs, what was measured and counted in this survey or
 * in the one beside it: "NVIDIA H100; emulator on AMD EPYC".
 */
void report_machine_titles(const struct survey *survey, bool of_gpu,
                           char titles[REPORT_MACHINE_SIZE]);

/* List items on what is absent, and why: counters, page kinds, samples; of a
 * part that is alone also the figures. */
void report_notes(FILE *page, const struct report_part *part, bool alone);
/* List items on the figures that none of the parts has; false: there is none.
 */
bool report_not_drawn(FILE *page, const struct report_part *parts,
                      size_t count);
#endif
