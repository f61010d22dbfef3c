/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/permutation.h -- a pseudorandom permutation of 0..size - 1 that is
 * computed, not stored.
 *
 * A Feistel network permutes the numbers of b bits, where 2^b is the least
 * power of two that holds `size` numbers (b >= 2).  A number that it maps
 * beyond `size` is mapped again, until it is not ("cycle walking": Black and
 * Rogaway, Ciphers with Arbitrary Finite Domains, CT-RSA 2002).  As 2^b < 2
 * size for size > 2, that takes less than two rounds on average.  The same seed
 * gives the same permutation everywhere.  Not for secrets.  Internal to vat/.
 */
#pragma once
#include <stdint.h>

/* With 8, numbers of three bits go to some places 5 % too often; with 16, less
 * than 1 %. */
enum { PERMUTATION_ROUNDS = 16 };

struct permutation {
  uint64_t size;
  unsigned high_bits, low_bits; /* the halves of a number; b together */
  uint64_t keys[PERMUTATION_ROUNDS];
};

/* `size` is 1..2^62. */
void vat_permutation_init(struct permutation *permutation, uint64_t size,
                          uint64_t seed);

/* Where `number` < size goes. */
uint64_t vat_permutation_at(const struct permutation *permutation,
                            uint64_t number);
