/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <string.h>

#include "huge_pages/pool.h"
#include "tests/huge_pages/huge_pages_suites.h"

const char *skip_kind(const char *name, size_t bytes) {
  static char why[sizeof((struct hp_lack *)0)->why + 64];
  const struct hp_kind *kind = hp_kind_find(name);
  struct hp_lack lack;
  if (!kind->pooled) {
    if (!hp_kind_explain(kind, bytes, &lack)) return NULL;
    snprintf(why, sizeof why, "%s", lack.why);
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

int main(void) {
  static const struct check_suite *const suites[] = {
      &suite_size_text,
      &suite_kernel_files,
      &suite_available_memory,
      &suite_page_kinds,
      &suite_smaps,
      &suite_region,
      &suite_region_thp,
      &suite_region_2m,
      &suite_region_1g,
      &suite_region_frames,
      &suite_pool,
      &suite_pool_resize,
      &suite_pool_real,
      &suite_arena,
      &suite_arena_2m,
      NULL,
  };
  return check_main(suites);
}
