/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/terms.h -- the terms of a model.  Each can be left out, to
 * see what it is worth.
 */
#pragma once
#include <stdio.h>

struct term {
  const char *name; /* as --without takes it */
  const char *summary;
};

/* 1 << the index of the one called `name` of `terms`, which end by a NULL name;
 * 0: there is none. */
unsigned term_find(const struct term *terms, const char *name);

/* Adds its bit to *without.  Returns an exit code; `model` and `command` are
 * named where there is none. */
int term_leave_out(unsigned *without, const struct term *terms,
                   const char *name, const char *model, const char *command);

/* A line for each, as --help has them. */
void terms_print(FILE *out, const struct term *terms);
