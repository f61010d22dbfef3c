/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/tmm_rows.h -- rows that the emulator counted, as programs
 * of the TMM model, for figures. */
#pragma once
#include "experiments/report/survey.h"
#include "gpu_algos/models/tmm_algo.h"

struct tmm_row {
  const struct summary *summary;
  const json_t *record;       /* of the machine that it ran on; NULL: unknown */
  double n, m, k, Z;          /* Z: words of shared memory of a block */
  struct tmm_program formula; /* of table 4.4, on the machine with that Z */
  struct tmm_program counted; /* the same with the accesses that were counted */
};

/* What the rows of a figure differ in, being as usual in all else: one size
 * alone but for TMM_BY_N. */
enum tmm_by { TMM_BY_N, TMM_BY_M, TMM_BY_Z };

enum { TMM_ROWS_MOST = 64 };

/* Of the surveys of all results files the first that has the algorithm counted,
 * or else measured: what draws its figures, once.  NULL: there is none. */
const struct survey *tmm_first_survey(const struct survey *survey,
                                      const char *algo);

/* What all results files have of the algorithm on `device`, "emu"
 * or "cuda", in ascending order of n, then m, then falling Z; of the latter no
 * accesses are known, and blocks may have any threads.  Returns how many. */
size_t tmm_rows(const struct survey *survey, const char *algo,
                const char *device, const struct tmm_machine *machine,
                enum tmm_by by, struct tmm_row rows[TMM_ROWS_MOST]);

/* "n = 256", "m = 4 n", "Z = 12 KiB". */
enum { TMM_ROW_LABEL = 32 };
const char *tmm_row_label(const struct tmm_row *row, enum tmm_by by,
                          char label[TMM_ROW_LABEL]);
/* The same as long as the block around it. */
#define TMM_LABEL(row, by) tmm_row_label((row), (by), (char[TMM_ROW_LABEL]){""})
