/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MySQL's and MariaDB's servers.
 *
 * MySQL Reference Manual, "Enabling Large Page Support": large-pages, off by
 * default, is for InnoDB's buffer pool; it needs a pool, the limit of locked
 * memory lifted, and the user's group in vm.hugetlb_shm_group; without these
 * the server says so and takes base pages.  "Using Option Files": the files and
 * their order; "Program Option Modifiers": --skip-, --disable-, --enable-,
 * --loose-.  MariaDB Knowledge Base, "large_pages", and "Configuring MariaDB
 * with Option Files": the groups.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/applications/application.h"
#include "experiments/applications/config.h"
#include "huge_pages/size_text.h"

enum { LARGE_PAGES, BUFFER_POOL, NAMES };

struct server {
  char value[NAMES][APPLICATION_VALUE];
  char from[NAMES][APPLICATION_TEXT];
  bool ours; /* the group that is being read */
};

static const char *const mariadb[] = {"mariadbd", NULL};

static bool recognises(const struct application_seen *seen) {
  static const char *const programs[] = {"mysqld", "mysqld-debug", "mariadbd",
                                         NULL};
  return seen_is_program(seen, programs);
}

/* As large_pages; false: it is too long for one that matters. */
static bool canonical(char name[64], const char *text, size_t length) {
  if (length >= 64) return false;
  for (size_t i = 0; i < length; i++)
    name[i] = text[i] == '-' ? '_' : (char)tolower((unsigned char)text[i]);
  name[length] = '\0';
  return true;
}

static void set(struct server *server, const char *option, const char *value,
                const char *from) {
  static const struct {
    const char *prefix, *value;
  } modifiers[] = {{"loose_", NULL},
                   {"skip_", "OFF"},
                   {"disable_", "OFF"},
                   {"enable_", "ON"}};
  char name[64], *at = name;
  if (!canonical(name, option, strlen(option))) return;
  for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
    size_t length = strlen(modifiers[i].prefix);
    if (strncmp(at, modifiers[i].prefix, length)) continue;
    at += length;
    if (modifiers[i].value) value = modifiers[i].value;
  }
  int which = !strcmp(at, "large_pages")               ? LARGE_PAGES
              : !strcmp(at, "innodb_buffer_pool_size") ? BUFFER_POOL
                                                       : NAMES;
  if (which == NAMES) return;
  seen_copy(server->value[which], APPLICATION_VALUE, *value ? value : "ON");
  seen_copy(server->from[which], APPLICATION_TEXT, from);
}

static void take_line(void *to, const struct config_line *line,
                      const char *file) {
  static const char *const groups[] = {"mysqld",     "server",    "mysqld-*",
                                       "mariadb",    "mariadb-*", "mariadbd",
                                       "mariadbd-*", NULL};
  struct server *server = to;
  if (line->kind == CONFIG_GROUP)
    server->ours = seen_is_any(line->name, groups);
  else if (server->ours)
    set(server, line->name, line->value, file);
}

/* The value of "--NAME=value"; NULL: it is not that option. */
static const char *option_of(const struct application_seen *seen,
                             const char *name) {
  size_t length = strlen(name);
  for (size_t i = 1; i < seen->argc; i++)
    if (!strncmp(seen->argv[i], name, length) && seen->argv[i][length] == '=')
      return seen->argv[i] + length + 1;
  return NULL;
}

static bool read_path(struct server *server,
                      const struct application_seen *seen, const char *folder,
                      const char *path) {
  char full[SEEN_PATH];
  server->ours = false;
  return path && seen_path(full, folder, path) &&
         config_read(seen, &config_mysql, full, take_line, server);
}

/* False: none was read, though there may be one. */
static bool read_files(struct server *server,
                       const struct application_seen *seen) {
  const char *file = option_of(seen, "--defaults-file");
  const char *extra = option_of(seen, "--defaults-extra-file");
  const char *home = seen_env(seen, "HOME");
  bool read = false;
  for (size_t i = 1; i < seen->argc; i++)
    if (!strcmp(seen->argv[i], "--no-defaults")) return true;
  if (file) return read_path(server, seen, seen->cwd, file);
  read |= read_path(server, seen, "", "/etc/my.cnf");
  read |= read_path(server, seen, "", "/etc/mysql/my.cnf");
  if (extra) read |= read_path(server, seen, seen->cwd, extra);
  if (home) read |= read_path(server, seen, home, ".my.cnf");
  return read;
}

static void read_options(struct server *server,
                         const struct application_seen *seen) {
  for (size_t i = 1; i < seen->argc; i++) {
    const char *word = seen->argv[i];
    char name[64];
    if (strncmp(word, "--", 2)) continue;
    size_t length = strcspn(word + 2, "=");
    if (!canonical(name, word + 2, length)) continue;
    set(server, name, word[2 + length] ? word + 3 + length : "",
        "the command line");
  }
}

/* 128 MiB: innodb_buffer_pool_size's default ("InnoDB Startup Options and
 * System Variables"). */
static void add_needs(struct application_setting *setting,
                      const struct application_seen *seen,
                      const struct server *server) {
  char besides[APPLICATION_TEXT];
  uint64_t bytes = setting_bytes(server->value[BUFFER_POOL], 1);
  if (!bytes) bytes = (uint64_t)128 << 20;
  snprintf(besides, sizeof besides,
           "some more than the %s of innodb_buffer_pool_size; "
           "LimitMEMLOCK=infinity%s",
           HP_SIZE_SHOWN((size_t)bytes),
           seen_is_program(seen, mariadb)
               ? ""
               : "; its group in vm.hugetlb_shm_group");
  setting_pool(setting, seen, bytes, besides);
}

static void get_settings(const struct application_seen *seen,
                         struct application_settings *settings) {
  struct server server = {.ours = false};
  struct application_setting *setting =
      setting_add(settings, "large-pages",
                  "puts InnoDB's buffer pool on hugetlb pages; without a pool "
                  "it logs a warning and takes base pages");
  bool read = read_files(&server, seen);
  read_options(&server, seen);
  if (*server.value[LARGE_PAGES])
    setting_value(setting, server.value[LARGE_PAGES], server.from[LARGE_PAGES]);
  else if (read)
    setting_value(setting, "OFF", "the default");
  else
    SETTING_PRINT(setting->why, "%s",
                  seen->argc ? "none of its option files can be read"
                             : "its command line is unknown");
  setting->large = setting_switch(setting->value) == 1;
  if (setting->large) return;
  SETTING_PRINT(setting->advice,
                "`large-pages` below [mysqld] in my.cnf, and a restart");
  add_needs(setting, seen, &server);
}

static const char *get_version(const struct application_seen *seen,
                               char version[APPLICATION_VERSION]) {
  (void)version;
  (void)seen;
  return "no file of it says it; fix: mysqld --version";
}

const struct application application_mysql = {
    .name = "MySQL or MariaDB",
    .kind = APPLICATION_PROGRAM,
    .recognises = recognises,
    .version = get_version,
    .settings = get_settings,
};
