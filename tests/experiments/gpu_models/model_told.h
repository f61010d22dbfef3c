/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What vat model prints and refuses. */
#pragma once
#include <jansson.h>
#include <stddef.h>

#include "tests/experiments/json_at.h"
#include "tests/experiments/run_command.h"

/* Of the last run. */
extern struct command_result model_result;

/* vat model with the words of `line`, which is cut up at blanks. */
void model_run(const char *line);

/* The objects that it prints, one a line; it has to end well.  The caller
 * frees them. */
json_t *model_told_lines(const char *line);
/* The first of them. */
json_t *model_told(const char *line);

/* Each is run behind `before`, and has to be refused by one line that begins
 * as its second text. */
void model_refuses(const char *before, const char *const (*cases)[2],
                   size_t count);
