/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/kill_guard.h -- a kill leaves no temporary file behind.
 *
 * Between kill_guard_arm() and kill_guard_disarm() SIGINT, SIGTERM and SIGHUP
 * remove the file in the making, then do what they did before; SIGXFSZ is
 * ignored, so that a limit of file size is an error as a full disk is.
 */
#ifndef EXPERIMENTS_REPORT_KILL_GUARD_H
#define EXPERIMENTS_REPORT_KILL_GUARD_H
#include <signal.h>

void kill_guard_arm(void);
void kill_guard_disarm(void);

/* Around what makes a file and says so, or takes it away. */
void kill_guard_hold(sigset_t *before);
void kill_guard_release(const sigset_t *before);

/* The one file in the making; name NULL: none. */
void kill_guard_set(int dir, const char *name);
#endif
