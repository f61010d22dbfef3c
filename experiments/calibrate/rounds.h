/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/rounds.h -- the time of a calibration, divided.
 *
 * Which physical pages a program has where the kernel gives them as it likes is
 * of chance, and what a walk costs depends on it: the same chase over 1 GiB
 * took 176 to 343 ns in calibrations some minutes apart.  So memory of such
 * pages is taken anew in each round, of which there are as many as the long
 * chases leave room for; the points of a round are those of one draw.
 */
#pragma once
#include "experiments/calibrate/measure.h"
#include "experiments/calibrate/steady.h"

struct rounds {
  const struct calibration *cal; /* its curves are what is measured */
  struct hp_region *regions;     /* filled (bench.h) */
  size_t region_count, bytes;    /* of each */
  double steady_share;           /* of the time, for long chases */
  struct measure_time time;
  struct steady *steady; /* has begun */
  struct recording *recording;
  struct progress *progress;
};

/* One round at least.  Signals must be armed.  -1 with errno EINTR:
 * then the region of given pages may be zeroed. */
int rounds_run(const struct rounds *rounds);

/* How many rounds there are if a draw and its long chases take `took_s` of
 * `left_s`. */
unsigned rounds_count(double took_s, double left_s, double steady_share);
