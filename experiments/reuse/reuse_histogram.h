/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/reuse/reuse_histogram.h -- how often there was each distance. */
#pragma once
#include <stdint.h>

enum {
  REUSE_BUCKETS = 240, /* of distances below 2^32 */
  REUSE_COARSE = 56    /* below 2^28 */
};

/*
 * Distance d is in bucket d below 16, but 0 and 1 share bucket 0: what goes to
 * one of the last two, in turns or not, misses nowhere.  From there on an
 * octave has eight buckets of the same width.
 */
static inline unsigned reuse_bucket(uint64_t distance) {
  if (distance < 2) return 0;
  if (distance < 8) return (unsigned)distance;
  unsigned octave = 63 - (unsigned)__builtin_clzll(distance);
  unsigned bucket = 8 * (octave - 2) + (distance >> (octave - 3) & 7);
  return bucket < REUSE_BUCKETS ? bucket : REUSE_BUCKETS - 1;
}
/* The least distance in a bucket. */
uint64_t reuse_bucket_least(unsigned bucket);

/* The same with two buckets an octave. */
static inline unsigned reuse_coarse(uint64_t distance) {
  if (distance < 2) return 0;
  unsigned octave = 63 - (unsigned)__builtin_clzll(distance);
  unsigned bucket = 2 * octave + (distance >> (octave - 1) & 1);
  return bucket < REUSE_COARSE ? bucket : REUSE_COARSE - 1;
}
uint64_t reuse_coarse_least(unsigned bucket);

struct reuse_histogram {
  double count[REUSE_BUCKETS];
  double cold;
};

/* How many distances are at least so long, cold ones left out; within a bucket
 * they are taken for spread evenly. */
double reuse_beyond(const struct reuse_histogram *histogram, double distance);
