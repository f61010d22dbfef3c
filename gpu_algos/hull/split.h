/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/split.h -- the second half of an iteration of the splitting
 * stage (thesis, 3.4.1, with balancing): large problems are parted by their
 * pivots, what is none is copied, and all of it is close together again. */
#ifndef GPU_ALGOS_HULL_SPLIT_H
#define GPU_ALGOS_HULL_SPLIT_H
#include "gpu_algos/hull/pivots.h"
#include "gpu_algos/hull/pool.h"

template <class P>
static __device__ __forceinline__ corner corner_of(const P *from,
                                                   const cut &cut,
                                                   const state &state,
                                                   const uint4 &shared) {
  line base = base_of(from, cut.points, shared.x, shared.y);
  corner c;
  c.l = base.from;
  c.r = base.to;
  c.m = load(state.pivots + shared.z);
  return c;
}

static __device__ __forceinline__ bool is_new(const corner &c) {
  return !same(c.m, c.l) && !same(c.m, c.r);
}

/* What of part i is in no large problem: it is in one piece. */
static __device__ __forceinline__ uint2 rest_of(const cut &cut, uint32_t i,
                                                const uint4 &shared,
                                                const uint4 &next) {
  uint32_t begin = cut_begin(cut, i), end = cut_begin(cut, i + 1);
  if (shared.x != shared.y) begin = min(shared.y, end);
  if (next.x != next.y) end = min(max(next.x, begin), end);
  return make_uint2(begin, end);
}

/* Where processor i's counts are in `places`: of all that share a problem, the
 * left ones, the right ones, then what is copied. */
static __device__ __forceinline__ uint32_t place_of(const uint4 &shared,
                                                    uint32_t i,
                                                    uint32_t which) {
  uint32_t all = shared.w - shared.z + 1;
  return 3 * shared.z + which * all + (i - shared.z);
}

/* Points of one chunk, by side: left ones from lane 0 on, right ones up to the
 * last, and which lane had each before. */
struct sorted {
  point points[WARP];
  uint32_t lanes[WARP];
};

/* Points that share a chunk and a side are pairs; one that its pair shows to be
 * no vertex becomes a copy of the pivot, which no side takes. */
template <class P>
static __device__ __forceinline__ uint2 count_chunk(P *chunk, const corner &c,
                                                    side where, point p,
                                                    sorted *by_side) {
  uint32_t lefts = __ballot_sync(ALL, where == LEFT), lane = lane_of();
  uint32_t rights = __ballot_sync(ALL, where == RIGHT);
  uint32_t left = __popc(lefts), right = __popc(rights);
  uint32_t slot = where == LEFT ? __popc(lefts & lanes_below())
                                : WARP - 1 - __popc(rights & lanes_below());
  if (where != INSIDE) {
    store(by_side->points + slot, p);
    by_side->lanes[slot] = lane;
  }
  __syncwarp();
  bool is_left = lane < left, is_right = lane >= WARP - right;
  if (is_left || is_right) p = load(by_side->points + lane);
  bool left_stays = stays_beside_other(c.l, c.m, p, 0, left);
  bool right_stays = stays_beside_other(c.m, c.r, p, WARP - right, right);
  if ((is_left && !left_stays) || (is_right && !right_stays))
    store(chunk + by_side->lanes[lane], c.m);
  __syncwarp();
  return make_uint2(__popc(__ballot_sync(ALL, left_stays)),
                    __popc(__ballot_sync(ALL, right_stays)));
}

template <class P>
static __device__ __forceinline__ uint2 count_part(P *from, uint32_t begin,
                                                   uint32_t end,
                                                   const corner &c,
                                                   sorted *by_side) {
  uint2 counts = make_uint2(0, 0);
  for (uint32_t chunk = begin; chunk < end; chunk += WARP) {
    side where = INSIDE;
    point p = c.m;
    if (chunk + lane_of() < end) {
      p = load(from + chunk + lane_of());
      HULL_ASSERT(right_of(c.l, c.r, p));
      where = classify(c, p);
    }
    uint2 some = count_chunk(from + chunk, c, where, p, by_side);
    counts.x += some.x;
    counts.y += some.y;
  }
  return counts;
}

/* Steps 4 and 5; a new vertex is the last of the left ones. */
template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_classify(P *from, cut cut, state state) {
  __shared__ sorted of_warps[WARPS];
  uint32_t i = warp_of(), lane = lane_of();
  if (i >= cut.processors) return;
  uint4 shared = state.shared[i], next = state.shared[i + 1];
  uint2 rest = rest_of(cut, i, shared, next), counts = make_uint2(0, 0);
  if (shared.x != shared.y) {
    corner c = corner_of(from, cut, state, shared);
    counts = count_part(from, part_begin(shared, i), part_begin(shared, i + 1),
                        c, &of_warps[threadIdx.x / WARP]);
    counts.x += i == shared.w && is_new(c);
    if (i == shared.z && lane == 0) state.fresh[i] = is_new(c);
  }
  uint32_t mine = lane == 0 ? counts.x : lane == 1 ? counts.y : rest.y - rest.x;
  if (lane < 3) state.places[place_of(shared, i, lane)] = mine;
}

/* Step 7, without a look at the pairs: what they drop has gone. */
template <class P>
static __device__ __forceinline__ void part_points(const P *from, P *to,
                                                   uint32_t begin, uint32_t end,
                                                   const corner &c,
                                                   uint2 places,
                                                   point slots[2 * WARP]) {
  pool pool = {no_point(), no_point(), 0, 0};
  for (uint32_t chunk = begin; chunk < end || pool.left || pool.right;
       chunk += WARP) {
    if (chunk < end) {
      uint32_t j = chunk + lane_of();
      point p = c.m;
      if (j < end) p = load(from + j);
      pool_add(&pool, j < end ? classify(c, p) : INSIDE, p, slots);
      if (!pool_is_full(pool)) continue;
    }
    bool is_left = pool_is_left(pool);
    leaving out = is_left ? pool_leave_left(&pool, c, false)
                          : pool_leave_right(&pool, c, false);
    store_leaving(to + (is_left ? places.x : places.y), out);
    if (is_left) places.x += out.stay;
    if (!is_left) places.y += out.stay;
  }
}

template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_part(const P *from, P *to, cut cut, state state) {
  __shared__ point slots[WARPS][2 * WARP];
  uint32_t i = warp_of(), lane = lane_of();
  if (i >= cut.processors) return;
  uint4 shared = state.shared[i], next = state.shared[i + 1];
  uint2 rest = rest_of(cut, i, shared, next);
  uint32_t place = state.places[place_of(shared, i, lane % 3)];
  if (shared.x != shared.y) {
    corner c = corner_of(from, cut, state, shared);
    uint2 places =
        make_uint2(__shfl_sync(ALL, place, 0), __shfl_sync(ALL, place, 1));
    part_points(from, to, part_begin(shared, i), part_begin(shared, i + 1), c,
                places, slots[threadIdx.x / WARP]);
    if (i == shared.w && is_new(c) && lane == 0)
      store(to + state.places[place_of(shared, shared.z, 1)] - 1, c.m);
  }
  uint32_t copies = __shfl_sync(ALL, place, 2);
  for (uint32_t j = rest.x + lane; j < rest.y; j += WARP)
    to[copies + j - rest.x] = from[j];
}
#endif
