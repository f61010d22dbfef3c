/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/child.h -- from fork to exec.
 *
 * Internal to the supervisor.  The child waits, ready in everything, until it
 * is told to execute the program: then the clock starts.
 */
#pragma once
#include "experiments/compare/launch_request.h"

struct child {
  pid_t pid;
  int out, err;   /* its standard output and error */
  int go, failed; /* pipes: a byte tells it to go; its errno if it cannot */
};

/* `child` has out and err.  -1 with errno. */
int child_fork(struct child *child, const struct launch *launch);

/* Let it go.  0 once the program runs, or -1 with errno where it cannot. */
int child_exec(struct child *child);
