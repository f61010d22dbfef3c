/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/probe/calibration.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/json_file.h"
#include "experiments/cli/record.h"
#include "experiments/results/other_file.h"

void calibration_fini(struct calibration *cal) {
  for (size_t i = 0; i < cal->curve_count; i++) free(cal->curves[i].points);
  free(cal->curves);
  json_decref(cal->machine);
  *cal = (struct calibration){0};
}

bool calibration_is_of(const struct calibration *cal, const json_t *machine) {
  static const char *const keys[] = {"cpu", "host_cpu", "memory_bytes", "vm"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const json_t *ours = json_object_get(cal->machine, keys[i]);
    const json_t *other = json_object_get(machine, keys[i]);
    if ((ours || other) && !json_equal(ours, other)) return false;
  }
  return true;
}

const struct cal_pages *calibration_pages(const struct calibration *cal,
                                          const char *kind) {
  for (size_t i = 0; i < cal->page_count; i++)
    if (!strcmp(cal->pages[i].kind, kind)) return &cal->pages[i];
  return NULL;
}

const struct cal_pages *calibration_page_for(const struct calibration *cal,
                                             const char *kind) {
  const struct cal_pages *pages = calibration_pages(cal, kind);
  const struct hp_kind *asked = pages ? NULL : hp_kind_find(kind);
  for (size_t i = 0; asked && i < cal->page_count; i++)
    if (cal->pages[i].page_bytes == (double)asked->bytes) return &cal->pages[i];
  return pages;
}

const struct cal_level *calibration_level(const struct calibration *cal,
                                          const char *name) {
  for (size_t i = 0; i < cal->level_count; i++)
    if (!strcmp(cal->levels[i].name, name)) return &cal->levels[i];
  return NULL;
}

const struct cal_curve *calibration_curve(const struct calibration *cal,
                                          const char *name, const char *kind,
                                          unsigned chains) {
  for (size_t i = 0; i < cal->curve_count; i++) {
    const struct cal_curve *curve = &cal->curves[i];
    if (curve->chains == chains && !strcmp(curve->name, name) &&
        !strcmp(curve->pages, kind))
      return curve;
  }
  return NULL;
}

/* Numbers beyond this are no times and no sizes. */
#define NUMBER_MOST UINT64_C(1000000000000000000)

static bool is_whole(double value) {
  return value == floor(value) && fabs(value) < 0x1p53;
}

/* NAN, which JSON has no number for, is null; and what the reader would refuse
 * is, that what was measured be not lost. */
FIELD_WRITER(number_write) {
  double value = *(const double *)member;
  if (!isfinite(value) || value < 0) return json_null();
  if (!is_whole(value)) value = six_digits(value);
  return is_whole(value) ? json_integer((json_int_t)value) : json_real(value);
}

static const struct field_type number = {number_write, field_real_read};

#define NUMBER(type, member)                                    \
  {                                                             \
#member, &number, MEMBER(type, member), .nullable = true,   \
                                            .most = NUMBER_MOST \
  }
#define ABOVE_0(type, member)                                   \
  {                                                             \
#member, &number, MEMBER(type, member), .positive = true,   \
                                            .most = NUMBER_MOST \
  }

#define V struct cal_value
static const struct field value_fields[] = {
    NUMBER(V, value), NUMBER(V, lo), NUMBER(V, hi), {0}};

/* Positive: one that is not known, or above 0. */
static int check_value(const struct field *field, const void *member,
                       const struct record_reader *reader) {
  const struct cal_value *value = member;
  if (value->lo > value->hi)
    return record_refuse(reader, "\"lo\" of \"%s\" must not be above \"hi\"",
                         field->key);
  if (field->positive && value->value == 0)
    return record_refuse(
        reader, "the \"value\" of \"%s\" must be above 0, or null", field->key);
  return 0;
}

#define VALUE(key, type, member, ...)                         \
  {                                                           \
    key, &field_object, MEMBER(type, member),                 \
        .of = value_fields, .check = check_value, __VA_ARGS__ \
  }

