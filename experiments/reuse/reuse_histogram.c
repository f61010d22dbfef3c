/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/reuse/reuse_histogram.h"

uint64_t reuse_bucket_least(unsigned bucket) {
  if (bucket < 16) return bucket;
  return (uint64_t)(8 + bucket % 8) << (bucket / 8 - 1);
}

uint64_t reuse_coarse_least(unsigned bucket) {
  if (bucket < 2) return bucket;
  return (uint64_t)(2 + bucket % 2) << (bucket / 2 - 1);
}

double reuse_beyond(const struct reuse_histogram *histogram, double distance) {
  double sum = 0;
  for (unsigned i = 0; i < REUSE_BUCKETS; i++) {
    double least = (double)reuse_bucket_least(i);
    double end = (double)reuse_bucket_least(i + 1);
    if (distance <= least)
      sum += histogram->count[i];
    else if (distance < end)
      sum += histogram->count[i] * (end - distance) / (end - least);
  }
  return sum;
}
