/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/page_plan.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/record.h"
#include "experiments/results/other_file.h"

const char *const plan_what_names[PLAN_WHATS] = {
    [PLAN_SITE_LARGE] = "site-large",
    [PLAN_SITE_SMALL] = "site-small",
    [PLAN_HEAP] = "heap",
    [PLAN_DATA] = "data",
    [PLAN_STACK] = "stack",
    [PLAN_MAPPINGS] = "mappings",
    [PLAN_FILE] = "file",
    [PLAN_SHARED] = "shared",
    [PLAN_TEXT] = "text"};

/* A text behind a pointer, of any length: names of C++ functions are long. */
FIELD_WRITER(text_write) {
  const char *text = *(char *const *)member;
  return text ? json_string(text) : json_null();
}

FIELD_READER(text_read) {
  const char *text = json_string_value(value);
  if (field->nullable && json_is_null(value)) return 0;
  if (!text) return record_refuse(reader, "\"%s\" must be a text", field->key);
  *(char **)member = memory_text(text);
  return 0;
}

static const struct field_type text = {text_write, text_read};

#define NUMBERS UINT64_C(1000000000000000000)

/* A difference, which may be below 0. */
FIELD_WRITER(change_write) {
  double value = *(const double *)member;
  return isfinite(value) ? json_real(value) : json_null();
}

FIELD_READER(change_read) {
  bool null = json_is_null(value);
  *(double *)member = null ? NAN : json_number_value(value);
  if (null || json_is_number(value)) return 0;
  return record_refuse(reader, "\"%s\" must be a number, or null", field->key);
}

static const struct field_type change = {change_write, change_read};
#define F struct plan_frame
static const struct field frame_fields[] = {
    {"object", &text, MEMBER(F, object)},
    {"offset", &field_whole, MEMBER(F, offset)},
    {"function", &text, OPTIONAL(F, function)},
    {"file", &text, OPTIONAL(F, file)},
    {"line", &field_whole, OPTIONAL(F, line)},
    {0}};
static const struct field frame = {"a frame", &field_object,
                                   .of = frame_fields};

static int check_frames(const struct field *field, const void *member,
                        const struct record_reader *reader) {
  const struct plan_chain *chain = member;
  (void)field;
  if (chain->frames && chain->frames <= PLAN_FRAMES) return 0;
  return record_refuse(reader, "a chain must have 1 to %d frames", PLAN_FRAMES);
}

static const struct field chain = {
    "a chain", &field_list, LIST_BEHIND(struct plan_chain, frame, frames),
    .of = &frame, .check = check_frames};

FIELD_WRITER(what_write) {
  return json_string(plan_what_names[*(const uint32_t *)member]);
}

FIELD_READER(what_read) {
  const char *name = json_string_value(value);
  for (uint32_t what = 0; name && what < PLAN_WHATS; what++)
    if (!strcmp(name, plan_what_names[what])) {
      *(uint32_t *)member = what;
      return 0;
    }
  return record_refuse(reader,
                       "\"what\" must be \"site-large\", \"heap\", ...: "
                       "this is the plan of another version of vat");
}

static const struct field_type what = {what_write, what_read};

static int check_choice(const struct field *field, const void *member,
                        const struct record_reader *reader) {
  const struct plan_choice *choice = member;
  bool site = choice->what <= PLAN_SITE_SMALL;
  (void)field;
  if (choice->from > choice->to)
    return record_refuse(reader, "\"from\" must not be above \"to\"");
  if (site != (choice->chain_count > 0) && choice->what != PLAN_SHARED)
    return record_refuse(reader, "\"chains\" must be those of a site");
  return 0;
}

#define C struct plan_choice
static const struct field choice_fields[] = {
    {"where", &text, MEMBER(C, where)},
    {"kind", &text, MEMBER(C, kind)},
    {"what", &what, MEMBER(C, what)},
    {"bytes", &field_whole, MEMBER(C, bytes)},
    {"saving_s", &field_real, MEMBER(C, saving_s), .nullable = true,
     .most = NUMBERS},
    {"lo", &change, MEMBER(C, lo)}, /* finding it may take longer */
    {"hi", &field_real, MEMBER(C, hi), .nullable = true, .most = NUMBERS},
    {"least_bytes", &field_whole, OPTIONAL(C, least_bytes)},
    {"from", &field_whole, OPTIONAL(C, from)},
    {"to", &field_whole, OPTIONAL(C, to)},
    {"chains", &field_list, LIST_BEHIND(C, chains, chain_count), .of = &chain},
    {"madvise", &text, MEMBER(C, madvise), .nullable = true},
    {0}};