#define L struct cal_level
static const struct field level_fields[] = {
    {"name", &field_name, MEMBER(L, name)},
    NUMBER(L, bytes_reported),
    VALUE("bytes_usable", L, bytes_usable, .positive = true),
    VALUE("ns", L, ns, .positive = true),
    VALUE("in_flight", L, in_flight, .positive = true),
    VALUE("read_ns", L, read_ns, .optional = true),
    VALUE("update_ns", L, update_ns, .optional = true),
    {0}};
static const struct field level = {"levels", &field_object, .of = level_fields};

/* Follows from others. */
FIELD_WRITER(reach_write) {
  const struct cal_tlb *tlb = member;
  const struct cal_pages *pages = around;
  double reach = tlb->entries.value * pages->granularity_bytes;
  return number_write(field, &reach, around);
}

#define T struct cal_tlb
static const struct field tlb_fields[] = {
    VALUE("entries", T, entries),
    {"reach_bytes", WRITTEN_BY(reach_write)},
    VALUE("extra_ns", T, extra_ns),
    {0}};
static const struct field tlb = {"tlb", &field_object, .of = tlb_fields};

/* By the names of the levels. */
static void table_line_fields(struct field fields[CALIBRATION_LEVELS + 1],
                              const struct calibration *cal) {
  for (size_t i = 0; i < cal->level_count; i++)
    fields[i] = (struct field){cal->levels[i].name, &field_object,
                               .offset = i * sizeof(struct cal_value),
                               .of = value_fields, .check = check_value};
  fields[cal->level_count] = (struct field){0};
}

FIELD_WRITER(table_lines_write) {
  struct field lines[CALIBRATION_LEVELS + 1];
  table_line_fields(lines, around);
  return record_to_json(lines, member);
}

FIELD_READER(table_lines_read) {
  struct field lines[CALIBRATION_LEVELS + 1];
  table_line_fields(lines, reader->around);
  return record_from_json(lines, value, member, reader->why, reader->why_size);
}

static const struct field_type table_lines = {table_lines_write,
                                              table_lines_read};

#define P struct cal_pages
static const struct field pages_fields[] = {
    {"kind", &field_name, MEMBER(P, kind)},
    ABOVE_0(P, page_bytes),
    NUMBER(P, granularity_bytes),
    VALUE("tau_ns", P, tau_ns),
    VALUE("tc_nodes", P, tc_nodes, .positive = true),
    {"tlb", &field_list, LIST(P, tlb, tlbs), .of = &tlb},
    {"table_line_ns", &table_lines, MEMBER(P, table_line_ns)},
    VALUE("walks_in_flight", P, walks_in_flight, .positive = true),
    {0}};
static const struct field pages = {"pages", &field_object, .of = pages_fields};

FIELD_WRITER(unit_write) {
  return json_string(*(const bool *)member ? "pages" : "bytes");
}

FIELD_READER(unit_read) {
  const char *unit = json_string_value(value);
  bool by_pages = unit && !strcmp(unit, "pages");
  *(bool *)member = by_pages;
  if (by_pages || (unit && !strcmp(unit, "bytes"))) return 0;
  return record_refuse(reader, "\"%s\" must be \"bytes\" or \"pages\"",
                       field->key);
}

static const struct field_type unit = {unit_write, unit_read};

#define Q struct cal_point
static const struct field point_fields[] = {
    ABOVE_0(Q, x), ABOVE_0(Q, ns), NUMBER(Q, lo), NUMBER(Q, hi), {0}};
static const struct field point = {"a point", &field_row, .of = point_fields};

#define C struct cal_curve
static const struct field curve_fields[] = {
    {"name", &field_name, MEMBER(C, name)},
    {"pages", &field_name, MEMBER(C, pages)},
    {"x_unit", &unit, MEMBER(C, by_pages)},
    ABOVE_0(C, step_bytes),
    {"chains", &field_whole, MEMBER(C, chains), .most = 1024},
    {"points", &field_list, LIST_BEHIND(C, points, count), .of = &point},
    {0}};
