/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cache-oblivious sorting (Jurkiewicz, PhD thesis, section 2.5): merge the
 * sorted segments of the keys by a funnel, which reads each block of memory
 * seldom on caches of all sizes that hold more blocks than these have keys. */
#include <string.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/funnel.h"
#include "cpu_algos/keys.h"

/* The workspace: the keys, as many words, and the funnel. */
static uint64_t funnel_words(uint64_t n) {
  return n > CPU_FUNNEL_CUTOFF ? cpu_funnel_words(cpu_funnel_height(n)) : 0;
}

static size_t bytes(uint64_t n) {
  uint64_t words;
  if (__builtin_mul_overflow(n, 2, &words) ||
      __builtin_add_overflow(words, funnel_words(n), &words))
    return 0;
  return cpu_keys_bytes(words, 1, 0);
}

static void restore(struct algo_run *run) {
  cpu_keys_restore(run);
  memset(cpu_keys(run) + run->n, 0, bytes(run->n) - run->n * sizeof(uint64_t));
}

static void setup(struct algo_run *run) {
  restore(run);
  cpu_keys_fingerprint(cpu_keys(run), run->n, run->fingerprint);
}

static void funnelsort(struct algo_run *run) {
  cpu_funnel_sort(cpu_keys(run), run->n);
}

static const char *check(const struct algo_run *run) {
  return cpu_keys_unsorted(run, cpu_keys(run));
}

const struct algo cpu_algo_funnelsort = {
    .name = "funnelsort",
    .title = "lazy funnelsort",
    .summary = "sort an array by merging n^(1/3) segments, cache-obliviously",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = funnelsort,
    .check = check,
    .data = "keys",
    .generators = cpu_keys_generators,
    .answer = cpu_keys_answer,
};
