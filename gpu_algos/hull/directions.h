/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/directions.h -- in which directions a large problem gets its
 * pivots.
 *
 * Those of edges of the hull of a sample, which algorithm 7 finds in shared
 * memory: so parts are about as large, whatever the shape.  And the median of
 * random pairs, the thesis's, by which no part has more than three quarters of
 * the points or so, whatever they are (Bhattacharya and Sen).
 *
 * All lie in the order of the hull, exactly, and so do the furthest points.
 */
#pragma once
#include "gpu_algos/hull/solve.h"
#include "gpu_algos/hull/state.h"

namespace {

/* Points of a sample for each direction: edges that far apart vary less in what
 * lies between them. */
enum : uint32_t { SAMPLES_EACH = 32 };

/* What parts are to have: most of them find room in shared memory. */
template <class P>
__device__ __host__ constexpr uint32_t part_points() {
  return desk_with_room<P>::points / 8 * 5;
}

/*
 * How many directions: two at least, as one of them may be of no use.  Where
 * one iteration is not enough, as many in each: the last ones would else be too
 * few to be worth one.  It is enough where parts have half of what is large, so
 * that hardly any of them is.
 */
template <class P>
__device__ __forceinline__ uint32_t directions_of(uint32_t points) {
  uint32_t parts = max(points / part_points<P>(), 2u), iterations = 1;
  uint32_t least = points / (LARGE_POINTS / 2);
  for (uint32_t most = PARTS - 1; most < least; most *= PARTS - 1) iterations++;
  float each = ceilf(powf((float)parts, 1 / (float)iterations));
  return min((uint32_t)each, PARTS - 1); /* rounded */
}

/* The hull of points at random, into desk->room; how many vertices, without l
 * and r: one at least. */
template <class P>
__device__ __forceinline__ uint32_t sample_hull(const P *from, line base,
                                                uint32_t begin, uint32_t end,
                                                uint32_t samples, uint32_t seed,
                                                desk_with_room<P> *desk) {
  for (uint32_t i = lane_id(); i < samples; i += WARP) {
    uint32_t place = random_below(seed + i * NEXT_LANE, end - begin);
    store(desk->room + i, load(from + begin + place));
  }
  task all = {0, samples, 0, base.from, base.to};
  __syncwarp();
  solve(desk->room, all, seed, desk, 0);
  return keep_points((const typename near_of<P>::type *)desk->room, desk->room,
                     samples);
}

/* Edge number `edge` of the chain from l over the vertices to r. */
template <class NEAR>
__device__ __forceinline__ line edge_of(const NEAR *chain, uint32_t vertices,
                                        line base, uint32_t edge) {
  line way = base;
  if (edge) way.from = load(chain + edge - 1);
  if (edge < vertices) way.to = load(chain + edge);
  return way;
}

/*
 * Direction of this lane; the last ones are the same where they are fewer.  One
 * of the edges at least is not the last of the chain, so that a vertex of the
 * sample is further out than l and r: so there is a new pivot.
 */
template <class P>
__device__ line direction_of_lane(const P *from, line base, uint32_t begin,
                                  uint32_t end, uint32_t seed,
                                  desk_with_room<P> *desk) {
  uint32_t directions = directions_of<P>(end - begin), lane = lane_id();
  uint32_t samples = (SAMPLES_EACH * directions + WARP - 1) / WARP * WARP;
  line median = median_pair(base, from, begin, end, seed, desk->slots);
  seed += NEXT_DRAW;
  uint32_t vertices = sample_hull(from, base, begin, end, samples, seed, desk);
  uint32_t edges = vertices + 1, taken = min(directions - 1, edges);
  uint32_t edge = ((2 * min(lane, taken - 1) + 1) * edges - 1) / (2 * taken);
  line way = edge_of(desk->room, vertices, base, edge);
  bool is_before =
      lane < taken && !turns_right(way.from, way.to, median.from, median.to);
  uint32_t before = __popc(__ballot_sync(ALL_LANES, is_before));
  uint32_t place = min(lane, taken);
  uint32_t source = place < before ? place : place - (place > before);
  line own;
  own.from = from_lane(way.from, min(source, taken - 1));
  own.to = from_lane(way.to, min(source, taken - 1));
  return place == before ? median : own;
}

}  // namespace
