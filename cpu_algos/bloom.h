/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/bloom.h -- a Bloom filter of 64-bit keys (Bloom: Space/time
 * trade-offs in hash coding with allowable errors, CACM 13(7), 1970).
 *
 * One absent key in a hundred is to be taken for present: that takes
 * ln 100 / (ln 2)^2 = 9.59 bits a key and 9.59 ln 2 = 7 hash functions.  The
 * functions are sums of two hashes (Kirsch, Mitzenmacher: Less hashing, same
 * performance, ESA 2006).
 */
#pragma once
#include <stdint.h>

#include "cpu_algos/random.h"

enum { CPU_BLOOM_HASHES = 7 };

/* Bits of a filter for n keys: a multiple of 64 and not 0; 0: too many. */
uint64_t cpu_bloom_bits(uint64_t n);

struct cpu_bloom_hash {
  uint64_t first, step;
};

static inline struct cpu_bloom_hash cpu_bloom_hash_of(uint64_t key) {
  struct cpu_bloom_hash hash;
  hash.first = cpu_random_mix(key + CPU_RANDOM_STEP);
  hash.step = cpu_random_mix(hash.first + CPU_RANDOM_STEP) | 1;
  return hash;
}

/* The place of hash function `number` among so many bits. */
static inline uint64_t cpu_bloom_place(const struct cpu_bloom_hash *hash,
                                       unsigned number, uint64_t bits) {
  uint64_t random = hash->first + number * hash->step;
  return cpu_random_take(&random, bits);
}

/* Set the bits of n keys; bit b is bit b % 64 of words[b / 64]. */
void cpu_bloom_insert(uint64_t *words, uint64_t bits, const uint64_t *keys,
                      uint64_t n);

/* How many of n keys have all their bits set. */
uint64_t cpu_bloom_count(const uint64_t *words, uint64_t bits,
                         const uint64_t *keys, uint64_t n);
