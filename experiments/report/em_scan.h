/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/em_scan.h -- what a random scan costs in the EM model
 * (Jurkiewicz, PhD thesis, section 2.1.1).
 *
 * Caches of s_0 < s_1 < ... elements, each in the next one; an access to what
 * is in cache i and not in i - 1 takes c_i, and one to memory, the last level,
 * its own time.  A random element of n is in cache i with probability s_i / n,
 * so that an access to an array that fits cache l + 1, but not l, takes
 *
 *   c_{l+1} - sum over i <= l of s_i (c_{i+1} - c_i) / n.
 */
#pragma once
#include <jansson.h>
#include <stddef.h>

enum { EM_LEVELS_MAX = 8, EM_NAME_SIZE = 24 };

struct em_levels {
  size_t count; /* memory included, the last; 0: no caches are known */
  struct em_level {
    char name[EM_NAME_SIZE]; /* "L2", "memory" */
    double elements;         /* it holds; INFINITY: memory */
    double ns;
  } level[EM_LEVELS_MAX];
};

struct em_point {
  double n, ns; /* elements; time an element */
};

/* Data caches of a machine record; times are 0.  An element is 16 bytes: a
 * number and its place in the permutation, which go through the caches both. */
void em_levels_of(const json_t *machine, struct em_levels *levels);

/* Time an element. */
double em_scan_ns(const struct em_levels *levels, double n);

/*
 * Times that grow with the level and fit best, by the squares of the relative
 * errors.  Levels that are smaller than all `points` cannot be told apart and
 * become one.
 */
void em_scan_fit(struct em_levels *levels, const struct em_point *points,
                 size_t count);
