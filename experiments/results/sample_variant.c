/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/sample_variant.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/results/sample_json.h"

void sample_variant_name(struct sample_variant *variant, const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash && slash[1]) path = slash + 1;
  snprintf(variant->file, sizeof variant->file, "%s", path);
  for (char *c = variant->file; *c; c++)
    if (*c < ' ' || *c > '~') *c = '?';
}

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

int sample_variant_compare(const struct sample_variant *a,
                           const struct sample_variant *b) {
  int order = strcmp(a->generator, b->generator);
  if (!order) order = strcmp(a->file, b->file);
  if (!order) order = compare_u64(a->bytes, b->bytes);
  if (!order) order = compare_u64(a->hash, b->hash);
  return order ? order : strcmp(a->alloc, b->alloc);
}

int sample_variant_to_json(const struct sample_variant *variant,
                           json_t *record) {
  char hash[20];
  if (*variant->alloc &&
      json_object_set_new(record, "alloc", json_string(variant->alloc)))
    return -1;
  if (*variant->generator &&
      json_object_set_new(record, "generator", json_string(variant->generator)))
    return -1;
  if (!*variant->file) return 0;
  snprintf(hash, sizeof hash, "%016" PRIx64, variant->hash);
  json_t *input = json_pack("{ss sI ss}", "file", variant->file, "bytes",
                            (json_int_t)variant->bytes, "hash", hash);
  return json_object_set_new(record, "input", input);
}

static bool take_hash(const json_t *json, uint64_t *hash) {
  const char *digits = json_string_value(json);
  if (!digits || strspn(digits, "0123456789abcdef") != 16 || digits[16])
    return false;
  *hash = strtoull(digits, NULL, 16);
  return true;
}

bool sample_variant_from_json(struct sample_variant *variant,
                              const json_t *record) {
  const json_t *alloc = json_object_get(record, "alloc");
  const json_t *generator = json_object_get(record, "generator");
  const json_t *input = json_object_get(record, "input");
  const json_t *bytes = json_object_get(input, "bytes");
  *variant = (struct sample_variant){.bytes = 0};
  if (alloc && !sample_name_from_json(alloc, variant->alloc, VARIANT_ALLOC))
    return false;
  if (generator &&
      !sample_name_from_json(generator, variant->generator, VARIANT_NAME))
    return false;
  if (!input) return true;
  variant->bytes = (uint64_t)json_integer_value(bytes);
  return sample_name_from_json(json_object_get(input, "file"), variant->file,
                               VARIANT_NAME) &&
         json_is_integer(bytes) && json_integer_value(bytes) >= 0 &&
         take_hash(json_object_get(input, "hash"), &variant->hash);
}

const char *sample_variant_label(const struct sample_variant *variant,
                                 char label[VARIANT_LABEL]) {
  bool file = *variant->file, generator = *variant->generator;
  snprintf(label, VARIANT_LABEL, "%s%s%s%s", *variant->alloc ? ", " : "",
           variant->alloc,
           file        ? " of "
           : generator ? ", "
                       : "",
           file ? variant->file : variant->generator);
  return label;
}
