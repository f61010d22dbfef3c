/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/guard.h -- what must not be left behind, whoever is
 * killed.
 *
 * Work is done by a process of its own, which the caller waits for.  The caller
 * ends what the worker leaves, also where that was killed; and where the caller
 * was, the worker is told by a signal that is not ignored, and does the same.
 */
#pragma once
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

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

/* In the worker: is there nobody who waits? */
bool guard_is_orphan(const struct guard *guard);
/* There is nothing to be left behind any more: signals are as they were. */
void guard_release(const struct guard *guard);
