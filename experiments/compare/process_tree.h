/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/process_tree.h -- the descendants of a process. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { TREE_MAX = 4096 };

/*
 * Store the children of `root` in `pids`, and theirs, children first seen
 * first; `deep` 0: its own children only.  Returns how many; those that appear
 * meanwhile may be missing.
 */
size_t process_tree(pid_t root, int deep, pid_t pids[TREE_MAX]);

/* Is `pid` a descendant of the calling process?  Not any more where it ended.
 */
bool process_tree_has(pid_t pid);

/*
 * Kill every descendant of the calling process, which must be their subreaper,
 * and wait until none is left, for ten seconds at most.  Tracees of the caller
 * are let go on to die.
 */
void process_tree_end(void);

/* Kill and reap all children, and what becomes one by that, but for `kept`. */
void process_tree_end_others(const pid_t *kept, size_t count);
