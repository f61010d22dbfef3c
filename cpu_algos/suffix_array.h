/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/suffix_array.h -- the suffixes of a text in ascending order. */
#pragma once
#include <stdint.h>

/* Numbers of `scratch` that a text of n bytes takes. */
uint64_t cpu_suffix_scratch(uint64_t n);

/*
 * suffixes[i] becomes where the i-th least suffix of the n < 2^32 bytes begins,
 * and ranks[suffixes[i]] = i.  Bytes are unsigned; a suffix that ends where
 * another goes on is the lesser.
 */
void cpu_suffix_array(const unsigned char *text, uint64_t n, uint32_t *suffixes,
                      uint32_t *ranks, uint32_t *scratch);
