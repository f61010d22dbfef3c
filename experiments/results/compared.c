/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/compared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/record.h"
#include "experiments/cli/utf8.h"

void compared_program(char *text, size_t size, const json_t *command) {
  size_t used = 0, i;
  const json_t *word;
  *text = '\0';
  json_array_foreach(command, i, word) {
    const char *value = json_is_string(word) ? json_string_value(word) : "?";
    const char *slash = i ? NULL : strrchr(value, '/');
    if (used + 1 >= size) break;
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "",
                             slash ? slash + 1 : value);
  }
  utf8_trim(text);
}

bool compared_is_of(const json_t *comparison, char *const *program) {
  const json_t *command = json_object_get(comparison, "command");
  size_t i = 0;
  for (; program[i]; i++) {
    const char *word = json_string_value(json_array_get(command, i));
    if (!word || strcmp(word, program[i])) return false;
  }
  return i == json_array_size(command);
}

const json_t *compared_kind(const json_t *comparison, const char *name) {
  const json_t *pages = json_object_get(comparison, "pages"), *one;
  size_t i;
  json_array_foreach(pages, i, one) {
    const char *kind = json_string_value(json_object_get(one, "kind"));
    if (kind && !strcmp(kind, name)) return one;
  }
  return NULL;
}

struct compared_ratio compared_user(const json_t *kind) {
  struct compared_ratio ratio = {json_real_at(kind, "user_ratio"), NAN, NAN};
  json_unpack((json_t *)kind, "{s[FF!]}", "user_ci", &ratio.lo, &ratio.hi);
  return ratio;
}
