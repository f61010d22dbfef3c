/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_place.h"

#include <string.h>

/* A function is one, whatever files its lines come from.  Texts are kept once,
 * but not compared by where they lie, which is another place where a profile
 * came in other pieces: what costs as much is in one order. */
int profile_compare_functions(const void *x, const void *y) {
  const struct profile_place *a = x, *b = y;
  int order = strcmp(a->function, b->function);
  return order ? order : strcmp(a->object, b->object);
}
