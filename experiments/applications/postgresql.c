/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PostgreSQL's servers.
 *
 * PostgreSQL documentation, "Resource Consumption", Memory: huge_pages (on, off
 * or try, which is the default) is for the main shared memory area and needs
 * shared_memory_type mmap, the default; huge_page_size and
 * min_dynamic_shared_memory came with 14; the latter says that memory that is
 * allocated at startup follows huge_pages.  "Managing Kernel Resources", Linux
 * Huge Pages: `postgres -C shared_memory_size_in_huge_pages` from 15, of a
 * server that does not run.  "Setting Parameters": the command line counts more
 * than postgresql.auto.conf, and that more than postgresql.conf.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/applications/application.h"
#include "experiments/applications/config.h"
#include "experiments/cli/memory.h"

enum { HUGE_PAGES, HUGE_PAGE_SIZE, DYNAMIC, CONFIG_FILE, DATA, NAMES };

static const char *const names[NAMES] = {"huge_pages", "huge_page_size",
                                         "min_dynamic_shared_memory",
                                         "config_file", "data_directory"};

struct server {
  const struct application_seen *seen;
  char data[SEEN_PATH]; /* its folder of data; "": unknown */
  char conf[SEEN_PATH]; /* its configuration file */
  char value[NAMES][SEEN_PATH];
  char from[NAMES][SEEN_PATH];
  bool read; /* its configuration file */
  bool told; /* its command line */
};

static bool recognises(const struct application_seen *seen) {
  static const char *const programs[] = {"postgres", "postmaster", NULL};
  return seen_is_program(seen, programs);
}

/* A parameter's name may have - for _. */
static void set(struct server *server, const char *name, const char *value,
                const char *from) {
  for (int i = 0; i < NAMES; i++) {
    size_t at = 0;
    while (names[i][at] &&
           (name[at] == '-' ? '_' : tolower((unsigned char)name[at])) ==
               names[i][at])
      at++;
    if (names[i][at] || name[at]) continue;
    snprintf(server->value[i], SEEN_PATH, "%s", value);
    snprintf(server->from[i], SEEN_PATH, "%s", from);
  }
}

static void take_line(void *to, const struct config_line *line,
                      const char *file) {
  if (line->kind == CONFIG_SETTING) set(to, line->name, line->value, file);
}

/* "NAME=value". */
static void take_parameter(struct server *server, const char *text) {
  char name[64];
  size_t length = strcspn(text, "=");
  if (!text[length] || length >= sizeof name) return;
  memcpy(name, text, length);
  name[length] = '\0';
  set(server, name, text + length + 1, "the command line");
}

/* postgres(1): -c NAME=value, --NAME=value, -D DIR. */
static void take_word(struct server *server, const char *word,
                      const char *next) {
  if (!strncmp(word, "--", 2)) {
    take_parameter(server, word + 2);
  } else if (!strncmp(word, "-c", 2)) {
    take_parameter(server, word[2] ? word + 2 : next);
  } else if (!strncmp(word, "-D", 2)) {
    snprintf(server->data, SEEN_PATH, "%s", word[2] ? word + 2 : next);
  }
}

/* A server's own processes have their titles for command lines, and what it was
 * started with is in postmaster.opts: words in "", the first one not. */
static void take_opts(struct server *server) {
  char *text = seen_read(server->seen, server->seen->cwd, "postmaster.opts");
  char *rest = text, *word = NULL;
  if (!text) return;
  server->told = true;
  strsep(&rest, "\"");
  while (rest) {
    char *next = strsep(&rest, "\"");
    strsep(&rest, "\"");
    if (word) take_word(server, word, next);
    word = next;
  }
  if (word) take_word(server, word, "");
  free(text);
}

static void take_command(struct server *server) {
  const struct application_seen *seen = server->seen;
  if (!seen->argc || !strncmp(seen->argv[0], "postgres:", 9)) {
    take_opts(server);
    return;
  }
  server->told = true;
  for (size_t i = 1; i < seen->argc; i++)
    take_word(server, seen->argv[i],
              i + 1 < seen->argc ? seen->argv[i + 1] : "");
}

static void take_file(struct server *server, const char *folder,
                      const char *path) {
  char full[SEEN_PATH];
  if (seen_path(full, folder, path) &&
      config_read(server->seen, &config_postgresql, full, take_line, server))
    server->read = true;
}

/* A server's current folder is its folder of data (miscinit.c,
 * ChangeToDataDir). */
static void find_data(struct server *server) {
  const struct application_seen *seen = server->seen;
  const char *env = seen_env(seen, "PGDATA");
  char *version = seen_read(seen, seen->cwd, "PG_VERSION");
  if (version)
    snprintf(server->data, SEEN_PATH, "%s", seen->cwd);
  else if (!*server->data && env)
    snprintf(server->data, SEEN_PATH, "%s", env);
  free(version);
}

