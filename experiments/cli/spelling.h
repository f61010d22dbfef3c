/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/spelling.h -- which name was meant.
 *
 * Begin with {.typed = NAME}, offer every name there is, and print the hint.
 * A name is near if letters were lost, added, replaced or swapped, few for the
 * length of what was typed, or if what was typed is the beginning of it.
 */
#pragma once
#include <stddef.h>

struct spelling {
  const char *before;          /* "--" of an option; NULL: nothing */
  const char *typed, *nearest; /* NULL: none is near */
  size_t errors;               /* of the nearest */
  char hint[80];
};

void spelling_offer(struct spelling *spelling, const char *name);
/* "did you mean NAME? ", or "". */
const char *spelling_hint(struct spelling *spelling);
