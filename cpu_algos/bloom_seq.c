/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Insert n keys into a Bloom filter, then look n up, half of them absent. */
#include <string.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/bloom.h"
#include "cpu_algos/keys.h"

/* In 128ths, rounded up, so that it needs no floating point. */
enum { BITS_128 = 1227 };

uint64_t cpu_bloom_bits(uint64_t n) {
  if (n > UINT64_MAX / BITS_128 - 64) return 0;
  return (n * BITS_128 / 128 / 64 + 1) * 64;
}

void cpu_bloom_insert(uint64_t *words, uint64_t bits, const uint64_t *keys,
                      uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    struct cpu_bloom_hash hash = cpu_bloom_hash_of(keys[i]);
    for (unsigned number = 0; number < CPU_BLOOM_HASHES; number++) {
      uint64_t place = cpu_bloom_place(&hash, number, bits);
      words[place / 64] |= UINT64_C(1) << place % 64;
    }
  }
}

uint64_t cpu_bloom_count(const uint64_t *words, uint64_t bits,
                         const uint64_t *keys, uint64_t n) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < n; i++) {
    struct cpu_bloom_hash hash = cpu_bloom_hash_of(keys[i]);
    unsigned number = 0;
    for (; number < CPU_BLOOM_HASHES; number++) {
      uint64_t place = cpu_bloom_place(&hash, number, bits);
      if (!(words[place / 64] >> place % 64 & 1)) break;
    }
    count += number == CPU_BLOOM_HASHES;
  }
  return count;
}

/* The workspace: the filter, the keys, those looked up. */
static uint64_t words_of(uint64_t n) { return cpu_bloom_bits(n) / 64; }

static uint64_t *keys_of(const struct algo_run *run) {
  return cpu_keys(run) + words_of(run->n);
}

static size_t bytes(uint64_t n) {
  uint64_t filter = words_of(n) * sizeof(uint64_t), bytes;
  size_t keys = cpu_keys_bytes(n, 2, 0);
  if (!filter || !keys || __builtin_add_overflow(filter, keys, &bytes) ||
      bytes > SIZE_MAX)
    return 0;
  return (size_t)bytes;
}

static void restore(struct algo_run *run) {
  memset(run->memory, 0, words_of(run->n) * sizeof(uint64_t));
}

/* Which words there are, in which places. */
static uint64_t print_of(const struct algo_run *run) {
  uint64_t print = 0;
  for (uint64_t i = 0; i < words_of(run->n); i++)
    print += cpu_random_mix(cpu_keys(run)[i] + CPU_RANDOM_STEP) *
             (cpu_random_mix(i) | 1);
  return print;
}

/* One hash function after the other, and the keys from last to first: what is
 * to come, made by other loops than those that are measured. */
static void expect(struct algo_run *run) {
  const uint64_t n = run->n, bits = cpu_bloom_bits(n);
  uint64_t *words = cpu_keys(run), *keys = keys_of(run), absent = 0;
  restore(run);
  for (unsigned number = 0; number < CPU_BLOOM_HASHES; number++)
    for (uint64_t i = n; i-- > 0;) {
      struct cpu_bloom_hash hash = cpu_bloom_hash_of(keys[i]);
      uint64_t place = cpu_bloom_place(&hash, number, bits), bit = place & 63;
      words[(place - bit) / 64] |= UINT64_C(1) << bit;
    }
  for (uint64_t i = n; i-- > 0;) {
    struct cpu_bloom_hash hash = cpu_bloom_hash_of(keys[n + i]);
    uint64_t all = 1;
    for (unsigned number = CPU_BLOOM_HASHES; number-- > 0;) {
      uint64_t place = cpu_bloom_place(&hash, number, bits);
      all &= words[place >> 6] >> (place & 63);
    }
    absent += !all;
  }
  cpu_keys_expect(run, n - absent);
  run->fingerprint[1] = print_of(run);
}

/* Every other key looked up is one of those inserted. */
static void setup(struct algo_run *run) {
  const uint64_t n = run->n;
  struct cpu_random random = {cpu_keys_seed(run->seed, 1)};
  uint64_t *keys = keys_of(run);
  cpu_keys_fill(keys, n, run->seed);
  for (uint64_t i = 0; i < n; i++)
    keys[n + i] =
        i % 2 ? cpu_random_next(&random) : keys[cpu_random_below(&random, n)];
  expect(run);
  restore(run);
}

static void insert_and_count(struct algo_run *run) {
  const uint64_t n = run->n, bits = cpu_bloom_bits(n);
  const uint64_t *keys = keys_of(run);
  cpu_bloom_insert(cpu_keys(run), bits, keys, n);
  run->result = cpu_bloom_count(cpu_keys(run), bits, keys + n, n);
}

static const char *check(const struct algo_run *run) {
  if (print_of(run) != run->fingerprint[1])
    return "the filter's bits are not those of the keys";
  if (run->result != run->fingerprint[0])
    return "other keys were found than have all their bits in the filter";
  return NULL;
}

const struct algo cpu_algo_bloom_seq = {
    .name = "bloom_seq",
    .title = "Bloom filter",
    .summary = "insert n keys into a Bloom filter, look n up",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = insert_and_count,
    .check = check,
};
