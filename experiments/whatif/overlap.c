/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/whatif/overlap.h"

#include <math.h>
#include <stdlib.h>

/* What is known of a miss when later ones are looked at. */
struct passed {
  double at;             /* instruction */
  double done, released; /* ns */
};

static unsigned first_free(const double *free_at, unsigned walkers) {
  unsigned first = 0;
  for (unsigned i = 1; i < walkers; i++)
    if (free_at[i] < free_at[first]) first = i;
  return first;
}

/* When an instruction is released that no miss holds up but those up to
 * `last`. */
static double released(const struct passed *last, double at, double base_ns) {
  return last->released + (at - last->at) * base_ns;
}

double overlap_ns(const struct overlap_machine *machine, double base_ns,
                  const struct overlap_miss *misses, size_t count,
                  double instructions) {
  double walker_free[OVERLAP_WALKERS] = {0}, taken = 0, end;
  unsigned walkers =
      machine->walkers < OVERLAP_WALKERS ? machine->walkers : OVERLAP_WALKERS;
  struct passed *all = calloc(count + 1, sizeof *all);
  size_t out = 0; /* the last that has left the window; 0: the beginning */
  if (!all) return NAN;
  for (size_t i = 1; i <= count; i++) {
    const struct overlap_miss *m = &misses[i - 1];
    struct passed *now = &all[i];
    now->at = all[i - 1].at + m->gap;
    while (out + 1 < i && all[out + 1].at <= now->at - machine->window) out++;
    taken += m->gap * base_ns;
    if (now->at > machine->window)
      taken =
          fmax(taken, released(&all[out], now->at - machine->window, base_ns));
    double start = taken;
    if (m->back && m->back < i) start = fmax(start, all[i - m->back].done);
    unsigned walker = first_free(walker_free, walkers ? walkers : 1);
    if (m->walk_ns > 0) {
      start = fmax(start, walker_free[walker]);
      walker_free[walker] = start + m->walk_ns;
    }
    now->done = start + m->walk_ns + m->data_ns;
    now->released = fmax(now->done, released(&all[i - 1], now->at, base_ns));
  }
  end = released(&all[count], fmax(instructions, all[count].at), base_ns);
  free(all);
  return end;
}
