/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/split.h -- the second half of an iteration of the splitting
 * stage (thesis, 3.4.1, with balancing): large problems are parted by their
 * pivots, what is none is copied, and all of it is close together again.  The
 * initialization parts the whole input by the polygon in the same way. */
#pragma once
#include "gpu_algos/hull/tile.h"

namespace {

/* What of part i is in no large problem: it is in one piece. */
__device__ __forceinline__ uint2 rest_of(const cut &cut, uint32_t i,
                                         const uint4 &shared,
                                         const uint4 &next) {
  uint32_t begin = cut_begin(cut, i), end = cut_begin(cut, i + 1);
  if (shared.x != shared.y) begin = min(shared.y, end);
  if (next.x != next.y) end = min(max(next.x, begin), end);
  return make_uint2(begin, end);
}

template <bool CLOSED, class P>
__device__ __forceinline__ uint32_t chain_of(const P *from, const cut &cut,
                                             const state &state,
                                             const uint4 &shared, tile *tile) {
  line base;
  if (CLOSED)
    base.from = base.to = load(state.corners);
  else
    base = base_of(from, cut.points, shared.x, shared.y);
  return load_chain(state, shared.z, base, tile);
}

/* The points of a processor, a tile after the other: of part number `lane` how
 * many stay.  To `place` and behind, unless there is no `to`: pairs are looked
 * at again rather than kept.  The initialization has none (3.5.1). */
template <bool CLOSED, class P>
__device__ __forceinline__ uint32_t part_points(const P *from, P *to,
                                                const uint4 &shared, uint32_t i,
                                                uint32_t parts, uint32_t place,
                                                tile *tile) {
  uint32_t begin = part_begin(shared, i), end = part_begin(shared, i + 1);
  uint32_t all = 0;
  for (; begin < end; begin += TILE_POINTS) {
    uint32_t size = min(end - begin, (uint32_t)TILE_POINTS);
    uint32_t count = tile_load<CLOSED>(from + begin, size, parts, tile);
    tile_part mine = tile_sort(size, count, tile);
    if (!mine.all) continue;
    tile_drop<!CLOSED>(mine, tile);
    uint32_t stay = tile_stay(mine, tile);
    if (to) tile_write(to, mine, place + all, stay, tile);
    all += stay;
  }
  return all;
}

/* Steps 4 and 5; new vertices are the last of the part before. */
template <bool CLOSED, class P>
__global__ void __launch_bounds__(BLOCK)
    hull_count(const P *from, cut cut, state state) {
  __shared__ tile tiles[WARPS];
  uint32_t i = warp_of(), lane = lane_id(), count = 0;
  if (i >= cut.processors) return;
  tile *tile = &tiles[threadIdx.x / WARP];
  uint4 shared = state.shared[i], next = state.shared[i + 1];
  uint2 rest = rest_of(cut, i, shared, next);
  if (shared.x != shared.y) {
    uint32_t parts = chain_of<CLOSED>(from, cut, state, shared, tile);
    count = part_points<CLOSED>(from, (P *)nullptr, shared, i, parts, 0, tile);
    count += i == shared.w && lane + 1 < parts;
    count += CLOSED && i == 0 && lane == 0;
  }
  state.places[place_of(shared, i, lane)] = count;
  if (lane == 0) state.places[place_of(shared, i, PARTS)] = rest.y - rest.x;
}

/* Step 7. */
template <bool CLOSED, class P>
__global__ void __launch_bounds__(BLOCK)
    hull_part(const P *from, P *to, cut cut, state state) {
  __shared__ tile tiles[WARPS];
  uint32_t i = warp_of(), lane = lane_id();
  if (i >= cut.processors) return;
  tile *tile = &tiles[threadIdx.x / WARP];
  uint4 shared = state.shared[i], next = state.shared[i + 1];
  uint2 rest = rest_of(cut, i, shared, next);
  if (shared.x != shared.y) {
    uint32_t parts = chain_of<CLOSED>(from, cut, state, shared, tile);
    uint32_t place = state.places[place_of(shared, i, lane)];
    if (CLOSED && i == 0 && lane == 0) store(to + place++, tile->chain[0]);
    part_points<CLOSED>(from, to, shared, i, parts, place, tile);
    if (i == shared.w && lane + 1 < parts)
      store(to + state.places[place_of(shared, shared.z, lane + 1)] - 1,
            tile->chain[lane + 1]);
  }
  if (rest.x == rest.y) return;
  uint32_t place = state.places[place_of(shared, i, PARTS)];
  for (uint32_t j = rest.x + lane; j < rest.y; j += WARP)
    to[place + j - rest.x] = from[j];
}

}  // namespace
