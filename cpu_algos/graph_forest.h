/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/graph_forest.h -- components of graphs, and least spanning forests,
 * one edge after the other: what parallel ones are checked by.
 *
 * Edges lead both ways.  Sets of vertices are trees, in which all point to
 * lower numbers (Galler and Fischer: An improved equivalence algorithm, CACM
 * 7(5), 1964), so that the root is the least.
 */
#pragma once
#include "cpu_algos/graph.h"

/* sets[v], n of them, becomes the least vertex of v's component. */
void cpu_graph_components(const struct cpu_graph *graph, uint32_t *sets);

/*
 * Kruskal's algorithm: the least forest that spans all components (On the
 * shortest spanning subtree of a graph, Proc. AMS 7(1), 1956).  Of edges as
 * long as each other the one of the lower number counts as shorter, which makes
 * the forest a single one.  Returns how many edges it has: the first that many
 * of order[], which has m words, are their numbers, in no particular order.
 * sets has n words.  Weights are of 32 bits, and so is m.
 */
uint64_t cpu_graph_forest(const struct cpu_graph *graph, uint32_t *sets,
                          uint64_t *order);
