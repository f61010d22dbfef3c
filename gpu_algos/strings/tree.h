/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/strings/tree.h -- the suffix tree of a text in arrays.
 *
 * As Ma, PhD thesis, section 4.2.1, has it of Encarnacao, Sebastiao, Roma
 * (2011): a node is `alphabet` cells, one for each letter, which name the edge
 * that begins with it; an edge is where its letters are in the text, how many,
 * and where the cells of the node at its end begin.  Leaves have no cells.
 * What is below an edge are suffixes that are neighbours in the suffix array:
 * it has the first of them, and a node where the last one ends.
 */
#pragma once
#include <stdint.h>

#include "cpu_algos/algo.h"

/* No edge, or no cells. */
#define GPU_TREE_NONE UINT32_MAX

/* Words of an edge. */
enum { GPU_TREE_START, GPU_TREE_LENGTH, GPU_TREE_CELLS, GPU_TREE_FIRST };

struct gpu_tree {
  uint32_t *ends;  /* of each node, of which 0 is the root */
  uint32_t *edges; /* four words each */
  uint32_t *cells;
  uint32_t *scratch; /* for setup */
};

/* Of a run on the host or the device, when setup is over. */
struct gpu_tree gpu_tree_of(const struct algo_run *run);

/* For algo.bytes, algo.bytes_given and algo.setup. */
size_t gpu_tree_bytes(uint64_t n);
size_t gpu_tree_bytes_given(const struct algo_data *given);
void gpu_tree_setup(struct algo_run *run);
