/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/bplus.h -- sorted keys under an implicit static B+ tree.
 *
 * Nodes hold 16 keys, two cache lines.  The leaves, which are level 0, are the
 * sorted array; node i of a level has the nodes 17 i .. 17 i + 16 of the level
 * below for children, as many as there are, and its key j is the largest
 * below its child j, where there is a child j + 1.  What is left of a node is
 * filled with the largest number, which is less than none.  The levels follow
 * each other in memory, leaves first.  All numbers are stored with their top
 * bit inverted, since AVX2 compares signed numbers only.
 */
#pragma once
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

static inline uint64_t cpu_bplus_stored(uint64_t key) {
  return key ^ (UINT64_C(1) << 63);
}

static inline uint64_t cpu_bplus_key(uint64_t stored) {
  return cpu_bplus_stored(stored);
}

/* Lay out the keys; key(source, i) is the i-th of them in ascending order. */
void cpu_bplus_fill(const struct cpu_bplus *tree, uint64_t *keys,
                    uint64_t (*key)(const void *source, uint64_t i),
                    const void *source);

/* Where the levels begin, as a search wants them. */
struct cpu_bplus_search {
  unsigned levels;
  const unsigned char *level[CPU_BPLUS_LEVELS];
};

static inline struct cpu_bplus_search cpu_bplus_search_of(
    const struct cpu_bplus *tree, const uint64_t *keys) {
  struct cpu_bplus_search search;
  search.levels = tree->levels;
  for (unsigned i = 0; i < tree->levels; i++)
    search.level[i] = (const unsigned char *)(keys + tree->first[i]);
  return search;
}

typedef uint64_t cpu_bplus_counter(const uint64_t *node, uint64_t stored);

/* Twice the number of a node's keys that are less than `stored`. */
static inline uint64_t cpu_bplus_count(const uint64_t *node, uint64_t stored) {
  uint64_t count = 0;
  for (int i = 0; i < CPU_BPLUS_KEYS; i++)
    count += (int64_t)node[i] < (int64_t)stored;
  return 2 * count;
}

/* In one instruction, where compilers take three: see cpu_bplus_descend(). */
static inline uint64_t cpu_bplus_first_child(uint64_t node) {
#if defined __x86_64__
  uint64_t child;
  __asm__("imulq %2, %1, %0"
          : "=r"(child)
          : "r"(node), "i"(CPU_BPLUS_CHILDREN)
          : "cc");
  return child;
#else
  return node * CPU_BPLUS_CHILDREN;
#endif
}

/*
 * How many keys are less than `wanted`: the position of the first that is not,
 * in ascending order.
 *
 * No branch depends on a key, so searches that follow each other overlap as far
 * as the processor looks ahead, and nearly all there is to gain is to make them
 * short: on a KVM guest of Zen 5 at 2^27 keys 6 ns per operation with about 14
 * instructions a level, 8 with 20.  Therefore nodes are counted in halves, so
 * that no number has to be halved.
 */
static inline __attribute__((always_inline)) uint64_t cpu_bplus_descend(
    const struct cpu_bplus_search *search, uint64_t wanted,
    cpu_bplus_counter *count) {
  enum { HALF = CPU_BPLUS_KEYS * sizeof(uint64_t) / 2 };
  uint64_t stored = cpu_bplus_stored(wanted), half = 0;
  for (unsigned i = search->levels - 1; i > 0; i--) {
    const void *node = search->level[i] + half * HALF;
    half = cpu_bplus_first_child(half) + count(node, stored);
  }
  const void *leaf = search->level[0] + half * HALF;
  return half * (CPU_BPLUS_KEYS / 2) + count(leaf, stored) / 2;
}

static inline uint64_t cpu_bplus_position(const struct cpu_bplus_search *search,
                                          uint64_t wanted) {
  return cpu_bplus_descend(search, wanted, cpu_bplus_count);
}
