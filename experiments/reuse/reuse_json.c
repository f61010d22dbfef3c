/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/reuse/reuse_json.h"

#include <config.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "experiments/cli/command.h"
#include "experiments/cli/record.h"
#include "experiments/reuse/reuse_cache.h"
#ifdef HAVE_STREAMS
#include "experiments/reuse/simulation_id.h"
#else
#define SIMULATION_ID "none"
#endif

/* Zeros at the end are left out. */
FIELD_WRITER(counts_write) {
  const double *counts = member;
  size_t size = REUSE_BUCKETS;
  json_t *array = json_array();
  while (size && counts[size - 1] == 0) size--;
  for (size_t i = 0; i < size; i++)
    json_array_append_new(array, json_real(counts[i]));
  return array;
}

FIELD_READER(counts_read) {
  const struct field count = {"count", &field_real, .size = sizeof(double)};
  double *counts = member;
  if (!json_is_array(value) || json_array_size(value) > REUSE_BUCKETS)
    return record_refuse(reader, "\"%s\" must be an array", field->key);
  for (size_t i = 0; i < json_array_size(value); i++)
    if (field_real_read(&count, json_array_get(value, i), &counts[i], reader))
      return -1;
  return 0;
}

/* The cells [i, j, count] that have one. */
FIELD_WRITER(joint_write) {
  const double(*joint)[REUSE_COARSE + 1] = member;
  json_t *array = json_array();
  for (int i = 0; i <= REUSE_COARSE; i++)
    for (int j = 0; j <= REUSE_COARSE; j++)
      if (joint[i][j] > 0)
        json_array_append_new(array, json_pack("[iif]", i, j, joint[i][j]));
  return array;
}

FIELD_READER(joint_read) {
  double(*joint)[REUSE_COARSE + 1] = member;
  json_int_t i, j;
  double count;
  if (!json_is_array(value))
    return record_refuse(reader, "\"%s\" must be an array", field->key);
  for (size_t k = 0; k < json_array_size(value); k++) {
    if (json_unpack(json_array_get(value, k), "[IIF!]", &i, &j, &count) ||
        i < 0 || i > REUSE_COARSE || j < 0 || j > REUSE_COARSE || count < 0)
      return record_refuse(reader, "\"%s\" has a wrong cell", field->key);
    joint[i][j] = count;
  }
  return 0;
}

static const struct field_type counts = {counts_write, counts_read};
static const struct field_type joint = {joint_write, joint_read};

#define H struct reuse_histogram
static const struct field histogram_fields[] = {
    {"count", &counts, MEMBER(H, count)},
    {"cold", &field_real, MEMBER(H, cold)},
    {0}};
#define HISTOGRAM(key, at) \
  { key, &field_object, .offset = (at), .of = histogram_fields }

static const struct field class_fields[] = {
    HISTOGRAM("other", REUSE_OTHER * sizeof(H)),
    HISTOGRAM("stream", REUSE_STREAM * sizeof(H)),
    {0}};

#define P struct reuse_pages
static const struct field pages_fields[] = {
    {"page_bits", &field_whole, MEMBER(P, page_bits)},
    HISTOGRAM("pages", offsetof(P, pages)),
    HISTOGRAM("tables", offsetof(P, tables)),
    {"joint", &joint, MEMBER(P, joint)},
    {"tables_joint", &joint, MEMBER(P, tables_joint)},
    {0}};

#define R struct reuse_profile
static const struct field kind_fields[] = {
    {"loads", &field_object, MEMBER(R, kinds[VAT_LOAD]), .of = class_fields},
    {"stores", &field_object, MEMBER(R, kinds[VAT_STORE]), .of = class_fields},
    {0}};

static const struct field profile_fields[] = {
    {"accesses", &field_whole, MEMBER(R, accesses)},
    {"workspace_bytes", &field_whole, MEMBER(R, workspace_bytes)},
    {"ram_ops", &field_real, MEMBER(R, ram_ops)},
    {"lines", &field_object, MEMBER(R, lines), .of = class_fields},
    {"kinds", &field_object, .of = kind_fields},
    {"pages", &field_list, LIST(R, pages, pages_count),
     .of = &(const struct field){"pages", &field_object, .of = pages_fields}},
    {"tc_misses", &field_list, LIST(R, tc_misses, tc_count),
     .of = &(const struct field){"tc_misses", &field_whole,
                                 .size = sizeof(uint64_t)}},
    {0}};

