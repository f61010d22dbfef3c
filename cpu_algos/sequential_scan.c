/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sum an array from left to right (Jurkiewicz, PhD thesis, section 2.1). */
#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/widths.h"

/*
 * One core reads memory fastest with few and wide loads: narrow ones fill the
 * processor's window before enough cache lines are under way, and so do their
 * loop's other instructions.  A KVM guest of Emerald Rapids takes 0.97 ns a key
 * for 2^27 keys one at a time, 0.67 by vectors of 16 bytes, 0.54 by 32, 0.48 by
 * 64, each with four sums or more, 0.50 with one.
 */
#if CPU_PLAIN_ACCESSES
#define UNROLL
#define MANY_SUMS
#elif defined __clang__
#define UNROLL
#define MANY_SUMS _Pragma("clang loop interleave_count(8)")
#elif defined __GNUC__
#define UNROLL    \
  __attribute__(( \
      optimize("O3", "unroll-loops", "variable-expansion-in-unroller")))
#define MANY_SUMS
#endif

CPU_EACH_WIDTH UNROLL static uint64_t sum_of(const uint64_t *keys, uint64_t n) {
  uint64_t sum = 0;
  MANY_SUMS
  for (uint64_t i = 0; i < n; i++) sum += keys[i];
  return sum;
}

static void scan(struct algo_run *run) {
  run->result = sum_of(cpu_keys(run), run->n);
}

const struct algo cpu_algo_sequential_scan = {
    .name = "sequential_scan",
    .title = "sequential scan",
    .summary = "sum an array from left to right",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = cpu_keys_array_bytes,
    .setup = cpu_keys_sum_setup,
    .restore = NULL,
    .run = scan,
    .check = cpu_keys_sum_check,
    .data = "keys",
    .generators = cpu_keys_generators,
};
