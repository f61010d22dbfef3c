/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/hull.h -- the convex hull of points on a GPU: Jurkiewicz, PhD
 * thesis, chapter 3.  What the host does: it launches the grids of the stages.
 *
 * Of the workspace, what is before `state` is laid out as that of hull2d: two
 * arrays of n and n + 1 points of doubles, the input at the beginning of the
 * first.  Floats have both arrays that they move between in there.
 */
#pragma once
#include <string.h>

#include "gpu_algos/hull/begin.h"
#include "gpu_algos/hull/finish.h"
#include "gpu_algos/hull/independent.h"
#include "gpu_algos/hull/problems.h"
extern "C" {
#include "cpu_algos/hull.h"
#include "cpu_algos/keys.h"
}

namespace {

enum { HULL_ALIGN = 256 };
/* Places are words. */
const uint64_t HULL_MOST = (UINT64_C(1) << 31) - 1;

inline uint32_t hull_problems_most(uint32_t processors) {
  return PROBLEMS_EACH * processors + CORNERS;
}

/* Cuts the next `count` of T off the memory at *at; NULL if there is none. */
template <class T>
inline void hull_take(size_t *at, unsigned char *memory, T **array,
                      size_t count) {
  *array = memory ? (T *)(void *)(memory + *at) : NULL;
  *at += (count * sizeof(T) + HULL_ALIGN - 1) / HULL_ALIGN * HULL_ALIGN;
}

/* Where the state is of a workspace at `memory`; returns the bytes of both. */
inline size_t hull_lay_out(uint64_t n, unsigned char *memory,
                           struct state *state) {
  uint32_t all = processors_of((uint32_t)n), problems = hull_problems_most(all);
  size_t at = (cpu_hull_bytes(n) + HULL_ALIGN - 1) / HULL_ALIGN * HULL_ALIGN;
  hull_take(&at, memory, &state->totals, 1);
  hull_take(&at, memory, &state->answer, 1);
  hull_take(&at, memory, &state->corners, CORNERS * all);
  hull_take(&at, memory, &state->problems[0], problems);
  hull_take(&at, memory, &state->problems[1], problems);
  hull_take(&at, memory, &state->shared, all + 1);
  hull_take(&at, memory, &state->ways, 2 * WARP * all);
  hull_take(&at, memory, &state->furthest, WARP * all);
  hull_take(&at, memory, &state->pivots, WARP * all);
  hull_take(&at, memory, &state->fresh, all);
  hull_take(&at, memory, &state->places, PLACES * all);
  return at;
}

inline size_t hull_bytes(uint64_t n) {
  struct state state;
  return n > HULL_MOST ? 0 : hull_lay_out(n, NULL, &state);
}

inline struct answer *hull_answer_of(const struct algo_run *run) {
  struct state state;
  hull_lay_out(run->n, run->memory, &state);
  return state.answer;
}

/* What lies behind the points as it is before a run: one that does nothing has
 * found no hull. */
inline void hull_clear(struct algo_run *run) {
  size_t points = cpu_hull_bytes(run->n);
  memset(run->memory + points, 0, hull_bytes(run->n) - points);
  hull_answer_of(run)->vertices = run->n ? UINT32_MAX : 0;
}

/* The run as hull2d would have left it: the answer in the second array. */
inline struct algo_run hull_as_on_host(const struct algo_run *run) {
  struct answer *answer = hull_answer_of(run);
  struct algo_run as = *run;
  as.result = answer->vertices;
  if (answer->at == 0 && answer->vertices <= run->n)
    memcpy(cpu_hull_points(run, 1), cpu_hull_points(run, 0),
           answer->vertices * sizeof(point));
  answer->at = 1;
  return as;
}

/* For algo.counts. */
const char *const hull_counts[] = {"vertices",       "split_iterations",
                                   "split_problems", "passes_most",
                                   "passes",         nullptr};

inline void hull_counted(const struct algo_run *run,
                         uint64_t values[ALGO_COUNTS]) {
  const struct answer *answer = hull_answer_of(run);
  values[0] = answer->vertices;
  values[1] = answer->iterations;
  values[2] = answer->problems;
  values[3] = answer->passes;
  values[4] = answer->all_passes;
}

/* Two arrays to move points between, and where the answer goes from each. */
template <class P>
struct hull_arrays {
  P *points[2];
  double2 *answer[2];
  uint32_t answer_at[2];
};

/* The grid of a warp for each processor. */
#define HULL_MIMD(kernel, cut, ...) \
  GPU_LAUNCH(kernel, gpu_blocks((cut).processors, WARPS), BLOCK, __VA_ARGS__)
/* That of a block, with a thread for each item as far as there are. */
#define HULL_SIMD(kernel, items, ...) \
  GPU_LAUNCH(kernel, 1, hull_threads(items), __VA_ARGS__)

inline uint32_t hull_threads(uint32_t items) {
  uint32_t threads = WARP * gpu_blocks(items, WARP);
  return threads < SINGLE ? threads : (uint32_t)SINGLE;
}

/* How it stands: the one thing that the host waits for. */
inline struct totals hull_totals(const struct state &state) {
  struct totals totals = {0, 0, 0};
  if (!gpu_failure_first())
    gpu_failed(cudaMemcpy(&totals, state.totals, sizeof totals,
                          cudaMemcpyDeviceToHost),
               "cudaMemcpy of what is left to split");
  return totals;
}

/* To the other array, and list number 0. */
template <class P>
void hull_begin(const hull_arrays<P> &arrays, cut cut, const state &state) {
  const P *from = arrays.points[0];
  HULL_MIMD(hull_extremes<P>, cut, from, cut, state.corners);
  HULL_SIMD(hull_corners, CORNERS * cut.processors, cut, state);
  HULL_MIMD((hull_count<true, P>), cut, from, cut, state);
  HULL_SIMD(hull_problems<true>, PLACES * cut.processors, cut, state, 1);
  HULL_MIMD((hull_part<true, P>), cut, from, arrays.points[1], cut, state);
}

/* From points[which] to the other array, and from list to list. */
template <class P>
void hull_split(const hull_arrays<P> &arrays, uint32_t which,
                const totals &totals, uint32_t list, uint32_t seed,
                const state &state) {
  const P *from = arrays.points[which];
  cut cut = cut_of(totals.points);
  /* One more, for the empty one behind the last. */
  GPU_LAUNCH(hull_share<P>, cut.processors + 1, WARP, from, cut, state,
             state.problems[list], totals.problems, seed);
  HULL_MIMD(hull_furthest<P>, cut, from, cut, state);
  HULL_SIMD(hull_pivots<P>, WARP * cut.processors, from, cut, state);
  HULL_MIMD((hull_count<false, P>), cut, from, cut, state);
  HULL_SIMD(hull_problems<false>, PLACES * cut.processors, cut, state, list);
  HULL_MIMD((hull_part<false, P>), cut, from, arrays.points[!which], cut,
            state);
}

/* A large problem becomes two more parts than would have so many points, at
 * most, which is less than twice as many: so there are no more problems than
 * this before the next iteration is over. */
template <class P>
inline bool hull_has_room(const totals &totals, uint32_t n) {
  uint64_t parts = 2 * (uint64_t)(totals.points / part_points<P>());
  return totals.problems + parts <= hull_problems_most(processors_of(n));
}

/* How it ends: the answer in the other array than points[which]. */
template <class P>
void hull_end(const hull_arrays<P> &arrays, uint32_t which, cut cut,
              const state &state, uint32_t iterations) {
  HULL_SIMD(hull_compact, cut.processors, cut, state, arrays.answer_at[which],
            iterations);
  HULL_MIMD(hull_write<P>, cut, arrays.points[which], arrays.answer[which], cut,
            state);
}

template <class P>
void hull_find(struct algo_run *run, const hull_arrays<P> &arrays) {
  struct state state;
  uint32_t n = (uint32_t)run->n, seed = (uint32_t)cpu_keys_seed(run->seed, 1);
  uint32_t which = 1, iterations = 0;
  if (!n) return;
  hull_lay_out(n, run->memory, &state);
  hull_begin(arrays, cut_of(n), state);
  struct totals totals = hull_totals(state);
  while (totals.large && hull_has_room<P>(totals, n)) {
    hull_split(arrays, which, totals, iterations % 2, seed, state);
    which = !which;
    seed += NEXT_DRAW;
    iterations++;
    totals = hull_totals(state);
  }
  cut cut = cut_of(totals.points);
  GPU_LAUNCH(hull_solve<P>, cut.processors, WARP, arrays.points[which], cut,
             state, state.problems[iterations % 2], totals.problems, seed);
  hull_end(arrays, which, cut, state, iterations);
}

}  // namespace
