/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/probe/calibration.h"

#include <stdlib.h>
#include <string.h>

void calibration_fini(struct calibration *cal) {
  for (size_t i = 0; i < cal->curve_count; i++) free(cal->curves[i].points);
  free(cal->curves);
  json_decref(cal->machine);
  *cal = (struct calibration){0};
}

bool calibration_is_of(const struct calibration *cal, const json_t *machine) {
  static const char *const keys[] = {"cpu", "host_cpu", "memory_bytes", "vm"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const json_t *ours = json_object_get(cal->machine, keys[i]);
    const json_t *other = json_object_get(machine, keys[i]);
    if ((ours || other) && !json_equal(ours, other)) return false;
  }
  return true;
}

const struct cal_pages *calibration_pages(const struct calibration *cal,
                                          const char *kind) {
  for (size_t i = 0; i < cal->page_count; i++)
    if (!strcmp(cal->pages[i].kind, kind)) return &cal->pages[i];
  return NULL;
}

const struct cal_pages *calibration_page_for(const struct calibration *cal,
                                             const char *kind) {
  const struct cal_pages *pages = calibration_pages(cal, kind);
  const struct hp_kind *asked = pages ? NULL : hp_kind_find(kind);
  for (size_t i = 0; asked && i < cal->page_count; i++)
    if (cal->pages[i].page_bytes == (double)asked->bytes) return &cal->pages[i];
  return pages;
}

const struct cal_level *calibration_level(const struct calibration *cal,
                                          const char *name) {
  for (size_t i = 0; i < cal->level_count; i++)
    if (!strcmp(cal->levels[i].name, name)) return &cal->levels[i];
  return NULL;
}

const struct cal_curve *calibration_curve(const struct calibration *cal,
                                          const char *name, const char *kind,
                                          unsigned chains) {
  for (size_t i = 0; i < cal->curve_count; i++) {
    const struct cal_curve *curve = &cal->curves[i];
    if (curve->chains == chains && !strcmp(curve->name, name) &&
        !strcmp(curve->pages, kind))
      return curve;
  }
  return NULL;
}
