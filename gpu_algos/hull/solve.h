/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/solve.h -- algorithm 7 of the thesis, 3.5.3: a warp solves a
 * problem, with a stack of its own.
 *
 * Of two subproblems the smaller one is solved first, so that no more than the
 * logarithm of the first is ever stacked, and the stack fits shared memory.
 */
#pragma once
#include "gpu_algos/hull/leaf.h"
#include "gpu_algos/hull/partition.h"

namespace {

struct task {
  uint32_t begin, end;
  uint32_t stalled; /* the last pivot was l or r */
  point l, r;
};

/* Bytes of points that a warp has room for in shared memory: with the rest of a
 * desk less than the 48 KiB that a block has on any GPU.  So a block of these
 * grids is a warp. */
enum : uint32_t { DEEP = 32, ROOM_BYTES = 32768 };

/* What a warp has of shared memory. */
struct desk {
  uint32_t stack[DEEP][3]; /* begin, end, stalled */
  point stack_l[DEEP], stack_r[DEEP];
  alignas(16) point slots[POOL_SLOTS]; /* points move whole */
};

/* And room for points of P. */
template <class P>
struct desk_with_room : desk {
  typedef typename near_of<P>::type near;
  static constexpr uint32_t points = ROOM_BYTES / sizeof(near);
  near room[points];
};

__device__ __forceinline__ void push(desk *desk, uint32_t *depth,
                                     const task &task) {
  uint32_t at = (*depth)++;
  GPU_ASSERT(at < DEEP);
  __syncwarp();
  if (lane_id() == 0) {
    desk->stack[at][0] = task.begin;
    desk->stack[at][1] = task.end;
    desk->stack[at][2] = task.stalled;
    store(desk->stack_l + at, task.l);
    store(desk->stack_r + at, task.r);
  }
  __syncwarp();
}

__device__ __forceinline__ task pop(const desk *desk, uint32_t *depth) {
  uint32_t at = --*depth;
  const uint32_t *range = desk->stack[at];
  task task = {range[0], range[1], range[2]};
  task.l = load(desk->stack_l + at);
  task.r = load(desk->stack_r + at);
  return task;
}

template <class P>
__device__ void split_task(P *points, const task &task, uint32_t seed,
                           desk *desk, uint32_t *depth) {
  line base = {task.l, task.r}, way = base;
  if (!task.stalled)
    way = median_pair(base, (const P *)points, task.begin, task.end, seed,
                      desk->slots);
  point m = further(way, task.l, task.r) ? task.r : task.l;
  m = furthest(way, m, (const P *)points, task.begin, task.end);
  corner c = {task.l, m, task.r};
  uint32_t stalled = same(m, task.l) || same(m, task.r);
  GPU_ASSERT(!stalled || !task.stalled);
  ends at = partition(points, task.begin, task.end, c, desk->slots);
  struct task left = {task.begin, at.front, stalled, task.l, m};
  struct task right = {at.back, task.end, stalled, m, task.r};
  bool left_first = at.front - task.begin < task.end - at.back;
  struct task &later = left_first ? right : left;
  struct task &sooner = left_first ? left : right;
  if (later.end - later.begin > 1) push(desk, depth, later);
  if (sooner.end - sooner.begin > 1) push(desk, depth, sooner);
}

/* Does it lie in shared memory, or may a problem be brought nearer? */
template <class P>
struct is_near {
  static constexpr bool value = false;
};
template <>
struct is_near<point> {
  static constexpr bool value = true;
};
template <>
struct is_near<near_floats> {
  static constexpr bool value = true;
};

template <class From, class To>
__device__ __forceinline__ void copy_points(const From *from, To *to,
                                            uint32_t count) {
  for (uint32_t j = lane_id(); j < count; j += WARP)
    store(to + j, load(from + j));
  __syncwarp();
}

/* Of from[0..count) what are points, in their order, to `to`; how many.  That
 * may be before them in the same array. */
template <class From, class To>
__device__ __forceinline__ uint32_t keep_points(const From *from, To *to,
                                                uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t row = 0; row < count; row += WARP) {
    point p = no_point();
    if (row + lane_id() < count) p = load(from + row + lane_id());
    uint32_t lanes = __ballot_sync(ALL_LANES, is_point(p));
    __syncwarp();
    if (is_point(p)) store(to + kept + __popc(lanes & lanes_before()), p);
    kept += __popc(lanes);
    __syncwarp();
  }
  return kept;
}

/* On a stack that others have `bottom` tasks of; returns how many problems were
 * split or solved.  What is no vertex is no point any more.  A problem that
 * shared memory has room for is solved there. */
template <class P, class DESK>
__device__ uint32_t solve(P *points, const task &whole, uint32_t seed,
                          DESK *desk, uint32_t bottom) {
  uint32_t depth = bottom, passes = 0;
  push(desk, &depth, whole);
  while (depth > bottom) {
    task task = pop(desk, &depth);
    uint32_t size = task.end - task.begin;
    seed += NEXT_DRAW;
    if constexpr (!is_near<P>::value) {
      if (size > WARP && size <= DESK::points) {
        struct task near = {0, size, task.stalled, task.l, task.r};
        copy_points((const P *)points + task.begin, desk->room, size);
        passes += solve(desk->room, near, seed, desk, depth);
        copy_points((const typename DESK::near *)desk->room,
                    points + task.begin, size);
        continue;
      }
    }
    if (size <= WARP)
      solve_leaf(points, task.begin, task.end, task.l, task.r, desk->slots);
    else
      split_task(points, task, seed, desk, &depth);
    passes++;
  }
  return passes;
}

}  // namespace
