/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/record.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

int record_refuse(const struct record_reader *reader, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(reader->why, reader->why_size, format, args);
  va_end(args);
  errno = EINVAL;
  return -1;
}

double six_digits(double value) {
  char digits[32];
  snprintf(digits, sizeof digits, "%.6g", value);
  return strtod(digits, NULL);
}

double json_real_at(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

json_t *json_of_real(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_of_text(const char *text) {
  json_t *string = json_string(text);
  return string ? string : json_string("(not UTF-8)");
}

json_t *json_of_all(const char *key, ...) {
  json_t *object = json_object();
  va_list args;
  va_start(args, key);
  for (; key; key = va_arg(args, const char *))
    json_object_set_new(object, key, json_of_real(va_arg(args, double)));
  va_end(args);
  return object;
}

json_t *json_of_u64(uint64_t value) {
  if (value <= INT64_MAX) return json_integer((json_int_t)value);
  char digits[24];
  snprintf(digits, sizeof digits, "%" PRIu64, value);
  return json_string(digits);
}

bool u64_of_json(const json_t *json, uint64_t *value) {
  if (json_is_integer(json)) {
    *value = (uint64_t)json_integer_value(json);
    return json_integer_value(json) >= 0;
  }
  const char *digits = json_string_value(json);
  if (!digits || !isdigit((unsigned char)*digits)) return false;
  char *end;
  errno = 0;
  *value = strtoull(digits, &end, 10);
  return !*end && !errno;
}

bool record_is_name(const char *text, size_t size) {
  const char *end = text;
  while (*end >= ' ' && *end <= '~') end++;
  return end > text && !*end && (size_t)(end - text) < size;
}

bool record_name(const json_t *json, char *name, size_t size) {
  const char *text = json_string_value(json);
  if (!text || strlen(text) != json_string_length(json) ||
      !record_is_name(text, size))
    return false;
  strcpy(name, text);
  return true;
}

FIELD_WRITER(constant_write) {
  return field->text ? json_string(field->text)
                     : json_integer((json_int_t)field->least);
}

/* What is not UTF-8 is not passed on. */
FIELD_WRITER(text_write) {
  const char *text = member;
  json_t *value = *text || !field->nullable ? json_string(text) : NULL;
  return value || !field->nullable ? value : json_null();
}

FIELD_WRITER(string_write) {
  const char *text = *(const char *const *)member;
  return text_write(field, text ? text : "", around);
}

FIELD_READER(name_read) {
  if (field->nullable && json_is_null(value)) return 0;
  if (record_name(value, member, field->size)) return 0;
  return record_refuse(reader,
                       "\"%s\" must be a name of 1 to %zu printable characters",
                       field->key, field->size - 1);
}

FIELD_READER(text_read) {
  if (field->nullable && json_is_null(value)) return 0;
  if (!json_is_string(value))
    return record_refuse(reader, "\"%s\" must be a string", field->key);
  snprintf(member, field->size, "%s", json_string_value(value));
  return 0;
}

FIELD_WRITER(whole_write) {
  return field->size == sizeof(uint64_t)
             ? json_of_u64(*(const uint64_t *)member)
             : json_integer(*(const uint32_t *)member);
}

FIELD_READER(whole_read) {
  bool wide = field->size == sizeof(uint64_t);
  uint64_t whole = 0, most = field->most ? field->most
                             : wide      ? UINT64_MAX
                                         : UINT32_MAX;
  if ((most <= INT64_MAX && !json_is_integer(value)) ||
      !u64_of_json(value, &whole) || whole < field->least || whole > most)
    return record_refuse(
        reader, "\"%s\" must be an integer from %" PRIu64 " to %" PRIu64,
        field->key, field->least, most);
  if (wide)
    *(uint64_t *)member = whole;
  else
    *(uint32_t *)member = (uint32_t)whole;
  return 0;
}

FIELD_WRITER(hash_write) {
  char digits[20];
  snprintf(digits, sizeof digits, "%016" PRIx64, *(const uint64_t *)member);
  return json_string(digits);
}

FIELD_READER(hash_read) {
  const char *digits = json_string_value(value);
  if (!digits || strspn(digits, "0123456789abcdef") != 16 || digits[16])
    return record_refuse(reader, "\"%s\" must be 16 hexadecimal digits",
                         field->key);
  *(uint64_t *)member = strtoull(digits, NULL, 16);
  return 0;
}

FIELD_WRITER(bool_write) { return json_boolean(*(const bool *)member); }

FIELD_READER(bool_read) {
  if (!json_is_boolean(value))
    return record_refuse(reader, "\"%s\" must be true or false", field->key);
  *(bool *)member = json_is_true(value);
  return 0;
}

FIELD_WRITER(real_write) { return json_of_real(*(const double *)member); }

FIELD_WRITER(six_write) {
  return json_of_real(six_digits(*(const double *)member));
}

int field_real_read(const struct field *field, const json_t *value,
                    void *member, const struct record_reader *reader) {
  double real = json_number_value(value), least = (double)field->least;
  bool null = field->nullable && json_is_null(value);
  bool good = json_is_number(value) && isfinite(real) && real >= least &&
              (real > 0 || !field->positive) &&
              (!field->most || real <= (double)field->most);
  *(double *)member = null ? NAN : real;
  if (null || good) return 0;
  return record_refuse(reader, "\"%s\" must be a number, %s %g%s", field->key,
                       field->positive ? "above" : "at least", least,
                       field->nullable ? ", or null" : "");
}

static void write_fields(const struct field *fields, const char *record,
                         const void *around, json_t *object);
static int read_fields(const struct field *fields, const json_t *object,
                       char *record, const struct record_reader *reader);

static const void *behind(const struct field *field, const void *member) {
  return field->pointer ? *(const void *const *)member : member;
}

FIELD_WRITER(object_write) {
  member = behind(field, member);
  if (!member) return json_null();
  json_t *object = json_object();
  write_fields(field->of, member, around, object);
  return object;
}

FIELD_READER(object_read) {
  if (json_is_object(value))
    return read_fields(field->of, value, member, reader);
  return record_refuse(reader, "\"%s\" must be an object", field->key);
}

static int read_one(const struct field *field, const json_t *value,
                    void *member, const struct record_reader *reader) {
  if (!field->type->read) return 0;
  if (field->type->read(field, value, member, reader)) return -1;
  return field->check ? field->check(field, member, reader) : 0;
}

/* What a row is null for. */
static bool row_is_null(const struct field *field, const char *member) {
  double first;
  if (!field->nullable) return false;
  memcpy(&first, member + field->of->offset, sizeof first);
  return isnan(first);
}

FIELD_WRITER(row_write) {
  if (row_is_null(field, member)) return json_null();
  json_t *row = json_array();
  for (const struct field *one = field->of; one->type; one++)
    json_array_append_new(
        row, one->type->write(one, (const char *)member + one->offset, around));
  return row;
}

FIELD_READER(row_read) {
  size_t count = 0;
  while (field->of[count].type) count++;
  bool null = field->nullable && json_is_null(value);
  if (!null && json_array_size(value) != count)
    return record_refuse(reader, "\"%s\" must be an array of %zu", field->key,
                         count);
  for (size_t i = 0; i < count; i++) {
    const struct field *one = &field->of[i];
    if (read_one(one, null ? value : json_array_get(value, i),
                 (char *)member + one->offset, reader))
      return -1;
  }
  return 0;
}

FIELD_WRITER(list_write) {
  const char *record = (const char *)member - field->offset;
  size_t count = *(const size_t *)(record + field->count);
  const char *at = behind(field, member);
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, field->of->type->write(
                                    field->of, at + i * field->stride, record));
  return list;
}

/* The count grows with what is read, so that what a refusal leaves can be
 * released, and elements see those before them. */
FIELD_READER(list_read) {
  char *record = (char *)member - field->offset;
  const struct record_reader inner = {reader->why, reader->why_size, record};
  size_t *count = (size_t *)(record + field->count);
  size_t given = json_array_size(value);
  size_t room = field->pointer ? SIZE_MAX : field->size / field->stride;
  char *at = member;
  if (!json_is_array(value) || given > room)
    return record_refuse(reader, "\"%s\" must be an array of at most %zu",
                         field->key, room);
  if (field->pointer)
    *(void **)member = at = memory_zeroed(given + 1, field->stride);
  for (*count = 0; *count < given;) {
    char *element = at + (*count)++ * field->stride;
    if (read_one(field->of, json_array_get(value, *count - 1), element, &inner))
      return -1;
  }
  return 0;
}

static bool is_written(const struct field *field, const char *record) {
  for (size_t i = 0; i < field->when_bytes; i++)
    if (record[field->when + i]) return true;
  return !field->when_bytes;
}

static void write_fields(const struct field *fields, const char *record,
                         const void *around, json_t *object) {
  for (const struct field *field = fields; field->type; field++) {
    const char *member = record + field->offset;
    if (!is_written(field, record)) continue;
    if (field->key)
      json_object_set_new(object, field->key,
                          field->type->write(field, member, around));
    else
      write_fields(field->of, behind(field, member), around, object);
  }
}

static int read_fields(const struct field *fields, const json_t *object,
                       char *record, const struct record_reader *reader) {
  for (const struct field *field = fields; field->type; field++) {
    char *member = record + field->offset;
    const json_t *value =
        field->key ? json_object_get(object, field->key) : object;
    if (!value && field->optional) continue;
    if (field->key ? read_one(field, value, member, reader)
                   : read_fields(field->of, value, member, reader))
      return -1;
  }
  return 0;
}

void record_add(const struct field *fields, const void *record,
                json_t *object) {
  write_fields(fields, record, record, object);
}

json_t *record_to_json(const struct field *fields, const void *record) {
  json_t *object = json_object();
  record_add(fields, record, object);
  return object;
}

int record_from_json(const struct field *fields, const json_t *object,
                     void *record, char *why, size_t why_size) {
  struct record_reader reader = {why, why_size, record};
  return read_fields(fields, object, record, &reader);
}

const struct field_type field_constant = {constant_write, NULL};
const struct field_type field_name = {text_write, name_read};
const struct field_type field_text = {text_write, text_read};
const struct field_type field_string = {string_write, NULL};
const struct field_type field_whole = {whole_write, whole_read};
const struct field_type field_hash = {hash_write, hash_read};
const struct field_type field_bool = {bool_write, bool_read};
const struct field_type field_real = {real_write, field_real_read};
const struct field_type field_six = {six_write, field_real_read};
const struct field_type field_object = {object_write, object_read};
const struct field_type field_row = {row_write, row_read};
const struct field_type field_list = {list_write, list_read};
