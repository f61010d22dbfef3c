/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/option_values.h -- the values of options, as the rows of
 * their table (options.h) say. */
#pragma once
#include "experiments/cli/option_row.h"

/* Store what was typed in the request.  An exit code, having printed what is
 * wrong: "vat: --NAME TEXT: ...". */
int option_value_set(const struct option_row *row, void *request,
                     const char *text);

/* Call `take` for each item of a list with commas, until it fails. */
int option_items(void *at, const char *option, const char *list,
                 int (*take)(void *at, const char *option, const char *item));

/* Free what is there, if the row stores what has to be. */
void option_value_fini(const struct option_row *row, void *request);
