/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/leaf.h -- a problem of at most as many points as a warp has
 * lanes: each finds out by itself whether its point is a vertex. */
#pragma once
#include "gpu_algos/hull/plane.h"

namespace {

/*
 * Seen from l, the points before p lie to the right of the line to p, those
 * behind to its left.  So the line from one before to p that has all of those
 * to its left is found by comparing one after the other, and likewise the one
 * from p to one behind; p is a vertex if the latter turns to the left.
 */
struct tangents {
  point before, behind;
  uint32_t lanes_before; /* as bits */
  bool inside;
};

__device__ __forceinline__ void look_at(tangents *at, point l, point p, point q,
                                        uint32_t other) {
  int side = 0;
  struct cpu_area rounded = cpu_area_between(l, p, l, q);
  if (rounded.area > rounded.error) side = 1;
  if (rounded.area < -rounded.error) side = -1;
  if (!side) side = turn_exact(l, p, l, q);
  if (side < 0) {
    at->lanes_before |= 1u << other;
    if (right_of(at->before, p, q)) at->before = q;
  } else if (side > 0) {
    if (right_of(p, at->behind, q)) at->behind = q;
  } else if (same(p, q)) {
    at->inside |= other < lane_id(); /* one of them stays */
  } else {
    line way = {l, p};
    at->inside |= ahead(way, p, q);
  }
}

/* points[begin..end), sorted out: vertices in their order, then what is no
 * point.  `all` is room for S points. */
template <class P>
__device__ void solve_leaf(P *points, uint32_t begin, uint32_t end, point l,
                           point r, point all[WARP]) {
  uint32_t lane = lane_id(), size = end - begin;
  bool mine = lane < size;
  point p = r;
  if (mine) p = load(points + begin + lane);
  GPU_ASSERT(!mine || right_of(l, r, p));
  store(all + lane, p);
  __syncwarp();
  tangents at = {l, r, 0, !mine};
  for (uint32_t other = 0; mine && other < size; other++)
    if (other != lane) look_at(&at, l, p, load(all + other), other);
  bool vertex = !at.inside && turns_right(p, at.behind, at.before, p);
  uint32_t vertices = __ballot_sync(ALL_LANES, vertex);
  __syncwarp();
  store(all + lane, no_point());
  __syncwarp();
  if (vertex) store(all + __popc(vertices & at.lanes_before), p);
  __syncwarp();
  if (mine) store(points + begin + lane, load(all + lane));
  __syncwarp();
}

}  // namespace
