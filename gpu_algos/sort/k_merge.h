/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/k_merge.h -- sorting by k-merges (warp_merge.h).
 *
 * An input is cut into tiles that a warp sorts in its registers; then passes
 * merge groups of MERGE_K runs each, until one is left.  So that the last
 * merges keep all processors busy, too, what a group puts out is cut into
 * pieces, each merged by a warp of its own: where a piece begins in each run is
 * searched for exactly.
 */
#pragma once
#include "gpu_algos/sort/warp_range.h"

namespace {

enum {
  /* Of pieces: longer ones make idle processors, of shorter ones there are
   * more to search for.  PIECES of them fill a GPU of 132 multiprocessors. */
  PIECE_LEAST = 2048,
  PIECE_MOST = 16384,
  PIECES = 4096
};

template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    sort_tiles(const typename KIND::stored *in, typename KIND::stored *out,
               uint32_t n) {
  uint32_t at = warp_id() * TILE;
  if (at >= n) return;
  sort_tile<KIND>(in, out, at, min(n, at + TILE));
}

/* How many of in[low .. high), sorted, are before `pivot`, as a place; of those
 * that are the same, all where `same_before`. */
template <class KIND>
__device__ __forceinline__ uint32_t place_of(const typename KIND::stored *in,
                                             uint32_t low, uint32_t high,
                                             typename KIND::held pivot,
                                             bool same_before) {
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    typename KIND::held at = KIND::take(in[middle], middle);
    bool before =
        same_before ? !KIND::before(pivot, at) : KIND::before(at, pivot);
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/*
 * By a whole warp, lane i with run i, in[begin .. end): where to cut it so that
 * the first `rank` elements of all runs together are on the left.
 *
 * Of the run of which least is known its middle is the pivot.  Either it is
 * among the first `rank`, and so is all before it; or nothing behind it is.
 */
template <class KIND>
__device__ uint32_t cut_of(const typename KIND::stored *in, uint32_t begin,
                           uint32_t end, uint32_t rank) {
  uint32_t low = begin, high = end;
  for (;;) {
    uint32_t widest = __reduce_max_sync(ALL_LANES, high - low);
    if (!widest) break;
    uint32_t run =
        __ffs((int)__ballot_sync(ALL_LANES, high - low == widest)) - 1;
    uint32_t middle = __shfl_sync(ALL_LANES, low + (high - low) / 2, (int)run);
    typename KIND::held pivot = KIND::take(in[middle], middle);
    uint32_t before = middle;
    if (lane_id() != run)
      before = place_of<KIND>(in, low, high, pivot, lane_id() < run);
    if (sum_of_lanes(before - begin) >= rank)
      high = before;
    else
      low = lane_id() == run ? middle + 1 : before;
  }
  GPU_ASSERT(sum_of_lanes(low - begin) == rank);
  return low;
}

/* A pass over n elements, sorted in runs of `run`. */
struct merge_pass {
  uint32_t n;
  uint64_t run;
  uint32_t group, groups; /* of what becomes a run */
  uint32_t piece, pieces; /* elements of a piece, pieces of a group */
};

/* Begin and length of a group. */
__device__ __forceinline__ uint2 group_of(const merge_pass &pass,
                                          uint32_t group) {
  uint32_t begin = group * pass.group;
  return make_uint2(begin, min(pass.n - begin, pass.group));
}

/* cuts[c * K + i]: where run i is cut, for the begin of each piece of each
 * group, and its end: there are pieces + 1 of them. */
template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    cut_runs(const typename KIND::stored *in, merge_pass pass, uint32_t *cuts) {
  uint32_t cut = warp_id(), group = cut / (pass.pieces + 1);
  if (group >= pass.groups) return;
  uint2 all = group_of(pass, group);
  uint64_t rank = (uint64_t)(cut % (pass.pieces + 1)) * pass.piece;
  uint64_t begin = lane_id() < MERGE_K ? lane_id() * pass.run : all.y;
  uint32_t first = all.x + (uint32_t)min(begin, (uint64_t)all.y);
  uint32_t behind = all.x + (uint32_t)min(begin + pass.run, (uint64_t)all.y);
  uint32_t place = rank ? behind : first;
  if (rank && rank < all.y)
    place = cut_of<KIND>(in, first, behind, (uint32_t)rank);
  if (lane_id() < MERGE_K) cuts[cut * MERGE_K + lane_id()] = place;
}

template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    merge_pieces(const typename KIND::stored *in, merge_pass pass,
                 const uint32_t *cuts, typename KIND::stored *out) {
  uint32_t group = warp_id() / pass.pieces, piece = warp_id() % pass.pieces;
  if (group >= pass.groups) return;
  uint2 all = group_of(pass, group);
  uint64_t begin = (uint64_t)piece * pass.piece;
  if (begin >= all.y) return;
  uint32_t end = (uint32_t)min(begin + pass.piece, (uint64_t)all.y);
  uint32_t cut = (group * (pass.pieces + 1) + piece) * MERGE_K + lane_id();
  stream<KIND> mine(0, 0);
  if (lane_id() < MERGE_K) mine = stream<KIND>(cuts[cut], cuts[cut + MERGE_K]);
  warp_merge<KIND, MERGE_K, TABLE_ROWS>(in, mine, out, all.x + (uint32_t)begin,
                                        all.x + end);
}

/* The pass over runs of that length. */
inline merge_pass merge_pass_of(uint32_t n, uint64_t run) {
  merge_pass pass = {n, run, 0, 0, 0, 0};
  uint64_t group = run * MERGE_K, piece = n / PIECES / 32 * 32;
  if (piece < PIECE_LEAST) piece = PIECE_LEAST;
  if (piece > PIECE_MOST) piece = PIECE_MOST;
  pass.group = (uint32_t)(group < n ? group : n);
  pass.groups = gpu_blocks(n, pass.group);
  pass.piece = (uint32_t)piece;
  pass.pieces = gpu_blocks(pass.group, pass.piece);
  return pass;
}

inline uint32_t merge_cuts(const merge_pass &pass) {
  return pass.groups * (pass.pieces + 1);
}

/* How many passes there are from runs of that length to a single one. */
inline unsigned merge_passes(uint32_t n, uint64_t run) {
  unsigned passes = 0;
  for (; run < n; run *= MERGE_K) passes++;
  return passes;
}

/* Words that they take for cuts. */
inline uint64_t merge_words(uint32_t n, uint64_t run) {
  uint64_t most = 0;
  for (; run < n; run *= MERGE_K) {
    uint64_t words = (uint64_t)merge_cuts(merge_pass_of(n, run)) * MERGE_K;
    if (words > most) most = words;
  }
  return most;
}

/* Merges runs of n elements of `from`, until all are one; `to` has it where the
 * number of passes is odd, or else `from`. */
template <class KIND>
void merge_runs(typename KIND::stored *from, typename KIND::stored *to,
                uint32_t n, uint64_t run, uint32_t *cuts) {
  for (; run < n; run *= MERGE_K) {
    merge_pass pass = merge_pass_of(n, run);
    GPU_LAUNCH((cut_runs<KIND>), gpu_blocks(merge_cuts(pass), SORT_WARPS),
               SORT_BLOCK, from, pass, cuts);
    GPU_LAUNCH((merge_pieces<KIND>),
               gpu_blocks((uint64_t)pass.groups * pass.pieces, SORT_WARPS),
               SORT_BLOCK, from, pass, cuts, to);
    typename KIND::stored *was = from;
    from = to;
    to = was;
  }
}

/* in[0 .. n) sorted to out; `in` is overwritten. */
template <class KIND>
void k_merge_sort(typename KIND::stored *in, typename KIND::stored *out,
                  uint32_t n, uint32_t *cuts) {
  if (!n) return;
  bool odd = merge_passes(n, TILE) % 2;
  typename KIND::stored *tiles = odd ? in : out;
  GPU_LAUNCH((sort_tiles<KIND>), gpu_blocks(gpu_blocks(n, TILE), SORT_WARPS),
             SORT_BLOCK, in, tiles, n);
  merge_runs<KIND>(tiles, odd ? out : in, n, TILE, cuts);
}

}  // namespace
