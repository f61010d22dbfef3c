/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Algorithms 1 to 3 of Jurkiewicz, PhD thesis, section 3.1 (marriage.c). */
#include "cpu_algos/hull.h"
#include "cpu_algos/keys.h"

static void hull2d(struct algo_run *run) {
  run->result = cpu_hull_marry(run, false);
}

const struct algo cpu_algo_hull2d = {
    .name = "hull2d",
    .title = "marriage before conquest",
    .summary = "convex hull of points by marriage before conquest",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_hull_bytes,
    .setup = cpu_hull_setup,
    .restore = cpu_hull_restore,
    .run = hull2d,
    .check = cpu_hull_check,
    .data = "points",
    .generators = cpu_points_generators,
    .refuse = cpu_points_refuse,
    .answer = cpu_hull_answer,
};
