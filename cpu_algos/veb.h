/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/veb.h -- sorted keys in the van Emde Boas layout, without pointers.
 *
 * A tree is cut at half its height; the top tree is laid out first, then the
 * bottom trees from left to right, all of them in this way (Prokop, Master's
 * thesis, 1999; Jurkiewicz, PhD thesis, section 2.5).  The smallest trees, the
 * nodes, have three levels and are a cache line: 7 keys behind a filler.
 *
 * The tree is that of 8^levels - 1 keys, of which the first n in order are
 * there.  Of the bottom trees of the first cut only those are laid out that a
 * search can come to; missing keys in the others are the largest number, which
 * is less than none.  So any n is fine at a cost of one bottom tree and parts
 * of the top tree.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/branch.h"

enum {
  CPU_VEB_NODE = 8,    /* words in a node, and its children */
  CPU_VEB_LEVELS = 21, /* of nodes: 8^21 > 2^61 keys */
};

/* How to find a node of one level, which is the root of a bottom tree. */
struct cpu_veb_level {
  unsigned root;   /* level of the root of the tree that was cut here */
  uint64_t top;    /* words of the top tree */
  uint64_t bottom; /* words of a bottom tree */
  uint64_t mask;   /* of the path: which of the bottom trees */
};

struct cpu_veb {
  uint64_t n;
  unsigned levels;
  uint64_t words; /* of all, fillers included */
  struct cpu_veb_level level[CPU_VEB_LEVELS];
};

/* The layout of n keys, n < 2^61. */
struct cpu_veb cpu_veb_of(uint64_t n);

size_t cpu_veb_bytes(uint64_t n); /* algo.bytes */

/* Lay out the keys; key(source, i) is the i-th of them in ascending order. */
void cpu_veb_fill(const struct cpu_veb *veb, uint64_t *words,
                  uint64_t (*key)(const void *source, uint64_t i),
                  const void *source);

/* Three levels down: 0 .. 7. */
static inline uint64_t cpu_veb_child(const uint64_t *node, uint64_t wanted) {
  uint64_t k = cpu_double_less_at(node + 1, wanted, 1);
  k = cpu_double_less_at(node + k, wanted, k);
  return cpu_double_less_at(node + k, wanted, k) - CPU_VEB_NODE;
}

/*
 * How many keys are less than `wanted`: the position of the first that is not,
 * in ascending order.  As all keys missing are at the end, that is the path to
 * the gap, three bits a node.
 *
 * A node is found from the root of the tree that was cut above it (Brodal,
 * Fagerberg, Jacob, Cache oblivious search trees via binary trees of small
 * height, 2002, section 2).
 */
static inline uint64_t cpu_veb_position(const struct cpu_veb *veb,
                                        const uint64_t *words,
                                        uint64_t wanted) {
  uint64_t at[CPU_VEB_LEVELS]; /* filled as read: clearing it would take half
                                * again as long as the search */
  at[0] = 0;
  uint64_t path = cpu_veb_child(words, wanted);
  for (unsigned i = 1; i < veb->levels; i++) {
    const struct cpu_veb_level *level = &veb->level[i];
    at[i] = at[level->root] + level->top + (path & level->mask) * level->bottom;
    path = path * CPU_VEB_NODE + cpu_veb_child(words + at[i], wanted);
  }
  return path;
}
