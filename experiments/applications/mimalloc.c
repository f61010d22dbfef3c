/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mimalloc.
 *
 * mimalloc's manual, "Environment Options": MIMALLOC_ALLOW_LARGE_OS_PAGES=1
 * takes hugetlb pages of 2 MiB, and THP where there are none (from 2.1 and 1.8;
 * before that it was MIMALLOC_LARGE_OS_PAGES, which later ones take as well);
 * MIMALLOC_RESERVE_HUGE_OS_PAGES=N reserves N pages of 1 GiB at startup.  Names
 * and words are of either case (src/options.c, mi_option_init).
 * src/prim/unix/prim.c, _mi_prim_mem_init: some versions turn THP off for the
 * process by prctl where large pages are not allowed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/applications/application.h"

enum { WHOLE = 64 << 20 };

static const char *const library[] = {"libmimalloc*", NULL};

static bool recognises(const struct application_seen *seen) {
  static const char *const functions[] = {"mi_malloc",          "mi_free",
                                          "_mi_malloc_generic", "_mi_page_*",
                                          "_mi_heap_*",         NULL};
  static const struct seen_word word = SEEN_WORD("mimalloc: war", "ning: ");
  unsigned char after[SEEN_AFTER];
  return seen_object(seen, library) || seen_has_function(seen, functions) ||
         seen_find(seen, seen->exe, WHOLE, &word, after);
}

/* "libmimalloc.so.2.0": its version, but not the last number of it. */
static const char *get_version(const struct application_seen *seen,
                               char version[APPLICATION_VERSION]) {
  static const char so[] = ".so.";
  const char *object = seen_object(seen, library);
  const char *at = object ? strstr(seen_base(object), so) : NULL;
  if (!at || !strchr(at + sizeof so - 1, '.') ||
      strspn(at + sizeof so - 1, "0123456789.") != strlen(at + sizeof so - 1))
    return "its file's name does not say it";
  snprintf(version, APPLICATION_VERSION, "%s", at + sizeof so - 1);
  return NULL;
}

static bool is_old(const struct application_seen *seen) {
  char version[APPLICATION_VERSION];
  if (get_version(seen, version)) return false;
  double number = strtod(version, NULL);
  return number < 1.75 || (number >= 2 && number < 2.05);
}

/* In capitals or not. */
static const char *get_env(const struct application_seen *seen,
                           const char *upper, const char *lower) {
  const char *value = seen_env(seen, upper);
  return value ? value : seen_env(seen, lower);
}

static void give_value(struct application_setting *setting,
                       const struct application_seen *seen, const char *value,
                       const char *by_default) {
  if (value)
    setting_value(setting, value, "the environment");
  else if (seen->env_why)
    SETTING_PRINT(setting->why, "%s", seen->env_why);
  else
    setting_value(setting, by_default, "the default");
}

static void get_settings(const struct application_seen *seen,
                         struct application_settings *settings) {
  bool old = is_old(seen);
  const char *name =
      old ? "MIMALLOC_LARGE_OS_PAGES" : "MIMALLOC_ALLOW_LARGE_OS_PAGES";
  const char *value =
      get_env(seen, "MIMALLOC_LARGE_OS_PAGES", "mimalloc_large_os_pages");
  const char *newer = get_env(seen, "MIMALLOC_ALLOW_LARGE_OS_PAGES",
                              "mimalloc_allow_large_os_pages");
  struct application_setting *large = setting_add(
      settings, name,
      "takes hugetlb pages of 2 MiB for its heap, and THP where there are "
      "none; some versions turn THP off for the process without it");
  give_value(large, seen, newer && !old ? newer : value, "0");
  large->large = setting_switch(large->value) == 1;
  struct application_setting *huge = setting_add(
      settings, "MIMALLOC_RESERVE_HUGE_OS_PAGES",
      "takes so many pages of 1 GiB when it starts, and 2 MiB where there are "
      "none");
  give_value(huge, seen,
             get_env(seen, huge->name, "mimalloc_reserve_huge_os_pages"), "0");
  huge->large = strtol(huge->value, NULL, 10) > 0;
  if (large->large || huge->large) return;
  SETTING_PRINT(large->advice, "%s=1", name);
  SETTING_PRINT(large->needs,
                "free huge pages (vm.nr_hugepages), or `madvise` or `always` "
                "in /sys/kernel/mm/transparent_hugepage/enabled");
}

const struct application application_mimalloc = {
    .name = "mimalloc",
    .kind = APPLICATION_ALLOCATOR,
    .recognises = recognises,
    .version = get_version,
    .settings = get_settings,
};
