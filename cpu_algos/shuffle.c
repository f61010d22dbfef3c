/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/shuffle.h"

#include "cpu_algos/random.h"

static inline void swap(uint64_t *keys, uint64_t i, uint64_t j) {
  uint64_t key = keys[i];
  keys[i] = keys[j];
  keys[j] = key;
}

void cpu_shuffle(uint64_t *keys, uint64_t n, uint64_t seed) {
  struct cpu_random random = {seed};
  uint64_t left = n;
  for (; left >= 2; left -= 2) {
    uint64_t bits = cpu_random_next(&random);
    swap(keys, cpu_random_take(&bits, left), left - 1);
    swap(keys, cpu_random_take(&bits, left - 1), left - 2);
  }
  if (left) swap(keys, 0, 0); /* random(0..0) */
}

/* Its own draws, from last to first, so that it also checks the above. */
void cpu_unshuffle(uint64_t *keys, uint64_t n, uint64_t seed) {
  uint64_t left = n % 2 ? 3 : 2;
  for (; left <= n; left += 2) {
    uint64_t bits = cpu_random_at(seed, (n - left) / 2);
    uint64_t first = cpu_random_take(&bits, left);
    uint64_t second = cpu_random_take(&bits, left - 1);
    swap(keys, second, left - 2);
    swap(keys, first, left - 1);
  }
}
