/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>

#include "huge_pages/pool.h"
#include "tests/huge_pages/huge_pages_suites.h"

const char *skip_kind(const char *name, size_t bytes) {
  static char why[sizeof((struct hp_missing *)0)->why + 64];
  const struct hp_kind *kind = hp_kind_find(name);
  struct hp_missing missing;
  if (!kind->pooled) {
    if (!hp_kind_explain(kind, bytes, &missing)) return NULL;
    snprintf(why, sizeof why, "%s", missing.why);
    return why;
  }
  struct hp_reservation *pages = hp_pool_reserve(kind, bytes);
  if (!pages) {
    snprintf(why, sizeof why, "no pool of %s pages can be reserved: %s", name,
             strerror(errno));
    return why;
  }
  hp_pool_release(pages);
  return NULL;
}

/* See tests/experiments/checks.sh; 200 s at most, and until this ends. */
static void wait_for_the_pools(void) {
  const struct timespec tenth = {.tv_nsec = 100000000};
  int fd = open("/proc/sys/vm/nr_overcommit_hugepages", O_RDONLY | O_CLOEXEC);
  for (int i = 0; fd >= 0 && i < 2000; i++) {
    if (!flock(fd, LOCK_EX | LOCK_NB)) return;
    nanosleep(&tenth, NULL);
  }
  if (fd >= 0) fputs("others may change the pools of huge pages\n", stderr);
}

/* With an argument, the suite that takes all transparent huge pages from other
 * programs for a moment: when no other test runs (test_thp_alone.sh). */
int main(int argc, char **argv) {
  static const struct check_suite *const alone[] = {&suite_thp_alone_real,
                                                    NULL};
  static const struct check_suite *const suites[] = {
      &suite_size_text,      &suite_frame_runs,
      &suite_kernel_files,   &suite_available_memory,
      &suite_page_kinds,     &suite_pagemap,
      &suite_smaps,          &suite_region,
      &suite_region_thp,     &suite_region_2m,
      &suite_region_1g,      &suite_region_frames,
      &suite_pool,           &suite_pool_resize,
      &suite_pool_real,      &suite_sized_thp,
      &suite_sized_thp_real, &suite_thp_alone,
      &suite_thp_alone_real, &suite_arena,
      &suite_arena_2m,       NULL,
  };
  wait_for_the_pools();
  return check_main(argc > 1 && !strcmp(argv[1], "alone") ? alone : suites);
}
