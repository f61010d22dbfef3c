/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/tc_curve_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/reuse/reuse_cache.h"
#include "experiments/reuse/reuse_json.h"

/* Raise it when what is written means something else than before. */
enum { FORMAT = 1, NAME = 128 };

/* As of a profile, which changes with all that simulates; NULL: no memory. */
static json_t *key_of(const struct stream *stream, const struct vat_tree *tree,
                      char name[NAME]) {
  static const struct reuse_params none;
  json_t *key = reuse_key_to_json(stream, &none);
  json_t *curve =
      json_pack("{si ss si si si}", "format", FORMAT, "policy",
                vat_policies[0]->name, "index_bits", (int)tree->index_bits,
                "page_bits", (int)tree->page_bits, "levels", (int)tree->levels);
  snprintf(name, NAME, "%s-%" PRIu64 "-curve", stream->algo->name, stream->n);
  if (key && !json_object_set_new(key, "curve", curve)) return key;
  json_decref(key);
  return NULL;
}

/* The first W is that of vat_curve_points(), and from there on each next one
 * is larger and misses less. */
static bool take_points(struct tc_curve *curve, const json_t *value,
                        const struct vat_tree *tree) {
  size_t count = json_array_size(value);
  struct vat_curve_point *points = malloc((count + 1) * sizeof *points);
  for (size_t i = 0; points && i < count; i++) {
    const json_t *pair = json_array_get(value, i);
    json_int_t nodes = json_integer_value(json_array_get(pair, 0));
    json_int_t misses = json_integer_value(json_array_get(pair, 1));
    points[i].nodes = (uint64_t)nodes;
    points[i].misses = (uint64_t)misses;
    bool good = i ? points[i].nodes > points[i - 1].nodes &&
                        points[i].misses < points[i - 1].misses
                  : points[i].nodes == tree->levels + 1;
    if (good && nodes > 0 && misses > 0) continue;
    free(points);
    return false;
  }
  curve->points = points;
  curve->count = points ? count : 0;
  return count && points;
}

bool tc_curve_cache_read(struct tc_curve *curve, const struct stream *stream,
                         const struct vat_tree *tree) {
  char name[NAME];
  json_t *key = key_of(stream, tree, name);
  json_t *value = key ? reuse_cache_read(name, key) : NULL;
  bool read = json_array_size(value) && take_points(curve, value, tree);
  json_decref(value);
  json_decref(key);
  return read;
}

void tc_curve_cache_write(const struct tc_curve *curve,
                          const struct stream *stream,
                          const struct vat_tree *tree) {
  char name[NAME];
  json_t *key = key_of(stream, tree, name), *value = json_array();
  for (size_t i = 0; i < curve->count; i++)
    json_array_append_new(value,
                          json_pack("[II]", (json_int_t)curve->points[i].nodes,
                                    (json_int_t)curve->points[i].misses));
  if (key && json_array_size(value) == curve->count)
    reuse_cache_write(name, key, value);
  json_decref(value);
  json_decref(key);
}