static void read_server(struct server *server,
                        const struct application_seen *seen) {
  *server = (struct server){.seen = seen};
  take_command(server);
  find_data(server);
  char file[SEEN_PATH];
  snprintf(file, sizeof file, "%s",
           *server->value[CONFIG_FILE] ? server->value[CONFIG_FILE]
                                       : "postgresql.conf");
  if (!seen_path(server->conf, server->data, file))
    snprintf(server->conf, SEEN_PATH, "%s", file);
  take_file(server, server->data, file);
  if (*server->value[DATA])
    snprintf(server->data, SEEN_PATH, "%s", server->value[DATA]);
  bool read = server->read;
  take_file(server, server->data, "postgresql.auto.conf");
  server->read = read;
  take_command(server);
  find_data(server);
}

/* The number that begins at `text`, "15" of "15/main", "9.6" of "9.6\n". */
static bool take_version(char version[APPLICATION_VERSION], const char *text) {
  size_t length = strspn(text, "0123456789.");
  if (!length || length >= APPLICATION_VERSION) return false;
  memcpy(version, text, length);
  version[length] = '\0';
  return true;
}

static const char *version_of(const struct application_seen *seen,
                              const char *data,
                              char version[APPLICATION_VERSION]) {
  static const char *const folders[] = {"/postgresql/", "/pgsql-", NULL};
  char *text = *data ? seen_read(seen, data, "PG_VERSION") : NULL;
  bool found = text && take_version(version, text);
  free(text);
  for (const char *const *f = folders; *f && !found; f++) {
    const char *at = strstr(seen->exe, *f);
    found = at && take_version(version, at + strlen(*f));
  }
  return found ? NULL : "neither its path nor PG_VERSION in its data says it";
}

static const char *get_version(const struct application_seen *seen,
                               char version[APPLICATION_VERSION]) {
  struct server *server = memory_get(sizeof *server);
  read_server(server, seen);
  const char *why = version_of(seen, server->data, version);
  free(server);
  return why;
}

static void give_value(struct application_setting *setting,
                       const struct server *server, int which,
                       const char *by_default) {
  if (*server->value[which])
    setting_value(setting, server->value[which], server->from[which]);
  else if (server->read)
    setting_value(setting, by_default, "the default");
  else
    SETTING_PRINT(setting->why, "%s",
                  server->told ? "its postgresql.conf cannot be read"
                               : "its command line is unknown");
}

static const char *conf(const struct server *server) {
  const char *from = server->from[HUGE_PAGES];
  return *from == '/' ? from : server->conf;
}

static void need_pool(struct application_setting *setting,
                      const struct server *server, double version) {
  const struct application_seen *seen = server->seen;
  if (seen->shared_bytes)
    setting_pool(setting, seen, seen->shared_bytes, "");
  else if (version && version < 15)
    SETTING_PRINT(setting->needs,
                  "a pool of huge pages (vm.nr_hugepages) for VmPeak of the "
                  "first postgres process");
  else
    SETTING_PRINT(setting->needs,
                  "as many free huge pages (vm.nr_hugepages) as `postgres -D "
                  "%.100s -C shared_memory_size_in_huge_pages` prints while it "
                  "is stopped",
                  *server->data ? server->data : "DATA");
}

static void add_huge_pages(struct application_settings *settings,
                           const struct server *server, double version) {
  struct application_setting *setting = setting_add(
      settings, names[HUGE_PAGES],
      "puts the main shared memory, with shared_buffers, on hugetlb pages; "
      "`try` takes base pages without a word where the pool is too small");
  give_value(setting, server, HUGE_PAGES, "try");
  setting->large = !strcmp(setting->value, "on") || server->seen->shared_huge;
  if (setting->large) return;
  SETTING_PRINT(setting->advice, "`huge_pages = on` in %.180s, and a restart",
                conf(server));
  need_pool(setting, server, version);
}

static void add_dynamic(struct application_settings *settings,
                        const struct server *server) {
  struct application_setting *setting = setting_add(
      settings, names[DYNAMIC],
      "shared memory of parallel queries that is kept from the start, on the "
      "pages that huge_pages gives; the rest is on base pages of /dev/shm");
  give_value(setting, server, DYNAMIC, "0");
  setting->large = *setting->value && strcmp(setting->value, "0");
  if (!setting->large)
    SETTING_PRINT(setting->advice,
                  "`min_dynamic_shared_memory = SIZE` in %.160s for parallel "
                  "hash joins, and a restart",
                  conf(server));
}

static void get_settings(const struct application_seen *seen,
                         struct application_settings *settings) {
  char text[APPLICATION_VERSION];
  struct server *server = memory_get(sizeof *server);
  read_server(server, seen);
  double version =
      version_of(seen, server->data, text) ? 0 : strtod(text, NULL);
  add_huge_pages(settings, server, version);
  if (!version || version >= 14) {
    give_value(setting_add(settings, names[HUGE_PAGE_SIZE],
                           "which hugetlb pages huge_pages takes; 0 is those "
                           "of the default pool"),
               server, HUGE_PAGE_SIZE, "0");
    add_dynamic(settings, server);
  }
  free(server);
}

const struct application application_postgresql = {
    .name = "PostgreSQL",
    .kind = APPLICATION_PROGRAM,
    .recognises = recognises,
    .version = get_version,
    .settings = get_settings,
};
