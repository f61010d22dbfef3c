/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/compare/arms.h"

static bool is_changed(const char *entry, const char *const *changes) {
  for (; *changes; changes += 2) {
    size_t length = strlen(*changes);
    if (!strncmp(entry, *changes, length) && entry[length] == '=') return true;
  }
  return false;
}

static char *pair(const char *name, const char *value) {
  char *text;
  return asprintf(&text, "%s=%s", name, value) < 0 ? NULL : text;
}

char **environment_with(char *const *environment, const char *const *changes) {
  size_t room = 1, used = 0;
  for (char *const *at = environment; *at; at++) room++;
  for (const char *const *at = changes; *at; at += 2) room++;
  char **copy = calloc(room, sizeof *copy);
  bool failed = !copy;
  for (char *const *at = environment; !failed && *at; at++) {
    if (is_changed(*at, changes)) continue;
    failed = !(copy[used++] = strdup(*at));
  }
  for (; !failed && *changes; changes += 2)
    failed = !(copy[used++] = pair(changes[0], changes[1]));
  if (!failed) return copy;
  environment_free(copy);
  return NULL;
}

void environment_free(char **environment) {
  for (char **at = environment; at && *at; at++) free(*at);
  free(environment);
}
