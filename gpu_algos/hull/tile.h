/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/tile.h -- some points of a large problem sorted by the part
 * that they go on in, by a warp in shared memory.
 *
 * Parts are between neighbours of a chain: from l over the pivots to r, or that
 * of the polygon, which is closed.
 */
#pragma once
#include "gpu_algos/hull/pairs.h"
#include "gpu_algos/hull/state.h"

namespace {

enum : uint32_t { TILE_POINTS = 256, TILE_ROWS = TILE_POINTS / WARP };
enum : uint32_t { NOWHERE = PARTS };

struct tile {
  point chain[PARTS + 1];
  point points[TILE_POINTS];
  /* Of each point its part, and by 8 bits up how many of it are before. */
  uint16_t keys[TILE_POINTS];
  /* By part: which point, and by 8 bits up its part. */
  uint16_t slots[TILE_POINTS];
  uint32_t stay[TILE_ROWS]; /* those that do, of 32 slots each, as bits */
  uint32_t begins[PARTS];   /* of parts, or how many of them there are */
};

/* Of part number `lane`, in slots; and of all. */
struct tile_part {
  uint32_t begin, end, all;
};

/* The chain that a problem is split by, from `from` over its pivots to `to`;
 * how many parts. */
__device__ __forceinline__ uint32_t load_chain(const state &state,
                                               uint32_t first, line base,
                                               tile *tile) {
  uint32_t pivots = state.fresh[first], lane = lane_id();
  const double2 *from = state.pivots + WARP * first;
  if (lane < pivots) store(tile->chain + 1 + lane, load(from + lane));
  if (lane == 0) store(tile->chain, base.from);
  if (lane == 0) store(tile->chain + 1 + pivots, base.to);
  __syncwarp();
  return pivots + 1;
}

/* Seen from l, what lies between two neighbours of the chain is to the right of
 * the line to the latter, and not of that to the former. */
template <bool CLOSED>
__device__ __forceinline__ uint32_t part_of(const point *chain, uint32_t parts,
                                            point p) {
  if (CLOSED) {
    uint32_t part = 0;
    while (part < parts && !right_of(chain[part], chain[part + 1], p)) part++;
    /* Or a corner would not be extreme (3.5.1, step 4). */
    for (uint32_t other = part + 1; GPU_ASSERTS && other < parts; other++)
      GPU_ASSERT(!right_of(chain[other], chain[other + 1], p));
    return part < parts ? part : (uint32_t)NOWHERE;
  }
  uint32_t part = 0, behind = parts;
  GPU_ASSERT(right_of(chain[0], chain[parts], p));
  while (behind - part > 1) {
    uint32_t middle = (part + behind) / 2;
    if (right_of(chain[0], chain[middle], p))
      behind = middle;
    else
      part = middle;
  }
  if (part && !right_of(chain[part], chain[part + 1], p)) return NOWHERE;
  GPU_ASSERT(part + 1 == parts ||
             !right_of(chain[part + 1], chain[part + 2], p));
  return part;
}

/* Lanes with the same part, by its bits. */
__device__ __forceinline__ uint32_t lanes_alike(uint32_t part) {
  uint32_t alike = ALL_LANES;
  for (uint32_t bit = 1; bit <= NOWHERE; bit *= 2) {
    uint32_t lanes = __ballot_sync(ALL_LANES, part & bit);
    alike &= part & bit ? lanes : ~lanes;
  }
  return alike;
}

/* Loads the tile and counts: how many of part number `lane` there are. */
template <bool CLOSED, class P>
__device__ __forceinline__ uint32_t tile_load(const P *from, uint32_t size,
                                              uint32_t parts, tile *tile) {
  uint32_t lane = lane_id(), *counts = tile->begins;
  __syncwarp();
  counts[lane] = 0;
  __syncwarp();
  for (uint32_t row = 0; row < size; row += WARP) {
    uint32_t part = NOWHERE, rank = 0;
    if (row + lane < size) {
      point p = load(from + row + lane);
      store(tile->points + row + lane, p);
      part = part_of<CLOSED>(tile->chain, parts, p);
    }
    if (__any_sync(ALL_LANES, part != NOWHERE)) {
      uint32_t alike = lanes_alike(part), before = alike & lanes_before();
      if (part != NOWHERE) rank = counts[part] + __popc(before);
      __syncwarp();
      if (part != NOWHERE && !before) counts[part] = rank + __popc(alike);
      __syncwarp();
    }
    tile->keys[row + lane] = (uint16_t)(part | rank << 8);
  }
  return counts[lane];
}

/* Sorts: where part number `lane` is. */
__device__ __forceinline__ tile_part tile_sort(uint32_t size, uint32_t count,
                                               tile *tile) {
  uint32_t lane = lane_id(), through = sum_through_lanes(count);
  __syncwarp();
  tile->begins[lane] = through - count;
  __syncwarp();
  for (uint32_t i = lane; i < size; i += WARP) {
    uint32_t part = tile->keys[i] & 0xff, rank = tile->keys[i] >> 8;
    if (part != NOWHERE)
      tile->slots[tile->begins[part] + rank] = (uint16_t)(i | part << 8);
  }
  __syncwarp();
  return {through - count, through,
          __shfl_sync(ALL_LANES, through, (int)WARP - 1)};
}

/* Even and odd slots are pairs if they are of one part. */
template <bool IN_PAIRS>
__device__ __forceinline__ void tile_drop(const tile_part &mine, tile *tile) {
  for (uint32_t row = 0; row < mine.all; row += WARP) {
    uint32_t i = row + lane_id(), slot = 0xffff;
    if (i < mine.all) slot = tile->slots[i];
    uint32_t part = slot >> 8;
    bool stays = i < mine.all;
    if (IN_PAIRS) {
      bool paired = __shfl_xor_sync(ALL_LANES, part, 1) == part && stays;
      uint32_t edge = stays ? part : 0;
      bool beside = stays_beside_other(
          load(tile->chain + edge), load(tile->chain + edge + 1),
          load(tile->points + (stays ? slot & 0xff : 0)), paired);
      stays = stays && beside;
    }
    uint32_t stay = __ballot_sync(ALL_LANES, stays);
    if (lane_id() == 0) tile->stay[row / WARP] = stay;
  }
  __syncwarp();
}

__device__ __forceinline__ uint32_t bits_below(uint32_t bit) {
  return bit < WARP ? (1u << bit) - 1 : ALL_LANES;
}

/* How many of part number `lane` stay. */
__device__ __forceinline__ uint32_t tile_stay(const tile_part &mine,
                                              const tile *tile) {
  uint32_t count = 0;
  for (uint32_t row = mine.begin / WARP; row * WARP < mine.end; row++) {
    uint32_t begin = max(mine.begin, row * WARP) - row * WARP;
    uint32_t of_part = bits_below(mine.end - row * WARP) & ~bits_below(begin);
    count += __popc(tile->stay[row] & of_part);
  }
  return count;
}

/* Those of part number `lane` go to `place` and behind. */
template <class P>
__device__ __forceinline__ void tile_write(P *to, const tile_part &mine,
                                           uint32_t place, uint32_t stay,
                                           tile *tile) {
  uint32_t before = 0;
  __syncwarp();
  tile->begins[lane_id()] = place - (sum_through_lanes(stay) - stay);
  __syncwarp();
  for (uint32_t row = 0; row < mine.all; row += WARP) {
    uint32_t lanes = tile->stay[row / WARP];
    if (lanes >> lane_id() & 1) {
      uint32_t slot = tile->slots[row + lane_id()];
      uint32_t at = before + __popc(lanes & lanes_before());
      store(to + (tile->begins[slot >> 8] + at),
            load(tile->points + (slot & 0xff)));
    }
    before += __popc(lanes);
  }
  __syncwarp();
}

}  // namespace
