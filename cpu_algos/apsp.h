/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/apsp.h -- all pairs' shortest paths in a matrix of distances.
 *
 * Distances are whole numbers of 32 bits, so that they are exact and the same
 * in whatever order they are added up; floats would be exact to 2^24 only.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"

/* No path: more than any path may be long; twice this is no overflow. */
#define CPU_APSP_NONE (INT32_MAX / 2)

/*
 * distances[i * n + j], the length >= 0 of the edge from i to j or else
 * CPU_APSP_NONE, becomes that of the shortest path; 0 where i = j, before and
 * after.
 */
void cpu_apsp_floyd(int32_t *distances, uint64_t n);

/* The edges of vertex i are those from offsets[i] to offsets[i + 1]. */
struct cpu_apsp_rows {
  const uint32_t *offsets, *ends; /* n + 1, m */
  const int32_t *weights;         /* m */
};

/* Are these n^2 `distances` those of the shortest paths?  Where no cycle is of
 * negative length; `scratch` has 2 n words. */
bool cpu_apsp_are_shortest(const struct cpu_apsp_rows *rows,
                           const int32_t *distances, uint32_t n,
                           uint32_t *scratch);

/* Where run->given is a graph (graph.h): workspace for distances and what the
 * check takes, or 0 on overflow; the edges as distances, of parallel ones the
 * shortest; and are they those of the shortest paths? */
size_t cpu_apsp_bytes_given(const struct algo_data *given);
void cpu_apsp_restore_given(struct algo_run *run);
bool cpu_apsp_right_given(const struct algo_run *run);
