/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetches: experiments/valgrind/fetch.h. */
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/profile_reading.h"

int profile_read_fetched(struct reading *r) {
  struct profile_code *code = &r->profile->code;
  struct profile_code_row *row = ARRAY_ADD(code->row, code->rows);
  *row = (struct profile_code_row){.at = reading_place(r)};
  uint64_t *count = (uint64_t *)&row->counts;
  for (size_t i = 0; i < PROFILE_FETCHES; i++)
    if (reading_number(r, 10, &count[i])) return -1;
  return *r->text ? reading_wrong(r, "more numbers than there should be") : 0;
}

/* Of the object that holds. */
int profile_read_fetch_walks(struct reading *r) {
  struct profile_code *code = &r->profile->code;
  if (r->number[0] > 1) return reading_wrong(r, "neither 0 nor 1");
  struct profile_code_object *object = ARRAY_ADD(code->object, code->objects);
  *object = (struct profile_code_object){.name = r->at.object};
  memcpy(object->walks[r->number[0]], r->number + 1, sizeof object->walks[0]);
  return 0;
}

int profile_read_code(struct reading *r) {
  r->own.code.instructions = r->number[0];
  r->own.code.changes = r->number[1];
  r->own.code.data_walks_2m = r->number[2];
  return 0;
}
