/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/em_scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ELEMENT_BYTES = 16 };

static void add_level(struct em_levels *levels, const char *name,
                      double elements) {
  size_t at = levels->count;
  if (at == EM_LEVELS_MAX) return;
  if (at && elements <= levels->level[at - 1].elements) return;
  levels->count++;
  levels->level[at] = (struct em_level){.elements = elements};
  snprintf(levels->level[at].name, EM_NAME_SIZE, "%s", name);
}

void em_levels_of(const json_t *machine, struct em_levels *levels) {
  json_t *caches = json_object_get(machine, "caches");
  *levels = (struct em_levels){0};
  for (int level = 1; level < EM_LEVELS_MAX; level++)
    for (size_t i = 0; i < json_array_size(caches); i++) {
      const json_t *cache = json_array_get(caches, i);
      const char *type = json_string_value(json_object_get(cache, "type"));
      double bytes = json_number_value(json_object_get(cache, "bytes"));
      char name[EM_NAME_SIZE];
      if (json_integer_value(json_object_get(cache, "level")) != level ||
          !type || !strcmp(type, "instruction") || !(bytes > 0))
        continue;
      snprintf(name, sizeof name, "L%d", level);
      add_level(levels, name, bytes / ELEMENT_BYTES);
    }
  if (levels->count) add_level(levels, "memory", INFINITY);
}

/* The share of an array of n that is beyond level i - 1. */
static double beyond(const struct em_levels *levels, size_t i, double n) {
  return i ? fmax(0, 1 - levels->level[i - 1].elements / n) : 1;
}

/* The same sum, by what each level adds to the time of the one before. */
double em_scan_ns(const struct em_levels *levels, double n) {
  double ns = 0, before = 0;
  for (size_t i = 0; i < levels->count; i++) {
    ns += (levels->level[i].ns - before) * beyond(levels, i, n);
    before = levels->level[i].ns;
  }
  return ns;
}

static void merge_untold(struct em_levels *levels, double least) {
  size_t untold = 0;
  while (untold + 1 < levels->count && levels->level[untold].elements <= least)
    untold++;
  if (untold < 2) return;
  struct em_level merged = levels->level[untold - 1];
  snprintf(merged.name, EM_NAME_SIZE, "up to %.12s",
           levels->level[untold - 1].name);
  levels->level[0] = merged;
  memmove(&levels->level[1], &levels->level[untold],
          (levels->count - untold) * sizeof *levels->level);
  levels->count -= untold - 1;
}

/* What level i should add, all others as they are. */
static double best_step(const struct em_levels *levels, const double *steps,
                        size_t i, const struct em_point *points, size_t count) {
  double along = 0, square = 0;
  for (size_t k = 0; k < count; k++) {
    double rest = points[k].ns;
    for (size_t j = 0; j < levels->count; j++)
      if (j != i) rest -= steps[j] * beyond(levels, j, points[k].n);
    double share = beyond(levels, i, points[k].n) / points[k].ns;
    along += share * rest / points[k].ns;
    square += share * share;
  }
  return square > 0 ? fmax(0, along / square) : 0;
}

/* Coordinate descent, which finds the least of this convex function on steps of
 * at least 0. */
void em_scan_fit(struct em_levels *levels, const struct em_point *points,
                 size_t count) {
  enum { ROUNDS = 5000 };
  double steps[EM_LEVELS_MAX] = {0}, least = INFINITY;
  for (size_t k = 0; k < count; k++) least = fmin(least, points[k].n);
  merge_untold(levels, least);
  for (int round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < levels->count; i++)
      steps[i] = best_step(levels, steps, i, points, count);
  double ns = 0;
  for (size_t i = 0; i < levels->count; i++) {
    ns += steps[i];
    levels->level[i].ns = ns;
  }
}
