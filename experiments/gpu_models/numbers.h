/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/numbers.h -- lists of numbers as people type them,
 * which need not be whole.
 *
 * A number is a size as sizes.h has it, or a decimal fraction such as 10.67,
 * with K, M, G, T behind it or not, and a minus before it.  A range is
 * FROM..TO, which doubles, or FROM..TO*FACTOR, or the same with a colon; a list
 * has commas between.
 */
#ifndef EXPERIMENTS_GPU_MODELS_NUMBERS_H
#define EXPERIMENTS_GPU_MODELS_NUMBERS_H
#include <stdbool.h>
#include <stddef.h>

struct numbers {
  double *at; /* in the order typed; free() it */
  size_t count;
};

enum { NUMBERS_MOST = 10000 };

/* None of them below `least`.  `whole`: those of a range are rounded, as sizes
 * are, and others have to be.  Returns 0, or -1 and `error`, a sentence. */
int numbers_parse(const char *text, double least, bool whole,
                  struct numbers *numbers, char *error, size_t error_size);

/* "8192", "10.7", "5.5e+11": whole where it is, else three digits. */
enum { NUMBER_SIZE = 32 };
const char *number_text(double value, char text[NUMBER_SIZE]);
#endif
