/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/tmm_panel.h -- lines of what the TMM model says, by its
 * formulas (dashed) and by what the emulator counted (solid), and of what was
 * measured. */
#pragma once
#include "experiments/report/chart.h"
#include "experiments/report/tmm_rows.h"

/* What of a program with T threads per core is drawn. */
typedef double tmm_quantity(const struct tmm_machine *machine,
                            const struct tmm_program *program, double threads);
tmm_quantity tmm_speedup, tmm_time; /* NAN: there cannot be so many threads */

/* Of each row its quantity over log2 T; where rows differ in n, the formula is
 * of the largest. */
void tmm_over_threads(struct chart_panel *panel, const struct survey *survey,
                      const char *algo, const struct tmm_machine *machine,
                      enum tmm_by by, tmm_quantity *quantity);
/* Its quantity over log2 m, for so many threads each. */
void tmm_over_edges(struct chart_panel *panel, const struct survey *survey,
                    const char *algo, const struct tmm_machine *machine);
/* Time of one over that of the other over log2 T, on the same graphs. */
void tmm_over_other(struct chart_panel *panel, const struct survey *survey,
                    const char *algo, const char *other,
                    const struct tmm_machine *machine);
/* Difference, or else ratio, of speed-ups with most and half as much side of
 * sub-blocks, over log2 T. */
void tmm_over_blocks(struct chart_panel *panel, const struct survey *survey,
                     const char *algo, const struct tmm_machine *machine,
                     bool ratio);
/* Time over log2 n, with as many threads as there are. */
void tmm_over_sizes(struct chart_panel *panel, const struct survey *survey,
                    const char *algo, const struct tmm_machine *machine);
/* Time over log2 L, of the smallest n and the largest. */
void tmm_over_latencies(struct chart_panel *panel, const struct survey *survey,
                        const char *algo, const struct tmm_machine *machine);
/* A line from the first point of the panel's first line on, growing as n. */
void tmm_linear(struct chart_panel *panel);

/* What was measured on a GPU, in ms: over log2 of the threads of a block, or
 * over log2 n.  `name`: with the name of the algorithm. */
void tmm_measured(struct chart_panel *panel, const struct survey *survey,
                  const char *algo, enum tmm_by by, bool over_threads,
                  bool name);
