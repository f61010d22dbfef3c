/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/json_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

static void explain(const char *path, const json_error_t *syntax, bool whole,
                    char *error, size_t error_size) {
  const char *what = "not JSON: ", *text = "";
  if (!whole)
    what = "cut off: the copy is incomplete, or the writer was stopped";
  else if (json_error_code(syntax) == json_error_end_of_input_expected)
    what = "more text after the JSON object (JSON Lines?)";
  else
    text = syntax->text;
  snprintf(error, error_size, "%.200s:%d: %s%.150s", path, syntax->line, what,
           text);
}

json_t *json_text_read(const char *text, size_t length, json_error_t *syntax) {
  const char *end = memchr(text, '\0', length);
  if (!end) return json_loadb(text, length, JSON_REJECT_DUPLICATES, syntax);
  *syntax = (json_error_t){.line = 1, .text = "a NUL byte"};
  for (; text < end; text++) syntax->line += *text == '\n';
  return NULL;
}

/* All of it; NULL with errno, EFBIG where it does not end. */
static char *read_whole(FILE *file, size_t *length) {
  char *text = NULL;
  for (size_t room = 1 << 16; room <= JSON_FILE_MOST && !ferror(file);
       room *= 4) {
    text = memory_grow(text, room, 1);
    *length += fread(text + *length, 1, room - *length, file);
    if (*length < room && !ferror(file)) return text;
  }
  int code = ferror(file) ? errno : EFBIG;
  free(text);
  errno = code;
  return NULL;
}

json_t *json_file_read(const char *path, char *error, size_t error_size) {
  json_error_t syntax;
  size_t length = 0;
  FILE *file = fopen(path, "re"); /* of a folder, too: reading it fails */
  char *text = file ? read_whole(file, &length) : NULL;
  int code = text ? EINVAL : errno;
  json_t *value = text ? json_text_read(text, length, &syntax) : NULL;
  if (!text)
    snprintf(error, error_size, "%.200s: %s", path, strerror(code));
  else if (!value)
    explain(path, &syntax,
            !length || (size_t)syntax.position < length ||
                (*text != '{' && *text != '['),
            error, error_size);
  free(text);
  if (file) fclose(file);
  errno = code;
  return value;
}

void json_line(FILE *to, json_t *json, size_t flags) {
  json_dumpf(json, to, flags);
  fputc('\n', to);
  json_decref(json);
}
