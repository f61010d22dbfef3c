/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/bplus.h"

#include "cpu_algos/keys.h"

static uint64_t ceiling(uint64_t a, uint64_t b) { return a / b + (a % b > 0); }

struct cpu_bplus cpu_bplus_of(uint64_t n) {
  struct cpu_bplus tree = {.n = n};
  uint64_t nodes = n ? ceiling(n, CPU_BPLUS_KEYS) : 1;
  for (;; nodes = ceiling(nodes, CPU_BPLUS_CHILDREN)) {
    tree.nodes[tree.levels] = nodes;
    tree.first[tree.levels++] = tree.keys;
    tree.keys += nodes * CPU_BPLUS_KEYS;
    if (nodes == 1) return tree;
  }
}

size_t cpu_bplus_bytes(uint64_t n) {
  if (!cpu_keys_array_bytes(n)) return 0;
  return cpu_keys_bytes(cpu_bplus_of(n).keys, 1, 0);
}

/* `leaves`: below a child of this level's nodes, all of whose are there. */
static void fill_level(const struct cpu_bplus *tree, uint64_t *keys,
                       unsigned level, uint64_t leaves) {
  uint64_t *to = keys + tree->first[level];
  for (uint64_t node = 0; node < tree->nodes[level]; node++)
    for (uint64_t j = 0; j < CPU_BPLUS_KEYS; j++) {
      uint64_t child = node * CPU_BPLUS_CHILDREN + j;
      uint64_t end = (child + 1) * leaves * CPU_BPLUS_KEYS;
      bool last = child + 1 >= tree->nodes[level - 1];
      *to++ = last ? cpu_bplus_stored(UINT64_MAX) : keys[end - 1];
    }
}

void cpu_bplus_fill(const struct cpu_bplus *tree, uint64_t *keys,
                    uint64_t (*key)(const void *source, uint64_t i),
                    const void *source) {
  uint64_t slots = tree->nodes[0] * CPU_BPLUS_KEYS, leaves = 1;
  for (uint64_t i = 0; i < slots; i++)
    keys[i] = cpu_bplus_stored(i < tree->n ? key(source, i) : UINT64_MAX);
  for (unsigned level = 1; level < tree->levels; level++) {
    fill_level(tree, keys, level, leaves);
    leaves *= CPU_BPLUS_CHILDREN;
  }
}
