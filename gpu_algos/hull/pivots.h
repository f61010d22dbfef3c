/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/pivots.h -- the first half of an iteration of the splitting
 * stage (thesis, 3.4.1, with balancing): a pivot for each large problem. */
#ifndef GPU_ALGOS_HULL_PIVOTS_H
#define GPU_ALGOS_HULL_PIVOTS_H
#include "gpu_algos/hull/prefix.h"

/* The vertices of a problem, in the registers of each lane. */
template <class P>
static __device__ __forceinline__ line base_of(const P *points, uint32_t all,
                                               uint32_t begin, uint32_t end) {
  uint32_t behind = end == all ? 0 : end;
  point p = load(points + (lane_of() ? behind : begin - 1));
  line base;
  base.from = from_lane(p, 0);
  base.to = from_lane(p, 1);
  return base;
}

static __device__ __forceinline__ line load_line(const double2 *two) {
  point p = load(two + lane_of() % 2);
  line way;
  way.from = from_lane(p, 0);
  way.to = from_lane(p, 1);
  return way;
}

static __device__ __forceinline__ void store_line(double2 *two, line way) {
  uint32_t lane = lane_of();
  if (lane < 2) store(two + lane, lane ? way.to : way.from);
}

static __device__ __forceinline__ uint32_t first_in(const cut &cut,
                                                    uint32_t place) {
  return (place + cut.each - 1) / cut.each;
}

/* Steps 8 and 1: processor i works at the large problem that the beginning of
 * part i of the array lies in.  The first of those at one problem picks a pair;
 * where the last pivot was l or r, it is l and r. */
template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_share(const P *from, cut cut, state state, const uint2 *problems,
               uint32_t count, uint32_t seed) {
  __shared__ point ways[WARPS][WARP];
  uint32_t i = warp_of();
  if (i > cut.processors) return;
  uint32_t place = min(i * cut.each, cut.points);
  uint4 shared = make_uint4(0, 0, i, i);
  uint2 found = make_uint2(0, 0);
  uint32_t t = i < cut.processors && place < cut.points
                   ? first_beyond(problems, count, place)
                   : count;
  if (t < count) found = problems[t];
  if (found.x <= place && is_large(cut, found)) {
    uint32_t end = found.y & ~STALLED;
    shared = make_uint4(found.x, end, first_in(cut, found.x),
                        first_in(cut, end) - 1);
    /* Lemma 3.2. */
    HULL_ASSERT(shared.w - shared.z + 1 >= (end - found.x) / cut.each);
    HULL_ASSERT(shared.z <= i && i <= shared.w);
  }
  if (lane_of() == 0) state.shared[i] = shared;
  if (shared.x == shared.y || shared.z != i) return;
  line base = base_of(from, cut.points, shared.x, shared.y);
  line way = base;
  if (!(found.y & STALLED))
    way = median_pair(base, from, shared.x, shared.y, seed + i * 0x85ebca6bu,
                      ways[threadIdx.x / WARP]);
  store_line(state.pairs + 2 * i, way);
}

/* Step 2: the furthest point of each part, l or r if none is further. */
template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_furthest(const P *from, cut cut, state state) {
  uint32_t i = warp_of();
  if (i >= cut.processors) return;
  uint4 shared = state.shared[i];
  if (shared.x == shared.y) return;
  line base = base_of(from, cut.points, shared.x, shared.y);
  line way = load_line(state.pairs + 2 * shared.z);
  point best = further(way, base.from, base.to) ? base.to : base.from;
  best = furthest(way, best, from, part_begin(shared, i),
                  part_begin(shared, i + 1));
  if (lane_of() == 0) store(state.furthest + i, best);
}

/*
 * Step 3's operator: (a, y) < (b, z) := (max(a z, b), y z).  A point is the
 * number of the processor that found it, none is 0; y and z are the bit above.
 */
struct further_up {
  const struct state *state;
  static constexpr uint32_t CONTINUES = 1u << 31, NOBODY = CONTINUES - 1;

  __device__ __forceinline__ uint32_t none() const {
    return CONTINUES | NOBODY;
  }

  __device__ __forceinline__ uint32_t operator()(uint32_t a, uint32_t b) const {
    if (!(b & CONTINUES)) return b;
    uint32_t p = a & NOBODY, q = b & NOBODY, best = q;
    if (q == NOBODY) best = p;
    if (p != NOBODY && q != NOBODY) {
      const double2 *points = state->furthest;
      const double2 *pair = state->pairs + 2 * state->shared[q].z;
      line way;
      way.from = load(pair);
      way.to = load(pair + 1);
      best = further(way, load(points + p), load(points + q)) ? q : p;
    }
    return (a & CONTINUES) | best;
  }
};

static __device__ __forceinline__ uint32_t candidate(const uint4 &shared,
                                                     uint32_t i) {
  bool works = shared.x != shared.y, first = shared.z == i;
  return (works ? i : further_up::NOBODY) |
         (works && !first ? further_up::CONTINUES : 0);
}

/* Step 3: what the last processor of a problem then has is its pivot. */
static __global__ void __launch_bounds__(SINGLE)
    hull_pivots(cut cut, state state) {
  uint32_t each = items_each(cut.processors);
  uint32_t begin = min(threadIdx.x * each, cut.processors);
  uint32_t end = min(begin + each, cut.processors), all;
  further_up op = {&state};
  uint32_t mine = op.none();
  for (uint32_t i = begin; i < end; i++)
    mine = op(mine, candidate(state.shared[i], i));
  uint32_t best = prefix_of_threads(mine, op, &all);
  for (uint32_t i = begin; i < end; i++) {
    uint4 shared = state.shared[i];
    best = op(best, candidate(shared, i));
    if (shared.x == shared.y || shared.w != i) continue;
    point pivot = load(state.furthest + (best & further_up::NOBODY));
    store(state.pivots + shared.z, pivot);
  }
}
#endif
