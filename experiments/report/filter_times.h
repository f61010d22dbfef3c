/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/filter_times.h -- what runs of bloom_blastn with several k
 * and n_sub took on a GPU, and executed in the emulator. */
#pragma once
#include "experiments/report/survey.h"

enum filter_device { FILTER_EMULATED, FILTER_MEASURED };

struct filter_time {
  const struct summary *row;
  double k, bits, n_sub;
  double subs; /* Q_s / n_sub */
  double
      work; /* f_app = k n Q_s / n_sub, of the w-mers of the database (5.20) */
  double cost; /* milliseconds; of the emulator, a million warp instructions */
};

enum { FILTER_TIMES_MOST = 256 };

/* Those of all results files on one input, that of the first of them; by k,
 * then n_sub.  Of which file that is; NULL: there is none. */
const struct survey *filter_times(const struct survey *survey,
                                  enum filter_device device,
                                  struct filter_time times[FILTER_TIMES_MOST],
                                  size_t *count);

/* Seconds on the GTX 480 of section 5.2.3 of Ma, PhD thesis 2014: 5e7 letters
 * against 2.5e8, of which 300000 a second at k = 6 and n_sub = 50000, and a0 =
 * 10 s. */
double filter_gtx480_seconds(double k, double n_sub);
#define FILTER_GTX480_QUERY 2.5e8
