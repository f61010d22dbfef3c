/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/octagon.h -- throw points away that are inside of an octagon of
 * others, before a convex hull is looked for.
 */
#pragma once
#include <stdint.h>

#include "cpu_algos/points.h"

/*
 * Copy those of n points that may be on the hull, as doubles; `to` has room for
 * n.  Returns how many.  Of points in a square nearly all are left out, in a
 * disc nine in ten, on a circle none.
 */
uint64_t cpu_octagon_keep(const struct cpu_point *from, uint64_t n,
                          struct cpu_point *to);
uint64_t cpu_octagon_keep_float(const struct cpu_point_float *from, uint64_t n,
                                struct cpu_point *to);
