/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/what_if_saved.h"

#include <math.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/record.h"
#include "experiments/probe/calibration.h"

#define N struct native
static const struct field native_fields[] = {
    {"runs", &field_whole, MEMBER(N, runs)},
    {"user_s", &field_real, MEMBER(N, time.user_s), .positive = true},
    {"user_s_least", &field_real, MEMBER(N, time.lo_s), .positive = true},
    {"user_s_most", &field_real, MEMBER(N, time.hi_s), .positive = true},
    {"sys_s", &field_real, MEMBER(N, sys_s), .nullable = true},
    {"minor_faults", &field_whole, MEMBER(N, faults)},
    {"peak_bytes", &field_real, MEMBER(N, peak_bytes), .nullable = true},
    {"first_touch_s_per_gib", &field_object, MEMBER(N, touch),
     .of = first_touch_fields, .when = offsetof(N, touch.known),
     .when_bytes = sizeof(bool), .optional = true},
    {0}};

json_t *what_if_saved_to_json(const struct what_if_table *table) {
  json_t *all = json_array();
  for (size_t i = 0; i < table->cals; i++)
    json_array_append_new(all, calibration_to_json(&table->cal[i]));
  return json_pack("{so so}", "native",
                   record_to_json(native_fields, &table->native),
                   "calibrations", all);
}

static int refuse(const char *path, const char *why) {
  return fail(VAT_USAGE,
              "%s: \"what_if\" is damaged: %s; fix: vat profile --what-if "
              "--save NEW.profile -- PROG",
              path, why);
}

static int read_native(struct native *native, const json_t *json,
                       const char *path) {
  char why[160];
  struct native found = {.sys_s = NAN, .peak_bytes = NAN};
  found.touch.known = json_object_get(json, "first_touch_s_per_gib") != NULL;
  if (record_from_json(native_fields, json, &found, why, sizeof why))
    return refuse(path, why);
  if (!(found.time.lo_s <= found.time.user_s &&
        found.time.user_s <= found.time.hi_s))
    return refuse(path, "its user times are out of order");
  *native = found;
  return VAT_OK;
}

static int read_calibrations(struct what_if_table *table, const json_t *all,
                             const char *path) {
  char why[CALIBRATION_TEXT];
  size_t count = json_array_size(all);
  if (count > PROFILE_MACHINES) return refuse(path, "too many calibrations");
  table->cal = memory_zeroed(count + 1, sizeof *table->cal);
  table->here = table->saved = count > 0;
  for (; table->cals < count; table->cals++)
    if (calibration_from_json(&table->cal[table->cals],
                              json_array_get(all, table->cals), why))
      return refuse(path, why);
  return VAT_OK;
}

int what_if_saved_read(struct what_if_table *table, const json_t *json,
                       const char *path) {
  if (!json) return VAT_OK;
  int code = read_native(&table->native, json_object_get(json, "native"), path);
  if (code || table->cal) return code;
  return read_calibrations(table, json_object_get(json, "calibrations"), path);
}
