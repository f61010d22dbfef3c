/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/model_json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "experiments/cli/json_file.h"

json_t *model_json_number(double value) {
  if (!isfinite(value)) return json_null();
  if (value == floor(value) && fabs(value) < 0x1p53)
    return json_integer((json_int_t)value);
  return json_real(value);
}

void model_json_key(char key[MODEL_KEY_SIZE], const char *name) {
  snprintf(key, MODEL_KEY_SIZE, "%s", name);
  for (; *key; key++)
    if (*key == '-') *key = '_';
}

void model_json_add_all(json_t *object, ...) {
  va_list args;
  const char *name;
  char key[MODEL_KEY_SIZE];
  va_start(args, object);
  while ((name = va_arg(args, const char *))) {
    model_json_key(key, name);
    json_object_set_new(object, key, model_json_number(va_arg(args, double)));
  }
  va_end(args);
}

void model_json_print(json_t *object) {
  json_line(stdout, object, JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
}
