/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/independent.h -- the independent stage of the thesis, 3.5.3:
 * algorithm 7, a warp a problem.
 *
 * Of two subproblems the smaller one is solved first, so that no more than the
 * logarithm of the first is ever stacked, and the stack fits shared memory.
 */
#ifndef GPU_ALGOS_HULL_INDEPENDENT_H
#define GPU_ALGOS_HULL_INDEPENDENT_H
#include "gpu_algos/hull/leaf.h"
#include "gpu_algos/hull/partition.h"
#include "gpu_algos/hull/pivots.h"

struct task {
  uint32_t begin, end;
  uint32_t stalled; /* the last pivot was l or r */
  point l, r;
};

/* Points that a warp has room for in shared memory, and warps of a block that
 * then have it. */
enum { DEEP = 32, ROOM = 512, SOLVERS = 4, SOLVER_BLOCK = 32 * SOLVERS };

/* What a warp has of shared memory. */
struct desk {
  uint32_t stack[DEEP][3]; /* begin, end, stalled */
  point stack_l[DEEP], stack_r[DEEP];
  point slots[2 * WARP];
  point room[ROOM];
};

static __device__ __forceinline__ void push(desk *desk, uint32_t *depth,
                                            const task &task) {
  uint32_t at = (*depth)++;
  HULL_ASSERT(at < DEEP);
  __syncwarp();
  if (lane_of() == 0) {
    desk->stack[at][0] = task.begin;
    desk->stack[at][1] = task.end;
    desk->stack[at][2] = task.stalled;
    store(desk->stack_l + at, task.l);
    store(desk->stack_r + at, task.r);
  }
  __syncwarp();
}

static __device__ __forceinline__ task pop(const desk *desk, uint32_t *depth) {
  uint32_t at = --*depth;
  const uint32_t *range = desk->stack[at];
  task task = {range[0], range[1], range[2]};
  task.l = load(desk->stack_l + at);
  task.r = load(desk->stack_r + at);
  return task;
}

template <class P>
static __device__ void split_task(P *points, const task &task, uint32_t seed,
                                  desk *desk, uint32_t *depth) {
  line base = {task.l, task.r}, way = base;
  if (!task.stalled)
    way = median_pair(base, (const P *)points, task.begin, task.end, seed,
                      desk->slots);
  point m = further(way, task.l, task.r) ? task.r : task.l;
  m = furthest(way, m, (const P *)points, task.begin, task.end);
  corner c = {task.l, m, task.r};
  uint32_t stalled = same(m, task.l) || same(m, task.r);
  HULL_ASSERT(!stalled || !task.stalled);
  ends at = partition(points, task.begin, task.end, c, desk->slots);
  struct task left = {task.begin, at.front, stalled, task.l, m};
  struct task right = {at.back, task.end, stalled, m, task.r};
  bool left_first = at.front - task.begin < task.end - at.back;
  struct task &later = left_first ? right : left;
  struct task &sooner = left_first ? left : right;
  if (later.end - later.begin > 1) push(desk, depth, later);
  if (sooner.end - sooner.begin > 1) push(desk, depth, sooner);
}

/* Is it in global memory, from which a problem may be brought nearer? */
template <class P>
struct is_far {
  static constexpr bool value = true;
};
template <>
struct is_far<point> {
  static constexpr bool value = false;
};

template <class From, class To>
static __device__ __forceinline__ void copy_points(const From *from, To *to,
                                                   uint32_t count) {
  for (uint32_t j = lane_of(); j < count; j += WARP)
    store(to + j, load(from + j));
  __syncwarp();
}

/* On a stack that others have `bottom` tasks of; returns how many problems were
 * split or solved.  One that shared memory has room for is solved there. */
template <class P>
static __device__ uint32_t solve(P *points, const task &whole, uint32_t seed,
                                 desk *desk, uint32_t bottom) {
  uint32_t depth = bottom, passes = 0;
  push(desk, &depth, whole);
  while (depth > bottom) {
    task task = pop(desk, &depth);
    uint32_t size = task.end - task.begin;
    seed += HULL_NEXT_SEED;
    if constexpr (is_far<P>::value) {
      if (size > WARP && size <= ROOM) {
        struct task near = {0, size, task.stalled, task.l, task.r};
        copy_points((const P *)points + task.begin, desk->room, size);
        passes += solve(desk->room, near, seed, desk, depth);
        copy_points((const point *)desk->room, points + task.begin, size);
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

/* Step 3: a processor has the problems whose last point is in its part. */
template <class P>
__global__ void __launch_bounds__(SOLVER_BLOCK)
    hull_solve(P *points, cut cut, state state, const uint2 *problems,
               uint32_t count, uint32_t seed) {
  __shared__ desk desks[SOLVERS];
  uint32_t i = blockIdx.x * SOLVERS + threadIdx.x / WARP, passes = 0;
  if (i >= cut.processors) return;
  desk *desk = &desks[threadIdx.x / WARP];
  uint32_t begin = cut_begin(cut, i), end = cut_begin(cut, i + 1);
  uint32_t t = first_beyond(problems, count, begin);
  for (; t < count; t++) {
    uint2 problem = problems[t];
    task task = {problem.x, problem.y & ~STALLED, problem.y >> 31};
    if (task.end - 1 >= end) break;
    line base = base_of((const P *)points, cut.points, task.begin, task.end);
    task.l = base.from;
    task.r = base.to;
    passes += solve(points, task, seed + t * 0x85ebca6bu, desk, 0);
  }
  if (lane_of() || !passes) return;
  atomicMax(&state.answer->passes, passes);
  atomicAdd(&state.answer->all_passes, passes);
}
#endif
