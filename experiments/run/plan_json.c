/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan as a record in JSON. */
#include <errno.h>

#include "experiments/run/plan.h"

/* 0 where what is called `name` was found. */
static int check_found(const void *found, const char *what, const json_t *name,
                       const struct record_reader *reader) {
  if (found) return 0;
  return record_refuse(reader, "its plan names an unknown %s '%.40s'", what,
                       json_is_string(name) ? json_string_value(name) : "");
}

/* Of a struct algo, alloc_way or device, whose first member is its name. */
FIELD_WRITER(called_write) {
  return json_string(**(const char *const *const *)member);
}

FIELD_WRITER(kind_write) {
  return json_string((*(const struct hp_kind *const *)member)->name);
}

FIELD_READER(algo_read) {
  const struct plan *plan = reader->around;
  const char *name = json_string_value(value);
  const struct algo **algo = member;
  *algo = name ? device_algo(plan->device, name) : NULL;
  return check_found(*algo, "algorithm", value, reader);
}

/* In older files the plan names one for all. */
FIELD_READER(generator_read) {
  const struct plan *plan = reader->around;
  struct plan_entry *entry = (void *)((char *)member - field->offset);
  const char *all = plan->variant.generator;
  const char *name = value ? json_string_value(value) : *all ? all : NULL;
  if (!value && !name) return 0;
  name = name ? cpu_algo_generator(entry->algo, name) : NULL;
  if (!name)
    return record_refuse(reader, "its plan has an unknown generator for %s",
                         entry->algo->name);
  entry->generator = name == entry->algo->generators[0] ? NULL : name;
  return 0;
}

FIELD_WRITER(generator_write) {
  return json_string(*(const char *const *)member);
}

static const struct field sizes_field = {
    "sizes", &field_list, LIST_BEHIND(struct sizes, at, count),
    .of = &(const struct field){"sizes", &field_whole, .size = sizeof(uint64_t),
                                .most = INT64_MAX}};

FIELD_WRITER(sizes_write) {
  const struct plan_entry *entry =
      (const void *)((const char *)member - field->offset);
  return field_list.write(&sizes_field, plan_sweep(entry), around);
}

FIELD_READER(sizes_read) {
  const struct plan_entry *entry = (void *)((char *)member - field->offset);
  const struct sizes *sizes = member;
  if (field_list.read(&sizes_field, value, member, reader)) return -1;
  for (size_t i = 1; i < sizes->count; i++)
    if (sizes->at[i] <= sizes->at[i - 1])
      return record_refuse(reader, "its plan has bad sizes for %s",
                           entry->algo->name);
  return 0;
}

FIELD_WRITER(blocks_write) { return json_integer(*(const uint32_t *)member); }

FIELD_READER(blocks_read) {
  const struct plan_entry *entry = (void *)((char *)member - field->offset);
  if (!field_whole.read(field, value, member, reader)) return 0;
  return record_refuse(reader, "its plan has unsupported blocks for %s",
                       entry->algo->name);
}

FIELD_READER(kind_read) {
  const char *name = json_string_value(value);
  const struct hp_kind **kind = member;
  *kind = name ? hp_kind_find(name) : NULL;
  return check_found(*kind, "page kind", value, reader);
}

FIELD_READER(alloc_read) {
  const char *name = json_string_value(value);
  const struct alloc_way **way = member;
  *way = name ? alloc_find(name) : NULL;
  return check_found(*way, "allocator", value, reader);
}

/* Missing in older files, and of the processor. */
FIELD_READER(device_read) {
  const char *name = json_string_value(value);
  const struct device **device = member;
  *device = value && !name ? NULL : device_find(name);
  return check_found(*device, "device", value, reader);
}

static const struct field shard_fields[] = {
    {"shard", &field_whole, MEMBER(struct shard, index), .least = 1},
    {"shard", &field_whole, MEMBER(struct shard, count), .least = 1,
     .most = SHARDS_MAX},
    {0}};

static int check_shard(const struct field *field,
                       const void *member FIELD_UNUSED,
                       const struct record_reader *reader) {
  struct plan *plan = reader->around;
  const struct shard shard = plan->shard;
  if (shard.index <= shard.count) return plan_shard(plan, shard, reader->why);
  return record_refuse(reader, "its plan has an unknown %s", field->key);
}

