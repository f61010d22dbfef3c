/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reverse an array in place: two scans at a time, towards each other.  An
 * example of an algorithm under study (doc/for-contributors.md). */
#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"

static void reverse(struct algo_run *run) {
  uint64_t *keys = cpu_keys(run);
  for (uint64_t i = 0, j = run->n; i + 1 < j; i++) {
    uint64_t key = keys[i];
    keys[i] = keys[--j];
    keys[j] = key;
  }
}

static const char *check(const struct algo_run *run) {
  struct cpu_keys_source source = cpu_keys_source_of(run);
  for (uint64_t i = 0; i < run->n; i++)
    if (cpu_keys(run)[i] != cpu_keys_from(&source, run->n - 1 - i))
      return "a key is not where reversing puts it";
  return NULL;
}

const struct algo cpu_algo_reverse = {
    .name = "reverse",
    .title = "reverse",
    .summary = "reverse an array in place",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = cpu_keys_array_bytes,
    .setup = cpu_keys_setup,
    .restore = cpu_keys_restore,
    .run = reverse,
    .check = check,
    .data = "keys",
    .generators = cpu_keys_generators,
    .answer = cpu_keys_answer,
};