static const struct field choice = {"choices", &field_object,
                                    .of = choice_fields, .check = check_choice};

#define O struct plan_object
static const struct field object_fields[] = {
    {"name", &text, MEMBER(O, name)},
    {"build_id", &field_name, MEMBER(O, build_id), .nullable = true},
    {0}};
static const struct field one_object = {"objects", &field_object,
                                        .of = object_fields};

#define R struct plan_ratio
static const struct field ratio_fields[] = {
    {"user_ratio", &field_real, MEMBER(R, user_ratio), .nullable = true,
     .most = NUMBERS},
    {"lo", &field_real, MEMBER(R, lo), .nullable = true, .most = NUMBERS},
    {"hi", &field_real, MEMBER(R, hi), .nullable = true, .most = NUMBERS},
    {0}};

#define E struct plan_everything
static const struct field everything_fields[] = {
    {NULL, &field_object, MEMBER(E, ratio), .of = ratio_fields},
    {"bytes", &field_whole, MEMBER(E, bytes)},
    {0}};

#define S struct plan_walks
static const struct field three_fields[] = {
    {"now", &field_real, .offset = 0, .size = sizeof(double), .most = NUMBERS},
    {"plan", &field_real, .offset = sizeof(double), .size = sizeof(double),
     .most = NUMBERS},
    {"everything", &field_real, .offset = 2 * sizeof(double),
     .size = sizeof(double), .most = NUMBERS},
    {0}};
static const struct field walks_fields[] = {
    {"misses", &field_row, MEMBER(S, misses), .of = three_fields},
    {"walk_s", &field_row, MEMBER(S, walk_s), .of = three_fields},
    {"hit_s", &field_row, MEMBER(S, hit_s), .of = three_fields,
     .optional = true},
    {0}};

#define Q struct plan_point
static const struct field point_fields[] = {
    {"bytes", &field_real, MEMBER(Q, bytes), .most = NUMBERS},
    {"user_ratio", &field_real, MEMBER(Q, user_ratio), .nullable = true,
     .most = NUMBERS},
    {0}};
static const struct field point = {"a point", &field_row, .of = point_fields};

#define H struct plan_harm
static const struct field peak_fields[] = {
    {"now", &field_real, .offset = 0, .size = sizeof(double), .nullable = true,
     .most = NUMBERS},
    {"then", &field_real, .offset = sizeof(double), .size = sizeof(double),
     .nullable = true, .most = NUMBERS},
    {0}};
static const struct field harm_fields[] = {
    {"peak_rss_bytes", &field_row, MEMBER(H, peak_rss_bytes),
     .of = peak_fields},
    {"zeroed_bytes", &change, MEMBER(H, zeroed_bytes)},
    {"faults_saved", &change, MEMBER(H, faults_saved)},
    {0}};

#define W struct plan_way
static const struct field way_fields[] = {
    {"name", &text, MEMBER(W, name)}, {"text", &text, MEMBER(W, text)}, {0}};
static const struct field way = {"ways", &field_object, .of = way_fields};
static const struct field word = {"a word", &text, .size = sizeof(char *)};

#define P struct page_plan
static const struct field predicted_fields[] = {
    {"used_bytes", &field_whole, MEMBER(P, used_bytes)},
    {"predicted", &field_object, MEMBER(P, predicted), .of = ratio_fields},
    {"everything", &field_object, MEMBER(P, everything),
     .of = everything_fields},
    {"walks", &field_object, OPTIONAL(P, walks), .of = walks_fields},
    {0}};
