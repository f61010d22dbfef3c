/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/gpu_panel.h -- what models say that programs take on a
 * GPU, and what they took: lines in milliseconds.
 *
 * A panel is of one GPU.  Its lines are the MAX and SUM model of what was
 * counted while the programs ran emulated, the same by the formulas of their
 * source, and measurements.
 */
#pragma once
#include <stdio.h>

#include "experiments/report/chart.h"
#include "experiments/report/survey.h"
#include "gpu_algos/models/gpu_model.h"

/* Which programs, over what. */
struct gpu_sweep {
  const char *algo;      /* of samples */
  const char *case_name; /* of the model */
  const char *axis;
  /* Generators of the input end in the number that is x, "stride-16", and their
   * first is this one; 0: x is log2 of the size. */
  double first;
  double from, to; /* logarithms of the sizes in the source; 0: none */
  /* The case's parameters, which are as usual before, of size n at x. */
  void (*parameters)(const struct gpu_arch *arch, double n, double x,
                     double *parameters);
  bool log_time;
  bool log_parameter; /* x is no size, but its ratios count, too */
};

/*
 * The GPU of the source, then the one that was measured: what there is of
 * them, from the survey and from the one beside it, unless that one draws it.
 */
void gpu_panels_fill(const struct gpu_sweep *sweep, const struct survey *survey,
                     struct chart *chart);
void gpu_panels_write_csv(FILE *out, const struct survey *survey,
                          const struct chart *chart);
