/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/split_state.h -- what the grids of the splitting stage of
 * k_quicksort.h hand on to each other, in global memory.
 *
 * A level parts all problems that are large, each by as many processors as its
 * size gives it (Jurkiewicz, PhD thesis, lemma 3.2): chunks of it.  Those that
 * are not, any more, are ready for the independent stage.
 */
#pragma once
#include "gpu_algos/sort/warp_partition.h"
#include "gpu_algos/warp/block_prefix.h"
extern "C" {
#include "gpu_algos/words.h"
}

namespace {

enum { PART_K = 16, PROCESSORS = 2048, CHUNK_LEAST = 4096, SAMPLE_ROWS = 8 };

/* What is ready: [begin, end) of the output's array or the other; nothing is to
 * be sorted where all keys are equal. */
struct ready_range {
  uint32_t begin, end, in_output, equal;
};

struct split_totals {
  uint32_t problems, ready;
};

struct split_state {
  uint32_t n;
  uint32_t large; /* what is larger is parted */
  uint32_t chunk;
  uint32_t parts; /* what a problem is parted in */
  split_totals *totals;
  uint2 *problems[2]; /* large ones of this level, and of the next */
  uint32_t *chunks;   /* where those of each problem begin, and their number */
  void *limits;       /* as many as parts, of each problem */
  uint32_t *counts;   /* of a problem: by partition, by chunk */
  ready_range *ready;
};

/* Chunks end where a row of the array does, but for the last. */
__device__ __forceinline__ uint32_t row_of(uint32_t place) {
  return place / 32 * 32;
}
__device__ __forceinline__ uint32_t chunks_of(const split_state &state,
                                              uint2 problem) {
  return (problem.y - row_of(problem.x) + state.chunk - 1) / state.chunk;
}

/* A chunk of a problem, and of which. */
struct chunk_range {
  uint32_t begin, end;
  uint32_t problem, counts; /* where its problem's counts begin */
  uint32_t index, of;       /* the how many-th it is, of how many */
};

/* By a whole warp; false: there are not as many. */
__device__ __forceinline__ bool find_chunk(const split_state &state,
                                           uint32_t which, uint32_t number,
                                           chunk_range *chunk) {
  uint32_t problems = state.totals->problems, low = 0, high = problems;
  if (!problems || number >= state.chunks[problems]) return false;
  while (low + 1 < high) {
    uint32_t middle = low + (high - low) / 2;
    if (state.chunks[middle] <= number)
      low = middle;
    else
      high = middle;
  }
  uint2 problem = state.problems[which][low];
  uint32_t first = state.chunks[low];
  chunk->problem = low;
  chunk->counts = first * state.parts;
  chunk->index = number - first;
  chunk->of = state.chunks[low + 1] - first;
  uint32_t begin = row_of(problem.x) + chunk->index * state.chunk;
  chunk->begin = max(begin, problem.x);
  chunk->end = min(begin + state.chunk, problem.y);
  GPU_ASSERT(chunk->begin < chunk->end); /* lemma 3.2 */
  return true;
}

inline uint32_t split_most(const split_state &state) {
  return state.n / state.large + 1;
}
inline uint32_t chunks_most(const split_state &state) {
  return state.n / state.chunk + 2 * split_most(state);
}

/* How many levels there are, so that what is left of a problem is seldom large
 * still: partitions are up to twice as large as they should be, or three
 * quarters of the problem where there are but two. */
inline uint32_t split_levels(const split_state &state) {
  uint32_t levels = 0;
  uint64_t times = state.parts > 3 ? 2 : 3, of = state.parts > 3 ? PART_K : 4;
  for (uint64_t size = state.n; size > state.large; size = size * times / of)
    levels++;
  return levels;
}

/* Ready ranges: of each level all partitions of its problems, and what is left
 * behind the last. */
inline uint64_t ready_most(const split_state &state) {
  return (uint64_t)split_most(state) * state.parts * (split_levels(state) + 1) +
         1;
}

inline uint64_t split_words(const split_state &state, unsigned key_words) {
  uint64_t problems = split_most(state), chunks = chunks_most(state);
  return GPU_ALIGN * 8 + 4 + 2 * 2 * problems + problems + 1 +
         problems * state.parts * key_words + chunks * state.parts + 1 +
         4 * ready_most(state);
}

inline split_state split_sizes(uint32_t n, uint32_t parts) {
  split_state state = {};
  uint32_t each = n / PROCESSORS;
  state.n = n;
  state.parts = parts;
  state.large = each > TILE * MERGE_K ? each : (uint32_t)(TILE * MERGE_K);
  state.chunk = each / 2 > CHUNK_LEAST ? each / 64 * 32 : (uint32_t)CHUNK_LEAST;
  return state;
}

/* Cuts `words` words off the memory, which begin at 256 bytes. */
inline uint32_t *cut_words(uint32_t *&memory, uint64_t words) {
  uint32_t *cut = memory;
  memory += gpu_words_padded(words);
  return cut;
}

/* All of it, of those sizes. */
inline split_state split_state_of(split_state state, uint32_t *memory,
                                  unsigned key_words) {
  uint64_t problems = split_most(state);
  state.totals = (split_totals *)cut_words(memory, 4);
  for (uint2 *&list : state.problems)
    list = (uint2 *)(void *)cut_words(memory, 2 * problems);
  state.chunks = cut_words(memory, problems + 1);
  state.limits = cut_words(memory, problems * state.parts * key_words);
  state.counts =
      cut_words(memory, (uint64_t)chunks_most(state) * state.parts + 1);
  state.ready = (ready_range *)(void *)memory;
  return state;
}

}  // namespace
