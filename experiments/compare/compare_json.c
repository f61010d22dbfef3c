/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <sys/wait.h>

#include "experiments/cli/record.h"
#include "experiments/compare/comparison.h"

/* "?" for what is not UTF-8. */
static json_t *text_to_json(const char *text) {
  json_t *json = json_string(text);
  return json ? json : json_string("?");
}

static json_t *command_to_json(const struct comparison *c) {
  json_t *list = json_array();
  for (char **word = c->options.program.at; word && *word; word++)
    json_array_append_new(list, text_to_json(*word));
  return list;
}

/* What each of the arms runs that the user names; NULL: no arm is named. */
static json_t *arms_to_json(const struct comparison *c) {
  json_t *list = c->options.arms.count ? json_array() : NULL;
  for (size_t i = 0; list && i < c->arms.count; i++) {
    const struct arm *arm = &c->arms.at[i];
    if (!arm->control)
      json_array_append_new(
          list, json_pack("{s:s, s:o}", "name", arm->name, "command",
                          text_to_json(arm->words)));
  }
  return list;
}

static json_t *bytes_if(size_t count) {
  return count ? json_integer((json_int_t)count) : NULL;
}

/* Bytes by size of page, and what of it was not open to huge pages. */
static json_t *backing_to_json(const struct comparison *c,
                               const struct backing *backing,
                               const struct arm *arm) {
  if (!backing->processes) return json_null();
  const struct backing_pages *own = &backing->own;
  const struct backing_pages shared = backing_shared(backing);
  const struct hp_kind *kind = arm->kind;
  return json_pack(
      "{s:o*, s:o*, s:o*, s:o*, s:I, s:I, s:o, s:{s:I, s:I, s:I}, s:{s:I, s:I},"
      " s:I}",
      "4k", bytes_if(own->base + shared.base),
      kind && kind->alone ? kind->name : "sized", bytes_if(own->sized), "2m",
      bytes_if(own->thp + own->hugetlb2m + shared.thp + shared.hugetlb2m), "1g",
      bytes_if(own->hugetlb1g + shared.hugetlb1g), "transparent",
      (json_int_t)(own->thp + shared.thp), "open", (json_int_t)backing->open,
      "share", json_of_real(granted_to_arm(c, arm, backing)), "not_open",
      "files", (json_int_t)(backing->files + shared.base), "stacks",
      (json_int_t)backing->stacks, "edges", (json_int_t)backing->edges,
      "shared", "bytes", (json_int_t)backing_pages_total(&shared), "huge",
      (json_int_t)(backing_pages_total(&shared) - shared.base), "processes",
      (json_int_t)backing->processes);
}

static json_t *counts_to_json(const struct comparison *c,
                              const double values[QUANTITY_COUNT]) {
  json_t *object = json_object();
  for (size_t q = 0; q < QUANTITY_COUNT; q++)
    json_object_set_new(object, counters_info(c->counters, q)->name,
                        json_of_real(values[q]));
  return object;
}

/* Why the others are absent. */
static json_t *absent_to_json(const struct comparison *c) {
  json_t *object = json_object();
  for (size_t q = 0; q < QUANTITY_COUNT; q++) {
    const struct counter_info *info = counters_info(c->counters, q);
    if (isnan(c->outcomes[0].median[FIGURE_COUNTERS + q]))
      json_object_set_new(
          object, info->name,
          json_string(*info->why ? info->why : "not over a whole tree"));
  }
  return object;
}

static void set_ratio(json_t *object, const char *key, const char *interval_key,
                      const struct ratio *ratio) {
  json_object_set_new(object, key, json_of_real(ratio->value));
  json_object_set_new(object, interval_key,
                      isnan(ratio->lo)
                          ? json_null()
                          : json_pack("[f, f]", ratio->lo, ratio->hi));
}

static json_t *control_to_json(const struct ratio control[FIGURE_COUNT]) {
  json_t *object = json_object();
  set_ratio(object, "ratio", "ci", &control[FIGURE_WALL]);
  set_ratio(object, "user_ratio", "user_ci", &control[FIGURE_USER]);
  return object;
}

