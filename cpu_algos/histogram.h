/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/histogram.h -- how many of n keys fall into each bin. */
#pragma once
#include <stdint.h>

enum { CPU_HISTOGRAM_BINS = 256 };

/* counts[b]: how many keys leave b when divided by CPU_HISTOGRAM_BINS. */
void cpu_histogram(const uint32_t *keys, uint64_t n,
                   uint64_t counts[CPU_HISTOGRAM_BINS]);
