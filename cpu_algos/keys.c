/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/keys.h"

#include <math.h>
#include <string.h>

#include "cpu_algos/random.h"

size_t cpu_keys_bytes(uint64_t n, unsigned arrays, unsigned extra) {
  uint64_t keys, bytes;
  if (__builtin_mul_overflow(n, arrays, &keys) ||
      __builtin_add_overflow(keys, extra, &keys))
    return 0;
  if (!keys) keys = 1; /* 0 bytes would read as an overflow */
  if (__builtin_mul_overflow(keys, sizeof(uint64_t), &bytes) ||
      bytes > SIZE_MAX)
    return 0;
  return (size_t)bytes;
}

size_t cpu_keys_array_bytes(uint64_t n) { return cpu_keys_bytes(n, 1, 0); }

uint64_t cpu_keys_seed(uint64_t seed, unsigned stream) {
  return cpu_random_mix(cpu_random_mix(seed) + stream);
}

void cpu_keys_fill(uint64_t *keys, uint64_t n, uint64_t seed) {
  struct cpu_random random = {seed};
  for (uint64_t i = 0; i < n; i++) keys[i] = cpu_random_next(&random);
}

/* Sums of two unrelated hashes; +1 so that a key hashed to 0 still counts. */
void cpu_keys_fingerprint(const uint64_t *keys, uint64_t n,
                          uint64_t fingerprint[2]) {
  uint64_t mixed = 0, crossed = 0;
  for (uint64_t i = 0; i < n; i++) {
    uint64_t hash = cpu_random_mix(keys[i] + CPU_RANDOM_STEP);
    mixed += hash + 1;
    crossed += hash * (hash | 1) ^ (hash >> 32);
  }
  fingerprint[0] = mixed;
  fingerprint[1] = crossed;
}

const char *cpu_keys_differ(const uint64_t *keys, uint64_t n,
                            const uint64_t fingerprint[2]) {
  uint64_t found[2];
  cpu_keys_fingerprint(keys, n, found);
  if (found[0] != fingerprint[0] || found[1] != fingerprint[1])
    return "the keys are not those of the input";
  return NULL;
}

bool cpu_keys_ascend(const uint64_t *keys, uint64_t n) {
  for (uint64_t i = 1; i < n; i++)
    if (keys[i - 1] > keys[i]) return false;
  return true;
}

static uint64_t random_key(uint64_t i, uint64_t n, uint64_t seed) {
  (void)n;
  return cpu_random_at(seed, i);
}

/* One at random of each n-th of the 64-bit range. */
static uint64_t sorted_key(uint64_t i, uint64_t n, uint64_t seed) {
  uint64_t gap = UINT64_MAX / n, bits = cpu_random_at(seed, i);
  return i * gap + cpu_random_take(&bits, gap);
}

static uint64_t reversed_key(uint64_t i, uint64_t n, uint64_t seed) {
  return sorted_key(n - 1 - i, n, seed);
}

static uint64_t equal_key(uint64_t i, uint64_t n, uint64_t seed) {
  (void)i;
  (void)n;
  return cpu_random_at(seed, 0);
}

static uint64_t few_key(uint64_t i, uint64_t n, uint64_t seed) {
  (void)n;
  return cpu_random_at(cpu_keys_seed(seed, 2), cpu_random_at(seed, i) % 16);
}

/* Musser: Introspective sorting and selection algorithms, 1997, section 3: the
 * medians of the first, middle and last key are two of the smallest, again and
 * again. */
static uint64_t killer_key(uint64_t i, uint64_t n, uint64_t seed) {
  uint64_t half = n / 4 * 2, rank = i;
  if (i < half) rank = i % 2 ? half + i - 1 : i;
  if (i >= half && i < 2 * half) rank = 2 * (i - half) + 1;
  return sorted_key(rank, n, seed);
}

const char *const cpu_keys_generators[] = {
    "random", "sorted", "reversed", "equal", "few", "killer", NULL};

struct cpu_keys_source cpu_keys_source_of(const struct algo_run *run) {
  static uint64_t (*const keys[])(uint64_t, uint64_t, uint64_t) = {
      random_key, sorted_key, reversed_key, equal_key, few_key, killer_key};
  struct cpu_keys_source source = {NULL, random_key, run->n, run->seed};
  if (run->given) source.given = run->given->items;
  for (size_t i = 0; run->generator && cpu_keys_generators[i]; i++)
    if (!strcmp(run->generator, cpu_keys_generators[i])) source.key = keys[i];
  return source;
}

void cpu_keys_input(const struct algo_run *run, uint64_t *keys) {
  struct cpu_keys_source source = cpu_keys_source_of(run);
  if (!source.given && source.key == random_key) {
    cpu_keys_fill(keys, run->n, run->seed);
    return;
  }
  for (uint64_t i = 0; i < run->n; i++) keys[i] = cpu_keys_from(&source, i);
}

void cpu_keys_restore(struct algo_run *run) {
  cpu_keys_input(run, cpu_keys(run));
}

void cpu_keys_setup(struct algo_run *run) {
  cpu_keys_restore(run);
  cpu_keys_fingerprint(cpu_keys(run), run->n, run->fingerprint);
}

const char *cpu_keys_unsorted(const struct algo_run *run,
                              const uint64_t *keys) {
  if (!cpu_keys_ascend(keys, run->n))
    return "the keys are not in ascending order";
  return cpu_keys_differ(keys, run->n, run->fingerprint);
}

void cpu_keys_answer(const struct algo_run *run, struct algo_data *answer) {
  *answer = (struct algo_data){.count = run->n, .items = cpu_keys(run)};
}

void cpu_keys_expect(struct algo_run *run, uint64_t result) {
  run->fingerprint[0] = result;
  run->fingerprint[1] = 0;
  run->result = ~result; /* a run that does nothing is found out */
}

void cpu_keys_sum_setup(struct algo_run *run) {
  uint64_t *keys = cpu_keys(run), sum = 0;
  cpu_keys_input(run, keys);
  for (uint64_t i = 0; i < run->n; i++) sum += keys[i];
  cpu_keys_expect(run, sum);
}

const char *cpu_keys_sum_check(const struct algo_run *run) {
  if (run->result == run->fingerprint[0]) return NULL;
  return "the sum is not that of the array";
}

double cpu_ops_linear(uint64_t n) { return n > 1 ? (double)n : 1.0; }

double cpu_ops_nlogn(uint64_t n) {
  return n > 1 ? (double)n * log2((double)n) : 1.0;
}
