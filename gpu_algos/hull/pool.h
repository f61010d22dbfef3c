/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/pool.h -- algorithm 7's p[0..2S): points in the registers of a
 * warp, two a lane, on their way to the left or the right subproblem.
 *
 * They are always sorted by side: `left` of them from slot 0 on, `right` up to
 * slot 2S, and nothing between.  Slot i is in lane i % S.  Shared memory is
 * where points change lanes, and no more.
 */
#ifndef GPU_ALGOS_HULL_POOL_H
#define GPU_ALGOS_HULL_POOL_H
#include "gpu_algos/hull/pairs.h"

struct pool {
  point low, high; /* slots lane and S + lane */
  uint32_t left, right;
};

static __device__ __forceinline__ bool in_slots(uint32_t slot, uint32_t begin,
                                                uint32_t end) {
  return slot >= begin && slot < end;
}

/* Sort what each lane brings, by counting, behind what there is.  At most S
 * slots are taken before. */
static __device__ __forceinline__ void pool_add(struct pool *pool, side where,
                                                point p,
                                                point slots[2 * WARP]) {
  uint32_t lefts = __ballot_sync(ALL, where == LEFT);
  uint32_t rights = __ballot_sync(ALL, where == RIGHT);
  uint32_t left = pool->left, right = 2 * WARP - pool->right, lane = lane_of();
  HULL_ASSERT(pool->left + pool->right <= WARP);
  if (where == LEFT) store(slots + left + __popc(lefts & lanes_below()), p);
  if (where == RIGHT)
    store(slots + right - 1 - __popc(rights & lanes_below()), p);
  __syncwarp();
  pool->left += __popc(lefts);
  pool->right += __popc(rights);
  uint32_t new_right = 2 * WARP - pool->right;
  if (in_slots(lane, left, pool->left) || in_slots(lane, new_right, right))
    pool->low = load(slots + lane);
  uint32_t high = lane + WARP;
  if (in_slots(high, left, pool->left) || in_slots(high, new_right, right))
    pool->high = load(slots + high);
  __syncwarp();
}

/* Which points leave from one side, of lanes `first` on, and whether each is
 * one of those that stay beside its pair. */
struct leaving {
  point p;
  bool stays;
  uint32_t stay, lanes; /* how many; as bits */
};

static __device__ __forceinline__ leaving leave(point p, uint32_t first,
                                                uint32_t have, point a, point b,
                                                bool in_pairs) {
  leaving out;
  out.p = p;
  out.stays = in_pairs ? stays_beside_other(a, b, p, first, have)
                       : lane_of() - first < have;
  out.lanes = __ballot_sync(ALL, out.stays);
  out.stay = __popc(out.lanes);
  return out;
}

/* Up to S points of the left subproblem; the rest gets their place. */
static __device__ __forceinline__ leaving pool_leave_left(struct pool *pool,
                                                          const corner &c,
                                                          bool in_pairs) {
  uint32_t have = min(pool->left, (uint32_t)WARP);
  leaving out = leave(pool->low, 0, have, c.l, c.m, in_pairs);
  pool->left -= have;
  if (lane_of() < pool->left) pool->low = pool->high;
  return out;
}

static __device__ __forceinline__ leaving pool_leave_right(struct pool *pool,
                                                           const corner &c,
                                                           bool in_pairs) {
  uint32_t have = min(pool->right, (uint32_t)WARP);
  leaving out = leave(pool->high, WARP - have, have, c.m, c.r, in_pairs);
  pool->right -= have;
  if (lane_of() >= WARP - pool->right) pool->high = pool->low;
  return out;
}

/* Is it too full for another S points?  Then the larger side, which is at least
 * half of it, has to leave. */
static __device__ __forceinline__ bool pool_is_full(const struct pool &pool) {
  return pool.left + pool.right > WARP;
}

static __device__ __forceinline__ bool pool_is_left(const struct pool &pool) {
  return pool.left >= pool.right;
}

template <class P>
static __device__ __forceinline__ void store_leaving(P *to,
                                                     const leaving &out) {
  if (out.stays) store(to + __popc(out.lanes & lanes_below()), out.p);
}
#endif
