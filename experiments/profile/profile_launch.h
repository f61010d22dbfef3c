/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_launch.h -- run the program in Valgrind to its
 * end, and leave nothing behind, whoever is killed.
 *
 * Work is done by a process of its own, which the caller waits for.  The caller
 * ends what the worker leaves, also where that was killed; and where the caller
 * was, the worker is told by a signal that is not ignored, and does the same.
 *
 * Processes that the program leaves behind are waited for, too.  SIGINT and
 * SIGTERM are the program's: it is interrupted, and profiled so far.  A second
 * one kills all that is left.  Nobody waits for what is an orphan: all of it is
 * killed.
 */
#pragma once
#include <signal.h>
#include <sys/types.h>

#include "experiments/profile/profile_request.h"
#include "experiments/profile/valgrind.h"

struct guard {
  pid_t caller;
  sigset_t heard;  /* blocked in the worker: SIGCHLD, and what interrupts */
  sigset_t before; /* the mask that the caller had */
};

/*
 * Call `work` in a process of its own, and then, here, `clean`, when all
 * processes of the worker have ended.  SIGHUP, SIGINT and SIGTERM are the
 * worker's, unless they are ignored.  Returns what `work` did; dies by the
 * signal that interrupted it.
 */
int guarded(int (*work)(const struct guard *guard, void *context),
            void (*clean)(void *context), void *context);

/* In the worker: run it, and write its trace.  Returns an exit code; `status`
 * as of waitpid(). */
int profile_launch(const struct profile_request *request, const char *path,
                   struct valgrind *valgrind, const struct guard *guard,
                   int *status);

/* In the worker: there is nothing to be left behind any more, signals are as
 * they were. */
void guard_release(const struct guard *guard);
