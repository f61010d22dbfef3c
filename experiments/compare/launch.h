/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/launch.h -- run a program once and read what it took.
 *
 * A process of ours, the supervisor, stands between vat and the program: it
 * is the subreaper of all that the program starts and ends it whatever happens,
 * also to vat; it drains the program's output, and looks at its memory: when a
 * process is about to exit, stopped there by ptrace, and in between by /proc.
 * The program is in a session of its own, so it cannot take the terminal.
 */
#pragma once
#include "experiments/compare/launch_request.h"

/*
 * Run it and wait.  `tick`, if not NULL, is called some ten times a second; a
 * nonzero return stops the run, with `interrupted` set.  Returns 0, or -1 with
 * errno where there could be no supervisor, or it was killed (EIO).
 */
int launch(const struct launch *launch, struct launch_result *result,
           int (*tick)(void *context), void *context);
