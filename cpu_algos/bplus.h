/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/bplus.h -- sorted keys under an implicit static B+ tree.
 *
 * Nodes hold 16 keys, two cache lines.  The leaves, which are level 0, are the
 * sorted array; node i of a level has the nodes 17 i .. 17 i + 16 of the level
 * below for children, as many as there are, and its key j is the largest
 * below its child j, where there is a child j + 1.  What is left of a node is
 * filled with the largest number, which is less than none.  The levels follow
 * each other in memory, leaves first.
 */
#ifndef CPU_ALGOS_BPLUS_H
#define CPU_ALGOS_BPLUS_H
#include <stddef.h>
#include <stdint.h>

enum {
  CPU_BPLUS_KEYS = 16,
  CPU_BPLUS_CHILDREN = 17,
  CPU_BPLUS_LEVELS = 16, /* enough for 2^61 keys: 17^15 > 2^57 leaves */
};

struct cpu_bplus {
  uint64_t n;
  unsigned levels;
  uint64_t nodes[CPU_BPLUS_LEVELS]; /* of each level, leaves first */
  uint64_t first[CPU_BPLUS_LEVELS]; /* where it begins in memory, in keys */
  uint64_t keys;                    /* of all nodes, fillers included */
};

/* The tree over n keys, n < 2^61. */
struct cpu_bplus cpu_bplus_of(uint64_t n);

size_t cpu_bplus_bytes(uint64_t n); /* algo.bytes */

/* Lay out the keys; key(source, i) is the i-th of them in ascending order. */
void cpu_bplus_fill(const struct cpu_bplus *tree, uint64_t *keys,
                    uint64_t (*key)(const void *source, uint64_t i),
                    const void *source);

/* How many of a node's keys are less than `wanted`.  No branch: a vector or
 * two compare all of them, where the caller is compiled for vectors. */
static inline uint64_t cpu_bplus_count(const uint64_t *node, uint64_t wanted) {
  uint64_t count = 0;
  for (int i = 0; i < CPU_BPLUS_KEYS; i++) count += node[i] < wanted;
  return count;
}

/* How many keys are less than `wanted`: the position of the first that is not,
 * in ascending order. */
static inline uint64_t cpu_bplus_position(const struct cpu_bplus *tree,
                                          const uint64_t *keys,
                                          uint64_t wanted) {
  uint64_t node = 0;
  for (unsigned level = tree->levels - 1; level > 0; level--) {
    const uint64_t *at = keys + tree->first[level] + node * CPU_BPLUS_KEYS;
    node = node * CPU_BPLUS_CHILDREN + cpu_bplus_count(at, wanted);
  }
  node *= CPU_BPLUS_KEYS;
  return node + cpu_bplus_count(keys + node, wanted);
}
#endif
