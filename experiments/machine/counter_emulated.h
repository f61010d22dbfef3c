/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/counter_emulated.h -- what the GPU emulator counts. */
#pragma once
#include "experiments/machine/counters.h"

extern const struct counter_source counters_emulated;

/* The same quantities, absent: of devices where nobody counts them. */
extern const struct counter_source counters_uncounted;
