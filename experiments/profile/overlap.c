/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/overlap.h"

#include <stdlib.h>

#include "experiments/cli/memory.h"

struct passed {
  double at;    /* instruction */
  double done;  /* ns */
  double clear; /* it and all before it are done */
};

struct flow {
  const struct overlap_machine *machine;
  double base_ns;
  struct passed *all; /* misses from 1 on */
  size_t out;         /* the last that is a window behind */
  double line;        /* instruction i is taken at line + i base_ns or later */
  double walker_free[OVERLAP_WALKERS];
};

/* As fmax() of numbers, without the call, of which there is one a miss. */
static double later(double a, double b) { return a > b ? a : b; }

/* When instruction `at` is taken; misses before `next` are known.  Instruction
 * m + window is taken when miss m is clear, and those behind it base_ns after
 * each other. */
static double flow_issue_ns(struct flow *f, double at, size_t next) {
  double window = f->machine->window;
  while (f->out + 1 < next && f->all[f->out + 1].at + window <= at) {
    const struct passed *m = &f->all[++f->out];
    f->line = later(f->line, m->clear - (m->at + window) * f->base_ns);
  }
  return f->line + at * f->base_ns;
}

/* Takes the walker that is free first, from `start` or later on. */
static double walk(struct flow *f, double start, double ns) {
  unsigned walkers = f->machine->walkers, first = 0;
  if (walkers > OVERLAP_WALKERS) walkers = OVERLAP_WALKERS;
  if (!(ns > 0)) return start;
  for (unsigned i = 1; i < walkers; i++)
    if (f->walker_free[i] < f->walker_free[first]) first = i;
  start = later(start, f->walker_free[first]);
  return f->walker_free[first] = start + ns;
}

double overlap_ns(const struct overlap_machine *machine, double base_ns,
                  const struct overlap_miss *misses, size_t count,
                  double instructions) {
  struct flow f = {.machine = machine, .base_ns = base_ns};
  f.all = memory_zeroed(count + 1, sizeof *f.all);
  for (size_t i = 1; i <= count; i++) {
    const struct overlap_miss *m = &misses[i - 1];
    struct passed *now = &f.all[i];
    now->at = f.all[i - 1].at + m->gap;
    double start = flow_issue_ns(&f, now->at, i);
    if (m->back && m->back < i) start = later(start, f.all[i - m->back].done);
    now->done = walk(&f, start, m->walk_ns) + m->data_ns;
    now->clear = later(f.all[i - 1].clear, now->done);
  }
  double last = later(instructions, f.all[count].at);
  double end = later(flow_issue_ns(&f, last, count + 1), f.all[count].clear);
  free(f.all);
  return end;
}
