/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/graph/gpu_apsp.h -- all pairs' shortest paths: what the algorithms
 * have in common on the host.
 *
 * The workspace, in arrays of words: n x n distances, the answer; the graph, in
 * rows of edges (cpu_graph_rows()); what an algorithm has of its own; 2 n words
 * for check.  Each begins at a multiple of GPU_ALIGN words.  Distances are of
 * 32 bits and CPU_APSP_NONE where there is no path.
 */
#pragma once
#include "cpu_algos/apsp.h"
#include "cpu_algos/graph.h"
#include "gpu_algos/words.h"

/* Its n^2 distances have 4 GiB. */
#define GPU_APSP_MOST (UINT64_C(1) << 15)

/* Pointers into run->memory, be it the host's or the device's. */
struct gpu_apsp {
  uint32_t n, m;
  int32_t *distances;
  uint32_t *offsets, *ends; /* n + 1, m */
  int32_t *weights;
  uint32_t *own; /* what the algorithm has of its own */
};
struct gpu_apsp gpu_apsp_of(const struct algo_run *run);

/* Workspace for n vertices, m edges and `own` words; 0: n or m is too large. */
size_t gpu_apsp_bytes(uint64_t n, uint64_t m, uint64_t own);

/* For algo.setup, before an algorithm makes what it has of its own, and for
 * algo.restore: the graph; no distance is there. */
void gpu_apsp_setup(struct algo_run *run);
void gpu_apsp_restore(struct algo_run *run);

/* For algo.check: are there a graph as it was, and its distances? */
const char *gpu_apsp_check(const struct algo_run *run);

void gpu_apsp_answer(const struct algo_run *run, struct algo_data *answer);
