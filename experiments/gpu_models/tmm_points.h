/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/tmm_points.h -- every combination of the numbers that
 * were asked for. */
#pragma once
#include "experiments/gpu_models/tmm_request.h"

struct tmm_point {
  struct tmm_machine machine;
  double
      value[TMM_OPTIONS]; /* NAN: not given; S and the machine's always are */
};

/* How many combinations there are on each machine; 0: over a million, and that
 * is told. */
size_t tmm_points_count(const struct tmm_request *request);

/* The combination at `place`, the last list fastest, on `machine`.  An exit
 * code: L may be unknown. */
int tmm_point_at(const struct tmm_request *request,
                 const struct tmm_machine *machine, size_t place,
                 struct tmm_point *point);

/* What formulas see of it, `point` being there as long. */
struct tmm_at tmm_point_sizes(const struct tmm_point *point);

/* What of its sizes the algorithm does not take: an exit code. */
int tmm_point_check(const struct tmm_point *point, const struct tmm_algo *algo);

/* The algorithm's T1, Tinf and M there, with the S that was given. */
struct tmm_program tmm_point_program(const struct tmm_point *point,
                                     const struct tmm_algo *algo);

/* Threads per core that were asked for; INFINITY: as many as there can be. */
double tmm_point_threads(const struct tmm_point *point);
