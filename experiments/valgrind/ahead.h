/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/ahead.h -- see ahead.c. */
#ifndef EXPERIMENTS_VALGRIND_AHEAD_H
#define EXPERIMENTS_VALGRIND_AHEAD_H
#include "experiments/valgrind/code.h"

/* Before any of `in`, which begins with the instruction `first`, is in `out`.
 */
void vt_ahead_instrument(IRSB *out, const IRSB *in, Addr first);
#endif
