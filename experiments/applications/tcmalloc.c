/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two allocators of that name: gperftools' and google/tcmalloc.
 *
 * gperftools, "TCMalloc : Thread-Caching Malloc", Modifying Runtime Behavior:
 * TCMALLOC_MEMFS_MALLOC_PATH takes files of a hugetlbfs, whose name it extends,
 * and base pages where there are no more; TCMALLOC_MEMFS_LIMIT_MB bounds them.
 * google/tcmalloc, docs/tuning.md, System-Level Optimizations: "heavily relies
 * on Transparent Huge Pages", with `always`, defrag defer+madvise and
 * max_ptes_none 0; docs/temeraire.md: its heap is laid out in huge pages;
 * docs/stats.md, "HugePageFiller: densely pack small requests".
 */
#include <string.h>

#include "experiments/applications/application.h"

enum { WHOLE = 64 << 20 };

static bool google_recognises(const struct application_seen *seen) {
  static const char *const functions[] = {
      "TCMallocInternal*", "tcmalloc::tcmalloc_internal::*", NULL};
  static const struct seen_word word = SEEN_WORD("HugePageFil", "ler: densely");
  unsigned char after[SEEN_AFTER];
  return seen_has_function(seen, functions) ||
         seen_find(seen, seen->exe, WHOLE, &word, after);
}

static void google_settings(const struct application_seen *seen,
                            struct application_settings *settings) {
  struct application_setting *setting =
      setting_add(settings, "larger pages",
                  "its heap is laid out in huge pages; it is on them where the "
                  "kernel's setting is `always`");
  (void)seen;
  SETTING_PRINT(setting->why, "google/tcmalloc has no switch");
  SETTING_PRINT(setting->advice,
                "`always` in /sys/kernel/mm/transparent_hugepage/enabled");
  SETTING_PRINT(setting->needs,
                "defrag at defer+madvise and khugepaged/max_ptes_none 0");
}

static const char *google_version(const struct application_seen *seen,
                                  char version[APPLICATION_VERSION]) {
  (void)version;
  (void)seen;
  return "it has no versions";
}

static const char *const library[] = {"libtcmalloc*", NULL};

static bool recognises(const struct application_seen *seen) {
  static const char *const functions[] = {"tc_malloc", "tc_free",     "tc_new",
                                          "tc_delete", "tcmalloc::*", NULL};
  static const struct seen_word word = SEEN_WORD("TCMALLOC_MEMFS_", "LIMIT_MB");
  unsigned char after[SEEN_AFTER];
  return seen_object(seen, library) || seen_has_function(seen, functions) ||
         seen_find(seen, seen->exe, WHOLE, &word, after);
}

static void get_settings(const struct application_seen *seen,
                         struct application_settings *settings) {
  static const char name[] = "TCMALLOC_MEMFS_MALLOC_PATH";
  struct application_setting *setting = setting_add(
      settings, name,
      "maps the heap from files of a hugetlbfs, and takes base pages where "
      "there are no more; whoever forks shares them");
  const char *value = seen_env(seen, name);
  if (seen->env_why)
    SETTING_PRINT(setting->why, "%s", seen->env_why);
  else
    setting_value(setting, value ? value : "not set",
                  value ? "the environment" : "the default");
  setting->large = value && *value;
  if (setting->large) return;
  SETTING_PRINT(setting->advice, "%s=FILE, on a hugetlbfs", name);
  SETTING_PRINT(setting->needs,
                "a hugetlbfs that its user may write to, and free huge pages "
                "(vm.nr_hugepages) for its heap");
}

static const char *get_version(const struct application_seen *seen,
                               char version[APPLICATION_VERSION]) {
  (void)version;
  (void)seen;
  return "its file's name says only which interface it has";
}

const struct application application_google_tcmalloc = {
    .name = "google/tcmalloc",
    .kind = APPLICATION_ALLOCATOR,
    .recognises = google_recognises,
    .version = google_version,
    .settings = google_settings,
};

const struct application application_tcmalloc = {
    .name = "tcmalloc",
    .kind = APPLICATION_ALLOCATOR,
    .recognises = recognises,
    .version = get_version,
    .settings = get_settings,
};
