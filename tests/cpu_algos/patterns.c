/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cpu_algos/patterns.h"

#include <stddef.h>

#include "cpu_algos/random.h"

static uint64_t random_key(uint64_t i, uint64_t n) {
  return cpu_random_at(n, i);
}

static uint64_t ascending(uint64_t i, uint64_t n) {
  (void)n;
  return i;
}

static uint64_t descending(uint64_t i, uint64_t n) { return n - i; }

static uint64_t equal(uint64_t i, uint64_t n) {
  (void)i;
  (void)n;
  return 42;
}

static uint64_t two_values(uint64_t i, uint64_t n) {
  return cpu_random_at(n, i) & 1 ? UINT64_MAX : 0;
}

static uint64_t few_values(uint64_t i, uint64_t n) {
  return cpu_random_at(n, i) % 5;
}

static uint64_t organ_pipe(uint64_t i, uint64_t n) {
  return i < n / 2 ? i : n - i;
}

static uint64_t sawtooth(uint64_t i, uint64_t n) { return i % (n / 7 + 1); }

static uint64_t ascending_but_last(uint64_t i, uint64_t n) {
  return i + 1 < n ? i + 1 : 0;
}

static uint64_t extremes(uint64_t i, uint64_t n) {
  (void)n;
  return i % 3 ? UINT64_MAX - i % 2 : i % 2;
}

/* Musser's sequence against the median of first, middle and last. */
static uint64_t median_killer(uint64_t i, uint64_t n) {
  uint64_t half = n / 2;
  if (i >= half) return 2 * (i - half + 1);
  return i % 2 ? half + i + (half % 2 == 0) : i + 1;
}

const struct pattern patterns[] = {
    {"random", random_key},
    {"ascending", ascending},
    {"descending", descending},
    {"equal", equal},
    {"two values", two_values},
    {"few values", few_values},
    {"organ pipe", organ_pipe},
    {"sawtooth", sawtooth},
    {"ascending but for the last", ascending_but_last},
    {"extremes", extremes},
    {"median-of-three killer", median_killer},
    {NULL, NULL},
};
