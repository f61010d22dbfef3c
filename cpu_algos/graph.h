/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/graph.h -- graphs of n vertices and m edges: where they come from,
 * and what the algorithms on them have in common.
 *
 * Edges have a direction and a length; what takes a graph as undirected takes
 * each as leading both ways.  Lengths are whole numbers, so that sums are the
 * same in any order.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo.h"

/* As data from outside have it: algo_data.items, algo_data.rows vertices.  The
 * answers, algo_data.items, are: distances from each vertex to all, int32_t
 * (apsp.h), row by row; of components the least vertex of each vertex' own,
 * uint32_t; of a forest, which spans all components, its edges. */
struct cpu_graph_edge {
  uint32_t from, to; /* counted from 0 */
  int64_t weight;
};

/* For algo.generators.  degree-4 and so on: edges between random vertices, so
 * many times n, or n (n - 1) if that is less, which may be parallel; of lengths
 * 1 to 1000.  grid: as square as can be, each with its neighbours, both ways.
 * The few have no more than 16 n edges.  The signed ones also have `negative`:
 * as degree-4, but with negative edges, and no cycle of negative length. */
extern const char *const cpu_graph_generators[];
extern const char *const cpu_graph_generators_few[];
extern const char *const cpu_graph_generators_signed[];

/* The edges that any of these generators has for n vertices at most. */
uint64_t cpu_graph_most(uint64_t n);
uint64_t cpu_graph_most_few(uint64_t n);

/* The graph of a run. */
struct cpu_graph {
  uint64_t n, m;
  const struct cpu_graph_edge *given; /* NULL: generated */
  struct cpu_graph_edge (*edge)(const struct cpu_graph *graph, uint64_t i);
  uint64_t seed, side; /* of a grid: its width */
};
struct cpu_graph cpu_graph_of(const struct algo_run *run);

/* Edge i < m. */
static inline struct cpu_graph_edge cpu_graph_edge_at(
    const struct cpu_graph *graph, uint64_t i) {
  return graph->given ? graph->given[i] : graph->edge(graph, i);
}

/*
 * The edges in order of where they begin, and of their numbers: those of vertex
 * u are offsets[u] .. offsets[u + 1] - 1, and lead to ends[] over weights[].
 * offsets has n + 1 words, the others m.  With `turned` all edges are taken the
 * other way round: in order of where they end, and ends[] are their beginnings.
 */
void cpu_graph_rows(const struct cpu_graph *graph, bool turned,
                    uint32_t *offsets, uint32_t *ends, int32_t *weights);

/* For algo.refuse, a sentence that the next call overwrites, or NULL.  Paths
 * are to be shorter than 2^29; edges of negative length are refused by the
 * first, by the second cycles that are. */
const char *cpu_graph_refuse_negative(const struct algo_data *given);
const char *cpu_graph_refuse_cycles(const struct algo_data *given);
/* Any weights of 32 bits. */
const char *cpu_graph_refuse_wide(const struct algo_data *given);
