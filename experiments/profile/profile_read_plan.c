/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of a plan: experiments/valgrind/plan.h. */
#include "experiments/cli/memory.h"
#include "experiments/profile/profile_reading.h"

int profile_read_large(struct reading *r) {
  for (unsigned n = 0; n < PROFILE_LAYERS; n++)
    r->own.plan.large[n] = r->number[n];
  return 0;
}

int profile_read_range(struct reading *r) {
  struct profile_plan *plan = &r->profile->plan;
  uint64_t start, end;
  if (reading_number(r, 16, &start) || reading_number(r, 16, &end)) return -1;
  if (start >= end) return reading_wrong(r, "no such range");
  *ARRAY_ADD(plan->range, plan->ranges) =
      (struct profile_range){r->own.process, start, end};
  return 0;
}

int profile_read_plan(struct reading *r) {
  struct profile_plan *plan = &r->profile->plan;
  if (r->number[0] < 14 || r->number[0] > 30)
    return reading_wrong(r, "no such size of pages");
  r->own.plan.page_bits = (unsigned)r->number[0];
  r->own.plan.both = r->number[1];
  *ARRAY_ADD(plan->process, plan->processes) = r->own.process;
  return 0;
}
