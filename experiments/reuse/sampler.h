/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/reuse/sampler.h -- one event in `every`, at random.
 *
 * The gap to the next sample is uniform in 1 .. 2 every - 1, so that samples do
 * not stay in step with anything periodic.  The first event is sampled, and
 * each run samples the same ones.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct sampler {
  uint32_t every, left;
  uint64_t state;
};

static inline struct sampler sampler_begin(uint32_t every) {
  return (struct sampler){every, 1, 1};
}

static inline bool sampler_next(struct sampler *sampler) {
  if (__builtin_expect(--sampler->left, 1)) return false;
  /* Knuth, The Art of Computer Programming 2, 3.3.4: MMIX's numbers; the high
   * half is random enough. */
  sampler->state = sampler->state * UINT64_C(6364136223846793005) +
                   UINT64_C(1442695040888963407);
  sampler->left =
      1 + (uint32_t)((sampler->state >> 32) * (2 * sampler->every - 1) >> 32);
  return true;
}
