/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/reuse/lottery.h -- one in so many, at random.
 *
 * The gap to the next winner is uniform in 1 .. 2 every - 1, so that nothing
 * periodic is met at the same place each time.  The first one wins, and the
 * same ones win each time.
 */
#ifndef EXPERIMENTS_REUSE_LOTTERY_H
#define EXPERIMENTS_REUSE_LOTTERY_H
#include <stdbool.h>
#include <stdint.h>

struct lottery {
  uint32_t every, left;
  uint64_t state;
};

static inline struct lottery lottery_begin(uint32_t every) {
  return (struct lottery){every, 1, 1};
}

static inline bool lottery_draw(struct lottery *lottery) {
  if (__builtin_expect(--lottery->left, 1)) return false;
  /* Knuth, The Art of Computer Programming 2, 3.3.4: MMIX's numbers; the high
   * half is random enough. */
  lottery->state = lottery->state * UINT64_C(6364136223846793005) +
                   UINT64_C(1442695040888963407);
  lottery->left =
      1 + (uint32_t)((lottery->state >> 32) * (2 * lottery->every - 1) >> 32);
  return true;
}
#endif
