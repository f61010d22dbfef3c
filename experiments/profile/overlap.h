/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/overlap.h -- how long misses take that overlap.
 *
 * A processor takes instructions in order, `base_ns` after each other, and has
 * `window` of them under way at most: the next is taken when the one that is so
 * many before it is done, and all before that.  A miss begins when it is taken,
 * when what its address waits for is there, and when one of `walkers` is free,
 * which its walk keeps busy.  What does not miss is done at once.  So a miss
 * holds the others up when the window is full (T. Karkhanis, J. Smith: A
 * First-Order Superscalar Processor Model, 2004), and misses in one window
 * overlap unless one waits for the other (Y. Chou, B. Fahs, S. Abraham:
 * Microarchitecture Optimizations for Exploiting Memory-Level Parallelism,
 * 2004).
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct overlap_machine {
  double window; /* instructions, a whole number above 0 */
  unsigned walkers;
};

struct overlap_miss {
  uint32_t gap;  /* instructions since the miss before, or the beginning */
  uint32_t back; /* waits for so many misses before; 0: for none */
  double walk_ns, data_ns; /* the data come after the walk */
};

enum { OVERLAP_WALKERS = 16 /* at most */ };

/* ns until `instructions` are done, of which `count` miss; the first is taken
 * at base_ns. */
double overlap_ns(const struct overlap_machine *machine, double base_ns,
                  const struct overlap_miss *misses, size_t count,
                  double instructions);
