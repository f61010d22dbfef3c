/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A subcommand run in a child process, with what it printed. */
#pragma once
#include <stdbool.h>

#include "experiments/commands/commands.h"

enum { RUN_OUTPUT = 1 << 16 };

struct command_result {
  int code;             /* exit code, or -1 after a signal */
  char out[RUN_OUTPUT]; /* stdout, cut to fit */
  char err[RUN_OUTPUT]; /* stderr */
};

/* Run with `arguments`, a NULL-ended list without argv[0]; as the user nobody
 * where `as_nobody`, which takes root. */
void run_command(struct command_result *result, command_run *command,
                 const char *const *arguments, bool as_nobody);

/* Run `script` by sh in the directory `dir` (NULL: here); "$VAT" and "$THESIS"
 * are the commands vat and thesis_trace that were built. */
void run_shell(struct command_result *result, const char *dir,
               const char *script);

/* What `vat sim ARGUMENTS` prints in the directory `dir` (NULL: here) behind
 * what `feed`, "" or "... |", pipes in.  It has to end well, with nothing on
 * stderr.  Valid until the next call. */
const char *run_sim(const char *dir, const char *feed, const char *arguments);

/* `script`, as of run_shell(), has to be refused: VAT_USAGE, nothing on stdout,
 * and one line on stderr that begins with "vat: SAYS". */
void shell_refuses(const char *dir, const char *script, const char *says);

/* The same of `vat sim - ARGUMENTS`, which has an address to read. */
void sim_refuses(const char *arguments, const char *says);

/* They have to be the same; else both are printed. */
void same_text(const char *text, const char *expected);

/* Valgrind faults in pages of its own, and hwloc complains of it on stderr. */
bool running_on_valgrind(void);
