/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/counters/emulated.h -- what the GPU emulator counts. */
#ifndef EXPERIMENTS_COUNTERS_EMULATED_H
#define EXPERIMENTS_COUNTERS_EMULATED_H
#include "experiments/counters/counters.h"

extern const struct counter_source counters_emulated;

/* The same quantities, absent: of devices where nobody counts them. */
extern const struct counter_source counters_uncounted;
#endif
