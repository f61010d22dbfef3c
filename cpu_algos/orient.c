/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/orient.h"

int cpu_orient_exact(struct cpu_point a, struct cpu_point b,
                     struct cpu_point c) {
  return cpu_turn_exact(a, b, a, c);
}
