/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/model/tmm/numbers.h -- lists of numbers as people type them,
 * which need not be whole.
 *
 * A number is a size as sizes.h has it, or a decimal fraction such as 10.67,
 * with K, M, G, T behind it or not.  A range is FROM..TO, which doubles, or
 * FROM..TO*FACTOR, or the same with a colon; a list has commas between.
 */
#ifndef EXPERIMENTS_MODEL_TMM_NUMBERS_H
#define EXPERIMENTS_MODEL_TMM_NUMBERS_H
#include <stddef.h>

struct numbers {
  double *at; /* more than 0, in the order typed; free() it */
  size_t count;
};

enum { NUMBERS_MOST = 10000 };

/* Returns 0, or -1 and `error`, a sentence. */
int numbers_parse(const char *text, struct numbers *numbers, char *error,
                  size_t error_size);
#endif
