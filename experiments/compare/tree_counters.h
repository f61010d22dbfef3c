/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/tree_counters.h -- hardware counters over a program and
 * all that it starts.
 *
 * The quantities and events are those of experiments/counters/; here they are
 * inherited by children and start with the program.  A quantity absent on this
 * machine is absent here, too.
 */
#ifndef EXPERIMENTS_COMPARE_TREE_COUNTERS_H
#define EXPERIMENTS_COMPARE_TREE_COUNTERS_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "experiments/counters/ladder.h"

struct tree_counts {
  bool present[QUANTITY_COUNT];
  uint64_t value[QUANTITY_COUNT];
};

struct tree_counters {
  int fds[QUANTITY_COUNT][RUNG_EVENTS]; /* -1: none */
};

/* Attach to `pid`, which has yet to execute the program. */
void tree_counters_open(struct tree_counters *counters, pid_t pid);

/* Read, after the tree has ended, and close. */
void tree_counters_close(struct tree_counters *counters,
                         struct tree_counts *counts);
#endif
