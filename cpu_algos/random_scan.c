/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sum an array in the order of a stored random permutation (Jurkiewicz, PhD
 * thesis, section 2.1).  The workspace holds the array, then the permutation;
 * a run is exactly 2n accesses, n of them in order and n at random.
 *
 * Signs alternate, so that the sum depends on the order: in another one, as
 * from left to right, keys get other signs.  Of what tells orders apart this is
 * what costs nothing.  Weights or a rotation, one or two instructions more, let
 * fewer accesses overlap: 6.0 ns a key in place of 3.0 (with signs 3.2) for
 * 2^20 keys on a KVM guest of Zen 4. */
#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"
#include "cpu_algos/shuffle.h"

static size_t bytes(uint64_t n) { return cpu_keys_bytes(n, 2, 0); }

/* The last key counts as it is, the one before it is subtracted, ... */
static void setup(struct algo_run *run) {
  uint64_t *order = cpu_keys(run) + run->n, signs[2] = {0, 0};
  struct cpu_keys_source source = cpu_keys_source_of(run);
  cpu_keys_restore(run);
  for (uint64_t i = 0; i < run->n; i++) order[i] = i;
  cpu_shuffle(order, run->n, cpu_keys_seed(run->seed, 1));
  for (uint64_t i = 0; i < run->n; i++)
    signs[(run->n - 1 - i) % 2] += cpu_keys_from(&source, order[i]);
  cpu_keys_expect(run, signs[0] - signs[1]);
}

static void scan(struct algo_run *run) {
  const uint64_t *keys = cpu_keys(run), *order = keys + run->n;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < run->n; i++) sum = keys[order[i]] - sum;
  run->result = sum;
}

static const char *check(const struct algo_run *run) {
  if (run->result == run->fingerprint[0]) return NULL;
  return "the sum is not that of the array in the order of the permutation";
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
    .check = check,
    .data = "keys",
    .generators = cpu_keys_generators,
};
