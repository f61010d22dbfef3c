/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Node.js.
 *
 * Node.js documentation, "Command-line API", --use-largepages=mode: off, which
 * is the default, on, or silent, moves the program's code to pages of 2 MiB at
 * startup; NODE_OPTIONS may have it, and the command line counts more.  It
 * takes THP, `always` or `madvise` (src/large_pages/node_large_page.cc).
 */
#include <stdio.h>
#include <string.h>

#include "experiments/applications/application.h"

static bool recognises(const struct application_seen *seen) {
  static const char *const programs[] = {"node", "nodejs", NULL};
  static const struct seen_word word = SEEN_WORD("NODE_OP", "TIONS");
  static const struct seen_word file = SEEN_WORD("EL", "F");
  unsigned char after[SEEN_AFTER];
  if (!seen_is_program(seen, programs)) return false;
  /* There are other programs of that name. */
  return !seen_find(seen, seen->exe, 4, &file, after) ||
         seen_find(seen, seen->exe, 256 << 20, &word, after);
}

/* "--use-largepages=on" or "--use-largepages", "on"; underscores, too. */
static bool is_option(const char *word, const char *next,
                      char value[APPLICATION_VALUE]) {
  static const char option[] = "--use-largepages";
  size_t at = 0;
  while (option[at] && (word[at] == '_' ? '-' : word[at]) == option[at]) at++;
  if (option[at] || (word[at] && word[at] != '=')) return false;
  seen_copy(value, APPLICATION_VALUE, word[at] ? word + at + 1 : next);
  return true;
}

/* Options before the script; these have a word of their own for a value. */
static bool of_command(const struct application_seen *seen,
                       char value[APPLICATION_VALUE]) {
  static const char *const with_word[] = {"-r",
                                          "--require",
                                          "--import",
                                          "-e",
                                          "--eval",
                                          "--loader",
                                          "-C",
                                          "--conditions",
                                          "--title",
                                          "--env-file",
                                          "--use-largepages",
                                          "--experimental-loader",
                                          "--input-type",
                                          NULL};
  bool found = false;
  for (size_t i = 1; i < seen->argc; i++) {
    const char *word = seen->argv[i];
    const char *next = i + 1 < seen->argc ? seen->argv[i + 1] : "";
    if (*word != '-' || !strcmp(word, "--") || !strcmp(word, "-")) break;
    found |= is_option(word, next, value);
    i += seen_is_any(word, with_word);
  }
  return found;
}

static bool of_environment(const struct application_seen *seen,
                           char value[APPLICATION_VALUE]) {
  char word[APPLICATION_VALUE], next[APPLICATION_VALUE];
  const char *text = seen_env(seen, "NODE_OPTIONS");
  bool found = false;
  int used;
  while (text && sscanf(text, "%63s%n", word, &used) == 1) {
    text += used;
    if (sscanf(text, "%63s", next) != 1) *next = '\0';
    found |= is_option(word, next, value);
  }
  return found;
}

static void get_settings(const struct application_seen *seen,
                         struct application_settings *settings) {
  struct application_setting *setting = setting_add(
      settings, "--use-largepages",
      "moves the code of node to pages of 2 MiB when it starts; V8's heap has "
      "no switch");
  char value[APPLICATION_VALUE];
  if (of_command(seen, value))
    setting_value(setting, value, "the command line");
  else if (of_environment(seen, value))
    setting_value(setting, value, "NODE_OPTIONS");
  else if (!seen->argc)
    SETTING_PRINT(setting->why, "its command line is unknown");
  else if (seen->env_why)
    SETTING_PRINT(setting->why, "%s", seen->env_why);
  else
    setting_value(setting, "off", "the default");
  setting->large =
      !strcmp(setting->value, "on") || !strcmp(setting->value, "silent");
  if (setting->large) return;
  SETTING_PRINT(setting->advice,
                "`--use-largepages=silent` before the script, or in "
                "NODE_OPTIONS");
  SETTING_PRINT(setting->needs,
                "`madvise` or `always` in "
                "/sys/kernel/mm/transparent_hugepage/enabled");
}

/* ".../v20.20.2/bin/node", as version managers install it. */
static const char *get_version(const struct application_seen *seen,
                               char version[APPLICATION_VERSION]) {
  for (const char *at = seen->exe; (at = strstr(at, "/v")); at++) {
    size_t length = strspn(at + 2, "0123456789.");
    if (!length || length >= APPLICATION_VERSION || at[2 + length] != '/')
      continue;
    memcpy(version, at + 2, length);
    version[length] = '\0';
    return NULL;
  }
  return "its path does not say it; fix: node --version";
}

const struct application application_node = {
    .name = "Node.js",
    .kind = APPLICATION_RUNTIME,
    .recognises = recognises,
    .version = get_version,
    .settings = get_settings,
};
