/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/applications/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char blank[] = " \t\r\f\v";

/* Ends `text` before its last blanks; returns it without its first ones. */
static char *trim(char *text) {
  text += strspn(text, blank);
  size_t length = strlen(text);
  while (length && strchr(blank, text[length - 1])) length--;
  text[length] = '\0';
  return text;
}

/* Take a value out of its quotes, '' or "", in which a doubled quote and a
 * backslash stand for one character; else it ends before a comment. */
static char *unquote(char *text, const char *comment) {
  char quote = *text == '\'' || *text == '"' ? *text : '\0';
  if (!quote) {
    text[strcspn(text, comment)] = '\0';
    return trim(text);
  }
  char *to = text, *from = text + 1;
  for (; *from; from++) {
    if (*from == quote && from[1] != quote) break;
    if ((*from == quote || *from == '\\') && from[1]) from++;
    *to++ = *from;
  }
  *to = '\0';
  return text;
}

/* Cut `line` after its first word: what follows. */
static char *after_word(char *line, const char *ends) {
  char *rest = line + strcspn(line, ends);
  if (*rest) *rest++ = '\0';
  return rest + strspn(rest, blank);
}

/* PostgreSQL, "Setting Parameters": "name = value", the = being optional; # is
 * a comment, which within '' is none. */
static struct config_line split_postgresql(char *line) {
  struct config_line is = {.kind = CONFIG_NOTHING};
  line = trim(line);
  if (!*line || *line == '#') return is;
  size_t word = strcspn(line, " \t=");
  char *rest = line + word + strspn(line + word, blank);
  rest += *rest == '=';
  rest += strspn(rest, blank);
  is.value = unquote(rest, "#");
  line[word] = '\0';
  is.name = line;
  is.kind = CONFIG_SETTING;
  if (!strcmp(line, "include") || !strcmp(line, "include_if_exists"))
    is.kind = CONFIG_INCLUDE;
  if (!strcmp(line, "include_dir")) is.kind = CONFIG_FOLDER;
  return is;
}

/* redis.conf, its first comment: "keyword argument1 argument2 ...". */
static struct config_line split_redis(char *line) {
  struct config_line is = {.kind = CONFIG_NOTHING};
  line = trim(line);
  if (!*line || *line == '#') return is;
  is.value = unquote(after_word(line, blank), "");
  is.name = line;
  is.kind = strcasecmp(line, "include") ? CONFIG_SETTING : CONFIG_INCLUDE;
  return is;
}

/* MySQL Reference Manual, "Using Option Files": groups, "name" or
 * "name=value", in which - and _ are the same; # and ; begin a comment. */
static struct config_line split_mysql(char *line) {
  struct config_line is = {.kind = CONFIG_NOTHING};
  line = trim(line);
  if (!*line || *line == '#' || *line == ';') return is;
  if (*line == '[') {
    line[strcspn(line, "]")] = '\0';
    is.name = is.value = line + 1;
    is.kind = CONFIG_GROUP;
    return is;
  }
  if (*line == '!') {
    is.value = after_word(line, blank);
    is.name = line;
    if (!strcmp(line, "!include")) is.kind = CONFIG_INCLUDE;
    if (!strcmp(line, "!includedir")) is.kind = CONFIG_FOLDER;
    return is;
  }
  is.value = unquote(after_word(line, "="), "#");
  is.name = trim(line);
  is.kind = CONFIG_SETTING;
  return is;
}

const struct config_style config_postgresql = {.split = split_postgresql,
                                               .suffix = ".conf"};
const struct config_style config_redis = {
    .split = split_redis, .suffix = ".conf", .includes_of_cwd = true};
const struct config_style config_mysql = {.split = split_mysql,
                                          .suffix = ".cnf"};

struct walk {
  const struct application_seen *seen;
  const struct config_style *style;
  config_take take;
  void *to;
  unsigned files;
};

static bool walk_file(struct walk *walk, const char *path, unsigned depth);

static void walk_folder(struct walk *walk, const char *path, unsigned depth) {
  const struct application_seen *seen = walk->seen;
  size_t suffix = strlen(walk->style->suffix);
  char *names = seen->files ? seen->files->names(seen->context, path) : NULL;
  char *rest = names;
  for (char *name; rest && (name = strsep(&rest, "\n"));) {
    size_t length = strlen(name);
    char full[SEEN_PATH];
    if (*name != '.' && length > suffix &&
        !strcmp(name + length - suffix, walk->style->suffix) &&
        seen_path(full, path, name))
      walk_file(walk, full, depth);
  }
  free(names);
}

static void walk_line(struct walk *walk, char *line, const char *path,
                      unsigned depth) {
  char folder[SEEN_PATH], full[SEEN_PATH];
  struct config_line is = walk->style->split(line);
  if (is.kind == CONFIG_SETTING || is.kind == CONFIG_GROUP)
    walk->take(walk->to, &is, path);
  if (is.kind != CONFIG_INCLUDE && is.kind != CONFIG_FOLDER) return;
  if (walk->style->includes_of_cwd)
    snprintf(folder, sizeof folder, "%s", walk->seen->cwd);
  else
    seen_folder(folder, path);
  if (!*is.value || !seen_path(full, folder, is.value)) return;
  if (is.kind == CONFIG_FOLDER)
    walk_folder(walk, full, depth + 1);
  else
    walk_file(walk, full, depth + 1);
}

static bool walk_file(struct walk *walk, const char *path, unsigned depth) {
  if (depth > CONFIG_DEPTH || walk->files == CONFIG_FILES) return false;
  walk->files++;
  char *text = seen_read(walk->seen, "", path), *rest = text;
  for (char *line; rest && (line = strsep(&rest, "\n"));)
    walk_line(walk, line, path, depth);
  free(text);
  return text;
}

bool config_read(const struct application_seen *seen,
                 const struct config_style *style, const char *path,
                 config_take take, void *to) {
  struct walk walk = {seen, style, take, to, 0};
  return walk_file(&walk, path, 0);
}
