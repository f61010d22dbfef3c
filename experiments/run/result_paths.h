/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/result_paths.h -- where a run's results go. */
#pragma once
#include <limits.h>
#include <stdbool.h>

struct result_paths {
  char file[PATH_MAX];   /* results */
  char report[PATH_MAX]; /* directory of the report beside them */
  char made[64];         /* the new directory that they are in, or "" */
};

/*
 * What can be known to go wrong with -o `output` (NULL: not given) before
 * anything is measured.  Returns an exit code, having printed what is wrong.
 */
int result_paths_check(const char *output, bool resume);

/* The paths of `output`, or those of a new directory under vat-results/,
 * which is made.  Returns an exit code, as above. */
int result_paths_choose(const char *output, struct result_paths *paths);

/* Nothing could be written there: leave no new directory behind. */
void result_paths_give_up(void *paths);
