/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/names.h -- names that a message lists. */
#pragma once

enum { NAMES_SIZE = 400 };

/* "a, b, c", as far as it fits.  Begins with "". */
void names_add(char names[NAMES_SIZE], const char *name);
