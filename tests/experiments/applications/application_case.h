/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/applications/application_case.h -- what is known of a
 * program, as a text file: for tests and for the fuzzer.
 *
 *   @exe PATH, @cwd PATH         one line each
 *   @cmdline, @environ, @maps    the lines that follow: words, variables, or
 *                                lines of /proc/PID/maps; a backslash before
 *                                one is left out
 *   @functions                   of a profile, a function each: then @maps has
 *                                objects, and nothing else is known
 *   @file PATH                   the text that follows is in this file
 *   @link PATH TARGET            a symbolic link
 *   @expect                      what is to be found, to the end
 */
#pragma once
#include <stdio.h>

#include "experiments/applications/seen.h"

enum { CASE_ITEMS = 256, CASE_FILES = 16 };

struct case_list {
  const char *item[CASE_ITEMS];
  size_t count;
};

struct case_file {
  const char *path, *text;
};

struct application_case {
  const char *exe, *cwd, *expect;
  struct case_list cmdline, environ, maps, functions;
  struct case_file file[CASE_FILES], link[CASE_FILES];
  size_t files, links;
  struct application_seen seen; /* of all this, with files from memory */
  struct case_list objects;
};

/* The case is made of `text`, which it changes and points into. */
void case_parse(struct application_case *it, char *text);

/* What the table says of it, a line a fact; for free(). */
char *case_found(const struct application_seen *seen);
