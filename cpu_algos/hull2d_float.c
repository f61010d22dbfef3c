/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Algorithms 1 to 3 of Jurkiewicz, PhD thesis, section 3.1 (marriage.c). */
#include "cpu_algos/hull.h"
#include "cpu_algos/keys.h"

static void hull2d_float(struct algo_run *run) {
  run->result = cpu_hull_marry(run, true);
}

const struct algo cpu_algo_hull2d_float = {
    .name = "hull2d_float",
    .title = "marriage before conquest, floats",
    .summary = "convex hull of points of floats by marriage before conquest",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_hull_bytes,
    .setup = cpu_hull_setup_float,
    .restore = cpu_hull_restore_float,
    .run = hull2d_float,
    .check = cpu_hull_check_float,
    .data = "points",
    .generators = cpu_points_generators,
    .refuse = cpu_points_refuse_float,
    .answer = cpu_hull_answer,
};
