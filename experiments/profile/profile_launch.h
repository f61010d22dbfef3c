/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_launch.h -- run the program in Valgrind to its
 * end.
 *
 * Processes that it leaves behind are waited for, too.  SIGINT and SIGTERM are
 * the program's: it is interrupted, and profiled so far.  A second one kills
 * all that is left.  Nobody waits for what is an orphan: all of it is killed.
 */
#pragma once

#include "experiments/profile/guard.h"
#include "experiments/profile/profile_request.h"
#include "experiments/profile/trace_pump.h"
#include "experiments/profile/valgrind.h"

/* In the worker.  Returns an exit code; `status` as of waitpid(). */
int profile_launch(const struct profile_request *request, const char *path,
                   struct valgrind *valgrind, const struct guard *guard,
                   struct trace_pump *pump, int *status);
