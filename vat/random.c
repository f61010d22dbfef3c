/* SPDX-License-Identifier: BSD-2-Clause */
/* Random replacement: each of the W nodes is evicted with the same probability.
 * The i-th eviction takes cell floor(W r / 2^32), r being the upper half of the
 * i-th output of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) from the seed;
 * no cell is more likely than another by more than 2^-32.  O(1) an access. */
#include "vat/cells.h"

static uint64_t draw(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static uint32_t victim(struct cells *cells) {
  cells->steps++;
  return (uint32_t)((draw(&cells->state) >> 32) * cells->set.limit >> 32);
}

static const struct cells_ops ops = {.victim = victim};

static void *random_create(const struct vat_tree *tree, uint64_t nodes,
                           const struct vat_tc_options *options,
                           uint64_t *misses) {
  struct cells *cells = vat_cells_create(&ops, tree, nodes, misses, false);
  if (cells) cells->state = options->seed;
  return cells;
}

const struct vat_policy vat_policy_random = {
    .name = "random",
    .summary = "evict any node, each with the same probability",
    .draws = true,
    .create = random_create,
    .destroy = vat_cells_destroy,
    .translate = vat_cells_translate,
};
