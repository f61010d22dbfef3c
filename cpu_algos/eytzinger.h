/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/eytzinger.h -- sorted keys in the order of a binary heap.
 *
 * tree[1] is the root, the children of tree[k] are tree[2k] and tree[2k + 1],
 * and every level is full but the last, which is filled from the left: the
 * order of M. Eytzinger's pedigrees (1590).  tree[0] is no key.  A search reads
 * a prefix of the array at the top, and one new cache line a level below.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/branch.h"

/* Levels of 32 KiB. */
enum { CPU_EYTZINGER_NEAR = 12 };

struct cpu_eytzinger {
  const uint64_t *tree;
  uint64_t n;
  unsigned full; /* levels without a gap: 2^full - 1 <= n < 2^(full + 1) - 1 */
};

size_t cpu_eytzinger_bytes(uint64_t n); /* algo.bytes: n + 1 keys */

/* Lay out n keys; key(source, i) is the i-th of them in ascending order. */
void cpu_eytzinger_fill(uint64_t *tree, uint64_t n,
                        uint64_t (*key)(const void *source, uint64_t i),
                        const void *source);

/* For algo, on the keys of cpu_algos/queries.h; and the tree in run. */
void cpu_eytzinger_setup(struct algo_run *run);
size_t cpu_eytzinger_bytes_given(const struct algo_data *given);
void cpu_eytzinger_answer(const struct algo_run *run, struct algo_data *answer);
struct cpu_eytzinger cpu_eytzinger_of(const uint64_t *tree, uint64_t n);

/*
 * How many keys are less than `wanted`, where the full levels led to k, so to
 * the place of a key of the last level, or of none.
 *
 * Below the last level the gaps between keys are k = 2^(full + 1) and up, from
 * left to right, each at the end of a search; the gaps of the places without a
 * key follow, and are k = n + 1 and up.
 */
static inline uint64_t cpu_eytzinger_rank(const struct cpu_eytzinger *e,
                                          uint64_t k, uint64_t wanted) {
  uint64_t last = cpu_select_less(e->n, k, 0, k);
  uint64_t below = cpu_double_less(e->tree[last], wanted, k);
  uint64_t end = cpu_select_less(e->n, k, k + e->n + 1, below);
  return end - (UINT64_C(2) << e->full);
}

/*
 * How many keys are less than `wanted`: the position of the first that is not,
 * in ascending order.  As in binary_search, what comes from afar is branched
 * on, so that a guess half right lets the next miss start early; the
 * CPU_EYTZINGER_NEAR levels on top are always in the L1 cache.  On a KVM guest
 * of Zen 5 at 2^27 keys: 12.4 ns per operation, 12.9 with branches only, 50
 * without any; at 2^24 9.2, 9.8 and 34.
 */
static inline uint64_t cpu_eytzinger_position(const struct cpu_eytzinger *e,
                                              uint64_t wanted) {
  uint64_t k = 1;
  unsigned level = 0;
  for (; level < e->full && level < CPU_EYTZINGER_NEAR; level++)
    k = cpu_double_less(e->tree[k], wanted, k);
  for (; level < e->full; level++) {
    uint64_t child = 2 * k;
    if (e->tree[k] < wanted) {
      CPU_BRANCH();
      child++;
    }
    k = child;
  }
  return cpu_eytzinger_rank(e, k, wanted);
}

/*
 * The same by prefetching: the descendants of tree[k] in the fourth level below
 * are neighbours, two cache lines from tree[16 k], since tree[0] begins one.
 * No branch depends on a key, so searches overlap as far as the processor looks
 * ahead: the fewer instructions they have, the more.  On a KVM guest of Zen 5
 * at 2^27 keys 8.0 ns per operation; 9.8 where the CPU_EYTZINGER_NEAR levels on
 * top prefetch, too, and 10.5 with three levels and one line.
 */
static inline uint64_t cpu_eytzinger_prefetched(const struct cpu_eytzinger *e,
                                                uint64_t wanted) {
  enum { AHEAD = 3 };
  const uint64_t *tree = e->tree;
  unsigned full = e->full, level = 0;
  uint64_t k = 1;
  if (full >= CPU_EYTZINGER_NEAR) CPU_UNROLL(12)
  for (; level < CPU_EYTZINGER_NEAR; level++)
    k = cpu_double_less_at(tree + k, wanted, k);
  /* No further: an address beyond the tree would cost a page walk, too. */
  CPU_UNROLL(4)
  for (; level + AHEAD < full; level++) {
    __builtin_prefetch(tree + (k << AHEAD));
    k = cpu_double_less_at(tree + k, wanted, k);
  }
  CPU_UNROLL(4)
  for (; level < full; level++) k = cpu_double_less_at(tree + k, wanted, k);
  return cpu_eytzinger_rank(e, k, wanted);
}
