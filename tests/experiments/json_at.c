/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/json_at.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const json_t *json_at(const json_t *object, const char *path) {
  char key[64];
  while (object && *path) {
    size_t length = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    object = json_is_array(object) ? json_array_get(object, (size_t)atoi(key))
                                   : json_object_get(object, key);
    path += length + (path[length] == '.');
  }
  return object;
}

double json_number_at(const json_t *object, const char *path) {
  const json_t *value = json_at(object, path);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *json_text_at(const json_t *object, const char *path) {
  const char *value = json_string_value(json_at(object, path));
  return value ? value : "";
}
