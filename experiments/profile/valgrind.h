/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/valgrind.h -- Valgrind, with the tool `vat` for its tool.
 *
 * Valgrind takes its tools from the directory that VALGRIND_LIB names.  So each
 * run has a directory of its own, in TMPDIR, where there are links to the tool
 * and to what else Valgrind needs, and where the tool writes its output.
 *
 * Root's program may become another user, who has to find the tool there and to
 * write its output.  So root's directory is open to all, but sticky: nobody can
 * list it or replace a file of another user.  Valgrind opens its log whatever
 * is there, so that is one file, which vat has made; the tool makes new files
 * only; and vat reads only what is a plain file (valgrind_open()).
 */
#pragma once
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "experiments/profile/profile.h"

struct valgrind {
  char program[PATH_MAX];   /* the command */
  char library[PATH_MAX];   /* where its own files are */
  char tool[PATH_MAX];      /* where ours are */
  char directory[PATH_MAX]; /* of this run; "": none */
  bool shared;              /* with other users */
  unsigned traced; /* the first process of a trace; 0: there was none */
};

/* Find all there is to it.  Returns an exit code. */
int valgrind_find(struct valgrind *valgrind);
/* Make the directory.  Returns an exit code. */
int valgrind_prepare(struct valgrind *valgrind);
/* Valgrind's log, as its --log-file has it. */
const char *valgrind_log(const struct valgrind *valgrind, char log[PATH_MAX]);
/* To read, if it is a plain file; else NULL with errno. */
FILE *valgrind_open(const char *path);
/* Read what each process left there, and finish the profile.  One that left
 * half of it is told, left out and removed; it is lost, as is one that began
 * and left nothing.  Returns an exit code; where there is no profile at all,
 * its processes are 0. */
int valgrind_read(const struct valgrind *valgrind, struct profile *profile);
/* Show the first words of Valgrind, which say why there is no profile. */
void valgrind_show_log(const struct valgrind *valgrind);
/* Remove the directory.  Also after failures. */
void valgrind_clean(struct valgrind *valgrind);
