/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A last cache that others use, too: a line stays if what came into it since
 * its last access, of ours and of theirs, is less than there is room for.  Ours
 * is the distance, theirs grows with time.  So a program that takes its time
 * from one line to the next has less of the cache than one that does not wait.
 */
#include "experiments/validate/costs_shares.h"

#include <math.h>

#define LINE_BYTES (1u << REUSE_LINE_BITS)

double costs_ops_between(const struct reuse_profile *profile, double bytes) {
  const struct reuse_histogram *lines = profile->lines;
  double most = bytes / LINE_BYTES, beyond = 0, ops = 0;
  for (int class = 0; class < REUSE_CLASSES; class ++) {
    beyond += lines[class].cold;
    for (unsigned i = 1; i < REUSE_BUCKETS; i++)
      beyond += lines[class].count[i];
  }
  for (unsigned i = 1; i + 1 < REUSE_BUCKETS; i++) {
    double from = (double)reuse_bucket_least(i);
    double to = fmin(most, (double)reuse_bucket_least(i + 1));
    double here = 0;
    if (!(to > from)) break;
    for (int class = 0; class < REUSE_CLASSES; class ++)
      here += lines[class].count[i];
    /* Those of this bucket are spread evenly over it. */
    if (beyond - here / 2 > 0)
      ops += (to - from) * profile->ram_ops / (beyond - here / 2);
    beyond -= here;
  }
  return ops;
}

static double needed(const struct costs *costs, int share, double ns) {
  return costs->shares[share].bytes +
         costs->neighbours * ns * costs->shares[share].ops;
}

double costs_share_left(const struct costs *costs, double ns) {
  double last = needed(costs, 0, ns);
  if (!(costs->neighbours > 0)) return 0;
  for (int k = 1; k < COSTS_SHARES && last > costs->last_bytes; k++) {
    double next = needed(costs, k, ns);
    if (next <= costs->last_bytes)
      return k - 1 + (last - costs->last_bytes) / (last - next);
    last = next;
  }
  return last > costs->last_bytes ? COSTS_SHARES - 1 : 0;
}

struct costs_waits costs_waits_at(const struct costs *costs, double share) {
  int below = (int)fmin(share, COSTS_SHARES - 2);
  struct costs_waits waits = costs->waits[below];
  const double *more = (const double *)&costs->waits[below + 1];
  double *sum = (double *)&waits;
  for (size_t i = 0; share > below && i < sizeof waits / sizeof *sum; i++)
    sum[i] += (share - below) * (more[i] - sum[i]);
  return waits;
}
