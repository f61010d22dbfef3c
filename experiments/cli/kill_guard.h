/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/kill_guard.h -- a kill leaves neither temporary files nor
 * empty folders behind.
 *
 * Between kill_guard_arm() and kill_guard_disarm() the standard signals that
 * end a process remove the file in the making and the folders that were made
 * for it, then do what they did before; SIGXFSZ is ignored, so that a limit of
 * file size is an error as a full disk is.
 */
#pragma once
#include <signal.h>

void kill_guard_arm(void);
void kill_guard_disarm(void);

/* Around what makes a file and says so, or takes it away. */
void kill_guard_hold(sigset_t *before);
void kill_guard_release(const sigset_t *before);

/* The one file in the making; name NULL: none. */
void kill_guard_set(int dir, const char *name);

/* The folders that were made: those of `path` that lie beyond its first `there`
 * characters.  None of a path that is too long for the system. */
void kill_guard_set_folders(const char *path, size_t there);
/* Remove those that are empty; errno stays. */
void kill_guard_remove_folders(void);

/* Remove the file and the folders, where the caller is ending. */
void kill_guard_clean(void);
