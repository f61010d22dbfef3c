/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_place.h"

#include <string.h>

#include "experiments/cli/order.h"

int profile_compare_texts(const char *a, const char *b) {
  return a == b ? 0 : strcmp(a, b);
}

/* A function is one, whatever files its lines come from.  Texts are kept once,
 * but not compared by where they lie, which is another place where a profile
 * came in other pieces: what costs as much is in one order. */
int profile_compare_functions(const void *x, const void *y) {
  const struct profile_place *a = x, *b = y;
  int order = strcmp(a->function, b->function);
  return order ? order : strcmp(a->object, b->object);
}

int profile_compare_places(const void *x, const void *y) {
  const struct profile_place *a = x, *b = y;
  int order = profile_compare_functions(x, y);
  if (!order) order = profile_compare_texts(a->file, b->file);
  if (!order) order = order_words(a->line, b->line);
  return order ? order : order_words(a->offset, b->offset);
}
