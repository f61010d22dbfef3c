/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/shuffle.h -- the random permutation of a seed, and its inverse. */
#pragma once
#include <stdint.h>

/*
 * For j = n - 1 down to 0: swap keys[j] with keys[random(0..j)]
 * (Jurkiewicz, PhD thesis, section 2.1).
 *
 * A 64-bit draw serves two steps, as in libstdc++'s std::shuffle: with one
 * draw a step the generator's instructions crowd the accesses out of the
 * processor's window (a quarter slower on a KVM guest of Emerald Rapids).
 */
void cpu_shuffle(uint64_t *keys, uint64_t n, uint64_t seed);

/* Take cpu_shuffle() of the same n and seed back. */
void cpu_unshuffle(uint64_t *keys, uint64_t n, uint64_t seed);
