/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/sample_json.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/json_u64.h"
#include "experiments/cli/six_digits.h"
#include "huge_pages/size_text.h"

/* Where pages_granted says how much no page backs at all. */
static const char missing_name[] = "none";

static int refuse(char why[SAMPLE_WHY_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int refuse(char why[SAMPLE_WHY_SIZE], const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(why, SAMPLE_WHY_SIZE, format, args);
  va_end(args);
  errno = EINVAL;
  return -1;
}

/* Names are shown on terminals and in pages: printable ASCII only. */
static bool is_name(const char *text, size_t length, size_t size) {
  if (!length || length >= size) return false;
  for (size_t i = 0; i < length; i++)
    if (text[i] < ' ' || text[i] > '~') return false;
  return true;
}

bool sample_name_from_json(const json_t *json, char *name, size_t size) {
  const char *text = json_string_value(json);
  size_t length = json_string_length(json);
  if (!text || !is_name(text, length, size)) return false;
  memcpy(name, text, length + 1);
  return true;
}

static int get_name(const json_t *record, const char *key, char *name,
                    size_t size, char *why) {
  if (sample_name_from_json(json_object_get(record, key), name, size)) return 0;
  return refuse(why, "\"%s\" must be a name of 1 to %zu printable characters",
                key, size - 1);
}

static int get_u64(const json_t *record, const char *key, uint64_t least,
                   uint64_t most, uint64_t *value, char *why) {
  if (!u64_of_json(json_object_get(record, key), value) || *value < least ||
      *value > most)
    return refuse(why, "\"%s\" must be an integer from %llu to %llu", key,
                  (unsigned long long)least, (unsigned long long)most);
  return 0;
}

static int get_rep(const json_t *record, uint32_t *rep, char *why) {
  uint64_t value = 0;
  if (get_u64(record, "rep", 0, UINT32_MAX, &value, why)) return -1;
  *rep = (uint32_t)value;
  return 0;
}

static int get_positive(const json_t *record, const char *key, double least,
                        double *value, char *why) {
  const json_t *json = json_object_get(record, key);
  *value = json_number_value(json);
  if (!json_is_number(json) || !isfinite(*value) || *value < least)
    return refuse(why, "\"%s\" must be a number, at least %g", key, least);
  return 0;
}

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

static int get_granted(const json_t *record, struct hp_granted *granted,
                       char *why) {
  json_t *object = json_object_get(record, "pages_granted"), *json;
  if (!json_is_object(object))
    return refuse(why, "\"pages_granted\" must be an object");
  const char *name;
  json_object_foreach(object, name, json) {
    uint64_t bytes;
    size_t page_bytes = hp_page_bytes(name);
    bool none = !strcmp(name, missing_name);
    if ((!page_bytes && !none) || !u64_of_json(json, &bytes) ||
        bytes > SIZE_MAX)
      return refuse(why, "\"pages_granted\" must map page sizes to bytes");
    if (!none && granted->sizes == HP_GRANTED_SIZES)
      return refuse(why, "\"pages_granted\" has over %d page sizes",
                    HP_GRANTED_SIZES);
    if (none)
      granted->missing = (size_t)bytes;
    else
      granted_insert(granted, page_bytes, (size_t)bytes);
  }
  return 0;
}

static int get_granted_ok(const json_t *record, struct sample *sample,
                          char *why) {
  const json_t *json = json_object_get(record, "granted_ok");
  size_t asked = hp_kind_usual_bytes(sample->pages_asked);
  const struct hp_granted *granted = &sample->pages_granted;
  if (json && !json_is_boolean(json))
    return refuse(why, "\"granted_ok\" must be true or false");
  sample->granted_ok = json ? json_is_true(json)
                            : !granted->missing && granted->sizes == 1 &&
                                  granted->by[0].page_bytes == asked;
  return 0;
}

static int get_counters(const json_t *record, struct sample *sample,
                        char *why) {
  json_t *object = json_object_get(record, "counters"), *json;
  if (!json_is_object(object) || json_object_size(object) > SAMPLE_COUNTERS)
    return refuse(why, "\"counters\" must be an object of at most %d keys",
                  SAMPLE_COUNTERS);
  const char *name;
  json_object_foreach(object, name, json) {
    struct sample_counter *counter = &sample->counter[sample->counters++];
    if (!is_name(name, strlen(name), sizeof counter->name))
      return refuse(why, "\"counters\" has a name that is none");
    memcpy(counter->name, name, strlen(name) + 1);
    counter->present = !json_is_null(json);
    if (counter->present && !u64_of_json(json, &counter->value))
      return refuse(why, "counter \"%s\" must be a count or null", name);
  }
  return 0;
}

static int get_check(const json_t *record, struct sample *sample, char *why) {
  const json_t *json = json_object_get(record, "check");
  if (!json_is_string(json))
    return refuse(why, "\"check\" must be \"ok\" or what was wrong");
  sample->check_ok = !strcmp(json_string_value(json), "ok");
  return 0;
}

static int get_variant(const json_t *record, struct sample_variant *variant,
                       char *why) {
  if (sample_variant_from_json(variant, record)) return 0;
  return refuse(
      why,
      "\"alloc\" and \"generator\" must be names, \"input\" an object "
      "of file, bytes and hash");
}

/* ns_per_op is there for people; it must not contradict ns and ram_ops. */
static int agree_ns_per_op(const json_t *record, const struct sample *sample,
                           char *why) {
  double stored, made = (double)sample->ns / sample->ram_ops;
  if (get_positive(record, "ns_per_op", 0, &stored, why)) return -1;
  if (fabs(stored - made) > 0.001 * made)
    return refuse(why, "\"ns_per_op\" is %g, but ns / ram_ops is %g", stored,
                  made);
  return 0;
}

static int get_transfers(const json_t *record, struct sample *sample,
                         char *why) {
  sample->transferred = json_object_get(record, "upload_ns");
  if (!sample->transferred) return 0;
  if (get_u64(record, "upload_ns", 0, UINT64_MAX, &sample->upload_ns, why))
    return -1;
  return get_u64(record, "download_ns", 0, UINT64_MAX, &sample->download_ns,
                 why);
}

static int transfers_to_json(const struct sample *sample, json_t *record) {
  if (!sample->transferred) return 0;
  return json_object_set_new(record, "upload_ns",
                             json_of_u64(sample->upload_ns)) |
         json_object_set_new(record, "download_ns",
                             json_of_u64(sample->download_ns));
}

int sample_from_json(struct sample *sample, json_t *record,
                     char why[SAMPLE_WHY_SIZE]) {
  memset(sample, 0, sizeof *sample);
  if (get_name(record, "algo", sample->algo, sizeof sample->algo, why) ||
      get_name(record, "device", sample->device, sizeof sample->device, why) ||
      get_u64(record, "n", 0, INT64_MAX, &sample->n, why) ||
      get_name(record, "pages_asked", sample->pages_asked,
               sizeof sample->pages_asked, why) ||
      get_granted(record, &sample->pages_granted, why) ||
      get_granted_ok(record, sample, why) ||
      get_rep(record, &sample->rep, why) ||
      get_u64(record, "ns", 1, UINT64_MAX, &sample->ns, why) ||
      get_positive(record, "ram_ops", 1, &sample->ram_ops, why) ||
      agree_ns_per_op(record, sample, why) ||
      get_counters(record, sample, why) || get_check(record, sample, why) ||
      get_u64(record, "seed", 0, UINT64_MAX, &sample->seed, why) ||
      get_variant(record, &sample->variant, why) ||
      get_transfers(record, sample, why))
    return -1;
  return 0;
}

static json_t *granted_to_json(const struct hp_granted *granted) {
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

static json_t *counters_to_json(const struct sample *sample) {
  json_t *object = json_object();
  for (size_t i = 0; i < sample->counters; i++) {
    const struct sample_counter *counter = &sample->counter[i];
    json_object_set_new(
        object, counter->name,
        counter->present ? json_of_u64(counter->value) : json_null());
  }
  return object;
}

json_t *sample_to_json(const struct sample *sample) {
  if (!(sample->ram_ops >= 1) || !isfinite(sample->ram_ops)) {
    errno = EINVAL;
    return NULL;
  }
  json_t *record = json_pack(
      "{ss ss ss so ss so sb sI so sf sf so ss so}", "record", "sample", "algo",
      sample->algo, "device", sample->device, "n", json_of_u64(sample->n),
      "pages_asked", sample->pages_asked, "pages_granted",
      granted_to_json(&sample->pages_granted), "granted_ok", sample->granted_ok,
      "rep", (json_int_t)sample->rep, "ns", json_of_u64(sample->ns), "ram_ops",
      sample->ram_ops, "ns_per_op",
      six_digits((double)sample->ns / sample->ram_ops), "counters",
      counters_to_json(sample), "check", sample->check_ok ? "ok" : "failed",
      "seed", json_of_u64(sample->seed));
  if (record && (sample_variant_to_json(&sample->variant, record) ||
                 transfers_to_json(sample, record))) {
    json_decref(record);
    record = NULL;
  }
  if (!record) errno = ENOMEM;
  return record;
}
