/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/ahead.h -- see ahead.c. */
#pragma once
#include "experiments/valgrind/code.h"

/* Before any of `in`, which begins with the instruction `first`, is in `out`.
 */
void vt_ahead_instrument(IRSB *out, const IRSB *in, Addr first);
