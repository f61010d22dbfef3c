/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/counter_info.h -- a quantity that may be counted, and
 * whether and how it is counted here. */
#pragma once
#include <stdbool.h>

enum { COUNTERS_MAX = 16, COUNTER_SOURCE_MAX = 64 };

struct counter_info {
  const char *name;    /* "walks_4k": key in results */
  const char *unit;    /* "walks", "cycles", ... */
  const char *meaning; /* one line */
  bool present;
  char source[160]; /* rung and event it is read from, when present */
  char why[160];    /* when absent */
  char fix[120];    /* when absent; empty where nothing helps */
};

void counter_set_absent(struct counter_info *info, const char *why,
                        const char *fix);
