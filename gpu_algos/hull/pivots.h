/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/pivots.h -- the first half of an iteration of the splitting
 * stage (thesis, 3.4.1, with balancing): pivots for each large problem, a
 * direction a lane. */
#pragma once
#include "gpu_algos/hull/directions.h"
#include "gpu_algos/hull/state.h"

namespace {

__device__ __forceinline__ line load_way(const state &state, uint32_t first) {
  const double2 *two = state.ways + 2 * (WARP * first + lane_id());
  line way;
  way.from = load(two);
  way.to = load(two + 1);
  return way;
}

/* Steps 8 and 1: processor i works at the large problem that the beginning of
 * part i of the array lies in.  The first of those at one problem chooses the
 * directions. */
template <class P>
__global__ void __launch_bounds__(WARP)
    hull_share(const P *from, cut cut, state state, const uint2 *problems,
               uint32_t count, uint32_t seed) {
  __shared__ desk_with_room<P> desk;
  uint32_t i = blockIdx.x, place = min(i * cut.each, cut.points);
  uint4 shared = make_uint4(0, 0, i, i);
  uint2 found = make_uint2(0, 0);
  uint32_t t = i < cut.processors && place < cut.points
                   ? first_beyond(problems, count, place)
                   : count;
  if (t < count) found = problems[t];
  if (found.x <= place && is_large(cut, found)) {
    shared = make_uint4(found.x, found.y, first_in(cut, found.x),
                        first_in(cut, found.y) - 1);
    /* Lemma 3.2. */
    GPU_ASSERT(shared.w - shared.z + 1 >= (found.y - found.x) / cut.each);
    GPU_ASSERT(shared.z <= i && i <= shared.w);
  }
  if (lane_id() == 0) state.shared[i] = shared;
  if (shared.x == shared.y || shared.z != i) return;
  line base = base_of(from, cut.points, shared.x, shared.y);
  line way = direction_of_lane(from, base, shared.x, shared.y,
                               seed + i * NEXT_PROBLEM, &desk);
  double2 *two = state.ways + 2 * (WARP * i + lane_id());
  store(two, way.from);
  store(two + 1, way.to);
}

/* Step 2: the furthest point of each part in each direction, or the end of the
 * direction, which is a point of the problem or r.  Every lane looks at every
 * point. */
template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_furthest(const P *from, cut cut, state state) {
  __shared__ point rows[WARPS][WARP];
  uint32_t i = warp_of();
  if (i >= cut.processors) return;
  uint4 shared = state.shared[i];
  if (shared.x == shared.y) return;
  point *row = rows[threadIdx.x / WARP];
  line way = load_way(state, shared.z);
  point best = way.to;
  uint32_t end = part_begin(shared, i + 1);
  for (uint32_t j = part_begin(shared, i); j < end; j += WARP) {
    uint32_t size = min(end - j, (uint32_t)WARP);
    if (lane_id() < size) store(row + lane_id(), load(from + j + lane_id()));
    __syncwarp();
    for (uint32_t k = 0; k < size; k++) {
      point p = load(row + k);
      if (further(way, best, p)) best = p;
    }
    __syncwarp();
  }
  store(state.furthest + WARP * i + lane_id(), best);
}

/* By a warp: of a problem's furthest points, which come in the order of the
 * hull, those that are new, once each. */
__device__ __forceinline__ void keep_pivots(const state &state, uint32_t first,
                                            line base, point p) {
  uint32_t lane = lane_id();
  point before = from_lane(p, lane ? lane - 1 : 0);
  if (!lane) before = base.from;
  bool is_new = !same(p, before) && !same(p, base.to) && !same(p, base.from);
  uint32_t lanes = __ballot_sync(ALL_LANES, is_new);
  GPU_ASSERT((uint32_t)__popc(lanes) < PARTS);
  if (is_new)
    store(state.pivots + WARP * first + __popc(lanes & lanes_before()), p);
  if (!lane) state.fresh[first] = __popc(lanes);
}

/* The furthest of all: l or r may be it, where the direction is the median. */
template <class P>
__device__ __forceinline__ void keep_furthest(const P *from, const cut &cut,
                                              const state &state,
                                              const uint4 &shared, line way,
                                              point best) {
  line base = base_of(from, cut.points, shared.x, shared.y);
  if (further(way, best, base.from)) best = base.from;
  if (further(way, best, base.to)) best = base.to;
  keep_pivots(state, shared.z, base, best);
}

/*
 * Step 3's operator: (a, y) < (b, z) := (max(a z, b), y z), of all directions
 * at once.  A warp goes through the processors of a segment.  What it has of a
 * problem that began before, z = 1, waits for what the warps before have of it;
 * at most two do: that which ends in the segment, and the last.
 */
struct segment_best {
  point best[WARP];
  bool any;    /* has a processor anything? */
  bool begins; /* z = 0 */
};

__device__ __forceinline__ void take_further(line way, point *best, bool *any,
                                             point p) {
  if (!*any || further(way, *best, p)) *best = p;
  *any = true;
}

/* What the warps before this one have of the problem that it begins within. */
__device__ __forceinline__ bool best_before(const segment_best *segments,
                                            line way, point *best) {
  uint32_t warp = threadIdx.x / WARP, from = warp;
  bool any = false;
  while (from && (from == warp || !segments[from].begins)) from--;
  for (; from < warp; from++)
    if (segments[from].any)
      take_further(way, best, &any, load(segments[from].best + lane_id()));
  return any;
}

/* Step 3: what the last processor of a problem then has are its pivots. */
template <class P>
__global__ void __launch_bounds__(SINGLE)
    hull_pivots(const P *from, cut cut, state state) {
  __shared__ segment_best segments[WARP]; /* one a warp */
  uint32_t warp = threadIdx.x / WARP, waits = NONE;
  uint2 mine = items_of_warp(cut.processors);
  point best = no_point(), waiting = no_point();
  bool any = false, begins = false;
  line way = {best, best};
  for (uint32_t i = mine.x; i < mine.y; i++) {
    uint4 shared = state.shared[i];
    if (shared.x == shared.y) continue;
    if (i == shared.z || !any) way = load_way(state, shared.z);
    if (i == shared.z) any = false;
    begins |= i == shared.z;
    take_further(way, &best, &any, load(state.furthest + WARP * i + lane_id()));
    __syncwarp(); /* of lanes that were in doubt, and those that were not */
    if (i != shared.w) continue;
    if (!begins) {
      waits = i;
      waiting = best;
    } else {
      keep_furthest(from, cut, state, shared, way, best);
    }
    any = false;
  }
  store(segments[warp].best + lane_id(), best);
  if (lane_id() == 0) {
    segments[warp].any = any;
    segments[warp].begins = begins || waits != NONE;
  }
  __syncthreads();
  if (waits == NONE) return;
  uint4 shared = state.shared[waits];
  way = load_way(state, shared.z);
  point before = no_point();
  if (best_before(segments, way, &before) && !further(way, before, waiting))
    waiting = before;
  keep_furthest(from, cut, state, shared, way, waiting);
}

}  // namespace
