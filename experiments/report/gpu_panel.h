/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/gpu_panel.h -- what models say that programs take on a
 * GPU, and what they took: lines in milliseconds.
 *
 * A panel is of one GPU.  Its lines are the MAX and SUM model of what was
 * counted while the programs ran emulated, the same by the formulas of their
 * source, and measurements.
 */
#ifndef EXPERIMENTS_REPORT_GPU_PANEL_H
#define EXPERIMENTS_REPORT_GPU_PANEL_H
#include "experiments/report/plot_lines.h"
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

enum { GPU_PANEL_TITLE = 112 };

struct gpu_panel {
  char title[GPU_PANEL_TITLE];
  uint64_t n; /* of all points, where x is not its logarithm */
  struct plot_lines lines;
};

enum { GPU_PANELS = 2 };

/*
 * The GPU of the source, then the one that was measured: what there is of
 * them, from the survey and from the one beside it.  Returns how many; release
 * each with plot_lines_fini().
 */
size_t gpu_panels(const struct gpu_sweep *sweep, const struct survey *survey,
                  struct gpu_panel panels[GPU_PANELS]);

/* Is there anything, which is not drawn of the survey beside this one? */
bool gpu_panels_any(const struct gpu_sweep *sweep, const struct survey *survey);
#endif
