/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/json_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/memory_lack.h"

/* Not of a folder, which can be opened, but has nothing to read. */
static FILE *open_file(const char *path) {
  struct stat status;
  FILE *file = fopen(path, "re");
  if (!file || fstat(fileno(file), &status) || !S_ISDIR(status.st_mode))
    return file;
  fclose(file);
  errno = EISDIR;
  return NULL;
}

json_t *json_file_read(const char *path, char *error, size_t error_size) {
  json_error_t syntax;
  FILE *file = open_file(path);
  if (!file) {
    snprintf(error, error_size, "%.200s: %s", path, strerror(errno));
    return NULL;
  }
  json_t *value = json_loadf(file, JSON_REJECT_DUPLICATES, &syntax);
  if (memory_lacks()) {
    snprintf(error, error_size, "%.200s: %s", path, strerror(errno));
    json_decref(value);
    value = NULL;
  } else if (!value) {
    snprintf(error, error_size, "%.200s:%d: not JSON: %.150s", path,
             syntax.line, syntax.text);
  }
  int code = value ? 0 : memory_lacks() ? ENOMEM : EINVAL;
  fclose(file);
  errno = code;
  return value;
}
