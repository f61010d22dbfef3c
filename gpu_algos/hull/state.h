/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/state.h -- what the grids of a hull hand on to each other, in
 * global memory.
 *
 * The points that may still be vertices lie in an array, in the order of the
 * hull, from the leftmost on: each vertex that is known, behind it those
 * between it and the next one, in any order.  Points between two vertices are a
 * problem.
 */
#pragma once
#include "gpu_algos/hull/plane.h"
#include "gpu_algos/warp/block_prefix.h"

namespace {

/* As many processors as can have so many points each, at most MOST: a single
 * block is to make prefixes of what each of them says. */
enum : uint32_t { POINTS_EACH = 2048, MOST = 8192 };
/* What has more is split by several processors.  An iteration costs four scans,
 * and copies what it does not split; a warp by itself takes three to halve a
 * problem, and halves this once or twice until shared memory has room for it.
 */
enum : uint32_t { LARGE_POINTS = 8192 };
enum : uint32_t { CORNERS = 5 };
/* A problem is split in as many parts as there are lanes, at most, by a pivot
 * less. */
enum : uint32_t { PARTS = WARP };
/* Of a processor: how many points of each part, and how many others. */
enum : uint32_t { PLACES = PARTS + 1 };
/* Room for problems, for each processor there is at first. */
enum : uint32_t { PROBLEMS_EACH = 32 };

struct totals {
  uint32_t points;   /* in the array, vertices included */
  uint32_t problems; /* of two points and more */
  uint32_t large;    /* of these, to be split */
};

struct answer {
  uint32_t vertices;
  uint32_t at;         /* which array has them */
  uint32_t iterations; /* of the splitting stage */
  uint32_t passes;     /* of the independent stage: the most of a warp */
  uint32_t all_passes, problems;
};

/* Where all of it lies.  V of the thesis are `furthest`, and `places`. */
struct state {
  struct totals *totals;
  struct answer *answer;
  double2 *corners; /* CORNERS of each processor */
  /* Those of two points and more, in their order: points [x, y), l before them,
   * r behind, or the very first where they are the last.  One list before and
   * one after an iteration. */
  uint2 *problems[2];
  /* What each processor has a part of, and an empty one: points [x, y), shared
   * by the processors z to w; x = y: nothing. */
  uint4 *shared;
  double2 *ways; /* a direction a lane of each shared problem, at its first */
  double2 *furthest; /* in these, of each processor */
  double2 *pivots;   /* new vertices of each shared problem, at its first */
  uint32_t *fresh;   /* how many */
  uint32_t *places;
};

__device__ __host__ __forceinline__ uint32_t processors_of(uint32_t points) {
  uint32_t all = points / POINTS_EACH + (points % POINTS_EACH != 0);
  return all < 1 ? 1 : all < MOST ? all : (uint32_t)MOST;
}

/* The array, cut in equal parts. */
struct cut {
  uint32_t points, processors, each;
};

__device__ __host__ __forceinline__ cut cut_of(uint32_t points) {
  cut cut;
  cut.points = points;
  cut.processors = processors_of(points);
  cut.each = points / cut.processors + (points % cut.processors != 0);
  if (!cut.each) cut.each = 1;
  return cut;
}

__device__ __forceinline__ uint32_t cut_begin(const cut &cut, uint32_t i) {
  return min(i * cut.each, cut.points);
}

__device__ __forceinline__ bool is_large(const cut &cut, uint2 problem) {
  return problem.y - problem.x > max((uint32_t)LARGE_POINTS, cut.each);
}

/* The first processor whose part begins there or behind. */
__device__ __forceinline__ uint32_t first_in(const cut &cut, uint32_t place) {
  return (place + cut.each - 1) / cut.each;
}

/* Part of a processor of the problem that it shares (Lemma 3.2). */
__device__ __forceinline__ uint32_t part_begin(const uint4 &shared,
                                               uint32_t i) {
  uint64_t all = shared.w - shared.z + 1, size = shared.y - shared.x;
  return shared.x + (uint32_t)(size * (i - shared.z) / all);
}

/* Where processor i's counts are in `places`: of all that share a problem those
 * of one part after the other, then what is copied. */
__device__ __forceinline__ uint32_t place_of(const uint4 &shared, uint32_t i,
                                             uint32_t which) {
  uint32_t all = shared.w - shared.z + 1;
  return PLACES * shared.z + which * all + (i - shared.z);
}

/* The vertices of a problem, in the registers of each lane. */
template <class P>
__device__ __forceinline__ line base_of(const P *points, uint32_t all,
                                        uint32_t begin, uint32_t end) {
  uint32_t behind = end == all ? 0 : end;
  point p = load(points + (lane_id() ? behind : begin - 1));
  line base;
  base.from = from_lane(p, 0);
  base.to = from_lane(p, 1);
  return base;
}

/* The first of problems[0..count), which are sorted, with an `end` beyond
 * `place`: a warp looks at S at a time. */
__device__ __forceinline__ uint32_t first_beyond(const uint2 *problems,
                                                 uint32_t count,
                                                 uint32_t place) {
  uint32_t low = 0, size = count; /* it is among low .. low + size */
  while (size) {
    uint32_t step = (size + WARP - 1) / WARP, i = low + (lane_id() + 1) * step;
    uint32_t last = min(i, low + size) - 1;
    bool beyond = problems[last].y > place;
    uint32_t beyonds = __ballot_sync(ALL_LANES, beyond);
    if (!beyonds) return low + size;
    uint32_t at = low + ((uint32_t)__ffs((int)beyonds) - 1) * step;
    size = min(step, low + size - at) - 1;
    low = at;
  }
  return low;
}

}  // namespace
