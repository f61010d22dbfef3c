/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_reading.h"

#include "experiments/profile/profile_number.h"

int reading_wrong(struct reading *r, const char *why) {
  r->wrong = why;
  return -1;
}

int reading_number(struct reading *r, unsigned base, uint64_t *value) {
  const char *why = profile_number(&r->text, base, value);
  bool counts = base == 10; /* and is written as an integer of JSON */
  if (!why && counts && *value > INT64_MAX) why = "a number is too large";
  return why ? reading_wrong(r, why) : 0;
}

struct profile_place reading_place(const struct reading *r) {
  struct profile_place at = r->at;
  at.line = (unsigned)r->number[0];
  at.offset = r->number[1];
  return at;
}