static const struct field one_curve = {"curves", &field_object,
                                       .of = curve_fields};

#define R struct cal_coalescing_tlb
#define REACH(pages, number) VALUE(pages, R, reach[number])
static const struct field reach_fields[] = {REACH("1", 0),  REACH("2", 1),
                                            REACH("4", 2),  REACH("8", 3),
                                            REACH("16", 4), {0}};
static const struct field joining_fields[] = {
    VALUE("entries", R, entries, .positive = true),
    {"reach", &field_object, .of = reach_fields},
    {"joined", &number, MEMBER(R, joined), .positive = true, .nullable = true,
     .most = NUMBER_MOST},
    {0}};
static const struct field joining = {"tlb", &field_object,
                                     .of = joining_fields};

#define O struct cal_coalescing_point
#define RUN_NS(i)                                                  \
  {                                                                \
    "runs_ns", &number, MEMBER(O, runs_ns[i]), .positive = true,   \
                                               .most = NUMBER_MOST \
  }
static const struct field runs_fields[] = {ABOVE_0(O, pages),
                                           ABOVE_0(O, lines_ns),
                                           ABOVE_0(O, scattered_ns),
                                           RUN_NS(0),
                                           RUN_NS(1),
                                           RUN_NS(2),
                                           RUN_NS(3),
                                           RUN_NS(4),
                                           {0}};
static const struct field runs = {"a point", &field_row, .of = runs_fields};

#define G struct cal_coalescing
static const struct field coalescing_fields[] = {
    {"absent", &field_text, MEMBER(G, absent), .nullable = true},
    {"proof", &field_name, MEMBER(G, proof), .nullable = true},
    NUMBER(G, page_bytes),
    {"tlb", &field_list, LIST(G, tlb, tlbs), .of = &joining},
    {"points", &field_list, LIST(G, points, point_count), .of = &runs},
    {0}};

#define N struct cal_noise
static const struct field noise_fields[] = {NUMBER(N, timer_ns),
                                            NUMBER(N, canary_ns),
                                            NUMBER(N, canary_range),
                                            NUMBER(N, repeat_range),
                                            NUMBER(N, seconds),
                                            NUMBER(N, repetitions),
                                            {0}};

FIELD_WRITER(machine_write) { return json_incref(*(json_t *const *)member); }

FIELD_READER(machine_read) {
  if (!json_is_object(value))
    return record_refuse(reader, "\"%s\" is missing", field->key);
  *(json_t **)member = json_incref((json_t *)value);
  return 0;
}

static const struct field_type machine = {machine_write, machine_read};
static const struct field warning = {"warnings", &field_text,
                                     .size = CALIBRATION_TEXT};

#define A struct calibration
static const struct field stream_fields[] = {VALUE("read", A, stream_read),
                                             VALUE("write", A, stream_write),
                                             VALUE("copy", A, stream_copy),
                                             {0}};

static const struct field calibration_fields[] = {
    {"record", &field_constant, .text = "calibration"},
    {"schema", &field_constant, .least = CALIBRATION_SCHEMA},
    {"machine", &machine, MEMBER(A, machine)},
    {"levels", &field_list, LIST(A, levels, level_count), .of = &level},
    {"pages", &field_list, LIST(A, pages, page_count), .of = &pages},
    {"stream_ns_per_line", &field_object, .of = stream_fields},
    VALUE("neighbours_bytes_per_ns", A, neighbours, .optional = true),
    {"coalescing", &field_object, MEMBER(A, coalescing),
     .of = coalescing_fields, .optional = true},
    {"noise", &field_object, MEMBER(A, noise), .of = noise_fields},
    {"warnings", &field_list, LIST(A, warnings, warning_count), .of = &warning},
    {"curves", &field_list, LIST_BEHIND(A, curves, curve_count),
     .of = &one_curve},
    {0}};

json_t *calibration_to_json(const struct calibration *cal) {
  return record_to_json(calibration_fields, cal);
}

