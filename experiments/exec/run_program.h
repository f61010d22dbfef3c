/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/run_program.h -- run a program in the place of vat, or below
 * it, so that whoever started vat sees the program.
 */
#pragma once
#include <signal.h>
#include <stdbool.h>

struct run_program {
  const char *path; /* executed; argv[0] need not be it */
  char *const *argv;
  char *const *environment;
  sigset_t mask; /* signals it starts with blocked */
};

/* Become it.  Returns an exit code, having printed why that cannot be. */
int program_become(const struct run_program *program);

/*
 * Run it as a child in the same process group, with the same terminal and open
 * files, and wait for it.  Signals that vat is sent are passed on, but for
 * SIGUSR1, which calls `report`; when the program stops or is continued so is
 * vat; should vat be killed so is the program.  `look` is called now and then.
 * Returns an exit code, having printed why it could not be started, or VAT_OK
 * and `*status`, as wait(2) has it.
 */
struct run_watch {
  void (*look)(void *context);
  void (*report)(void *context);
  void *context;
};
int program_run(const struct run_program *program,
                const struct run_watch *watch, int *status);

/* End as the program did: with its status, or by its signal. */
_Noreturn void program_end_like(int status);
