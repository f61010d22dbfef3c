/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Go's runtime.
 *
 * Package runtime, "Environment Variables": GODEBUG=disablethp=1 disables THP
 * for the heap; it came with 1.21.6 and 1.22 (golang/go issue 64332). Go 1.21.0
 * asked by MADV_COLLAPSE and MADV_HUGEPAGE; later ones ask for no part of the
 * heap (issues 61718, 63334).  "A Guide to the Go Garbage Collector", Linux
 * transparent huge pages: set `always`, defrag to defer or defer+madvise, and
 * max_ptes_none to 0.  The note and the build information are of cmd/link
 * (elf.go, ELF_NOTE_GO_NAME; data.go, buildinfo) and package debug/buildinfo.
 */
#include <stdio.h>
#include <string.h>

#include "experiments/applications/application.h"

enum { NOTES = 64 << 10, WHOLE = 256 << 20, INLINE = 2, STRINGS = 32 };

static bool recognises(const struct application_seen *seen) {
  /* Type 4 and the name of a note; its size before them differs. */
  static const struct seen_word note = SEEN_WORD("\4\0\0\0", "Go\0\0");
  static const char *const functions[] = {
      "runtime.mallocgc", "runtime.newobject", "runtime.gcStart", NULL};
  unsigned char after[SEEN_AFTER];
  return seen_has_function(seen, functions) ||
         seen_find(seen, seen->exe, NOTES, &note, after);
}

/* It is aligned, which copies of the word in programs that read it are not.
 * From 1.18 the version lies STRINGS bytes after the start of the build
 * information, after its length. */
static const char *get_version(const struct application_seen *seen,
                               char version[APPLICATION_VERSION]) {
  static const struct seen_word magic =
      SEEN_WORD_ALIGNED("\xff Go bu", "ildinf:", 16);
  unsigned char after[SEEN_AFTER];
  size_t at = STRINGS - magic.length[0] - magic.length[1];
  if (!seen_find(seen, seen->exe, WHOLE, &magic, after))
    return "its file has no build information";
  if (!(after[1] & INLINE)) return "it is older than 1.18";
  size_t length = after[at++];
  if (length < 3 || length >= APPLICATION_VERSION ||
      memcmp(after + at, "go", 2))
    return "its build information is damaged";
  char text[APPLICATION_VERSION];
  memcpy(text, after + at + 2, length - 2);
  text[length - 2] = '\0';
  seen_copy(version, APPLICATION_VERSION, text);
  return NULL;
}

/* 1.21.6 and later, 1.22; true where it is not known. */
static bool has_disablethp(const struct application_seen *seen) {
  char version[APPLICATION_VERSION];
  unsigned major = 0, minor = 0, patch = 0;
  if (get_version(seen, version) ||
      sscanf(version, "%u.%u.%u", &major, &minor, &patch) < 2)
    return true;
  return major > 1 || minor > 21 || (minor == 21 && patch >= 6);
}

static void get_settings(const struct application_seen *seen,
                         struct application_settings *settings) {
  struct application_setting *setting = setting_add(
      settings, "GODEBUG=disablethp",
      "1 keeps the heap off THP; no switch asks for larger pages: the heap is "
      "on them where the kernel's setting is `always`");
  const char *list = seen_env(seen, "GODEBUG");
  char value[APPLICATION_VALUE];
  if (!has_disablethp(seen))
    SETTING_PRINT(setting->why, "this version has none; it came with 1.21.6");
  else if (seen->env_why)
    SETTING_PRINT(setting->why, "%s", seen->env_why);
  else if (list && setting_of_list(list, "disablethp", '=', ",", value))
    setting_value(setting, value, "the environment");
  else
    setting_value(setting, "0", "the default");
  setting->refuses = !strcmp(setting->value, "1");
  if (setting->refuses)
    SETTING_PRINT(setting->advice, "no disablethp=1 in GODEBUG");
  SETTING_PRINT(setting->needs,
                "`always` in /sys/kernel/mm/transparent_hugepage/enabled, "
                "with khugepaged/max_ptes_none 0");
}

const struct application application_go = {
    .name = "Go",
    .kind = APPLICATION_RUNTIME,
    .recognises = recognises,
    .version = get_version,
    .settings = get_settings,
};
