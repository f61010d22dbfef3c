/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "experiments/cli/record.h"
#include "experiments/profile/profile.h"
#include "experiments/profile/profile_request.h"
#include "experiments/sim/itlb_option.h"

static json_t *on_pages(const struct profile_fetches *f, int pages) {
  return json_pack(
      "{sI sI sI sI}", "itlb_misses", (json_int_t)f->on[pages].missed, "cold",
      (json_int_t)f->on[pages].cold, "walks", (json_int_t)f->on[pages].walked,
      "cold_walks", (json_int_t)f->on[pages].cold_walked);
}

/* Into the object, which is returned. */
static json_t *add_fetches(json_t *object, const struct profile_fetches *f) {
  json_object_update_new(
      object, json_pack("{so so s{sI sI}}", "4k", on_pages(f, PROFILE_CODE_4K),
                        "2m", on_pages(f, PROFILE_CODE_2M), "huge",
                        "itlb_misses", (json_int_t)f->huge_missed, "walks",
                        (json_int_t)f->huge_walked));
  return object;
}

static json_t *text_or_null(const char *value) {
  return *value ? json_of_text(value) : json_null();
}

static json_t *functions(const struct profile_code *code) {
  json_t *array = json_array();
  for (size_t i = 0; i < code->rows; i++) {
    const struct profile_place *at = &code->row[i].at;
    json_array_append_new(
        array,
        add_fetches(json_pack("{so so so}", "name", text_or_null(at->function),
                              "file", text_or_null(at->file), "object",
                              text_or_null(at->object)),
                    &code->row[i].counts));
  }
  return array;
}

static json_t *objects(const struct profile_code *code) {
  json_t *array = json_array();
  for (size_t i = 0; i < code->objects; i++)
    json_array_append_new(
        array, add_fetches(json_pack("{so}", "name",
                                     text_or_null(code->object[i].name)),
                           &code->object[i].counts));
  return array;
}

json_t *profile_code_json(const struct profile_request *request,
                          const struct profile *profile) {
  const struct profile_code *code = &profile->code;
  if (!code->instructions) return json_null();
  json_t *object = json_pack(
      "{so sI sI s{sI sI}}", "itlb", itlb_json(&request->itlb), "instructions",
      (json_int_t)code->instructions, "page_changes", (json_int_t)code->changes,
      "data_walks", "4k", (json_int_t)profile->totals.misses[0][0], "2m",
      (json_int_t)code->data_walks_2m);
  add_fetches(object, &code->totals);
  json_object_set_new(object, "objects", objects(code));
  json_object_set_new(object, "functions", functions(code));
  return object;
}
