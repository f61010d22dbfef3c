/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
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

static void add_advice(FILE *to, const struct application *application,
                       const struct application_seen *seen) {
  struct application_settings settings;
  applications_settings(application, seen, &settings);
  for (size_t i = 0; i < settings.count; i++) {
    const struct application_setting *setting = &settings.at[i];
    if (!*setting->advice) continue;
    fprintf(to, "%s%s, %s: %s", ftell(to) ? "; " : "", application->name,
            setting->name, setting->advice);
    if (*setting->needs) fprintf(to, " (needs %s)", setting->needs);
  }
}

/* What programs and runtimes, whose memory is not the allocator's alone, have
 * switches for. */
static char *all_advice(const struct application_seen *seen) {
  const struct application *found[APPLICATIONS_FOUND];
  size_t count = applications_of(seen, found), size;
  char *text;
  FILE *to = memory_stream(&text, &size);
  for (size_t i = 0; i < count; i++)
    if (found[i]->kind != APPLICATION_ALLOCATOR) add_advice(to, found[i], seen);
  memory_stream_close(to);
  return text;
}

/* Of a profile: what was executed. */
struct executed {
  const char **objects, **functions;
  struct application_seen seen;
};

static void executed_init(struct executed *of, const struct profile *profile) {
  size_t count = profile->functions.count;
  of->objects = memory_zeroed(count + 1, sizeof *of->objects);
  of->functions = memory_zeroed(count + 1, sizeof *of->functions);
  for (size_t i = 0; i < count; i++) {
    of->objects[i] = profile->functions.row[i].at.object;
    of->functions[i] = profile->functions.row[i].at.function;
  }
  of->seen = (struct application_seen){.exe = "",
                                       .cwd = "",
                                       .env_why = "its environment is unknown",
                                       .objects = of->objects,
                                       .object_count = count,
                                       .functions = of->functions,
                                       .function_count = count};
}

static void executed_fini(struct executed *of) {
  free(of->functions);
  free(of->objects);
}

void heap_advice_of(const struct profile *profile, struct heap_advice *advice) {
  struct executed of;
  executed_init(&of, profile);
  advise(advice, &of.seen);
  executed_fini(&of);
}

char *application_advice_of(const struct profile *profile) {
  struct executed of;
  executed_init(&of, profile);
  char *text = all_advice(&of.seen);
  executed_fini(&of);
  if (*text) return text;
  free(text);
  return NULL;
}
