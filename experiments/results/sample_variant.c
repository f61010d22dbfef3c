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

bool sample_variant_set_parameters(struct sample_variant *variant,
                                   const char *parameters) {
  size_t length = strlen(parameters);
  if (!length || length >= VARIANT_NAME) return false;
  for (const char *c = parameters; *c; c++)
    if (*c <= ' ' || *c > '~') return false;
  memcpy(variant->parameters, parameters, length + 1);
  return true;
}

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_inputs(const struct sample_variant *a,
                          const struct sample_variant *b) {
  int order = strcmp(a->file, b->file);
  if (!order) order = compare_u64(a->bytes, b->bytes);
  return order ? order : compare_u64(a->hash, b->hash);
}

int sample_variant_compare(const struct sample_variant *a,
                           const struct sample_variant *b) {
  int order = strcmp(a->generator, b->generator);
  if (!order) order = compare_inputs(a, b);
  if (!order) order = strcmp(a->alloc, b->alloc);
  if (!order) order = compare_u64(a->block_threads, b->block_threads);
  if (!order) order = compare_u64(a->dummy_shared, b->dummy_shared);
  if (!order) order = compare_u64(a->grid_blocks, b->grid_blocks);
  return order ? order : strcmp(a->parameters, b->parameters);
}

bool sample_variant_same_input(const struct sample_variant *a,
                               const struct sample_variant *b) {
  return !compare_inputs(a, b);
}

static int number_to_json(uint32_t number, const char *key, json_t *record) {
  return number ? json_object_set_new(record, key, json_integer(number)) : 0;
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
  if (number_to_json(variant->block_threads, "block_threads", record) ||
      number_to_json(variant->dummy_shared, "dummy_shared", record) ||
      number_to_json(variant->grid_blocks, "grid_blocks", record))
    return -1;
  if (*variant->parameters &&
      json_object_set_new(record, "parameters",
                          json_string(variant->parameters)))
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

/* Absent is 0, which is never written. */
static bool take_number(const json_t *record, const char *key,
                        uint32_t *number) {
  const json_t *json = json_object_get(record, key);
  json_int_t value = json_integer_value(json);
  *number = (uint32_t)value;
  return !json || (json_is_integer(json) && value > 0 && value <= UINT32_MAX);
}

bool sample_variant_from_json(struct sample_variant *variant,
                              const json_t *record) {
  const json_t *alloc = json_object_get(record, "alloc");
  const json_t *generator = json_object_get(record, "generator");
  const json_t *input = json_object_get(record, "input");
  const json_t *bytes = json_object_get(input, "bytes");
  const json_t *parameters = json_object_get(record, "parameters");
  *variant = (struct sample_variant){.bytes = 0};
  if (alloc && !sample_name_from_json(alloc, variant->alloc, VARIANT_ALLOC))
    return false;
  if (generator &&
      !sample_name_from_json(generator, variant->generator, VARIANT_NAME))
    return false;
  if (!take_number(record, "block_threads", &variant->block_threads) ||
      !take_number(record, "dummy_shared", &variant->dummy_shared) ||
      !take_number(record, "grid_blocks", &variant->grid_blocks))
    return false;
  if (parameters &&
      (!json_is_string(parameters) ||
       !sample_variant_set_parameters(variant, json_string_value(parameters))))
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
  int used = snprintf(label, VARIANT_LABEL, "%s%s%s%s",
                      *variant->alloc ? ", " : "", variant->alloc,
                      file        ? " of "
                      : generator ? ", "
                                  : "",
                      file ? variant->file : variant->generator);
  if (variant->grid_blocks)
    used += snprintf(label + used, VARIANT_LABEL - (size_t)used,
                     ", %" PRIu32 " blocks", variant->grid_blocks);
  if (variant->block_threads)
    used += snprintf(label + used, VARIANT_LABEL - (size_t)used,
                     ", blocks of %" PRIu32, variant->block_threads);
  if (variant->dummy_shared)
    used += snprintf(label + used, VARIANT_LABEL - (size_t)used,
                     ", %" PRIu32 " bytes less", variant->dummy_shared);
  if (*variant->parameters)
    snprintf(label + used, VARIANT_LABEL - (size_t)used, ", %s",
             variant->parameters);
  return label;
}
