/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/keys.h -- arrays of 64-bit keys: what the algorithms of this
 * folder have in common around their run.
 *
 * Everything here is untimed and goes through the array from left to right.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"

/* Bytes of `arrays` arrays of n keys and `extra` more keys (arrays + extra
 * > 0); never 0 but for overflow of size_t. */
size_t cpu_keys_bytes(uint64_t n, unsigned arrays, unsigned extra);

size_t cpu_keys_array_bytes(uint64_t n); /* of one array: algo.bytes */

/* The workspace as an array of keys. */
static inline uint64_t *cpu_keys(const struct algo_run *run) {
  return (uint64_t *)(void *)run->memory;
}

/*
 * A seed for one purpose (`stream`: any small number) out of a user's seed,
 * so that the keys and the coin flips of one run are unrelated.
 */
uint64_t cpu_keys_seed(uint64_t seed, unsigned stream);

/* Key i is the i-th number of splitmix64 after `seed`. */
void cpu_keys_fill(uint64_t *keys, uint64_t n, uint64_t seed);

/*
 * Two numbers that tell one multiset of keys from another: unchanged by any
 * reordering, changed by a lost, doubled or altered key (but for a chance of
 * about 2^-64).
 */
void cpu_keys_fingerprint(const uint64_t *keys, uint64_t n,
                          uint64_t fingerprint[2]);

/* NULL if the keys have this fingerprint, else the sentence that says no. */
const char *cpu_keys_differ(const uint64_t *keys, uint64_t n,
                            const uint64_t fingerprint[2]);
bool cpu_keys_ascend(const uint64_t *keys, uint64_t n);

/* For algo.generators: random, as cpu_keys_fill() has it; sorted and reversed,
 * spread over the 64-bit range; equal; few, which is 16 keys at random; killer,
 * which a median of the first, the middle and the last key is no good for. */
extern const char *const cpu_keys_generators[];

/* Where the keys of a run come from: data from outside, or a generator. */
struct cpu_keys_source {
  const uint64_t *given; /* NULL: none */
  uint64_t (*key)(uint64_t i, uint64_t n, uint64_t seed);
  uint64_t n, seed;
};
struct cpu_keys_source cpu_keys_source_of(const struct algo_run *run);

/* Key i < n of them. */
static inline uint64_t cpu_keys_from(const struct cpu_keys_source *source,
                                     uint64_t i) {
  return source->given ? source->given[i]
                       : source->key(i, source->n, source->seed);
}

/* All of them. */
void cpu_keys_input(const struct algo_run *run, uint64_t *keys);

/* For algo.restore and algo.setup: fill the workspace, one array of keys, with
 * the run's input; setup makes their fingerprint, too. */
void cpu_keys_restore(struct algo_run *run);
void cpu_keys_setup(struct algo_run *run);

/* For algo.check: are `keys` those of the fingerprint in ascending order? */
const char *cpu_keys_unsorted(const struct algo_run *run, const uint64_t *keys);

/* For algo.answer: the workspace, one array of keys. */
void cpu_keys_answer(const struct algo_run *run, struct algo_data *answer);

/* For algorithms whose answer is one number: `result` is what run has to leave
 * in run->result, which is set to another. */
void cpu_keys_expect(struct algo_run *run, uint64_t result);

/* For algo.setup and algo.check: the run's n keys, whose sum is the answer. */
void cpu_keys_sum_setup(struct algo_run *run);
const char *cpu_keys_sum_check(const struct algo_run *run);

/* The RAM complexities n and n log2 n, at least 1. */
double cpu_ops_linear(uint64_t n);
double cpu_ops_nlogn(uint64_t n);
