/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jemalloc.
 *
 * jemalloc(3), "Tuning": options of the build, of the name that
 * /etc/malloc.conf links to, and of MALLOC_CONF, the last one counting;
 * "MALLCTL NAMESPACE", opt.thp (from 5.1): always, never or default;
 * opt.metadata_thp: disabled, auto or always.  INSTALL.md,
 * --with-jemalloc-prefix: a build with a prefix for its functions has it in its
 * variable, too; others use je_ for what they do not export.  hpa (from 5.3) is
 * experimental there and no advice.
 */
#include <stdlib.h>
#include <string.h>

#include "experiments/applications/application.h"

enum { WHOLE = 64 << 20 };

static const char *const library[] = {"libjemalloc*", NULL};
static const struct seen_word message = SEEN_WORD("<jemal", "loc>: ");

/* Is it linked into the program? */
static bool is_static(const struct application_seen *seen) {
  unsigned char after[SEEN_AFTER];
  return seen_find(seen, seen->exe, WHOLE, &message, after);
}

static bool recognises(const struct application_seen *seen) {
  static const char *const functions[] = {
      "je_malloc", "je_calloc",  "je_realloc",  "je_free",     "_rjem_*",
      "mallocx",   "je_arena_*", "je_tcache_*", "je_malloc_*", NULL};
  return seen_object(seen, library) || seen_has_function(seen, functions) ||
         is_static(seen);
}

/* Which environment variable it reads. */
static const char *variable(const struct application_seen *seen) {
  static const char *const prefix[] = {"je_malloc", "je_calloc", "je_realloc",
                                       "je_free", NULL};
  static const char *const rust[] = {"_rjem_*", NULL};
  static const struct seen_word with_prefix = SEEN_WORD("JE_MAL", "LOC_CONF");
  static const struct seen_word with_rust = SEEN_WORD("_RJEM_MAL", "LOC_CONF");
  unsigned char after[SEEN_AFTER];
  if (seen_has_function(seen, prefix)) return "JE_MALLOC_CONF";
  if (seen_has_function(seen, rust)) return "_RJEM_MALLOC_CONF";
  if (seen_object(seen, library)) return "MALLOC_CONF";
  if (seen_find(seen, seen->exe, WHOLE, &with_rust, after))
    return "_RJEM_MALLOC_CONF";
  if (seen_find(seen, seen->exe, WHOLE, &with_prefix, after))
    return "JE_MALLOC_CONF";
  return "MALLOC_CONF";
}

static bool of_link(const struct application_seen *seen, const char *name,
                    char value[APPLICATION_VALUE]) {
  char *text =
      seen->files ? seen->files->link(seen->context, "/etc/malloc.conf") : NULL;
  bool found = text && setting_of_list(text, name, ':', ",", value);
  free(text);
  return found;
}

static void give_value(struct application_setting *setting,
                       const struct application_seen *seen, const char *name,
                       const char *by_default) {
  const char *conf = variable(seen), *list = seen_env(seen, conf);
  char value[APPLICATION_VALUE];
  if (list && setting_of_list(list, name, ':', ",", value))
    setting_value(setting, value, conf);
  else if (seen->env_why)
    SETTING_PRINT(setting->why, "%s", seen->env_why);
  else if (of_link(seen, name, value))
    setting_value(setting, value, "/etc/malloc.conf");
  else
    setting_value(setting, by_default, "the default");
}

/* Its file can be read and has no such option. */
static bool is_too_old(const struct application_seen *seen) {
  static const struct seen_word option = SEEN_WORD("opt.", "thp");
  unsigned char after[SEEN_AFTER];
  const char *object = seen_object(seen, library);
  if (!object) object = seen->exe;
  return seen_find(seen, object, WHOLE, &message, after) &&
         !seen_find(seen, object, WHOLE, &option, after);
}

static void get_settings(const struct application_seen *seen,
                         struct application_settings *settings) {
  struct application_setting *thp = setting_add(
      settings, "thp", "asks for THP for all that it maps by madvise");
  if (is_too_old(seen)) {
    SETTING_PRINT(thp->why, "this version has none; it came with 5.1");
    return;
  }
  give_value(thp, seen, "thp", "default");
  struct application_setting *metadata = setting_add(
      settings, "metadata_thp", "asks for THP for what it keeps about blocks");
  give_value(metadata, seen, "metadata_thp", "disabled");
  thp->large = !strcmp(thp->value, "always");
  metadata->large = !strcmp(metadata->value, "always");
  if (thp->large) return;
  setting_join(thp->advice, seen, variable(seen), ",",
               "thp:always,metadata_thp:always");
  SETTING_PRINT(thp->needs,
                "`madvise` or `always` in "
                "/sys/kernel/mm/transparent_hugepage/enabled");
}

static const char *get_version(const struct application_seen *seen,
                               char version[APPLICATION_VERSION]) {
  (void)version;
  (void)seen;
  return "its file's name says only which interface it has";
}

const struct application application_jemalloc = {
    .name = "jemalloc",
    .kind = APPLICATION_ALLOCATOR,
    .recognises = recognises,
    .version = get_version,
    .settings = get_settings,
};
