/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/problems.h -- the SIMD grid between the two halves: where
 * each processor puts its points, and which problems there are then. */
#ifndef GPU_ALGOS_HULL_PROBLEMS_H
#define GPU_ALGOS_HULL_PROBLEMS_H
#include "gpu_algos/hull/split.h"

/* What becomes of a problem: up to two of them. */
struct parts {
  uint2 part[2];
};

static __device__ __forceinline__ parts parts_of(const cut &cut,
                                                 const state &state,
                                                 uint2 problem) {
  const uint32_t *places = state.places;
  parts out = {{make_uint2(0, 0), make_uint2(0, 0)}};
  uint32_t end = problem.y & ~STALLED, flag = problem.y & STALLED;
  if (!is_large(cut, problem)) {
    uint32_t i = problem.x / cut.each;
    uint4 shared = state.shared[i];
    uint2 rest = rest_of(cut, i, shared, make_uint4(0, 0, 0, 0));
    uint32_t at = places[place_of(shared, i, 2)] + problem.x - rest.x;
    out.part[0] = make_uint2(at, (at + end - problem.x) | flag);
    return out;
  }
  uint4 shared = state.shared[first_in(cut, problem.x)];
  uint32_t begin = places[place_of(shared, shared.z, 0)];
  uint32_t middle = places[place_of(shared, shared.z, 1)];
  uint32_t behind = places[place_of(shared, shared.z, 2)];
  HULL_ASSERT(shared.x == problem.x && shared.y == end);
  HULL_ASSERT(begin <= middle && middle <= behind);
  HULL_ASSERT(behind - begin <= end - problem.x);
  uint32_t fresh = state.fresh[shared.z];
  out.part[0] = make_uint2(begin, middle - fresh);
  out.part[1] = make_uint2(middle, behind);
  if (!fresh) { /* the pivot was l or r: all that is left is on one side */
    HULL_ASSERT(begin == middle || middle == behind);
    out.part[0].x = begin;
    out.part[0].y = behind | STALLED;
    out.part[1].y = middle;
  }
  return out;
}

/* A single point between two vertices is one, too. */
static __device__ __forceinline__ bool is_problem(uint2 part) {
  return (part.y & ~STALLED) - part.x > 1;
}

/* Steps 6 and 9. */
static __global__ void __launch_bounds__(SINGLE)
    hull_problems(cut before, state state, uint32_t which) {
  const uint2 *old = state.problems[which];
  uint2 *made = state.problems[!which];
  uint32_t points = prefix_sums(state.places, 3 * before.processors);
  uint32_t count = state.totals->problems, mine = 0, larges = 0, all, large;
  uint32_t each = items_each(count), begin = min(threadIdx.x * each, count);
  uint32_t end = min(begin + each, count);
  cut after = cut_of(points);
  for (uint32_t t = begin; t < end; t++) {
    parts parts = parts_of(before, state, old[t]);
    for (int k = 0; k < 2; k++) {
      mine += is_problem(parts.part[k]);
      larges += is_problem(parts.part[k]) && is_large(after, parts.part[k]);
    }
  }
  uint32_t at = prefix_of_threads(mine, add_up(), &all);
  prefix_of_threads(larges, add_up(), &large);
  for (uint32_t t = begin; t < end; t++) {
    parts parts = parts_of(before, state, old[t]);
    for (int k = 0; k < 2; k++)
      if (is_problem(parts.part[k])) made[at++] = parts.part[k];
  }
  if (threadIdx.x) return;
  state.totals->points = points;
  state.totals->problems = all;
  state.totals->large = large;
}
#endif
