/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/whatif/overlap.h -- how long misses take that overlap.
 *
 * A processor takes instructions in order, `base_ns` each, and lets them go in
 * order; `window` of them are under way at most.  A miss begins when it is
 * taken, when what its address waits for is there, and when one of `walkers` is
 * free, which its walk keeps busy; so a late one holds up what comes after it
 * no sooner than the window is full (T. Karkhanis, J. Smith: A First-Order
 * Superscalar Processor Model, 2004; Y. Chou, B. Fahs, S. Abraham:
 * Microarchitecture Optimizations for Exploiting Memory-Level Parallelism,
 * 2004).  All else takes no time of its own.
 */
#ifndef EXPERIMENTS_WHATIF_OVERLAP_H
#define EXPERIMENTS_WHATIF_OVERLAP_H
#include <stddef.h>
#include <stdint.h>

struct overlap_machine {
  double window; /* instructions */
  unsigned walkers;
};

struct overlap_miss {
  uint32_t gap;  /* instructions since the miss before, or the beginning */
  uint32_t back; /* waits for so many misses before; 0: for none */
  double walk_ns, data_ns; /* the data come after the walk */
};

enum { OVERLAP_WALKERS = 16 /* at most */ };

/* ns that `instructions` take, of which `count` miss.  NAN: no memory. */
double overlap_ns(const struct overlap_machine *machine, double base_ns,
                  const struct overlap_miss *misses, size_t count,
                  double instructions);
#endif
