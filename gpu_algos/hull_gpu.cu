/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The convex hull of points by marriage before conquest: hull/hull.h. */
#include "gpu_algos/hull/hull.h"

namespace {

template <bool FLOATS>
void restore(struct algo_run *run) {
  (FLOATS ? cpu_hull_restore_float : cpu_hull_restore)(run);
  hull_clear(run);
}

template <bool FLOATS>
void setup(struct algo_run *run) {
  (FLOATS ? cpu_hull_setup_float : cpu_hull_setup)(run);
  hull_clear(run);
}

/* The answer is in the array that the points have not come to last. */
void hull(struct algo_run *run) {
  double2 *first = (double2 *)(void *)run->memory, *second = first + run->n;
  hull_find<double2>(run, {{first, second}, {second, first}, {1, 0}});
}

/* Floats move within the first array, and become doubles in the second. */
void hull_float(struct algo_run *run) {
  float2 *first = (float2 *)(void *)run->memory;
  double2 *second = (double2 *)(void *)run->memory + run->n;
  hull_find<float2>(run, {{first, first + run->n}, {second, second}, {1, 1}});
}

template <bool FLOATS>
const char *check(const struct algo_run *run) {
  struct algo_run as = hull_as_on_host(run);
  return (FLOATS ? cpu_hull_check_float : cpu_hull_check)(&as);
}

void give(const struct algo_run *run, struct algo_data *data) {
  struct algo_run as = hull_as_on_host(run);
  cpu_hull_answer(&as, data);
}

}  // namespace

#define HULL_ROW(hull_name, title_, points, floats, run_, refuse_)           \
  GPU_ALGO(hull_name) = {                                                    \
      .name = #hull_name,                                                    \
      .title = title_,                                                       \
      .summary =                                                             \
          "convex hull of " points " by marriage before conquest, by warps", \
      .device = GPU_DEVICE,                                                  \
      .complexity = "n log2 n",                                              \
      .ram_ops = cpu_ops_nlogn,                                              \
      .bytes = hull_bytes,                                                   \
      .setup = setup<floats>,                                                \
      .restore = restore<floats>,                                            \
      .run = run_,                                                           \
      .check = check<floats>,                                                \
      .data = "points",                                                      \
      .generators = cpu_points_generators,                                   \
      .refuse = refuse_,                                                     \
      .answer = give,                                                        \
      .counts = hull_counts,                                                 \
      .count = hull_counted,                                                 \
  }

HULL_ROW(hull_gpu, "marriage before conquest", "points", false, hull,
         cpu_points_refuse);
HULL_ROW(hull_gpu_float, "marriage before conquest, floats", "points of floats",
         true, hull_float, cpu_points_refuse_float);
