/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Count 32-bit keys in bins, one after the other. */
#include <string.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/histogram.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"

void cpu_histogram(const uint32_t *keys, uint64_t n,
                   uint64_t counts[CPU_HISTOGRAM_BINS]) {
  for (unsigned bin = 0; bin < CPU_HISTOGRAM_BINS; bin++) counts[bin] = 0;
  for (uint64_t i = 0; i < n; i++) counts[keys[i] % CPU_HISTOGRAM_BINS]++;
}

/* The workspace: counts, then keys. */
static uint32_t *keys_of(const struct algo_run *run) {
  return (uint32_t *)(void *)(cpu_keys(run) + CPU_HISTOGRAM_BINS);
}

/* Memory of more than PTRDIFF_MAX bytes there is none. */
static size_t bytes(uint64_t n) {
  const size_t bins = CPU_HISTOGRAM_BINS * sizeof(uint64_t);
  if (n > (PTRDIFF_MAX - bins) / sizeof(uint32_t)) return 0;
  return bins + n * sizeof(uint32_t);
}

/* Adding up one a key is adding up each bin's times its count. */
static uint64_t weight(unsigned bin) {
  return cpu_random_mix(bin + CPU_RANDOM_STEP) | 1;
}

static void restore(struct algo_run *run) {
  memset(run->memory, 0, CPU_HISTOGRAM_BINS * sizeof(uint64_t));
}

static void setup(struct algo_run *run) {
  struct cpu_random random = {run->seed};
  uint32_t *keys = keys_of(run);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < run->n; i++) {
    keys[i] = (uint32_t)(cpu_random_next(&random) >> 32);
    sum += weight(keys[i] & 255);
  }
  run->fingerprint[0] = sum;
  run->fingerprint[1] = 0;
  restore(run);
}

static void histogram(struct algo_run *run) {
  cpu_histogram(keys_of(run), run->n, cpu_keys(run));
}

static const char *check(const struct algo_run *run) {
  uint64_t sum = 0;
  for (unsigned bin = 0; bin < CPU_HISTOGRAM_BINS; bin++)
    sum += weight(bin) * cpu_keys(run)[bin];
  if (sum != run->fingerprint[0]) return "the counts are not those of the keys";
  return NULL;
}

const struct algo cpu_algo_histogram_seq = {
    .name = "histogram_seq",
    .title = "histogram",
    .summary = "count n 32-bit keys in 256 bins",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = histogram,
    .check = check,
};
