/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/wake.h -- stop as a program below stops, until it is
 * continued.
 *
 * Whoever waits for vat is to see that the program has stopped, so vat stops.
 * It may be the program alone that is continued then, by its process number:
 * a process of its own looks at it meanwhile, and wakes vat.
 */
#pragma once
#include <sys/types.h>

/* Returns when this process or `child` was continued; now both are.  SIGCONT
 * is blocked, and is not pending for that. */
void wake_stop_with(pid_t child);