json_t *reuse_profile_to_json(const struct reuse_profile *profile) {
  return record_to_json(profile_fields, profile);
}

int reuse_profile_from_json(struct reuse_profile *profile, const json_t *json,
                            const struct reuse_params *params) {
  char why[100];
  *profile = (struct reuse_profile){0};
  bool read =
      !record_from_json(profile_fields, json, profile, why, sizeof why) &&
      profile->pages_count == params->page_bits_count &&
      profile->tc_count == params->tc_count;
  for (unsigned i = 0; read && i < profile->pages_count; i++)
    read = profile->pages[i].page_bits == params->page_bits[i];
  if (read) return 0;
  errno = EINVAL;
  return -1;
}

/* Raise it when what is written means something else than before. */
enum { FORMAT = 4 };

static const char *generator_of(const struct stream *stream) {
  if (stream->generator) return stream->generator;
  return stream->algo->generators ? stream->algo->generators[0] : "";
}

static json_t *params_to_json(const struct reuse_params *params) {
  json_t *bits = json_array(), *tcs = json_array();
  for (unsigned i = 0; i < params->page_bits_count; i++)
    json_array_append_new(bits, json_integer(params->page_bits[i]));
  for (unsigned i = 0; i < params->tc_count; i++)
    json_array_append_new(tcs, json_pack("[iiI]", (int)params->tcs[i].page_bits,
                                         (int)params->tcs[i].levels,
                                         (json_int_t)params->tcs[i].nodes));
  return json_pack("{si si so so}", "window",
                   (int)(params->window ? params->window : REUSE_WINDOW),
                   "every", (int)params->every, "page_bits", bits, "tcs", tcs);
}

json_t *reuse_key_to_json(const struct stream *stream,
                          const struct reuse_params *params) {
  return json_pack("{si ss ss ss sI sI ss so}", "format", FORMAT, "vat",
                   PACKAGE_VERSION, "simulation", SIMULATION_ID, "algo",
                   stream->algo->name, "n", (json_int_t)stream->n, "seed",
                   (json_int_t)stream->seed, "generator", generator_of(stream),
                   "params", params_to_json(params));
}

uint64_t reuse_bucket_least(unsigned bucket) {
  if (bucket < 16) return bucket;
  return (uint64_t)(8 + bucket % 8) << (bucket / 8 - 1);
}

uint64_t reuse_coarse_least(unsigned bucket) {
  if (bucket < 2) return bucket;
  return (uint64_t)(2 + bucket % 2) << (bucket / 2 - 1);
}

double reuse_beyond(const struct reuse_histogram *histogram, double distance) {
  double sum = 0;
  for (unsigned i = 0; i < REUSE_BUCKETS; i++) {
    double least = (double)reuse_bucket_least(i);
    double end = (double)reuse_bucket_least(i + 1);
    if (distance <= least)
      sum += histogram->count[i];
    else if (distance < end)
      sum += histogram->count[i] * (end - distance) / (end - least);
  }
  return sum;
}

/* Data from outside have no name that would tell them apart. */
int reuse_profile_get(struct reuse_profile *profile,
                      const struct stream *stream,
                      const struct reuse_params *params,
                      const struct reuse_watch *watch) {
  char name[128];
  json_t *key = stream->given ? NULL : reuse_key_to_json(stream, params);
  snprintf(name, sizeof name, "%s-%" PRIu64, stream->algo->name, stream->n);
  json_t *value = key ? reuse_cache_read(name, key) : NULL;
  bool kept = value && !reuse_profile_from_json(profile, value, params);
  json_decref(value);
  int code = kept ? VAT_OK : reuse_simulate(profile, stream, params, watch);
  profile->from_cache = kept;
  if (key && !kept && !code) {
    value = reuse_profile_to_json(profile);
    reuse_cache_write(name, key, value);
    json_decref(value);
  }
  json_decref(key);
  return code;
}
