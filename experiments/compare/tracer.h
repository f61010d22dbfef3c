/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/tracer.h -- stop every process as it exits.
 *
 * Internal to the supervisor.  ptrace(2) with PTRACE_SEIZE, so that a program
 * that is stopped and continued by others behaves as ever.  System calls are
 * not traced; starts and ends of threads and signals cost a stop each, which is
 * counted.  Tracees die with the tracer.
 */
#ifndef EXPERIMENTS_COMPARE_TRACER_H
#define EXPERIMENTS_COMPARE_TRACER_H
#include "experiments/compare/watch.h"

struct tracer {
  uint64_t stops;
};

/* Returns 0, or the errno of a kernel that refuses. */
int tracer_seize(struct tracer *tracer, pid_t pid);

/* `pid` stopped with `status`, as waitpid() has it: let it go on, after a last
 * look if it exits. */
void tracer_go_on(struct tracer *tracer, pid_t pid, int status,
                  struct watch *watch);
#endif
