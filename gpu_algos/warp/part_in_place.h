/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/warp/part_in_place.h -- the lossy partition in place of Jurkiewicz,
 * PhD thesis, algorithm 7, by a warp: of points about a pivot as of keys.
 *
 * RULES say what it parts:
 *   item                     what a lane holds of it
 *   load(at), store(at, item)
 *   side_of(item)            where it goes on
 *   stays(out)               a lane's, of those that leave the pool together
 */
#pragma once
#include "gpu_algos/warp/pool.h"

namespace {

/* Items read and not yet written over, at both ends of a problem. */
struct ends {
  uint32_t read_front, read_back; /* what is between is unread */
  uint32_t front, back;           /* what is outside is written */
};

/* The next S are taken from the end where there is less room: so there is room
 * for as many at both ends before any are put there. */
template <class RULES, class STORED>
__device__ __forceinline__ void read_items(const RULES &rules,
                                           const STORED *items, ends *at,
                                           pool<typename RULES::item> *pool,
                                           typename RULES::item *slots) {
  uint32_t size = min(at->read_back - at->read_front, (uint32_t)WARP);
  uint32_t place = at->read_front + lane_id();
  if (at->back - at->read_back < WARP && at->read_front - at->front >= WARP) {
    at->read_back -= size;
    place = at->read_back + lane_id();
  } else {
    at->read_front += size;
  }
  typename RULES::item item = typename RULES::item();
  side where = INSIDE;
  if (lane_id() < size) {
    item = rules.load(items + place);
    where = rules.side_of(item);
  }
  pool_add(pool, where, item, slots);
}

template <class RULES, class STORED>
__device__ __forceinline__ void write_items(const RULES &rules, STORED *items,
                                            ends *at,
                                            pool<typename RULES::item> *pool) {
  leaving<typename RULES::item> out = pool_leave(pool);
  bool stays = rules.stays(out);
  uint32_t lanes = __ballot_sync(ALL_LANES, stays), stay = __popc(lanes);
  if (out.from == RIGHT) at->back -= stay;
  uint32_t begin = out.from == LEFT ? at->front : at->back;
  if (stays)
    rules.store(items + begin + __popc(lanes & lanes_before()), out.item);
  if (out.from == LEFT) at->front += stay;
  GPU_ASSERT(at->front <= at->read_front || at->read_front == at->read_back);
  GPU_ASSERT(at->back >= at->read_back || at->read_front == at->read_back);
  GPU_ASSERT(at->front <= at->back);
}

/* items[begin..end): left ones to the front, right ones to the back; what is
 * between them then, from `front` to `back`, is any. */
template <class RULES, class STORED>
__device__ __forceinline__ ends part_in_place(const RULES &rules, STORED *items,
                                              uint32_t begin, uint32_t end,
                                              typename RULES::item *slots) {
  typedef typename RULES::item item;
  ends at = {begin, end, begin, end};
  pool<item> pool = {item(), item(), 0, 0};
  while (at.read_front < at.read_back || pool.left || pool.right) {
    if (at.read_front < at.read_back) {
      read_items(rules, items, &at, &pool, slots);
      if (!pool_is_full(pool)) continue;
    }
    write_items(rules, items, &at, &pool);
  }
  return at;
}

}  // namespace
