/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glibc's malloc.
 *
 * The GNU C Library, "Memory Allocation Tunables", glibc.malloc.hugetlb, from
 * 2.35: 0, the default, asks for nothing; 1 asks for THP by madvise; 2 takes
 * hugetlb pages of the default size, and a larger number pages of that size;
 * without a pool it takes base pages.  "Tunables": programs that are setuid do
 * not read GLIBC_TUNABLES.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/applications/application.h"

enum { LOADER = 16 << 20 };

static const char *const library[] = {"libc.so.6", "libc-2.*.so", NULL};
static const char *const loader[] = {"ld-linux*.so*", "ld64.so*", "ld-2.*.so",
                                     NULL};

static bool recognises(const struct application_seen *seen) {
  return seen_object(seen, library);
}

/* "libc-2.31.so", until 2.33. */
static const char *get_version(const struct application_seen *seen,
                               char version[APPLICATION_VERSION]) {
  const char *object = seen_object(seen, library);
  if (!object || sscanf(seen_base(object), "libc-%15[0-9.]", version) != 1)
    return "its file's name does not say it; fix: ldd --version";
  version[strlen(version) - 1] = '\0'; /* the dot of .so */
  return NULL;
}

/* Tunables are in a table of the loader. */
static bool is_too_old(const struct application_seen *seen) {
  static const struct seen_word word = SEEN_WORD("glibc.malloc.", "hugetlb");
  static const struct seen_word file = SEEN_WORD("EL", "F");
  char version[APPLICATION_VERSION];
  unsigned char after[SEEN_AFTER];
  const char *object = seen_object(seen, loader);
  if (!get_version(seen, version)) return true;
  return object && seen_find(seen, object, 4, &file, after) &&
         !seen_find(seen, object, LOADER, &word, after);
}

static void get_settings(const struct application_seen *seen,
                         struct application_settings *settings) {
  static const char name[] = "glibc.malloc.hugetlb";
  const char *list = seen_env(seen, "GLIBC_TUNABLES");
  char value[APPLICATION_VALUE];
  struct application_setting *setting = setting_add(
      settings, name,
      "1: the heap asks for THP; 2: it takes hugetlb pages, and base pages "
      "without a word where the pool is too small");
  if (is_too_old(seen)) {
    SETTING_PRINT(setting->why, "this version has none; it came with 2.35");
    return;
  }
  if (list && setting_of_list(list, name, '=', ":", value))
    setting_value(setting, value, "GLIBC_TUNABLES");
  else if (seen->env_why)
    SETTING_PRINT(setting->why, "%s", seen->env_why);
  else
    setting_value(setting, "0", "the default");
  setting->large = strtoul(setting->value, NULL, 0) > 0;
  if (setting->large) return;
  setting_join(setting->advice, seen, "GLIBC_TUNABLES", ":",
               "glibc.malloc.hugetlb=1");
  SETTING_PRINT(setting->needs,
                "`madvise` or `always` in "
                "/sys/kernel/mm/transparent_hugepage/enabled");
}

const struct application application_glibc = {
    .name = "glibc",
    .kind = APPLICATION_ALLOCATOR,
    .recognises = recognises,
    .version = get_version,
    .settings = get_settings,
};
