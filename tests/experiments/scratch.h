/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/scratch.h -- files of a test's own, gone afterwards. */
#pragma once
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

struct scratch {
  char dir[256];
  char path[512]; /* of the file named last */
};

static inline void scratch_init(struct scratch *scratch) {
  check_make_folder(scratch->dir, sizeof scratch->dir);
}

static inline const char *scratch_path(struct scratch *scratch,
                                       const char *name) {
  snprintf(scratch->path, sizeof scratch->path, "%s/%s", scratch->dir, name);
  return scratch->path;
}

static inline const char *scratch_write(struct scratch *scratch,
                                        const char *name, const void *bytes,
                                        size_t count) {
  FILE *file = fopen(scratch_path(scratch, name), "w");
  if (!file || fwrite(bytes, 1, count, file) != count || fclose(file)) abort();
  return scratch->path;
}

/* The file's bytes with a NUL after them, for free(); NULL where absent. */
static inline char *scratch_read(const char *path, size_t *count) {
  FILE *file = fopen(path, "r");
  if (!file) return NULL;
  char *text = malloc(1 << 22);
  size_t got = text ? fread(text, 1, (1 << 22) - 1, file) : 0;
  if (!text) abort();
  text[got] = '\0';
  fclose(file);
  if (count) *count = got;
  return text;
}

/* Files only; one level of directories. */
static inline void scratch_empty(const char *dir) {
  char path[600];
  struct dirent *entry;
  DIR *stream = opendir(dir);
  while (stream && (entry = readdir(stream))) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    snprintf(path, sizeof path, "%.300s/%s", dir, entry->d_name);
    if (unlink(path)) {
      scratch_empty(path);
      rmdir(path);
    }
  }
  if (stream) closedir(stream);
}

static inline void scratch_fini(struct scratch *scratch) {
  scratch_empty(scratch->dir);
  rmdir(scratch->dir);
}
