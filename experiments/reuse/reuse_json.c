/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/reuse/reuse_json.h"

#include <config.h>
#include <errno.h>
#include <math.h>

static const char *const class_names[REUSE_CLASSES] = {"other", "stream"};
static const char *const kind_names[REUSE_KINDS] = {"loads", "stores"};

static json_t *counts_to_json(const double *counts, size_t size) {
  json_t *array = json_array();
  while (size && counts[size - 1] == 0) size--;
  for (size_t i = 0; i < size; i++)
    json_array_append_new(array, json_real(counts[i]));
  return array;
}

static json_t *histogram_to_json(const struct reuse_histogram *histogram) {
  return json_pack("{so sf}", "count",
                   counts_to_json(histogram->count, REUSE_BUCKETS), "cold",
                   histogram->cold);
}

static json_t *classes_to_json(
    const struct reuse_histogram classes[REUSE_CLASSES]) {
  json_t *object = json_object();
  for (unsigned i = 0; i < REUSE_CLASSES; i++)
    json_object_set_new(object, class_names[i], histogram_to_json(&classes[i]));
  return object;
}

static json_t *joint_to_json(const double joint[][REUSE_COARSE + 1]) {
  json_t *array = json_array();
  for (int i = 0; i <= REUSE_COARSE; i++)
    for (int j = 0; j <= REUSE_COARSE; j++)
      if (joint[i][j] > 0)
        json_array_append_new(array, json_pack("[iif]", i, j, joint[i][j]));
  return array;
}

static json_t *pages_to_json(const struct reuse_pages *pages) {
  json_t *tables = json_array();
  for (unsigned i = 0; i < REUSE_TABLES; i++)
    json_array_append_new(tables, histogram_to_json(&pages->tables[i]));
  return json_pack("{si so so so so}", "page_bits", (int)pages->page_bits,
                   "pages", histogram_to_json(&pages->pages), "tables", tables,
                   "joint", joint_to_json(pages->joint), "tables_joint",
                   joint_to_json(pages->tables_joint));
}

static json_t *tc_to_json(const struct reuse_tc *tc,
                          const struct vat_tc_counts *counts) {
  json_t *layers = json_array();
  for (unsigned i = 0; i <= tc->levels; i++)
    json_array_append_new(layers,
                          json_integer((json_int_t)counts->misses_by_layer[i]));
  return json_pack("{si si sI sI sI so}", "page_bits", (int)tc->page_bits,
                   "levels", (int)tc->levels, "nodes", (json_int_t)tc->nodes,
                   "translations", (json_int_t)counts->translations, "misses",
                   (json_int_t)counts->misses, "misses_by_layer", layers);
}

json_t *reuse_profile_to_json(const struct reuse_profile *profile,
                              const struct reuse_params *params) {
  json_t *kinds = json_object(), *pages = json_array(), *tcs = json_array();
  for (unsigned i = 0; i < REUSE_KINDS; i++)
    json_object_set_new(kinds, kind_names[i],
                        classes_to_json(profile->kinds[i]));
  for (unsigned i = 0; i < profile->pages_count; i++)
    json_array_append_new(pages, pages_to_json(&profile->pages[i]));
  for (unsigned i = 0; i < profile->tc_count; i++)
    json_array_append_new(tcs, tc_to_json(&params->tcs[i], &profile->tcs[i]));
  return json_pack("{sI sI sf sf so so so so}", "accesses",
                   (json_int_t)profile->accesses, "workspace_bytes",
                   (json_int_t)profile->workspace_bytes, "ram_ops",
                   profile->ram_ops, "simulated_s", profile->simulated_s,
                   "lines", classes_to_json(profile->lines), "kinds", kinds,
                   "pages", pages, "tcs", tcs);
}

static bool take_count(const json_t *json, double *count) {
  *count = json_number_value(json);
  return json_is_number(json) && isfinite(*count) && *count >= 0;
}

static bool take_integer(const json_t *json, uint64_t *count) {
  *count = (uint64_t)json_integer_value(json);
  return json_is_integer(json) && json_integer_value(json) >= 0;
}

