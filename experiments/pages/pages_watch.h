/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/pages_watch.h -- what changed between two looks. */
#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "experiments/pages/survey.h"

/*
 * Print what is worth seeing, a line each: processes that began or ended, and
 * of the others the page sizes and reasons that have a huge page, or a
 * sixteenth of the process' memory, more or less.  Returns whether there is
 * any; `out` NULL prints nothing.
 */
bool pages_watch_print(FILE *out, const struct pages_survey *before,
                       const struct pages_survey *after, size_t huge_bytes);