static int check_head(const struct record_reader *reader,
                      const json_t *object) {
  const char *record = json_string_value(json_object_get(object, "record"));
  const json_t *schema = json_object_get(object, "schema");
  if (!record || strcmp(record, "calibration") != 0)
    return record_refuse(
        reader, "not a calibration; make one with vat calibrate -o FILE");
  if (!json_is_integer(schema))
    return record_refuse(reader, "\"schema\" must be an integer");
  if (json_integer_value(schema) != CALIBRATION_SCHEMA)
    return record_refuse(
        reader,
        "has schema %lld, but this vat reads %d; run vat calibrate again",
        (long long)json_integer_value(schema), CALIBRATION_SCHEMA);
  return 0;
}

static bool is_power(double value, double most) {
  double power = value >= 1 && value <= most ? exp2(floor(log2(value))) : 0;
  return value == power;
}

static int check_coalescing(const struct record_reader *reader,
                            const struct cal_coalescing *found) {
  if (*found->absent) return 0;
  if (!is_power(found->page_bytes, 1 << 30))
    return record_refuse(reader, "\"page_bytes\" must be a power of two");
  for (size_t i = 0; i < found->tlbs; i++)
    if (!isnan(found->tlb[i].joined) &&
        !is_power(found->tlb[i].joined, 1 << (CALIBRATION_RUNS - 1)))
      return record_refuse(reader, "\"joined\" must be 1, 2, 4, 8, 16 or null");
  return 0;
}

/* What no field sees alone. */
static int check_whole(const struct record_reader *reader,
                       const struct calibration *cal) {
  if (!cal->level_count)
    return record_refuse(reader, "\"levels\" must not be empty");
  for (size_t i = 0; i < cal->level_count; i++)
    if (calibration_level(cal, cal->levels[i].name) != &cal->levels[i])
      return record_refuse(reader, "level %s appears twice",
                           cal->levels[i].name);
  for (size_t i = 0; i < cal->page_count; i++)
    if (calibration_pages(cal, cal->pages[i].kind) != &cal->pages[i])
      return record_refuse(reader, "pages %s appear twice", cal->pages[i].kind);
  for (size_t i = 0; i < cal->curve_count; i++)
    for (size_t j = 1; j < cal->curves[i].count; j++)
      if (cal->curves[i].points[j].x <= cal->curves[i].points[j - 1].x)
        return record_refuse(reader, "\"x\" of points must ascend");
  return check_coalescing(reader, &cal->coalescing);
}

int calibration_from_json(struct calibration *cal, const json_t *object,
                          char why[CALIBRATION_TEXT]) {
  static const struct cal_value none = {NAN, NAN, NAN};
  const struct record_reader reader = {why, CALIBRATION_TEXT, cal};
  *cal = (struct calibration){.neighbours = none}; /* missing in older files */
  if (!json_object_get(object, "coalescing"))
    cal->coalescing = (struct cal_coalescing){
        .absent = "the file is from an older vat", .page_bytes = NAN};
  for (size_t i = 0; i < CALIBRATION_LEVELS; i++)
    cal->levels[i].read_ns = cal->levels[i].update_ns = none;
  if (!check_head(&reader, object) &&
      !record_from_json(calibration_fields, object, cal, why,
                        CALIBRATION_TEXT) &&
      !check_whole(&reader, cal))
    return 0;
  int error = errno;
  calibration_fini(cal);
  errno = error;
  return -1;
}

int calibration_read(struct calibration *cal, const char *path, char *why,
                     size_t why_size) {
  char reason[CALIBRATION_TEXT];
  *cal = (struct calibration){0};
  json_t *object = json_file_read(path, why, why_size);
  int failed = object ? calibration_from_json(cal, object, reason) : -1;
  int error = errno;
  if (failed && object) snprintf(why, why_size, "%s: %s", path, reason);
  json_decref(object);
  errno = error;
  if (failed) other_file(path, FILE_CALIBRATION, why, why_size);
  return failed;
}
