/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/two_phase.h -- 2 phase merging: Jurkiewicz, PhD thesis,
 * section 4.2.2.
 *
 * The input is split into P parts, which warps sort independently.  P samples
 * of each, evenly spread, are sorted, and every P-th of them is a pivot: with
 * equal keys told apart by their places, no more than 2 n / P elements lie
 * between two of them, whatever the input is (as Cole and Ramachandran, ICALP
 * 2010, have it).  What of each part lies between two pivots is merged by
 * algorithm 9, MERGE_K pieces at a time.
 */
#pragma once
#include "gpu_algos/sort/k_merge.h"
#include "gpu_algos/sort/part_pivots.h"

namespace {

enum {
  PARTS_MOST = 2048, /* warps that fill a GPU */
  PIECE_MEAN = 64    /* elements at least: two blocks */
};

template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    sort_parts(const typename KIND::stored *in, typename KIND::stored *out,
               typename KIND::stored *other, parts all, uint32_t passes) {
  uint32_t part = warp_id();
  if (part < all.count)
    sort_range<KIND>(in, out, other, part_at(all, part), part_at(all, part + 1),
                     passes);
}

/* Runs of a partition, of `pieces` pieces each; of cuts where they are pieces
 * of the parts themselves. */
struct partition_runs {
  uint32_t pieces, groups; /* groups of MERGE_K runs, to be merged */
  const uint32_t *cuts, *places;
};

template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    merge_partitions(const typename KIND::stored *in, parts all,
                     partition_runs runs, typename KIND::stored *out) {
  uint32_t p = warp_id() / runs.groups, group = warp_id() % runs.groups;
  if (p >= all.count) return;
  const uint32_t *places = runs.places + p * (all.count + 1);
  uint32_t first = group * MERGE_K * runs.pieces;
  uint32_t behind = min(all.count, first + MERGE_K * runs.pieces);
  uint32_t piece = all.count;
  if (lane_id() < MERGE_K) piece = first + lane_id() * runs.pieces;
  stream<KIND> mine(0, 0);
  if (piece < all.count) {
    mine.at = places[piece];
    mine.end = places[min(piece + runs.pieces, behind)];
    if (runs.cuts) {
      mine.at = runs.cuts[p * all.count + piece];
      mine.end = runs.cuts[(p + 1) * all.count + piece];
    }
  }
  warp_merge<KIND, MERGE_K, TABLE_ROWS>(in, mine, out, places[first],
                                        places[behind]);
}

/* P: P^2 pieces are PIECE_MEAN elements long or longer. */
inline parts parts_of(uint32_t n) {
  parts all = {n, 1};
  while (all.count < PARTS_MOST &&
         (uint64_t)(all.count + 1) * (all.count + 1) * PIECE_MEAN <= n)
    all.count++;
  return all;
}

/* Of any of them, wherever it begins. */
inline uint32_t part_passes(const parts &all) {
  return range_passes(TILE - 1, TILE - 1 + gpu_blocks(all.n, all.count));
}

inline uint32_t piece_passes(const parts &all) {
  uint32_t passes = 0;
  for (uint32_t runs = all.count; runs > 1; runs = gpu_blocks(runs, MERGE_K))
    passes++;
  return passes;
}

/* Behind the input and the output, aligned to 16 bytes. */
struct two_phase_memory {
  ulonglong2 *samples, *sorted; /* P^2 */
  uint32_t *cuts, *places;      /* P (P + 1) */
  uint32_t *merge_cuts;
};

inline uint64_t two_phase_words(uint32_t n) {
  uint64_t parts = parts_of(n).count, samples = parts * parts;
  return 2 * 4 * samples + 2 * (samples + parts) +
         merge_words((uint32_t)samples, parts);
}

inline two_phase_memory two_phase_memory_of(uint32_t n, uint32_t *words) {
  uint64_t parts = parts_of(n).count, samples = parts * parts;
  ulonglong2 *first = (ulonglong2 *)(void *)words;
  uint32_t *cuts = words + 2 * 4 * samples, *places = cuts + samples + parts;
  return {first, first + samples, cuts, places, places + samples + parts};
}

/* The second phase: what the parts have, from `from` to the other, and back. */
template <class KIND>
void merge_parts(typename KIND::stored *from, typename KIND::stored *to,
                 parts all, const two_phase_memory &memory) {
  uint32_t samples = all.count * all.count;
  GPU_LAUNCH((take_samples<KIND>), gpu_blocks(samples, SORT_BLOCK), SORT_BLOCK,
             from, all, memory.samples);
  merge_runs<samples64>(memory.samples, memory.sorted, samples, all.count,
                        memory.merge_cuts);
  bool odd = merge_passes(samples, all.count) % 2;
  GPU_LAUNCH((cut_parts<KIND>), gpu_blocks(samples + all.count, SORT_BLOCK),
             SORT_BLOCK, from, all, odd ? memory.sorted : memory.samples,
             memory.cuts);
  GPU_LAUNCH(place_pieces, gpu_blocks(all.count, SORT_WARPS), SORT_BLOCK, all,
             memory.cuts, memory.places);
  partition_runs runs = {1, 0, memory.cuts, memory.places};
  for (uint32_t count = all.count; count > 1; runs.pieces *= MERGE_K) {
    count = runs.groups = gpu_blocks(count, MERGE_K);
    GPU_LAUNCH((merge_partitions<KIND>),
               gpu_blocks((uint64_t)all.count * count, SORT_WARPS), SORT_BLOCK,
               from, all, runs, to);
    runs.cuts = nullptr;
    typename KIND::stored *was = from;
    from = to;
    to = was;
  }
}

/* in[0 .. n) sorted to out; `in` is overwritten. */
template <class KIND>
void two_phase_sort(typename KIND::stored *in, typename KIND::stored *out,
                    uint32_t n, uint32_t *words) {
  if (!n) return;
  parts all = parts_of(n);
  bool odd = piece_passes(all) % 2;
  typename KIND::stored *from = odd ? in : out, *to = odd ? out : in;
  GPU_LAUNCH((sort_parts<KIND>), gpu_blocks(all.count, SORT_WARPS), SORT_BLOCK,
             in, from, to, all, part_passes(all));
  if (all.count > 1)
    merge_parts<KIND>(from, to, all, two_phase_memory_of(n, words));
}

}  // namespace
