/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Redis and Valkey.
 *
 * redis.conf, "Kernel transparent hugepage control": disable-thp, yes by
 * default, came with 6.2.  Where the kernel's setting is `always` the server
 * then turns THP off for itself by prctl(PR_SET_THP_DISABLE) when it starts
 * (server.c, linuxMemoryWarnings); with `madvise` it does not.  "Passing
 * arguments via the command line": the first argument is a file unless it
 * begins with --, then options follow.  Keywords are of either case.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "experiments/applications/application.h"
#include "experiments/applications/config.h"

struct server {
  char value[APPLICATION_VALUE], from[APPLICATION_TEXT];
};

/* Its title is "redis-server 127.0.0.1:6379", which may name a path, too. */
static bool is_server(const char *word) {
  static const char *const servers[] = {"redis-server", "redis-sentinel",
                                        "valkey-server", "valkey-sentinel",
                                        NULL};
  char first[SEEN_PATH];
  snprintf(first, sizeof first, "%.*s", (int)strcspn(word, " "), word);
  return seen_is_any(seen_base(first), servers);
}

/* On Debian redis-server is a link to redis-check-rdb, which is a command of
 * its own as well: its first word decides. */
static bool recognises(const struct application_seen *seen) {
  static const char *const servers[] = {"redis-server*", "redis-sentinel*",
                                        "valkey-server*", "valkey-sentinel*",
                                        NULL};
  static const char *const checks[] = {"redis-check-*", "valkey-check-*", NULL};
  if (seen_is_program(seen, servers)) return true;
  return seen_is_program(seen, checks) &&
         (!seen->argc || is_server(seen->argv[0]));
}

static void take_line(void *to, const struct config_line *line,
                      const char *file) {
  struct server *server = to;
  if (line->kind != CONFIG_SETTING || strcasecmp(line->name, "disable-thp"))
    return;
  seen_copy(server->value, sizeof server->value, line->value);
  seen_copy(server->from, sizeof server->from, file);
}

/* NULL: what it is set to is known. */
static const char *read_server(struct server *server,
                               const struct application_seen *seen) {
  char full[SEEN_PATH];
  if (!seen->argc) return "its command line is unknown";
  if (strchr(seen->argv[0], ' '))
    return "it wrote a title over its command line, and its configuration file "
           "is unknown; fix: redis-cli CONFIG GET disable-thp";
  if (seen->argc > 1 && strncmp(seen->argv[1], "-", 1) &&
      (!seen_path(full, seen->cwd, seen->argv[1]) ||
       !config_read(seen, &config_redis, full, take_line, server)))
    return "its configuration file cannot be read";
  for (size_t i = 1; i + 1 < seen->argc; i++) {
    if (strcmp(seen->argv[i], "--disable-thp")) continue;
    seen_copy(server->value, sizeof server->value, seen->argv[i + 1]);
    seen_copy(server->from, sizeof server->from, "the command line");
  }
  return NULL;
}

static bool is_too_old(const struct application_seen *seen) {
  static const struct seen_word word = SEEN_WORD("disable", "-thp");
  static const struct seen_word file = SEEN_WORD("EL", "F");
  unsigned char after[SEEN_AFTER];
  return seen_find(seen, seen->exe, 4, &file, after) &&
         !seen_find(seen, seen->exe, 64 << 20, &word, after);
}

static void get_settings(const struct application_seen *seen,
                         struct application_settings *settings) {
  struct server server = {.value = ""};
  struct application_setting *setting = setting_add(
      settings, "disable-thp",
      "turns THP off for the server when it starts while the kernel's setting "
      "is `always`; on larger pages a save by fork copies more");
  if (is_too_old(seen)) {
    SETTING_PRINT(setting->why, "this version has none; it came with 6.2");
    return;
  }
  const char *why = read_server(&server, seen);
  if (*server.value)
    setting_value(setting, server.value, server.from);
  else if (why)
    SETTING_PRINT(setting->why, "%s", why);
  else
    setting_value(setting, "yes", "the default");
  setting->large = !strcasecmp(setting->value, "no");
  if (setting->large) return;
  setting->refuses = true;
  SETTING_PRINT(setting->advice, "`disable-thp no` in its configuration file");
  SETTING_PRINT(setting->needs, "a restart, and what its allocator needs");
}

static const char *get_version(const struct application_seen *seen,
                               char version[APPLICATION_VERSION]) {
  (void)version;
  (void)seen;
  return "no file of it says it; fix: redis-server --version";
}

const struct application application_redis = {
    .name = "Redis or Valkey",
    .kind = APPLICATION_PROGRAM,
    .recognises = recognises,
    .version = get_version,
    .settings = get_settings,
};
