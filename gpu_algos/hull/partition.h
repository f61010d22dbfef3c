/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/partition.h -- algorithm 7's partition of a problem: by a
 * warp, in place, leaving out what is no vertex. */
#ifndef GPU_ALGOS_HULL_PARTITION_H
#define GPU_ALGOS_HULL_PARTITION_H
#include "gpu_algos/hull/pool.h"

/* Points read and not yet written over, at both ends of a problem. */
struct ends {
  uint32_t read_front, read_back; /* what is between is unread */
  uint32_t front, back;           /* what is outside is written */
};

/* The next chunk is taken from the end where there is less room: so there is
 * room for one at both ends before any is put there. */
template <class P>
static __device__ __forceinline__ void read_chunk(const P *points, ends *at,
                                                  const corner &c, pool *pool,
                                                  point slots[2 * WARP]) {
  uint32_t rest = at->read_back - at->read_front;
  uint32_t size = min(rest, (uint32_t)WARP), j = at->read_front + lane_of();
  if (at->back - at->read_back < WARP && at->read_front - at->front >= WARP) {
    at->read_back -= size;
    j = at->read_back + lane_of();
  } else {
    at->read_front += size;
  }
  point p = c.m;
  bool mine = lane_of() < size;
  if (mine) p = load(points + j);
  HULL_ASSERT(!mine || right_of(c.l, c.r, p));
  pool_add(pool, mine ? classify(c, p) : INSIDE, p, slots);
}

template <class P>
static __device__ __forceinline__ void write_chunk(P *points, ends *at,
                                                   const corner &c,
                                                   pool *pool) {
  bool is_left = pool_is_left(*pool);
  leaving out = is_left ? pool_leave_left(pool, c, true)
                        : pool_leave_right(pool, c, true);
  if (!is_left) at->back -= out.stay;
  store_leaving(points + (is_left ? at->front : at->back), out);
  if (is_left) at->front += out.stay;
  HULL_ASSERT(at->front <= at->read_front || at->read_front == at->read_back);
  HULL_ASSERT(at->back >= at->read_back || at->read_front == at->read_back);
  HULL_ASSERT(at->front <= at->back);
}

/* Lossy partition in place: left ones to the front, right ones to the back, the
 * pivot and what is no point between. */
template <class P>
static __device__ __forceinline__ ends partition(P *points, uint32_t begin,
                                                 uint32_t end, const corner &c,
                                                 point slots[2 * WARP]) {
  ends at = {begin, end, begin, end};
  pool pool = {no_point(), no_point(), 0, 0};
  while (at.read_front < at.read_back || pool.left || pool.right) {
    if (at.read_front < at.read_back) {
      read_chunk(points, &at, c, &pool, slots);
      if (!pool_is_full(pool)) continue;
    }
    write_chunk(points, &at, c, &pool);
  }
  bool fresh = !same(c.m, c.l) && !same(c.m, c.r);
  HULL_ASSERT(at.back - at.front >= fresh);
  for (uint32_t j = at.front + lane_of(); j < at.back; j += WARP)
    store(points + j, fresh && j == at.front ? c.m : no_point());
  __syncwarp();
  return at;
}

#endif
