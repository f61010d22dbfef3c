/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/utf8.h"
#include "experiments/pages/survey.h"

static const char unknown_why[] =
    "page sizes between base pages and huge pages are told to CAP_SYS_ADMIN "
    "only; they count as base pages";
static const char unknown_fix[] = "run vat as root";

/* Names are any bytes: what is none of UTF-8 is '?'. */
static json_t *name_json(const char *name) {
  char text[128];
  size_t used = 0;
  while (*name && used < sizeof text - 8) {
    size_t length = utf8_length(name);
    if (length) memcpy(text + used, name, length);
    if (!length) text[used] = '?';
    used += length ? length : 1;
    name += length ? length : 1;
  }
  return json_stringn(text, used);
}

static json_t *size_json(size_t bytes) {
  return json_integer((json_int_t)bytes);
}

static json_t *on_json(const struct pages_on *on) {
  json_t *object = json_object();
  for (size_t i = 0; *on->kinds[i].name; i++)
    json_object_set_new(object, on->kinds[i].name,
                        size_json(on->kinds[i].bytes));
  return object;
}

static json_t *whys_json(const struct pages_whys *whys) {
  json_t *list = json_array();
  for (size_t i = 0; i < whys->count; i++) {
    const struct pages_why *why = &whys->at[i];
    json_array_append_new(
        list, json_pack("{s:s, s:o, s:s, s:o, s:o}", "reason",
                        why->reason->name, "bytes", size_json(why->bytes),
                        "fix", why->fix, "could_be_huge", size_json(why->could),
                        "more", size_json(why->more)));
  }
  return list;
}

static json_t *mapping_json(const struct pages_mapping *m) {
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o}", "name", name_json(m->mapping.name),
      "start", size_json(m->mapping.start), "bytes",
      size_json(m->mapping.end - m->mapping.start), "resident",
      size_json(m->resident), "on", on_json(&m->on), "why", whys_json(&m->why));
}

static json_t *total_json(size_t resident, const struct pages_on *on,
                          const struct pages_whys *why, bool sizes_told) {
  json_t *total =
      json_pack("{s:o, s:o, s:o, s:o}", "resident", size_json(resident), "on",
                on_json(on), "why", whys_json(why), "could_be_huge",
                size_json(pages_whys_could(why)));
  json_object_set_new(total, "sizes_between",
                      sizes_told ? json_string("told") : json_null());
  if (!sizes_told)
    json_object_set_new(
        total, "sizes_between_why",
        json_pack("{s:s, s:s}", "reason", unknown_why, "fix", unknown_fix));
  return total;
}

json_t *process_pages_json(const struct process_pages *pages) {
  json_t *mappings = json_array();
  for (size_t i = 0; i < pages->count; i++)
    json_array_append_new(mappings, mapping_json(&pages->mappings[i]));
  return json_pack(
      "{s:i, s:i, s:o, s:o, s:o, s:o}", "pid", (int)pages->pid, "pid_inside",
      pages->pid_inside, "program", name_json(pages->name), "mappings",
      mappings, "total",
      total_json(pages->resident, &pages->on, &pages->why, pages->sizes_told),
      "differs_from_pagemap", size_json(pages->differing));
}

static json_t *absents_json(const struct pages_survey *survey) {
  json_t *list = json_array();
  for (size_t i = 0; i < survey->absents; i++) {
    const struct pages_absent *absent = &survey->absent[i];
    json_array_append_new(
        list, json_pack("{s:i, s:o, s:s, s:s?}", "pid", (int)absent->pid,
                        "program", name_json(absent->name), "reason",
                        absent->reason, "fix", absent->fix));
  }
  return list;
}

json_t *pages_survey_json(const struct pages_survey *survey) {
  json_t *processes = json_array();
  for (size_t i = 0; i < survey->count; i++)
    json_array_append_new(processes, process_pages_json(&survey->at[i]));
  return json_pack("{s:o, s:o, s:o, s:o}", "processes", processes, "absent",
                   absents_json(survey), "outside_pid_namespace",
                   size_json(survey->outside), "total",
                   total_json(survey->resident, &survey->on, &survey->why,
                              survey->sizes_told));
}
