/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/key_pool.h -- p[0..2S) of Jurkiewicz, PhD thesis, algorithm 7,
 * for keys: two a lane in the registers of a warp, on their way to the left or
 * the right of a pivot.
 *
 * `left` of them lie from slot 0 on and `right` up to slot 2S, nothing between;
 * slot i is in lane i % S.  Keys that are the pivot are discarded, as are the
 * points of a hull that are no vertices.  Shared memory is where keys change
 * lanes, and no more.
 */
#ifndef GPU_ALGOS_SORT_KEY_POOL_H
#define GPU_ALGOS_SORT_KEY_POOL_H
#include "gpu_algos/sort/sort_kinds.h"

namespace {

enum { POOL_SLOTS = 64 };

template <class KEY>
struct key_pool {
  KEY low, high; /* slots lane and S + lane */
  uint32_t left, right;
};

__device__ __forceinline__ uint32_t lanes_before() {
  return (1u << lane_id()) - 1;
}

/* Sorts by side, by counting, the keys of the lanes where `mine`, behind what
 * there is: at most S. */
template <class KEY>
__device__ __forceinline__ void pool_add(key_pool<KEY> &pool, KEY key,
                                         KEY pivot, bool mine,
                                         KEY slots[POOL_SLOTS]) {
  bool is_left = mine && key < pivot, is_right = mine && key > pivot;
  uint32_t lefts = __ballot_sync(ALL_LANES, is_left);
  uint32_t rights = __ballot_sync(ALL_LANES, is_right);
  uint32_t left = pool.left, right = POOL_SLOTS - pool.right;
  SORT_ASSERT(pool.left + pool.right <= 32);
  if (is_left) slots[left + __popc(lefts & lanes_before())] = key;
  if (is_right) slots[right - 1 - __popc(rights & lanes_before())] = key;
  __syncwarp();
  pool.left += __popc(lefts);
  pool.right += __popc(rights);
  uint32_t low = lane_id(), high = lane_id() + 32;
  uint32_t new_right = POOL_SLOTS - pool.right;
  if ((low >= left && low < pool.left) || (low >= new_right && low < right))
    pool.low = slots[low];
  if ((high >= left && high < pool.left) || (high >= new_right && high < right))
    pool.high = slots[high];
  __syncwarp();
}

/* Is it too full for another S?  Then the larger side, which is at least half
 * of it, has to leave. */
template <class KEY>
__device__ __forceinline__ bool pool_is_full(const key_pool<KEY> &pool) {
  return pool.left + pool.right > 32;
}

/* Up to S keys of the left side, to `out`; how many. */
template <class KEY>
__device__ __forceinline__ uint32_t pool_leave_left(key_pool<KEY> &pool,
                                                    KEY *out) {
  uint32_t have = min(pool.left, 32u);
  if (lane_id() < have) out[lane_id()] = pool.low;
  pool.left -= have;
  if (lane_id() < pool.left) pool.low = pool.high;
  return have;
}

/* Of the right side; `out` is behind where they go. */
template <class KEY>
__device__ __forceinline__ uint32_t pool_leave_right(key_pool<KEY> &pool,
                                                     KEY *out) {
  uint32_t have = min(pool.right, 32u);
  if (lane_id() >= 32 - have) out[(int)lane_id() - 32] = pool.high;
  pool.right -= have;
  if (lane_id() >= 32 - pool.right) pool.high = pool.low;
  return have;
}

}  // namespace
#endif
