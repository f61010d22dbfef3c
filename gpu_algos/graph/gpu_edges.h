/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/graph/gpu_edges.h -- graphs as lists of edges: what the algorithms
 * that go through all of them, round by round, have in common on the host.
 *
 * The workspace, in arrays of words: the answer, as many as there are vertices
 * or edges, whichever are more; where edges begin, where they end, and how long
 * they are; what an algorithm has of its own; what check takes, 4 m + n words.
 * Each begins at a multiple of GPU_ALIGN words.  Edges lead both ways.
 */
#pragma once
#include "cpu_algos/graph.h"
#include "gpu_algos/words.h"

/* Pointers into run->memory, be it the host's or the device's. */
struct gpu_edges {
  uint32_t n, m;
  uint32_t *answer, *from, *to;
  int32_t *weights;
  uint32_t *own; /* what the algorithm has of its own */
};
struct gpu_edges gpu_edges_of(const struct algo_run *run);

/* Workspace for n vertices, m edges and `own` words; 0: n or m is too large. */
size_t gpu_edges_bytes(uint64_t n, uint64_t m, uint64_t own);

/* For algo.setup, and algo.restore: the edges; the answer is all ones. */
void gpu_edges_setup(struct algo_run *run);
void gpu_edges_restore(struct algo_run *run);

/* For algo.check: are the edges as they were, and is the answer the least
 * vertex of each component; or 1 for each edge of the least forest, 0 for the
 * others? */
const char *gpu_edges_check_components(const struct algo_run *run);
const char *gpu_edges_check_forest(const struct algo_run *run);

/* For algo.answer, accordingly. */
void gpu_edges_answer_components(const struct algo_run *run,
                                 struct algo_data *answer);
void gpu_edges_answer_forest(const struct algo_run *run,
                             struct algo_data *answer);
