/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/cpu_algos/hulls.h -- hulls of given points, by the algorithms of the
 * table and, slowly, by the definition. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/points.h"

/* A point as whole numbers below 2^60, times 2^-53 its coordinates. */
struct whole_point {
  int64_t x, y;
};

/* The sign of the area of a, b, c. */
int whole_orient(struct whole_point a, struct whole_point b,
                 struct whole_point c);

/*
 * The hull of n points into hull[0..n): an edge goes from p to q if every
 * point is to its left or on it.  O(n^3), by 128-bit integers.
 */
uint64_t hull_by_definition(const struct whole_point *points, uint64_t n,
                            struct whole_point *hull);

/* What `algo` says is the hull of the points, checked by algo->check as well
 * as for writing around its workspace; the caller frees it. */
struct cpu_point *hull_by_algo(const char *algo, const struct cpu_point *points,
                               uint64_t n, uint64_t *vertices);

/* Does each algorithm but those on floats, which run only if `floats`, find
 * this hull?  Prints the points if not. */
bool all_find(const struct cpu_point *points, uint64_t n,
              const struct cpu_point *hull, uint64_t vertices, bool floats);

/* Do they find the one of the definition?  Of at most 64 points times 2^-shift,
 * `shift` 0 or 53. */
bool all_find_defined(const struct whole_point *points, uint64_t n, int shift,
                      bool floats);
