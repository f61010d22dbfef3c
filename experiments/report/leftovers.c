/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/report/figure.h"

/* The part in what follows a stem: ".svg" is 1, "-2.svg" 2; 0: not ours. */
static size_t part_of(const char *rest, const char *const *endings) {
  size_t part = 1;
  if (*rest == '-') {
    char *end;
    if (rest[1] < '1' || rest[1] > '9') return 0;
    part = strtoul(rest + 1, &end, 10);
    rest = end;
    if (part < 2) return 0;
  }
  for (; *endings; endings++)
    if (!strcmp(rest, *endings)) return part;
  return 0;
}

static size_t part_of_file(const char *name) {
  static const char *const drawn[] = {".svg", ".png", ".csv", NULL};
  static const char *const text[] = {".txt", NULL};
  static const char table[] = "table";
  for (size_t i = 0; figures[i]; i++) {
    size_t stem = strlen(figures[i]->name);
    if (!strncmp(name, figures[i]->name, stem))
      return part_of(name + stem, drawn);
  }
  if (strncmp(name, table, strlen(table))) return 0;
  return part_of(name + strlen(table), text);
}

/* As out_file_begin() names them: ".NAME.<16 digits>". */
static bool is_temporary(const char *name) {
  char stem[64];
  size_t length = strlen(name);
  if (*name != '.' || length < 19 || length - 18 >= sizeof stem) return false;
  const char *digits = name + length - 16;
  if (digits[-1] != '.' || strspn(digits, "0123456789abcdef") != 16)
    return false;
  snprintf(stem, sizeof stem, "%.*s", (int)(length - 18), name + 1);
  return !strcmp(stem, "index.html") || !strcmp(stem, "what-if.html") ||
         part_of_file(stem);
}

/* What cannot be removed stays: it does no harm but to the eye. */
void leftovers_remove(int dir, size_t parts) {
  struct dirent *entry;
  int own = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = own < 0 ? NULL : fdopendir(own);
  if (!stream) {
    if (own >= 0) close(own);
    return;
  }
  while ((entry = readdir(stream))) {
    const char *name = entry->d_name;
    if (parts ? part_of_file(name) > parts : is_temporary(name))
      unlinkat(dir, name, 0);
  }
  closedir(stream);
}
