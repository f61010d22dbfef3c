/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/gpu_algos/graph_case.h -- an algorithm run once on the emulator on a
 * graph from outside, in blocks of one's choice. */
#pragma once
#include "cpu_algos/graph.h"
#include "tests/gpu_algos/gpu_case.h"

enum { GRAPH_MOST = 90, GRAPH_EDGES = 8 * GRAPH_MOST };

/* What it is run with, but for its graph. */
struct graph_case {
  const struct gpu_set *runs; /* whose kernels */
  const char *name;
  unsigned block_threads, dummy_shared;
};

const struct algo *graph_case_algo(const struct graph_case *c);

/* The workspace after a run; close it by workspace_close(). */
struct algo_run graph_case_run(const struct graph_case *c,
                               const struct algo_data *given);

/* Is the answer right, and as long and with the items of `expected`? */
void graph_case_expect(const struct graph_case *c,
                       const struct algo_data *given,
                       const struct algo_data *expected, size_t item_bytes);

/* Up to GRAPH_MOST vertices, often not many, with none to many edges, of which
 * some are of length 0 and some parallel.  The next call overwrites them. */
struct algo_data graph_case_random(uint64_t round,
                                   struct cpu_graph_edge edges[GRAPH_EDGES]);
