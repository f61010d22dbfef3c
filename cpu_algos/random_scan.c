/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sum an array in the order of a stored random permutation (Jurkiewicz, PhD
 * thesis, section 2.1).  The workspace holds the array, then the permutation;
 * a run is exactly 2n accesses, n of them in order and n at random. */
#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "cpu_algos/shuffle.h"

static size_t bytes(uint64_t n) { return cpu_keys_bytes(n, 2, 0); }

static void setup(struct algo_run *run) {
  uint64_t *order = cpu_keys(run) + run->n;
  cpu_keys_sum_setup(run);
  for (uint64_t i = 0; i < run->n; i++) order[i] = i;
  cpu_shuffle(order, run->n, cpu_keys_seed(run->seed, 1));
}

static void scan(struct algo_run *run) {
  const uint64_t *keys = cpu_keys(run), *order = keys + run->n;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < run->n; i++) sum += keys[order[i]];
  run->result = sum;
}

const struct algo cpu_algo_random_scan = {
    .name = "random_scan",
    .title = "random scan",
    .summary = "sum an array in the order of a random permutation",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = setup,
    .restore = NULL,
    .run = scan,
    .check = cpu_keys_sum_check,
    .data = "keys",
    .generators = cpu_keys_generators,
};
