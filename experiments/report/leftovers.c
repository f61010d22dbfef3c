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

/* Of which figure, too; that past the last is the table. */
static size_t part_of_file(const char *name, size_t *figure) {
  static const char *const drawn[] = {".svg", ".png", ".csv", NULL};
  static const char *const text[] = {".txt", NULL};
  for (*figure = 0; figures[*figure]; ++*figure) {
    const char *stem = figures[*figure]->name;
    if (!strncmp(name, stem, strlen(stem)))
      return part_of(name + strlen(stem), drawn);
  }
  return strncmp(name, "table", 5) ? 0 : part_of(name + 5, text);
}

/* As out_file_begin() names them: ".NAME.<16 digits>". */
static bool is_temporary(const char *name) {
  char stem[64];
  size_t length = strlen(name), figure;
  if (*name != '.' || length < 19 || length - 18 >= sizeof stem) return false;
  const char *digits = name + length - 16;
  if (digits[-1] != '.' || strspn(digits, "0123456789abcdef") != 16)
    return false;
  snprintf(stem, sizeof stem, "%.*s", (int)(length - 18), name + 1);
  return !strcmp(stem, "index.html") || !strcmp(stem, "what-if.html") ||
         part_of_file(stem, &figure);
}

/* Is it of a part that is not there, or of a figure that the part has not? */
static bool is_old(const char *name, const struct report_part *parts,
                   size_t count) {
  size_t figure, part = part_of_file(name, &figure);
  return part > count ||
         (part && figures[figure] && !parts[part - 1].svg[figure]);
}

/* What cannot be removed stays: it does no harm but to the eye. */
void leftovers_remove(int dir, const struct report_part *parts, size_t count) {
  struct dirent *entry;
  int own = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = own < 0 ? NULL : fdopendir(own);
  if (!stream) {
    if (own >= 0) close(own);
    return;
  }
  while ((entry = readdir(stream))) {
    const char *name = entry->d_name;
    if (count ? is_old(name, parts, count) : is_temporary(name))
      unlinkat(dir, name, 0);
  }
  closedir(stream);
}
