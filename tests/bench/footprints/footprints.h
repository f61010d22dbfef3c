/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/bench/footprints/footprints.h -- programs whose memory is far larger
 * than what a TLB reaches, as research on translation measures them.
 *
 * Work and result depend on the arguments alone.  All arithmetic is on whole
 * numbers, so results are the same on every machine.  Each program allocates
 * its memory itself, so that profiles name it.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/random.h"

/* What calloc() gave; the program ends where that is NULL. */
void *footprint_got(void *memory);

/* The last of rising keys that is no more than `key`; 0: none is. */
static inline size_t footprint_last(const uint64_t *keys, size_t count,
                                    uint64_t key) {
  size_t low = 0, high = count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (keys[middle] <= key)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* A result of many numbers. */
uint64_t footprint_sum(const uint64_t *numbers, size_t count);

/* --- of `bytes` of memory, and how often something is done to it --- */

/* Follow a random cycle through all lines: one access at a time. */
uint64_t chase(size_t bytes, uint64_t steps);

/* Build a hash table, then probe it: accesses know nothing of others. */
uint64_t join(size_t bytes, uint64_t probes);

/* Binary search: a chain of accesses a key, keys are independent. */
uint64_t search(size_t bytes, uint64_t searches);

/* Exclusive or of random words with random numbers (RandomAccess of the HPC
 * Challenge benchmark, measured in GUPS). */
uint64_t gups(size_t bytes, uint64_t updates);

/* Cross sections of materials at random energies, by one grid of all energies
 * (what XSBench measures: Tramm et al., PHYSOR 2014). */
enum { GRID_NUCLIDES = 64, GRID_SECTIONS = 5, GRID_MATERIALS = 12 };
struct grid_point {
  uint64_t energy; /* below 2^32, as the sections */
  uint64_t section[GRID_SECTIONS];
};
size_t grid_points_of(size_t bytes); /* of each nuclide */
/* In the order of energies. */
void grid_points(struct grid_point *points, size_t count, uint64_t nuclide);
/* What look-up number i asks for. */
uint64_t grid_energy(uint64_t i);
unsigned grid_material(uint64_t i);
/* The nuclides of a material. */
extern const unsigned grid_nuclides[GRID_MATERIALS];
unsigned grid_nuclide(unsigned material, unsigned k);
uint64_t grid(size_t bytes, uint64_t look_ups);

/* Fill a B-tree with random keys, then look for as many as `look_ups`, half of
 * which are there. */
size_t btree_keys_of(size_t bytes);
uint64_t btree_key(uint64_t i); /* inserted as number i */
/* What look-up number i is for. */
uint64_t btree_wanted(uint64_t i, size_t keys);
uint64_t btree(size_t bytes, uint64_t look_ups);

/* Multiply a sparse matrix with a vector, that with the product, and so on.  A
 * row has SPMV_ROW entries in random columns. */
enum { SPMV_ROW = 16 };
size_t spmv_rows_of(size_t bytes);
uint32_t spmv_column(uint64_t row, unsigned k, size_t rows);
uint32_t spmv_value(uint64_t row, unsigned k);
uint64_t spmv(size_t bytes, uint64_t times);

/* --- of a graph, and how often --- */

/* Edges lead both ways.  Those of vertex u are ends[offsets[u]] to
 * ends[offsets[u + 1] - 1]. */
struct graph {
  uint32_t vertices, *offsets, *ends;
};

/* 2^lg vertices, and `degree` times as many random edges by the rule of a
 * Kronecker graph, whose vertices are then renamed: Graph500's.  Written to
 * stdout. */
uint64_t kronecker(uint64_t lg, uint64_t degree);
/* Its edge i; and all of it in memory, for graph_free(). */
void kronecker_edge(uint64_t lg, uint64_t i, uint32_t *from, uint32_t *to);
void graph_make(struct graph *graph, uint64_t lg, uint64_t degree);
void graph_read(struct graph *graph, const char *path);
void graph_free(struct graph *graph);

/* Breadth-first search from random vertices: the sum of all distances. */
uint32_t bfs_source(const struct graph *graph, uint64_t i);
uint64_t bfs(const struct graph *graph, uint64_t sources);

/* PageRank, each vertex adding up what leads to it; of 2^32 for each. */
uint64_t pagerank(const struct graph *graph, uint64_t iterations);

/* Connected components, by a forest of their vertices: how many, and the sum of
 * the least vertex of each. */
uint64_t components(const struct graph *graph, uint64_t times);