static bool take_histogram(const json_t *json,
                           struct reuse_histogram *histogram) {
  const json_t *counts = json_object_get(json, "count");
  if (!json_is_array(counts) || json_array_size(counts) > REUSE_BUCKETS)
    return false;
  for (size_t i = 0; i < json_array_size(counts); i++)
    if (!take_count(json_array_get(counts, i), &histogram->count[i]))
      return false;
  return take_count(json_object_get(json, "cold"), &histogram->cold);
}

static bool take_classes(const json_t *json,
                         struct reuse_histogram classes[REUSE_CLASSES]) {
  for (unsigned i = 0; i < REUSE_CLASSES; i++)
    if (!take_histogram(json_object_get(json, class_names[i]), &classes[i]))
      return false;
  return true;
}

static bool take_joint(const json_t *json, double joint[][REUSE_COARSE + 1]) {
  if (!json_is_array(json)) return false;
  for (size_t k = 0; k < json_array_size(json); k++) {
    const json_t *cell = json_array_get(json, k);
    uint64_t i, j;
    if (!take_integer(json_array_get(cell, 0), &i) || i > REUSE_COARSE ||
        !take_integer(json_array_get(cell, 1), &j) || j > REUSE_COARSE ||
        !take_count(json_array_get(cell, 2), &joint[i][j]))
      return false;
  }
  return true;
}

static bool take_pages(const json_t *json, struct reuse_pages *pages,
                       unsigned page_bits) {
  const json_t *tables = json_object_get(json, "tables");
  uint64_t bits;
  pages->page_bits = page_bits;
  for (unsigned i = 0; i < REUSE_TABLES; i++)
    if (!take_histogram(json_array_get(tables, i), &pages->tables[i]))
      return false;
  return take_integer(json_object_get(json, "page_bits"), &bits) &&
         bits == page_bits &&
         take_histogram(json_object_get(json, "pages"), &pages->pages) &&
         take_joint(json_object_get(json, "joint"), pages->joint) &&
         take_joint(json_object_get(json, "tables_joint"), pages->tables_joint);
}

static bool take_tc(const json_t *json, struct vat_tc_counts *counts,
                    const struct reuse_tc *tc) {
  const json_t *layers = json_object_get(json, "misses_by_layer");
  if (json_array_size(layers) != tc->levels + 1) return false;
  for (unsigned i = 0; i <= tc->levels; i++)
    if (!take_integer(json_array_get(layers, i), &counts->misses_by_layer[i]))
      return false;
  return take_integer(json_object_get(json, "translations"),
                      &counts->translations) &&
         take_integer(json_object_get(json, "misses"), &counts->misses);
}

static bool take_profile(const json_t *json, struct reuse_profile *profile,
                         const struct reuse_params *params) {
  const json_t *kinds = json_object_get(json, "kinds");
  const json_t *pages = json_object_get(json, "pages");
  const json_t *tcs = json_object_get(json, "tcs");
  if (!take_classes(json_object_get(json, "lines"), profile->lines))
    return false;
  for (unsigned i = 0; i < REUSE_KINDS; i++)
    if (!take_classes(json_object_get(kinds, kind_names[i]), profile->kinds[i]))
      return false;
  for (unsigned i = 0; i < profile->pages_count; i++)
    if (!take_pages(json_array_get(pages, i), &profile->pages[i],
                    params->page_bits[i]))
      return false;
  for (unsigned i = 0; i < profile->tc_count; i++)
    if (!take_tc(json_array_get(tcs, i), &profile->tcs[i], &params->tcs[i]))
      return false;
  return take_integer(json_object_get(json, "accesses"), &profile->accesses) &&
         take_integer(json_object_get(json, "workspace_bytes"),
                      &profile->workspace_bytes) &&
         take_count(json_object_get(json, "ram_ops"), &profile->ram_ops) &&
         take_count(json_object_get(json, "simulated_s"),
                    &profile->simulated_s);
}

int reuse_profile_from_json(struct reuse_profile *profile, const json_t *json,
                            const struct reuse_params *params) {
  *profile = (struct reuse_profile){.pages_count = params->page_bits_count,
                                    .tc_count = params->tc_count};
  if (take_profile(json, profile, params)) return 0;
  errno = EINVAL;
  return -1;
}
