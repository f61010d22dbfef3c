/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/strings/suffixes.h -- the suffix array of a text, by libdivsufsort,
 * or, built without it, by doubling prefixes. */
#pragma once
#include <stdint.h>

/* Words that it may take for a text of so many bytes. */
uint64_t gpu_suffix_scratch(uint64_t bytes);

/* Where the suffixes of `bytes` < 2^31 unsigned bytes begin, in ascending
 * order; one that ends where another goes on is the lesser. */
void gpu_suffix_array(const unsigned char *text, uint64_t bytes,
                      uint32_t *suffixes, uint32_t *scratch);
