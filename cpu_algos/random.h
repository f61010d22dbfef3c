/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/random.h -- the one source of randomness: splitmix64.
 *
 * The state is a counter, so the i-th number of a seed can be had without the
 * ones before it, and the same seed gives the same numbers on every machine.
 * Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014.
 * Not for secrets.  Each struct belongs to one thread.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define CPU_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15) /* 2^64 / golden ratio */

struct cpu_random {
  uint64_t state; /* the seed, before the first number is drawn */
};

/* A bijection of 64-bit numbers that leaves no visible pattern. */
static inline uint64_t cpu_random_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* A fingerprint so far, and the next word of what it is of. */
static inline uint64_t cpu_random_fold(uint64_t print, uint64_t word) {
  return cpu_random_mix((print ^ word) + CPU_RANDOM_STEP);
}

static inline uint64_t cpu_random_next(struct cpu_random *random) {
  random->state += CPU_RANDOM_STEP;
  return cpu_random_mix(random->state);
}

/* What the i-th call (from 0) of cpu_random_next() gives after `seed`. */
static inline uint64_t cpu_random_at(uint64_t seed, uint64_t i) {
  return cpu_random_mix(seed + (i + 1) * CPU_RANDOM_STEP);
}

/*
 * Take a number of 0..m-1 (m > 0) out of the random `bits` by multiply and
 * shift, and leave in `bits` the randomness that is over.  There is neither a
 * division nor a branch, for a bias of at most m / 2^64 that no measurement
 * can see.
 */
static inline uint64_t cpu_random_take(uint64_t *bits, uint64_t m) {
  __extension__ typedef unsigned __int128 wide;
#if defined __GNUC__ && !defined __clang__
  /* Or gcc 12 keeps a loop counter m in 128 bits: 3 instructions a number. */
  __asm__("" : "+r"(m));
#endif
  wide product = (wide)*bits * m;
  *bits = (uint64_t)product;
  return (uint64_t)(product >> 64);
}

/* A number of 0..m-1, m > 0. */
static inline uint64_t cpu_random_below(struct cpu_random *random, uint64_t m) {
  uint64_t bits = cpu_random_next(random);
  return cpu_random_take(&bits, m);
}

/* Put `order` into a random order (Fisher and Yates). */
static inline void cpu_random_shuffle(struct cpu_random *random, size_t *order,
                                      size_t count) {
  for (size_t i = count; i > 1; i--) {
    size_t j = (size_t)cpu_random_below(random, i), last = order[i - 1];
    order[i - 1] = order[j];
    order[j] = last;
  }
}