static const struct field plan_fields[] = {
    {"record", &field_constant, .text = "page-plan"},
    {"schema", &field_constant, .least = PLAN_SCHEMA},
    {"command", &field_list, LIST_BEHIND(P, command, words), .of = &word},
    {"pages", &field_name, MEMBER(P, pages)},
    {"objects", &field_list, LIST_BEHIND(P, objects, object_count),
     .of = &one_object},
    {"budget_bytes", &field_real, MEMBER(P, budget_bytes), .nullable = true,
     .most = NUMBERS},
    {NULL, &field_object, .offset = 0, .size = sizeof(P),
     .of = predicted_fields},
    {"harm", &field_object, MEMBER(P, harm), .of = harm_fields},
    {"choices", &field_list, LIST_BEHIND(P, choices, choice_count),
     .of = &choice},
    {"curve", &field_list, LIST_BEHIND(P, curve, points), .of = &point},
    {"optimum_saving_s", &field_real, MEMBER(P, optimum_saving_s),
     .nullable = true, .most = NUMBERS},
    {"verdict", &text, MEMBER(P, verdict), .nullable = true},
    {"ways", &field_list, LIST_BEHIND(P, ways, way_count), .of = &way},
    {0}};

json_t *page_plan_to_json(const struct page_plan *plan) {
  return record_to_json(plan_fields, plan);
}

json_t *page_plan_predictions(const struct page_plan *plan) {
  return record_to_json(predicted_fields, plan);
}

static void frame_fini(struct plan_frame *of) {
  free(of->object);
  free(of->function);
  free(of->file);
}

static void chain_fini(struct plan_chain *of) {
  for (size_t i = 0; i < of->frames; i++) frame_fini(&of->frame[i]);
  free(of->frame);
}

static void choice_fini(struct plan_choice *of) {
  for (size_t i = 0; i < of->chain_count; i++) chain_fini(&of->chains[i]);
  free(of->chains);
  free(of->where);
  free(of->kind);
  free(of->madvise);
  free(of->refused);
}

const char *page_plan_build_of(const struct page_plan *plan,
                               const char *object) {
  for (size_t i = 0; i < plan->object_count; i++)
    if (!strcmp(plan->objects[i].name, object))
      return plan->objects[i].build_id;
  return "";
}

void page_plan_fini(struct page_plan *plan) {
  for (size_t i = 0; i < plan->words; i++) free(plan->command[i]);
  for (size_t i = 0; i < plan->object_count; i++) free(plan->objects[i].name);
  for (size_t i = 0; i < plan->choice_count; i++)
    choice_fini(&plan->choices[i]);
  for (size_t i = 0; i < plan->way_count; i++) {
    free(plan->ways[i].name);
    free(plan->ways[i].text);
  }
  free(plan->command);
  free(plan->objects);
  free(plan->choices);
  free(plan->curve);
  free(plan->ways);
  free(plan->verdict);
  *plan = (struct page_plan){0};
}

static int check_record(const json_t *json, char why[PLAN_WHY]) {
  const char *record = json_string_value(json_object_get(json, "record"));
  const json_t *schema = json_object_get(json, "schema");
  if (!record || strcmp(record, "page-plan")) {
    snprintf(why, PLAN_WHY, "\"record\" must be \"page-plan\"");
  } else if (json_integer_value(schema) != PLAN_SCHEMA) {
    snprintf(why, PLAN_WHY,
             "\"schema\" must be %d: this is the plan of another version of "
             "vat",
             PLAN_SCHEMA);
  } else {
    return 0;
  }
  return -1;
}

int page_plan_from_json(struct page_plan *plan, const json_t *object,
                        char why[PLAN_WHY]) {
  *plan = (struct page_plan){0};
  if (!check_record(object, why) &&
      !record_from_json(plan_fields, object, plan, why, PLAN_WHY))
    return 0;
  page_plan_fini(plan);
  errno = EINVAL;
  return -1;
}

int page_plan_read(struct page_plan *plan, const char *path, char *why,
                   size_t why_size) {
  char reason[PLAN_WHY];
  *plan = (struct page_plan){0};
  json_t *json = json_file_read(path, why, why_size);
  int failed = json ? page_plan_from_json(plan, json, reason) : -1;
  int error = errno;
  if (failed && json) snprintf(why, why_size, "%s: %s", path, reason);
  json_decref(json);
  errno = error;
  if (failed) other_file(path, FILE_PLAN, why, why_size);
  return failed;
}

char *page_plan_name(const char *path, size_t count) {
  if (count == 1) return memory_text("plan");
  char *name = memory_text(basename(path));
  size_t length = strlen(name);
  if (length > 5 && !strcmp(name + length - 5, ".json"))
    name[length - 5] = '\0';
  fail_tame(name);
  return name;
}
