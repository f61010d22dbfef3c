/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/independent.h -- the independent stage of the thesis, 3.5.3: a
 * warp solves a problem after the other by itself. */
#pragma once
#include "gpu_algos/hull/solve.h"
#include "gpu_algos/hull/state.h"

namespace {

/*
 * What a processor has of the array: the problems whose last point is in its
 * part, and what is between them, which are vertices.  As it goes through them
 * it puts the vertices close together at the beginning.  None that another
 * processor looks at as its l or r is written to: the first of its own stays,
 * and the last is only copied.
 */
template <class P>
struct own_points {
  P *points;
  uint32_t read, written; /* up to there, each */
  desk_with_room<P> *at;

  /* Up to there they are vertices. */
  __device__ __forceinline__ void keep_vertices(uint32_t end) {
    uint32_t count = end - read;
    if (read != written)
      keep_points((const P *)points + read, points + written, count);
    read = end;
    written += count;
  }

  __device__ __forceinline__ uint32_t solve_next(const cut &cut, uint2 problem,
                                                 uint32_t seed) {
    uint32_t size = problem.y - problem.x, passes;
    keep_vertices(problem.x);
    line base = base_of((const P *)points, cut.points, problem.x, problem.y);
    if (size <= at->points) {
      task task = {0, size, 0, base.from, base.to};
      copy_points((const P *)points + problem.x, at->room, size);
      passes = solve(at->room, task, seed, at, 0);
      typedef typename near_of<P>::type near;
      uint32_t kept = keep_points((const near *)at->room, at->room, size);
      copy_points((const near *)at->room, points + written, kept);
      written += kept;
    } else {
      task task = {problem.x, problem.y, 0, base.from, base.to};
      passes = solve(points, task, seed, at, 0);
      written +=
          keep_points((const P *)points + problem.x, points + written, size);
    }
    read = problem.y;
    return passes;
  }
};

/* Step 3.  `shared` becomes where the vertices of each processor are, and
 * `places`, how many. */
template <class P>
__global__ void __launch_bounds__(WARP)
    hull_solve(P *points, cut cut, state state, const uint2 *problems,
               uint32_t count, uint32_t seed) {
  __shared__ desk_with_room<P> desk;
  uint32_t i = blockIdx.x, passes = 0;
  uint32_t begin = cut_begin(cut, i), end = cut_begin(cut, i + 1), own = end;
  uint32_t t = first_beyond(problems, count, begin);
  if (t < count) begin = min(begin, problems[t].x);
  own_points<P> mine = {points, begin, begin, &desk};
  for (; t < count; t++) {
    uint2 problem = problems[t];
    if (problem.y > end) {
      own = min(own, problem.x);
      break;
    }
    passes += mine.solve_next(cut, problem, seed + t * NEXT_PROBLEM);
  }
  mine.keep_vertices(own);
  if (lane_id()) return;
  state.shared[i] = make_uint4(begin, mine.written, i, i);
  state.places[i] = mine.written - begin;
  if (!passes) return;
  atomicMax(&state.answer->passes, passes);
  atomicAdd(&state.answer->all_passes, passes);
}

}  // namespace
