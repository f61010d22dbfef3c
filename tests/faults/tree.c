/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/faults/tree.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *status, int kind,
                      struct FTW *where) {
  (void)status, (void)where;
  (void)!(kind == FTW_DP ? rmdir(path) : unlink(path));
  return 0;
}

void tree_remove(const char *path) {
  nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* What nftw() has no place for. */
static struct {
  size_t root; /* length of its path, and of a slash */
  char **lines;
  size_t count;
} found;

/* Of a file's bytes (FNV-1a). */
static uint64_t hash_file(const char *path) {
  uint64_t hash = 14695981039346656037u;
  FILE *file = fopen(path, "r");
  for (int c; file && (c = getc(file)) != EOF;)
    hash = (hash ^ (unsigned)c) * 1099511628211u;
  if (file) fclose(file);
  return hash;
}

static int note(const char *path, const struct stat *status, int kind,
                struct FTW *where) {
  char *line;
  (void)status;
  if (!where->level) return 0;
  int made = kind == FTW_D ? asprintf(&line, "%s -", path + found.root)
                           : asprintf(&line, "%s %016llx", path + found.root,
                                      (unsigned long long)hash_file(path));
  char **lines = realloc(found.lines, (found.count + 1) * sizeof *lines);
  if (made < 0 || !lines) return -1;
  found.lines = lines;
  found.lines[found.count++] = line;
  return 0;
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

char *tree_list(const char *path) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  found.root = strlen(path) + 1;
  found.lines = NULL;
  found.count = 0;
  int failed = !out || nftw(path, note, 16, FTW_PHYS);
  if (found.count) qsort(found.lines, found.count, sizeof(char *), compare);
  for (size_t i = 0; i < found.count; i++) {
    if (!failed) fprintf(out, "%s\n", found.lines[i]);
    free(found.lines[i]);
  }
  free(found.lines);
  if (out) fclose(out);
  if (!failed) return text;
  free(text);
  return NULL;
}

char *tree_read(const char *directory, const char *name) {
  char path[PATH_MAX];
  struct stat status;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  size_t size = fd >= 0 && !fstat(fd, &status) ? (size_t)status.st_size : 0;
  char *text = calloc(size + 1, 1);
  if (!text) abort();
  ssize_t got = size ? read(fd, text, size) : 0;
  if (got < (ssize_t)size) text[got > 0 ? got : 0] = '\0';
  if (fd >= 0) close(fd);
  return text;
}
