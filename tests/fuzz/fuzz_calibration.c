/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A libFuzzer target for the reader of calibrations; run.sh builds and runs it.
 * What it accepts must derive, and come back the same from what is written of
 * it; what it rejects must say why. */
#include <stdint.h>
#include <stdlib.h>

#include "experiments/calibrate/derivation.h"
#include "experiments/probe/calibration.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void use(struct calibration *cal) {
  char why[CALIBRATION_TEXT];
  struct calibration again;
  json_t *object = calibration_to_json(cal);
  if (!object || calibration_from_json(&again, object, why)) abort();
  for (size_t i = 0; i < again.curve_count; i++) {
    curve_at(&again.curves[i], 1e6);
    curve_distance(&again.curves[i], 1e6);
  }
  derive(&again);
  quality_check(&again);
  calibration_fini(&again);
  json_decref(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  struct calibration cal;
  char why[CALIBRATION_TEXT] = "";
  json_t *object =
      json_loadb((const char *)bytes, count, JSON_REJECT_DUPLICATES, NULL);
  if (!object) return 0;
  if (!calibration_from_json(&cal, object, why)) {
    use(&cal);
    calibration_fini(&cal);
  } else if (!*why) {
    abort();
  }
  json_decref(object);
  return 0;
}
