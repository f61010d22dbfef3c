/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/json_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

void json_file_explain(const char *path, const json_error_t *syntax,
                       char *error, size_t error_size) {
  if (json_error_code(syntax) == json_error_end_of_input_expected)
    snprintf(error, error_size,
             "%.200s:%d: goes on behind the JSON object: are these results, "
             "which have one a line?",
             path, syntax->line);
  else
    snprintf(error, error_size, "%.200s:%d: not JSON: %.150s", path,
             syntax->line, syntax->text);
}

json_t *json_text_read(const char *text, size_t length, json_error_t *syntax) {
  const char *end = memchr(text, '\0', length);
  if (!end) return json_loadb(text, length, JSON_REJECT_DUPLICATES, syntax);
  *syntax = (json_error_t){.line = 1, .text = "a NUL byte"};
  for (; text < end; text++) syntax->line += *text == '\n';
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
  if (!value) json_file_explain(path, &syntax, error, error_size);
  fclose(file);
  errno = value ? 0 : EINVAL;
  return value;
}
