/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/sample.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/cli/order.h"
#include "huge_pages/size_text.h"

void sample_variant_name(struct sample_variant *variant, const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash && slash[1]) path = slash + 1;
  snprintf(variant->file, sizeof variant->file, "%s", path);
  for (char *c = variant->file; *c; c++)
    if (*c < ' ' || *c > '~') *c = '?';
}

bool sample_variant_set_parameters(struct sample_variant *variant,
                                   const char *parameters) {
  if (!record_is_name(parameters, VARIANT_NAME) || strchr(parameters, ' '))
    return false;
  strcpy(variant->parameters, parameters);
  return true;
}

static int compare_inputs(const struct sample_variant *a,
                          const struct sample_variant *b) {
  int order = strcmp(a->file, b->file);
  if (!order) order = order_words(a->bytes, b->bytes);
  return order ? order : order_words(a->hash, b->hash);
}

int sample_variant_compare(const struct sample_variant *a,
                           const struct sample_variant *b) {
  int order = strcmp(a->generator, b->generator);
  if (!order) order = compare_inputs(a, b);
  if (!order) order = strcmp(a->alloc, b->alloc);
  if (!order) order = order_words(a->block_threads, b->block_threads);
  if (!order) order = order_words(a->dummy_shared, b->dummy_shared);
  if (!order) order = order_words(a->grid_blocks, b->grid_blocks);
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

/* Where pages_granted says how much no page backs at all. */
static const char missing_name[] = "none";

/* Keeps `granted` ascending in page size; an entry of no bytes says nothing. */
static void granted_insert(struct hp_granted *granted, size_t page_bytes,
                           size_t bytes) {
  if (!bytes) return;
  size_t at = granted->sizes++;
  for (; at && granted->by[at - 1].page_bytes > page_bytes; at--)
    granted->by[at] = granted->by[at - 1];
  granted->by[at].page_bytes = page_bytes;
  granted->by[at].bytes = bytes;
}

FIELD_READER(granted_read) {
  struct hp_granted *granted = member;
  if (!json_is_object(value))
    return record_refuse(reader, "\"%s\" must be an object", field->key);
  const char *name;
  json_t *json;
  json_object_foreach((json_t *)value, name, json) {
    uint64_t bytes;
    size_t page_bytes = hp_page_bytes(name);
    bool none = !strcmp(name, missing_name);
    if ((!page_bytes && !none) || !u64_of_json(json, &bytes) ||
        bytes > SIZE_MAX)
      return record_refuse(reader, "\"%s\" must map page sizes to bytes",
                           field->key);
    if (!none && granted->sizes == HP_GRANTED_SIZES)
      return record_refuse(reader, "\"%s\" has over %d page sizes", field->key,
                           HP_GRANTED_SIZES);
    if (none)
      granted->missing = (size_t)bytes;
    else
      granted_insert(granted, page_bytes, (size_t)bytes);
  }
  return 0;
}

FIELD_WRITER(granted_write) {
  const struct hp_granted *granted = member;
  json_t *object = json_object();
  for (size_t i = 0; i < granted->sizes; i++) {
    char name[HP_NAME_SIZE];
    json_object_set_new(object, hp_page_name(granted->by[i].page_bytes, name),
                        json_of_u64(granted->by[i].bytes));
  }
  if (granted->missing)
    json_object_set_new(object, missing_name, json_of_u64(granted->missing));
  return object;
}

/* There for people; it must not contradict ns and ram_ops. */
FIELD_WRITER(ns_per_op_write) {
  const struct sample *sample = around;
  return json_of_real(six_digits((double)sample->ns / sample->ram_ops));
}

FIELD_READER(ns_per_op_read) {
  const struct sample *sample = reader->around;
  double stored, made = (double)sample->ns / sample->ram_ops;
  if (field_real.read(field, value, &stored, reader)) return -1;
  if (fabs(stored - made) > 0.001 * made)
    return record_refuse(reader, "\"%s\" is %g, but ns / ram_ops is %g",
                         field->key, stored, made);
  return 0;
}

FIELD_READER(counters_read) {
  size_t *count = (size_t *)((char *)member - field->offset + field->count);
  struct sample_counter *counter = member;
  const char *name;
  json_t *json;
  if (!json_is_object(value) || json_object_size(value) > SAMPLE_COUNTERS)
    return record_refuse(reader, "\"%s\" must be an object of at most %d keys",
                         field->key, SAMPLE_COUNTERS);
  json_object_foreach((json_t *)value, name, json) {
    if (!record_is_name(name, sizeof counter->name))
      return record_refuse(reader, "\"%s\" has a name that is none",
                           field->key);
    strcpy(counter->name, name);
    counter->present = !json_is_null(json);
    if (counter->present && !u64_of_json(json, &counter->value))
      return record_refuse(reader, "counter \"%s\" must be a count or null",
                           name);
    counter++, ++*count;
  }
  return 0;
}

FIELD_WRITER(counters_write) {
  const struct sample_counter *counter = member;
  size_t count =
      *(const size_t *)((const char *)member - field->offset + field->count);
  json_t *object = json_object();
  for (; count--; counter++)
    json_object_set_new(
        object, counter->name,
        counter->present ? json_of_u64(counter->value) : json_null());
  return object;
}

FIELD_READER(check_read) {
  if (!json_is_string(value))
    return record_refuse(reader, "\"%s\" must be \"ok\" or what was wrong",
                         field->key);
  *(bool *)member = !strcmp(json_string_value(value), "ok");
  return 0;
}

FIELD_WRITER(check_write) {
  return json_string(*(const bool *)member ? "ok" : "failed");
}

static const struct field_type granted = {granted_write, granted_read};
static const struct field_type ns_per_op = {ns_per_op_write, ns_per_op_read};
const struct field_type field_counters = {counters_write, counters_read};
static const struct field_type check = {check_write, check_read};

#define S struct sample
#define TRANSFER(member) \
  MEMBER(S, member), WHEN(S, transferred), .optional = true
const struct field sample_fields[] = {
    {"record", &field_constant, .text = "sample"},
    {"algo", &field_name, MEMBER(S, algo)},
    {"device", &field_name, MEMBER(S, device)},
    {"n", &field_whole, MEMBER(S, n), .most = INT64_MAX},
    {"pages_asked", &field_name, MEMBER(S, pages_asked)},
    {"pages_granted", &granted, MEMBER(S, pages_granted)},
    {"granted_ok", &field_bool, MEMBER(S, granted_ok), .optional = true},
    {"rep", &field_whole, MEMBER(S, rep)},
    {"ns", &field_whole, MEMBER(S, ns), .least = 1},
    {"ram_ops", &field_real, MEMBER(S, ram_ops), .least = 1},
    {"ns_per_op", &ns_per_op, .size = sizeof(double)},
    {"counters", &field_counters, LIST(S, counter, counters)},
    {"check", &check, MEMBER(S, check_ok)},
    {"seed", &field_whole, MEMBER(S, seed)},
    {NULL, &field_object, MEMBER(S, variant), .of = sample_variant_fields},
    {"upload_ns", &field_whole, TRANSFER(upload_ns)},
    {"download_ns", &field_whole, TRANSFER(download_ns)},
    {0}};
#undef S

static bool is_as_asked(const struct hp_granted *backing, const char *kind) {
  return !backing->missing && backing->sizes == 1 &&
         backing->by[0].page_bytes == hp_kind_usual_bytes(kind);
}

int sample_from_json(struct sample *sample, const json_t *record,
                     char why[SAMPLE_WHY_SIZE]) {
  struct record_reader reader = {why, SAMPLE_WHY_SIZE, sample};
  *sample = (struct sample){.line = 0};
  if (record_from_json(sample_fields, record, sample, why, SAMPLE_WHY_SIZE))
    return -1;
  if (!json_object_get(record, "granted_ok"))
    sample->granted_ok =
        is_as_asked(&sample->pages_granted, sample->pages_asked);
  sample->transferred = json_object_get(record, "upload_ns");
  if (!sample->transferred || json_object_get(record, "download_ns")) return 0;
  return record_refuse(&reader, "\"upload_ns\" comes with \"download_ns\"");
}

json_t *sample_to_json(const struct sample *sample) {
  if (sample->ram_ops >= 1 && isfinite(sample->ram_ops))
    return record_to_json(sample_fields, sample);
  errno = EINVAL;
  return NULL;
}

int sample_identity_compare(const struct sample *a, const struct sample *b) {
  int order = strcmp(a->algo, b->algo);
  if (!order) order = strcmp(a->device, b->device);
  if (!order) order = order_words(a->n, b->n);
  if (!order) order = strcmp(a->pages_asked, b->pages_asked);
  if (!order) order = sample_variant_compare(&a->variant, &b->variant);
  if (!order) order = order_words(a->rep, b->rep);
  return order ? order : order_words(a->seed, b->seed);
}

static uint64_t fold_text(uint64_t hash, const char *text) {
  for (; *text; text++) hash = cpu_random_fold(hash, (unsigned char)*text);
  return cpu_random_fold(hash, 256); /* no letter: where one text ends */
}

uint64_t sample_identity_hash(const struct sample *sample) {
  const struct sample_variant *variant = &sample->variant;
  const char *const texts[] = {
      sample->algo,  sample->device, sample->pages_asked, variant->generator,
      variant->file, variant->alloc, variant->parameters};
  const uint64_t numbers[] = {sample->n,
                              sample->rep,
                              sample->seed,
                              variant->bytes,
                              variant->hash,
                              variant->block_threads,
                              variant->dummy_shared,
                              variant->grid_blocks};
  uint64_t hash = 0;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    hash = fold_text(hash, texts[i]);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    hash = cpu_random_fold(hash, numbers[i]);
  return hash;
}
