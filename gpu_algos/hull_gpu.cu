/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The convex hull of points by marriage before conquest: hull/hull.h. */
#include "gpu_algos/hull/hull.h"

namespace {

void restore(struct algo_run *run) {
  cpu_hull_restore(run);
  hull_clear(run);
}

void setup(struct algo_run *run) {
  cpu_hull_setup(run);
  hull_clear(run);
}

/* The answer is in the array that the points have not come to last. */
void hull(struct algo_run *run) {
  double2 *first = (double2 *)(void *)run->memory, *second = first + run->n;
  hull_find<double2>(run, {{first, second}, {second, first}, {1, 0}});
}

const char *check(const struct algo_run *run) {
  struct algo_run as = hull_as_on_host(run);
  return cpu_hull_check(&as);
}

void give(const struct algo_run *run, struct algo_data *data) {
  struct algo_run as = hull_as_on_host(run);
  cpu_hull_answer(&as, data);
}

}  // namespace

GPU_ALGO(hull_gpu) = {
    .name = "hull_gpu",
    .title = "marriage before conquest",
    .summary = "convex hull of points by marriage before conquest, by warps",
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
    .refuse = cpu_points_refuse,
    .answer = give,
    .counts = hull_counts,
    .count = hull_counted,
};
