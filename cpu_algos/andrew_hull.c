/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Monotone chain (Andrew, Another efficient algorithm for convex hulls in two
 * dimensions, 1979): sort, then a chain each way. */
#include "cpu_algos/hull.h"
#include "cpu_algos/keys.h"

static void andrew_hull(struct algo_run *run) {
  struct cpu_point *points = cpu_hull_points(run, 0);

  cpu_points_sort(points, run->n);
  run->result = cpu_hull_of_sorted(points, run->n, cpu_hull_points(run, 1));
}

const struct algo cpu_algo_andrew_hull = {
    .name = "andrew_hull",
    .title = "monotone chain",
    .summary = "convex hull of points by sorting",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_hull_bytes,
    .setup = cpu_hull_setup,
    .restore = cpu_hull_restore,
    .run = andrew_hull,
    .check = cpu_hull_check,
    .data = "points",
    .generators = cpu_points_generators,
    .refuse = cpu_points_refuse,
    .answer = cpu_hull_answer,
};
