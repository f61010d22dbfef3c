/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/six_digits.h"
#include "experiments/probe/calibration.h"

void calibration_fini(struct calibration *cal) {
  for (size_t i = 0; i < cal->curve_count; i++) free(cal->curves[i].points);
  free(cal->curves);
  json_decref(cal->machine);
  *cal = (struct calibration){0};
}

static bool is_whole(double value) {
  return value == floor(value) && fabs(value) < 0x1p53;
}

/* NAN, which JSON has no number for, is null; and what the reader would refuse
 * is, that what was measured be not lost. */
static json_t *number(double value) {
  if (!isfinite(value) || value < 0) return json_null();
  if (!is_whole(value)) value = six_digits(value);
  return is_whole(value) ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *value(const struct cal_value *value) {
  return json_pack("{so so so}", "value", number(value->value), "lo",
                   number(value->lo), "hi", number(value->hi));
}

static json_t *levels(const struct calibration *cal) {
  json_t *list = json_array();
  for (size_t i = 0; i < cal->level_count; i++) {
    const struct cal_level *level = &cal->levels[i];
    json_array_append_new(
        list,
        json_pack("{ss so so so so so so}", "name", level->name,
                  "bytes_reported", number(level->bytes_reported),
                  "bytes_usable", value(&level->bytes_usable), "ns",
                  value(&level->ns), "in_flight", value(&level->in_flight),
                  "read_ns", value(&level->read_ns), "update_ns",
                  value(&level->update_ns)));
  }
  return list;
}

static json_t *tlbs(const struct cal_pages *pages) {
  json_t *list = json_array();
  for (size_t i = 0; i < pages->tlbs; i++) {
    const struct cal_tlb *tlb = &pages->tlb[i];
    double reach = tlb->entries.value * pages->granularity_bytes;
    json_array_append_new(
        list,
        json_pack("{so so so}", "entries", value(&tlb->entries), "reach_bytes",
                  number(reach), "extra_ns", value(&tlb->extra_ns)));
  }
  return list;
}

static json_t *table_lines(const struct calibration *cal,
                           const struct cal_pages *pages) {
  json_t *object = json_object();
  for (size_t i = 0; i < cal->level_count; i++)
    json_object_set_new(object, cal->levels[i].name,
                        value(&pages->table_line_ns[i]));
  return object;
}

static json_t *page_kinds(const struct calibration *cal) {
  json_t *list = json_array();
  for (size_t i = 0; i < cal->page_count; i++) {
    const struct cal_pages *pages = &cal->pages[i];
    json_array_append_new(
        list,
        json_pack("{ss so so so so so so so}", "kind", pages->kind,
                  "page_bytes", number(pages->page_bytes), "granularity_bytes",
                  number(pages->granularity_bytes), "tau_ns",
                  value(&pages->tau_ns), "tc_nodes", value(&pages->tc_nodes),
                  "tlb", tlbs(pages), "table_line_ns", table_lines(cal, pages),
                  "walks_in_flight", value(&pages->walks_in_flight)));
  }
  return list;
}

static json_t *points(const struct cal_curve *curve) {
  json_t *list = json_array();
  for (size_t i = 0; i < curve->count; i++) {
    const struct cal_point *p = &curve->points[i];
    json_array_append_new(list, json_pack("[oooo]", number(p->x), number(p->ns),
                                          number(p->lo), number(p->hi)));
  }
  return list;
}

static json_t *curves(const struct calibration *cal) {
  json_t *list = json_array();
  for (size_t i = 0; i < cal->curve_count; i++) {
    const struct cal_curve *curve = &cal->curves[i];
    json_array_append_new(
        list,
        json_pack("{ss ss ss so si so}", "name", curve->name, "pages",
                  curve->pages, "x_unit", curve->by_pages ? "pages" : "bytes",
                  "step_bytes", number(curve->step_bytes), "chains",
                  (int)curve->chains, "points", points(curve)));
  }
  return list;
}

static json_t *noise(const struct cal_noise *n) {
  return json_pack("{so so so so so so}", "timer_ns", number(n->timer_ns),
                   "canary_ns", number(n->canary_ns), "canary_range",
                   number(n->canary_range), "repeat_range",
                   number(n->repeat_range), "seconds", number(n->seconds),
                   "repetitions", number(n->repetitions));
}

static json_t *warnings(const struct calibration *cal) {
  json_t *list = json_array();
  for (size_t i = 0; i < cal->warning_count; i++)
    json_array_append_new(list, json_string(cal->warnings[i]));
  return list;
}

json_t *calibration_to_json(const struct calibration *cal) {
  json_t *streams =
      json_pack("{so so so}", "read", value(&cal->stream_read), "write",
                value(&cal->stream_write), "copy", value(&cal->stream_copy));
  return json_pack("{ss si sO so so so so so so so}", "record", "calibration",
                   "schema", CALIBRATION_SCHEMA, "machine", cal->machine,
                   "levels", levels(cal), "pages", page_kinds(cal),
                   "stream_ns_per_line", streams, "neighbours_bytes_per_ns",
                   value(&cal->neighbours), "noise", noise(&cal->noise),
                   "warnings", warnings(cal), "curves", curves(cal));
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
