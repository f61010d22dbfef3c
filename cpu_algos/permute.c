/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Permute the elements of an array at random (Jurkiewicz, PhD thesis, section
 * 2.1): two accesses a step, one of them to a random place. */
#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "cpu_algos/shuffle.h"

static uint64_t coin_seed(const struct algo_run *run) {
  return cpu_keys_seed(run->seed, 1);
}

/* Each key times a weight of its place: tells one order from another. */
static uint64_t weight(uint64_t place) {
  return cpu_random_mix(place + CPU_RANDOM_STEP) | 1;
}

/*
 * The order that is to come is known without permuting any key: weights, one a
 * place, are carried back to where the keys of those places start from.
 */
static void setup(struct algo_run *run) {
  uint64_t *keys = cpu_keys(run), order[2] = {0, 0};
  struct cpu_keys_source source = cpu_keys_source_of(run);
  for (uint64_t i = 0; i < run->n; i++) keys[i] = weight(i);
  cpu_unshuffle(keys, run->n, coin_seed(run));
  for (uint64_t i = 0; i < run->n; i++) {
    uint64_t key = cpu_keys_from(&source, i);
    order[0] += key * keys[i];
    order[1] += (key ^ (key >> 32)) * keys[i];
  }
  run->fingerprint[0] = order[0];
  run->fingerprint[1] = order[1];
  cpu_keys_restore(run);
}

static void permute(struct algo_run *run) {
  cpu_shuffle(cpu_keys(run), run->n, coin_seed(run));
}

static const char *check(const struct algo_run *run) {
  const uint64_t *keys = cpu_keys(run);
  uint64_t order[2] = {0, 0};
  for (uint64_t i = 0; i < run->n; i++) {
    order[0] += keys[i] * weight(i);
    order[1] += (keys[i] ^ (keys[i] >> 32)) * weight(i);
  }
  if (order[0] != run->fingerprint[0] || order[1] != run->fingerprint[1])
    return "the keys are not in the order of the seed's permutation";
  return NULL;
}

const struct algo cpu_algo_permute = {
    .name = "permute",
    .title = "permute",
    .summary = "put the elements of an array into random order",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = cpu_keys_array_bytes,
    .setup = setup,
    .restore = cpu_keys_restore,
    .run = permute,
    .check = check,
    .data = "keys",
    .generators = cpu_keys_generators,
    .answer = cpu_keys_answer,
};
