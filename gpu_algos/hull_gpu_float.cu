/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The convex hull of points of floats by marriage before conquest:
 * hull/hull.h. */
#include "gpu_algos/hull/hull.h"

namespace {

void restore(struct algo_run *run) {
  cpu_hull_restore_float(run);
  hull_clear(run);
}

void setup(struct algo_run *run) {
  cpu_hull_setup_float(run);
  hull_clear(run);
}

/* Floats move within the first array, and become doubles in the second. */
void hull(struct algo_run *run) {
  float2 *first = (float2 *)(void *)run->memory;
  double2 *second = (double2 *)(void *)run->memory + run->n;
  hull_find<float2>(run, {{first, first + run->n}, {second, second}, {1, 1}});
}

const char *check(const struct algo_run *run) {
  struct algo_run as = hull_as_on_host(run);
  return cpu_hull_check_float(&as);
}

void give(const struct algo_run *run, struct algo_data *data) {
  struct algo_run as = hull_as_on_host(run);
  cpu_hull_answer(&as, data);
}

}  // namespace

GPU_ALGO(hull_gpu_float) = {
    .name = "hull_gpu_float",
    .title = "marriage before conquest, floats",
    .summary =
        "convex hull of points of floats by marriage before conquest, "
        "by warps",
    .device = GPU_DEVICE,
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = hull_bytes,
    .setup = setup,
    .restore = restore,
    .run = hull,
    .check = check,
    .data = "points",
    .generators = cpu_points_generators,
    .refuse = cpu_points_refuse_float,
    .answer = give,
    .counts = hull_counts,
    .count = hull_counted,
};
