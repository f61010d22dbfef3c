/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/applications/seen_process.h -- what is known of a running
 * process.
 *
 * Its configuration files are read as it sees them, below its own root, so
 * that one in a container is read right and cannot name a file outside.
 * Nothing of the process is changed, stopped or run.
 */
#pragma once
#include "experiments/applications/seen.h"

struct seen_process;

/*
 * Read `proc`, "/proc/PID".  NULL with errno: ENOENT or ESRCH, it is gone;
 * what is read of it otherwise depends on the rights over it, and what cannot
 * be read is unknown.  Release with seen_process_destroy().
 */
struct seen_process *seen_process_create(const char *proc);
void seen_process_destroy(struct seen_process *process); /* NULL is fine */

/* As long as `process`. */
const struct application_seen *seen_process_seen(
    const struct seen_process *process);
