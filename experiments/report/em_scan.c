/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/em_scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_level(struct em_levels *levels, const char *name,
                      double elements, struct cal_value ns) {
  size_t at = levels->count;
  if (at == EM_LEVELS_MAX) return;
  if (at && elements <= levels->level[at - 1].elements) return;
  levels->count++;
  levels->level[at] = (struct em_level){.elements = elements, .ns = ns};
  snprintf(levels->level[at].name, CALIBRATION_NAME, "%s", name);
}

void em_levels_of(const json_t *machine, struct em_levels *levels) {
  const struct cal_value none = {0, 0, 0};
  json_t *caches = json_object_get(machine, "caches");
  *levels = (struct em_levels){0};
  for (int level = 1; level < EM_LEVELS_MAX; level++)
    for (size_t i = 0; i < json_array_size(caches); i++) {
      const json_t *cache = json_array_get(caches, i);
      const char *type = json_string_value(json_object_get(cache, "type"));
      double bytes = json_number_value(json_object_get(cache, "bytes"));
      char name[CALIBRATION_NAME];
      if (json_integer_value(json_object_get(cache, "level")) != level ||
          !type || !strcmp(type, "instruction") || !(bytes > 0))
        continue;
      snprintf(name, sizeof name, "L%d", level);
      add_level(levels, name, bytes / EM_ELEMENT_BYTES, none);
    }
  if (levels->count) add_level(levels, "memory", INFINITY, none);
}

bool em_levels_measured(const struct calibration *cal,
                        struct em_levels *levels) {
  *levels = (struct em_levels){0};
  for (size_t i = 0; i < cal->level_count; i++) {
    const struct cal_level *level = &cal->levels[i];
    bool memory = i + 1 == cal->level_count;
    double bytes = memory ? INFINITY : level->bytes_usable.value;
    if (!(level->read_ns.value > 0) || !(bytes > 0)) return false;
    add_level(levels, level->name, bytes / EM_ELEMENT_BYTES, level->read_ns);
  }
  return levels->count > 1;
}

/* The share of an array of n that is beyond level i - 1. */
static double beyond(const struct em_levels *levels, size_t i, double n) {
  return i ? fmax(0, 1 - levels->level[i - 1].elements / n) : 1;
}

/* The same sum, by what each level adds to the time of the one before. */
struct cal_value em_scan_ns(const struct em_levels *levels, double n) {
  struct cal_value ns = {0, 0, 0}, before = {0, 0, 0};
  for (size_t i = 0; i < levels->count; i++) {
    const struct cal_value *level = &levels->level[i].ns;
    double share = beyond(levels, i, n);
    ns.value += share * (level->value - before.value);
    ns.lo += share * (level->lo - before.lo);
    ns.hi += share * (level->hi - before.hi);
    before = *level;
  }
  return ns;
}