static const struct field_type algo = {called_write, algo_read},
                               generator = {generator_write, generator_read},
                               sizes = {sizes_write, sizes_read},
                               blocks = {blocks_write, blocks_read},
                               kind = {kind_write, kind_read},
                               alloc = {called_write, alloc_read},
                               device = {called_write, device_read};

#define E struct plan_entry
static const struct field entry_fields[] = {
    {"name", &algo, MEMBER(E, algo)},
    {"generator", &generator, MEMBER(E, generator), WHEN(E, generator)},
    {"sizes", &sizes, MEMBER(E, sizes)},
    {"block_threads", &blocks, OPTIONAL(E, block_threads), .least = 1},
    {"grid_blocks", &blocks, OPTIONAL(E, grid_blocks), .least = 1},
    {0}};
static const struct field entry_field = {"algos", &field_object,
                                         .of = entry_fields};
static const struct field kind_field = {"pages", &kind,
                                        .size = sizeof(struct hp_kind *)};

#define P struct plan
const struct field plan_fields[] = {
    {"record", &field_constant, .text = "plan"},
    {"algos", &field_list, LIST_BEHIND(P, entries, count), .of = &entry_field},
    {"pages", &field_list, LIST(P, pages.kinds, pages.count),
     .of = &kind_field},
    {"reps", &field_whole, MEMBER(P, reps), .optional = true},
    {"passes", &field_whole, MEMBER(P, passes), .optional = true},
    {"seed", &field_whole, MEMBER(P, seed), .optional = true},
    {"time_budget_s", &field_real, MEMBER(P, time_budget_s), .optional = true},
    {"thin", &field_bool, MEMBER(P, thin), .optional = true},
    {"counters", &field_text, MEMBER(P, counters), .optional = true},
    {"simulate", &field_whole, MEMBER(P, simulate), .optional = true},
    {"alloc", &alloc, OPTIONAL(P, alloc)},
    {"shard", &field_row, OPTIONAL(P, shard), .of = shard_fields,
     .check = check_shard},
    {"device", &device, OPTIONAL(P, device)},
    {"device_room", &field_whole, OPTIONAL(P, device_room)},
    {"emu_threads", &field_whole, OPTIONAL(P, emu_threads)},
    {0}};

json_t *plan_to_json(const struct plan *plan) {
  json_t *record = record_to_json(plan_fields, plan);
  if (!(plan->device && plan->device->own_memory))
    json_object_del(record, "device");
  record_add(sample_variant_fields, &plan->variant, record);
  return record;
}

/* Do all algorithms take the parameters and the blocks, and one alone the
 * input? */
static int check_taken(const struct plan *plan,
                       const struct record_reader *reader) {
  for (size_t i = 1; *plan->variant.file && i < plan->count; i++)
    if (plan->entries[i].algo != plan->entries[0].algo)
      return record_refuse(reader, "its plan has an unknown input");
  const struct algo *refusing = plan_refusing(plan, reader->why);
  if (!refusing) return 0;
  return record_refuse(
      reader, "its plan has parameters or blocks that %.40s does not take",
      refusing->name);
}

/* Algorithms are those of the device, and of the input of all. */
static int read_plan(struct plan *plan, const json_t *record,
                     const struct record_reader *reader) {
  struct sample_variant *variant = &plan->variant;
  plan->passes = 1; /* older files have none */
  if (record_from_json(sample_variant_fields, record, variant, reader->why,
                       reader->why_size) ||
      device_read(plan_fields, json_object_get(record, "device"), &plan->device,
                  reader) ||
      record_from_json(plan_fields, record, plan, reader->why,
                       reader->why_size))
    return -1;
  if (!plan->count || !plan->pages.count)
    return record_refuse(reader, "its plan cannot be resumed");
  if (!plan->passes) plan->passes = 1;
  /* Not of each: see plan_variant(). */
  *variant->alloc = *variant->generator = '\0';
  return check_taken(plan, reader);
}

int plan_from_json(struct plan *plan, const json_t *record,
                   char reason[PLAN_REASON]) {
  const struct record_reader reader = {reason, PLAN_REASON, plan};
  *plan = (struct plan){0};
  if (!read_plan(plan, record, &reader)) return 0;
  int code = errno;
  plan_fini(plan);
  errno = code;
  return -1;
}
