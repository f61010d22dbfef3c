/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/sample_variant.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

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

/* No command line takes those with blanks. */
static int check_parameters(const struct field *field, const void *member,
                            const struct record_reader *reader) {
  if (!strchr(member, ' ')) return 0;
  return record_refuse(reader, "\"%s\" must have no blanks", field->key);
}

#define V struct sample_variant
static const struct field input_fields[] = {
    {"file", &field_name, MEMBER(V, file)},
    {"bytes", &field_whole, MEMBER(V, bytes), .most = INT64_MAX},
    {"hash", &field_hash, MEMBER(V, hash)},
    {0}};

const struct field sample_variant_fields[] = {
    {"alloc", &field_name, OPTIONAL_TEXT(V, alloc)},
    {"generator", &field_name, OPTIONAL_TEXT(V, generator)},
    {"block_threads", &field_whole, OPTIONAL(V, block_threads), .least = 1},
    {"dummy_shared", &field_whole, OPTIONAL(V, dummy_shared), .least = 1},
    {"grid_blocks", &field_whole, OPTIONAL(V, grid_blocks), .least = 1},
    {"parameters", &field_name, OPTIONAL_TEXT(V, parameters),
     .check = check_parameters},
    {"input", &field_object, .optional = true, .when = offsetof(V, file),
     .when_bytes = 1, .of = input_fields},
    {0}};
#undef V

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
