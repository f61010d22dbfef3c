/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/partition.h -- algorithm 7's partition of a problem: by a
 * warp, in place, leaving out what is no vertex. */
#pragma once
#include "gpu_algos/hull/pairs.h"
#include "gpu_algos/warp/part_in_place.h"

namespace {

/* Points about a pivot, which leave in pairs. */
template <class P>
struct about_pivot {
  typedef point item;
  corner c;

  __device__ __forceinline__ point load(const P *at) const {
    return ::load(at);
  }
  __device__ __forceinline__ void store(P *at, point p) const {
    ::store(at, p);
  }
  __device__ __forceinline__ side side_of(point p) const {
    GPU_ASSERT(right_of(c.l, c.r, p));
    return classify(c, p);
  }
  __device__ __forceinline__ bool stays(const leaving<point> &out) const {
    bool mine = is_leaving(out);
    bool paired = mine && (lane_id() ^ 1) - out.first < out.have;
    point a = out.from == LEFT ? c.l : c.m, b = out.from == LEFT ? c.m : c.r;
    bool beside = stays_beside_other(a, b, out.item, paired);
    return mine && beside;
  }
};

/* The pivot, if it is new, and what is no point come between both sides. */
template <class P>
__device__ __forceinline__ ends partition(P *points, uint32_t begin,
                                          uint32_t end, const corner &c,
                                          point slots[POOL_SLOTS]) {
  about_pivot<P> rules = {c};
  ends at = part_in_place(rules, points, begin, end, slots);
  bool fresh = !same(c.m, c.l) && !same(c.m, c.r);
  GPU_ASSERT(at.back - at.front >= fresh);
  for (uint32_t j = at.front + lane_id(); j < at.back; j += WARP)
    store(points + j, fresh && j == at.front ? c.m : no_point());
  __syncwarp();
  return at;
}

}  // namespace
