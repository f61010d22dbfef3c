/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/warp/pool.h -- p[0..2S) of Jurkiewicz, PhD thesis, algorithm 7:
 * points or keys in the registers of a warp, two a lane, on their way to the
 * left or the right subproblem.
 *
 * They are always sorted by side: `left` of them from slot 0 on, `right` up to
 * slot 2S, and nothing between.  Slot i is in lane i % S.  Shared memory is
 * where items change lanes, and no more.
 */
#pragma once
#include "gpu_algos/warp/lanes.h"

namespace {

/* Where an item goes on: in one of two subproblems, or not at all. */
enum side : uint32_t { INSIDE, LEFT, RIGHT };

enum : uint32_t { POOL_SLOTS = 2 * WARP };

template <class ITEM>
struct pool {
  ITEM low, high; /* slots lane and S + lane */
  uint32_t left, right;
};

__device__ __forceinline__ bool in_slots(uint32_t slot, uint32_t begin,
                                         uint32_t end) {
  return slot >= begin && slot < end;
}

/* Sort what each lane brings, by counting, behind what there is.  At most S
 * slots are taken before. */
template <class ITEM>
__device__ __forceinline__ void pool_add(pool<ITEM> *pool, side where,
                                         ITEM item, ITEM slots[POOL_SLOTS]) {
  uint32_t lefts = __ballot_sync(ALL_LANES, where == LEFT);
  uint32_t rights = __ballot_sync(ALL_LANES, where == RIGHT);
  uint32_t left = pool->left, right = POOL_SLOTS - pool->right;
  GPU_ASSERT(pool->left + pool->right <= WARP);
  if (where == LEFT) slots[left + __popc(lefts & lanes_before())] = item;
  if (where == RIGHT) slots[right - 1 - __popc(rights & lanes_before())] = item;
  __syncwarp();
  pool->left += __popc(lefts);
  pool->right += __popc(rights);
  uint32_t low = lane_id(), high = lane_id() + WARP;
  uint32_t new_right = POOL_SLOTS - pool->right;
  if (in_slots(low, left, pool->left) || in_slots(low, new_right, right))
    pool->low = slots[low];
  if (in_slots(high, left, pool->left) || in_slots(high, new_right, right))
    pool->high = slots[high];
  __syncwarp();
}

/* Is it too full for another S?  Then the larger side, which is at least half
 * of it, has to leave. */
template <class ITEM>
__device__ __forceinline__ bool pool_is_full(const pool<ITEM> &pool) {
  return pool.left + pool.right > WARP;
}

/* Up to S items of one side, those of `have` lanes from `first` on. */
template <class ITEM>
struct leaving {
  side from;
  ITEM item;
  uint32_t first, have;
};

/* Of the larger side; the rest of it gets their place. */
template <class ITEM>
__device__ __forceinline__ leaving<ITEM> pool_leave(pool<ITEM> *pool) {
  if (pool->left >= pool->right) {
    uint32_t have = min(pool->left, (uint32_t)WARP);
    leaving<ITEM> out = {LEFT, pool->low, 0, have};
    pool->left -= have;
    if (lane_id() < pool->left) pool->low = pool->high;
    return out;
  }
  uint32_t have = min(pool->right, (uint32_t)WARP);
  leaving<ITEM> out = {RIGHT, pool->high, WARP - have, have};
  pool->right -= have;
  if (lane_id() >= WARP - pool->right) pool->high = pool->low;
  return out;
}

template <class ITEM>
__device__ __forceinline__ bool is_leaving(const leaving<ITEM> &out) {
  return lane_id() - out.first < out.have;
}

}  // namespace
