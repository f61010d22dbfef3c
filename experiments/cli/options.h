/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/options.h -- the options of a command as a table.
 *
 * A row is all there is to say of an option: how it is called, what its value
 * is and where that goes, its limits, its default, what it goes with, and what
 * --help says.  Parsing, refusals, --help, --usage, and from these the manual
 * pages and completions (doc/help_table.sh), follow from the rows.  Values are
 * stored in a struct of the command's, its request.
 */
#pragma once
#include <stdio.h>

#include "experiments/cli/option_row.h"

struct option_table {
  const struct option_row *rows; /* ended by zeros */
  const char *usage;             /* of words: "[ALGO...]", a line each */
  const char *doc;               /* before the options; behind \v: after them */
  const char *examples;          /* "COMMAND  what it does\n", or NULL */
  /* Prints what else comes after them, of the request; or NULL. */
  void (*more)(FILE *out, const void *request);
  size_t words;         /* struct option_words, in the request */
  size_t words_most;    /* SIZE_MAX: any number */
  const char *too_many; /* said of one more */
  bool program; /* options end at the first word: a program's line follows */
};

/* What --version prints, of every command. */
extern const char option_version[];

/* Options that a command has at most, other names and headings included. */
enum { OPTION_ROWS_MOST = 72 };

/*
 * Fill `request` from a command line whose argv[0] is "vat NAME": defaults
 * first, then what was typed.  Words are moved to the end of argv.  An exit
 * code, having printed what is wrong in one line; --help and the like exit.
 */
int options_parse(const struct option_table *table, int argc, char **argv,
                  void *request);

/* Free the lists of a request, also after a failure. */
void options_fini(const struct option_table *table, void *request);
