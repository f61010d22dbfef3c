/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/tracer.h -- stop every process as it exits.
 *
 * Internal to the supervisor.  ptrace(2) with PTRACE_SEIZE, so that a program
 * that is stopped and continued by others behaves as ever.  System calls are
 * not traced; starts, ends and signals cost a stop each, which is counted.
 * Threads are only traced where that is asked for: their stops say nothing of
 * memory, but a process that is started by one is traced only if that is.
 * Tracees die with the tracer.
 */
#pragma once
#include "experiments/compare/watch.h"

/* Returns 0, or the errno of a kernel that refuses. */
int tracer_seize(pid_t pid, bool threads);

/* `pid` stopped with `status`, as waitpid() has it: let it go on, after a last
 * look if it exits.  Stops are counted in the watch's result. */
void tracer_go_on(pid_t pid, int status, struct watch *watch);
