/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/chain.h -- the lower hull of points that come from left to right.
 */
#pragma once
#include <stdint.h>

#include "cpu_algos/orient.h"

/*
 * Put the next point behind the chain at[0..count), whose turns are all to the
 * left, after taking away what it shows to be no vertex; returns the new
 * count.  Points come in the order of cpu_point_before() (Andrew, Another
 * efficient algorithm for convex hulls in two dimensions, 1979).
 */
static inline uint64_t cpu_chain_add(struct cpu_point *at, uint64_t count,
                                     struct cpu_point next) {
  while (count > 1 && cpu_orient(at[count - 2], at[count - 1], next) <= 0)
    count--;
  at[count] = next;
  return count + 1;
}
