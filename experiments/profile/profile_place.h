/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_place.h -- somewhere in the code, and distances
 * of misses: what all that a profile has is told by. */
#pragma once
#include <stdint.h>

/* Texts are the same if they are at the same place. */
struct profile_place {
  const char *object, *file, *function; /* "": unknown */
  unsigned line;                        /* 0: unknown */
  uint64_t offset; /* of the instruction in its object; 0: has a function */
};

/* By what they say; the same one is at one place. */
int profile_compare_texts(const char *a, const char *b);
/* Of two places: by name, then by object; and by all that is known. */
int profile_compare_functions(const void *a, const void *b);
int profile_compare_places(const void *a, const void *b);

/* Of how many misses ago any page of the table's line was missed, 0 being never
 * and i for 2^(i-1) and more. */
enum { PROFILE_OCTAVES = 32 };