static json_t *outcome_to_json(const struct comparison *c,
                               const struct outcome *outcome) {
  const struct ratio *ratio = outcome->ratio;
  const struct arm *arm = outcome->arm;
  const double *median = outcome->median;
  json_t *object = json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "kind",
                             arm->name, "runs", (json_int_t)outcome->runs,
                             "rejected", (json_int_t)outcome->rejected,
                             "wall_s", json_of_real(median[FIGURE_WALL]),
                             "user_s", json_of_real(median[FIGURE_USER]),
                             "sys_s", json_of_real(median[FIGURE_SYS]));
  set_ratio(object, "ratio", "ci", &ratio[FIGURE_WALL]);
  set_ratio(object, "user_ratio", "user_ci", &ratio[FIGURE_USER]);
  set_ratio(object, "cpu_ratio", "cpu_ci", &ratio[FIGURE_CPU]);
  json_object_update_new(
      object,
      json_pack("{s:o, s:s, s:s, s:I, s:o, s:o, s:b, s:o, s:o}", "sys_ratio",
                json_of_real(ratio[FIGURE_SYS].value), "verdict",
                verdict_word(c, outcome, FIGURE_WALL), "user_verdict",
                verdict_word(c, outcome, FIGURE_USER), "rounds_needed",
                (json_int_t)comparison_rounds(c, outcome), "minor_faults",
                json_of_real(outcome->median[FIGURE_FAULTS]), "peak_bytes",
                json_of_real(outcome->median[FIGURE_PEAK]), "forbids_thp",
                outcome->refused_thp && !arm->forbid_thp, "granted",
                backing_to_json(c, &outcome->backing, arm), "counters",
                counts_to_json(c, median + FIGURE_COUNTERS)));
  if (arm->predicted) json_object_set(object, "plan", arm->predicted);
  if (!isnan(outcome->translation.value)) {
    json_t *translation = json_object();
    set_ratio(translation, "user_ratio", "user_ci", &outcome->translation);
    json_object_set_new(object, "translation", translation);
  }
  if (arm->contiguous)
    json_object_set_new(object, "control", control_to_json(outcome->control));
  if (c->launch.metric) {
    json_t *metric =
        json_pack("{s:o}", "median", json_of_real(median[FIGURE_METRIC]));
    set_ratio(metric, "ratio", "ci", &ratio[FIGURE_METRIC]);
    json_object_set_new(metric, "verdict",
                        json_string(verdict_word(c, outcome, FIGURE_METRIC)));
    json_object_set_new(object, "metric", metric);
  }
  return object;
}

static json_t *touch_to_json(const struct first_touch *touch) {
  return touch->known ? record_to_json(first_touch_fields, touch) : json_null();
}

json_t *comparison_to_json(const struct comparison *c, bool complete) {
  json_t *pages = json_array();
  json_t *control = control_to_json(c->outcomes[0].control);
  json_object_set_new(control, "steady",
                      json_boolean(comparison_is_steady(c, FIGURE_USER)));
  for (size_t i = 0; i < c->outcome_count; i++)
    json_array_append_new(pages, outcome_to_json(c, &c->outcomes[i]));
  return json_pack(
      "{s:o, s:s, s:s, s:b, s:b, s:o, s:o, s:o, s:o, s:o*}", "command",
      command_to_json(c), "means", c->arms.means, "looks", comparison_looks(c),
      "complete", complete, "prewarm", c->options.prewarm, "pages", pages,
      "control", control, "first_touch_s_per_gib", touch_to_json(&c->touch),
      "counters_absent", absent_to_json(c), "arms", arms_to_json(c));
}

json_t *comparison_plan_to_json(const struct comparison *c) {
  json_t *pages = json_array();
  for (size_t i = 0; i < c->arms.count; i++)
    json_array_append_new(pages, json_string(c->arms.at[i].name));
  return json_pack("{s:s, s:o, s:s, s:b, s:o, s:I, s:o, s:o, s:o*}", "record",
                   "compare", "command", command_to_json(c), "means",
                   c->arms.means, "prewarm", c->options.prewarm, "pages", pages,
                   "runs", (json_int_t)c->options.runs, "seed",
                   json_of_u64(c->options.seed), "first_touch_s_per_gib",
                   touch_to_json(&c->touch), "arms", arms_to_json(c));
}

#define R struct launch_result
const struct field launch_fields[] = {
    {"wall_s", &field_real, MEMBER(R, wall_s), .optional = true},
    {"user_s", &field_real, MEMBER(R, user_s), .optional = true},
    {"sys_s", &field_real, MEMBER(R, sys_s), .optional = true},
    {"minor_faults", &field_whole, MEMBER(R, minor_faults), .optional = true},
    {"major_faults", &field_whole, MEMBER(R, major_faults), .optional = true},
    {"peak_bytes", &field_whole, MEMBER(R, peak_bytes), .optional = true},
    {"stopped_at_exit", &field_bool, MEMBER(R, traced), .optional = true},
    {"left_behind", &field_whole, MEMBER(R, left_behind), .optional = true},
    {0}};

json_t *compare_run_to_json(const struct comparison *c,
                            const struct compare_run *run) {
  const struct arm *arm = &c->arms.at[run->arm];
  const struct launch_result *result = &run->result;
  json_t *object =
      json_pack("{s:s, s:I, s:s, s:b, s:b}", "record", "compare_run", "round",
                (json_int_t)run->round, "kind", arm->name, "control",
                arm->control, "counts", run->counts);
  record_add(launch_fields, result, object);
  json_object_update_new(
      object,
      json_pack("{s:i, s:o, s:o, s:o, s:o}", "exit_status",
                WEXITSTATUS(result->status), "metric",
                result->has_metric ? json_real(result->metric) : json_null(),
                "granted_at_exit", backing_to_json(c, &result->at_exit, arm),
                "granted_at_peak", backing_to_json(c, &result->at_peak, arm),
                "counters", counts_to_json(c, result->counts)));
  return object;
}
