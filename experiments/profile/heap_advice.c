/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "experiments/applications/applications.h"
#include "experiments/cli/memory.h"
#include "experiments/profile/what_if_table.h"

/* What the first setting of `application` that has advice says; of those that
 * refuse THP, if `refuses`. */
static void take_advice(const struct application *application,
                        const struct application_seen *seen, bool refuses,
                        char advice[APPLICATION_TEXT]) {
  struct application_settings settings;
  applications_settings(application, seen, &settings);
  for (size_t i = 0; i < settings.count && !*advice; i++)
    if (settings.at[i].refuses || !refuses)
      memcpy(advice, settings.at[i].advice, APPLICATION_TEXT);
}

static void advise(struct heap_advice *advice,
                   const struct application_seen *seen) {
  const struct application *found[APPLICATIONS_FOUND];
  size_t count = applications_of(seen, found);
  const struct application *heap = applications_allocator(seen);
  if (!heap) heap = &application_glibc;
  *advice = (struct heap_advice){.name = heap->name};
  take_advice(heap, seen, false, advice->advice);
  for (size_t i = 0; i < count; i++)
    if (found[i] != heap) take_advice(found[i], seen, true, advice->besides);
}

void heap_advice_of(const struct profile *profile, struct heap_advice *advice) {
  size_t count = profile->functions.count;
  const char **objects = memory_zeroed(count + 1, sizeof *objects);
  const char **functions = memory_zeroed(count + 1, sizeof *functions);
  for (size_t i = 0; i < count; i++) {
    objects[i] = profile->functions.row[i].at.object;
    functions[i] = profile->functions.row[i].at.function;
  }
  struct application_seen seen = {.exe = "",
                                  .cwd = "",
                                  .env_why = "its environment is unknown",
                                  .objects = objects,
                                  .object_count = count,
                                  .functions = functions,
                                  .function_count = count};
  advise(advice, &seen);
  free(functions);
  free(objects);
}
