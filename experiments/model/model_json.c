/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/model/model_json.h"

#include <math.h>
#include <stdio.h>

#include "experiments/command.h"

json_t *model_json_number(double value) {
  if (!isfinite(value)) return json_null();
  if (value == floor(value) && fabs(value) < 0x1p53)
    return json_integer((json_int_t)value);
  return json_real(value);
}

int model_json_print(json_t *object) {
  if (!object) return fail(VAT_ABSENT, "out of memory");
  json_dumpf(object, stdout, JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
  putchar('\n');
  json_decref(object);
  return VAT_OK;
}
