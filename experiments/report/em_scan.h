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
 *
 * The c_i are measured apart from the scan: a fit to the scan's own times would
 * explain whatever they are.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "experiments/probe/calibration.h"

/* An element of the array.  The permutation is read in order: as in the thesis,
 * no level is charged with it. */
enum { EM_ELEMENT_BYTES = 8 };

enum { EM_LEVELS_MAX = 8 };

struct em_levels {
  size_t count; /* memory included, the last; 0: no caches are known */
  struct em_level {
    char name[CALIBRATION_NAME]; /* "L2", "memory" */
    double elements;             /* it holds; INFINITY: memory */
    struct cal_value ns;         /* c_i */
  } level[EM_LEVELS_MAX];
};

/* Data caches of a machine record; times are 0. */
void em_levels_of(const json_t *machine, struct em_levels *levels);

/*
 * Of a calibration: what of each cache is usable, and the time of a read that
 * waits for no other, as those of a random scan, on the largest pages.  False:
 * a time is not known, as in older files, or there is no cache.
 */
bool em_levels_measured(const struct calibration *cal,
                        struct em_levels *levels);

/* Time an element; its interval follows from those of the times. */
struct cal_value em_scan_ns(const struct em_levels *levels, double n);
