/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/heap_advice.h -- which allocator a program has, and how
 * its heap gets larger pages without a change to the program.
 */
#pragma once
#include "experiments/profile/profile.h"

enum { HEAP_NAMES = 6 };

/* "je_arena_*" is what begins so. */
struct heap_advice {
  const char *name;
  const char *objects[HEAP_NAMES];   /* files that are the allocator's */
  const char *functions[HEAP_NAMES]; /* or functions, in whatever file */
  const char *advice;
};

/* That whose functions were called; else glibc's. */
const struct heap_advice *heap_advice_of(const struct profile *profile);

/* What a program has to be told besides; NULL: nothing is known. */
const char *heap_advice_besides(const struct profile *profile);
