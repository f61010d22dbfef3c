/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/validate/costs_levels.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Most second- and last-level caches have some 16. */
enum { WAYS = 16 };

size_t costs_level_at(const struct calibration *cal, double bytes) {
  size_t i = 0;
  while (i + 1 < cal->level_count && bytes >= cal->levels[i].bytes_usable.value)
    i++;
  return i;
}

/* How often a line at this distance is still in a cache of so many: it is gone
 * when as many others as a set has ways fell into its set, as lines fall at
 * random (Smith, A Comparative Study of Set Associative Memory Mapping
 * Algorithms, IEEE TSE 4(2), 1978). */
static double hit_share(double bytes, double cache_bytes) {
  double others = bytes * WAYS / cache_bytes;
  return others > 0 ? gsl_cdf_poisson_P(WAYS - 1, others) : 1;
}

void costs_level_shares(const struct calibration *cal, double bytes,
                        double shares[CALIBRATION_LEVELS]) {
  double previous = 0;
  for (size_t i = 0; i < cal->level_count; i++) {
    double hit = 1;
    if (i + 1 < cal->level_count)
      hit = fmax(previous, hit_share(bytes, cal->levels[i].bytes_usable.value));
    shares[i] = hit - previous;
    previous = hit;
  }
}
