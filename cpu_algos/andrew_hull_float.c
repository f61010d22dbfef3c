/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Monotone chain (Andrew, Another efficient algorithm for convex hulls in two
 * dimensions, 1979): sort, then a chain each way. */
#include "cpu_algos/hull.h"
#include "cpu_algos/keys.h"

static void andrew_hull_float(struct algo_run *run) {
  struct cpu_point *points = cpu_hull_points(run, 0);
  cpu_hull_widen(run);
  cpu_points_sort(points, run->n);
  run->result = cpu_hull_of_sorted(points, run->n, cpu_hull_points(run, 1));
}

const struct algo cpu_algo_andrew_hull_float = {
    .name = "andrew_hull_float",
    .title = "monotone chain, floats",
    .summary = "convex hull of points of floats by sorting",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_hull_bytes,
    .setup = cpu_hull_setup_float,
    .restore = cpu_hull_restore_float,
    .run = andrew_hull_float,
    .check = cpu_hull_check_float,
    .data = "points",
    .generators = cpu_points_generators,
    .refuse = cpu_points_refuse_float,
    .answer = cpu_hull_answer,
};
