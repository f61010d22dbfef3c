/* SPDX-License-Identifier: BSD-2-Clause */
/* Each round adds (xor) a function of one half of the number to the other half,
 * so it has an inverse: itself.  Hence the network is a bijection of b bits.
 * Walking its cycle from a number < size comes back to such a number, at the
 * latest to the first.  Two numbers cannot arrive at the same one: the walk
 * backwards from there meets one number < size first. */
#include "vat/permutation.h"

/* splitmix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number
 * Generators, OOPSLA 2014): its output function. */
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

void vat_permutation_init(struct permutation *permutation, uint64_t size,
                          uint64_t seed) {
  unsigned bits = 2;
  while (bits < 64 && UINT64_C(1) << bits < size) bits++;
  *permutation = (struct permutation){
      .size = size, .high_bits = bits / 2, .low_bits = bits - bits / 2};
  for (unsigned i = 0; i < PERMUTATION_ROUNDS; i++)
    permutation->keys[i] = mix(seed += UINT64_C(0x9e3779b97f4a7c15));
}

static uint64_t pass(const struct permutation *p, uint64_t number) {
  uint64_t low_mask = (UINT64_C(1) << p->low_bits) - 1;
  uint64_t high_mask = (UINT64_C(1) << p->high_bits) - 1;
  uint64_t low = number & low_mask, high = number >> p->low_bits;
  for (unsigned i = 0; i < PERMUTATION_ROUNDS; i += 2) {
    high ^= mix(p->keys[i] + low) & high_mask;
    low ^= mix(p->keys[i + 1] + high) & low_mask;
  }
  return high << p->low_bits | low;
}

uint64_t vat_permutation_at(const struct permutation *permutation,
                            uint64_t number) {
  do number = pass(permutation, number);
  while (number >= permutation->size);
  return number;
}
