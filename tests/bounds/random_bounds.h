/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random requests to `vat predict`, answered within the process: is what is
 * simulated between the bounds?
 *
 * Each draw is one stream: of a line of predict_forms[] and a policy, in turn,
 * with a random n, seed, base, tree and some W, each W a case.  A case outside
 * its bounds is printed as the command line that repeats it.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/random.h"
#include "experiments/predict/forms.h"

enum { RANDOM_BOUNDS_POLICIES = 4 };

/* Of one algorithm and policy. */
struct random_bounds_count {
  uint64_t cases;
  uint64_t open; /* of which have no upper bound, W or pages being too small */
  uint64_t violations;
};

struct random_bounds {
  struct cpu_random random;
  int lg_operations;
  size_t forms; /* lines of predict_forms[] */
  size_t draws; /* so far */
  /* [form][policy]; free() it. */
  struct random_bounds_count (*counts)[RANDOM_BOUNDS_POLICIES];
};

extern const char *const random_bounds_policies[RANDOM_BOUNDS_POLICIES];

/* The same seed draws the same cases, of inputs that take at most
 * 2^lg_operations operations.  free(all->counts) at the end. */
void random_bounds_init(struct random_bounds *all, uint64_t seed,
                        int lg_operations);

/* One more stream.  0, or -1: it could not be run, and why was printed. */
int random_bounds_draw(struct random_bounds *all);

/* Sums over algorithms and policies. */
struct random_bounds_count random_bounds_sum(const struct random_bounds *all);
