/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/applications/applications.h"

#include <string.h>

/* glibc's allocator comes last: other allocators are loaded beside it. */
const struct application *const applications[] = {&application_postgresql,
                                                  &application_mysql,
                                                  &application_redis,
                                                  &application_nginx,
                                                  &application_jvm,
                                                  &application_go,
                                                  &application_node,
                                                  &application_jemalloc,
                                                  &application_google_tcmalloc,
                                                  &application_tcmalloc,
                                                  &application_mimalloc,
                                                  &application_glibc,
                                                  NULL};

size_t applications_of(const struct application_seen *seen,
                       const struct application *found[APPLICATIONS_FOUND]) {
  size_t count = 0;
  for (const struct application *const *a = applications; *a; a++) {
    if (count == APPLICATIONS_FOUND || !(*a)->recognises(seen)) continue;
    found[count++] = *a;
    if ((*a)->kind == APPLICATION_ALLOCATOR) break;
  }
  return count;
}

const struct application *applications_allocator(
    const struct application_seen *seen) {
  for (const struct application *const *a = applications; *a; a++)
    if ((*a)->kind == APPLICATION_ALLOCATOR && (*a)->recognises(seen))
      return *a;
  return NULL;
}

void applications_settings(const struct application *application,
                           const struct application_seen *seen,
                           struct application_settings *settings) {
  memset(settings, 0, sizeof *settings);
  application->settings(seen, settings);
}
