/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A libFuzzer target for the reader of plans; run.sh builds and runs it.  What
 * it accepts must come back the same from what is written of it; what it
 * rejects must say why. */
#include <stdint.h>
#include <stdlib.h>

#include "experiments/exec/page_plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void use(const struct page_plan *plan) {
  struct page_plan again;
  char why[PLAN_WHY];
  json_t *first = page_plan_to_json(plan), *second;
  if (!first || page_plan_from_json(&again, first, why)) abort();
  second = page_plan_to_json(&again);
  if (!json_equal(first, second)) abort();
  page_plan_fini(&again);
  json_decref(first);
  json_decref(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  struct page_plan plan;
  char why[PLAN_WHY] = "";
  json_t *object =
      json_loadb((const char *)bytes, count, JSON_REJECT_DUPLICATES, NULL);
  if (!object) return 0;
  if (!page_plan_from_json(&plan, object, why)) {
    use(&plan);
    page_plan_fini(&plan);
  } else if (!*why) {
    abort();
  }
  json_decref(object);
  return 0;
}
