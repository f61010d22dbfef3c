/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "experiments/cli/json_u64.h"
#include "experiments/compare/comparison.h"
#include "experiments/machine/counter_ladder.h"

static json_t *real(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval(const struct ratio *ratio) {
  if (isnan(ratio->lo)) return json_null();
  return json_pack("[f, f]", ratio->lo, ratio->hi);
}

static json_t *command_to_json(const struct comparison *c) {
  json_t *list = json_array();
  for (char **word = c->options.program.at; *word; word++) {
    json_t *text = json_string(*word); /* NULL: not UTF-8 */
    json_array_append_new(list, text ? text : json_string("?"));
  }
  return list;
}

static json_t *bytes(size_t count) { return json_integer((json_int_t)count); }

static void set_bytes(json_t *object, const char *key, size_t count) {
  if (count) json_object_set_new(object, key, bytes(count));
}

/* Bytes by size of page, and what of it was not open to huge pages. */
static json_t *backing_to_json(const struct comparison *c,
                               const struct backing *backing,
                               const struct hp_kind *kind) {
  if (!backing->processes) return json_null();
  json_t *object = json_object();
  set_bytes(object, "4k", backing->base);
  set_bytes(object, "2m", backing->thp + backing->hugetlb2m);
  set_bytes(object, "1g", backing->hugetlb1g);
  json_object_set_new(object, "transparent", bytes(backing->thp));
  json_object_set_new(object, "open", bytes(backing->open));
  json_object_set_new(object, "share",
                      real(granted_share(backing, kind, granted_base_open(c))));
  json_object_set_new(
      object, "not_open",
      json_pack("{s:o, s:o, s:o}", "files", bytes(backing->files), "stacks",
                bytes(backing->stacks), "edges", bytes(backing->edges)));
  json_object_set_new(object, "processes", bytes(backing->processes));
  return object;
}

static json_t *counts_to_json(const struct comparison *c,
                              const double values[QUANTITY_COUNT]) {
  json_t *object = json_object();
  for (size_t q = 0; q < QUANTITY_COUNT; q++)
    json_object_set_new(object, counters_info(c->counters, q)->name,
                        real(values[q]));
  return object;
}

/* Why the others are absent. */
static json_t *absent_to_json(const struct comparison *c) {
  json_t *object = json_object();
  for (size_t q = 0; q < QUANTITY_COUNT; q++) {
    const struct counter_info *info = counters_info(c->counters, q);
    if (isnan(c->outcomes[0].counters[q]))
      json_object_set_new(
          object, info->name,
          json_string(*info->why ? info->why : "not over a whole tree"));
  }
  return object;
}

static json_t *metric_to_json(const struct outcome *outcome) {
  const struct ratio *ratio = &outcome->ratio[FIGURE_METRIC];
  return json_pack("{s:o, s:o, s:o}", "median",
                   real(outcome->median[FIGURE_METRIC]), "ratio",
                   real(ratio->median), "ci", interval(ratio));
}

static json_t *outcome_to_json(const struct comparison *c,
                               const struct outcome *outcome) {
  const struct ratio *ratio = outcome->ratio;
  const struct hp_kind *kind = outcome->arm->kind;
  json_t *object = json_pack(
      "{s:s, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
      "kind", kind->name, "runs", (json_int_t)outcome->runs, "rejected",
      (json_int_t)outcome->rejected, "wall_s",
      real(outcome->median[FIGURE_WALL]), "user_s",
      real(outcome->median[FIGURE_USER]), "sys_s",
      real(outcome->median[FIGURE_SYS]), "ratio",
      real(ratio[FIGURE_WALL].median), "ci", interval(&ratio[FIGURE_WALL]),
      "user_ratio", real(ratio[FIGURE_USER].median), "user_ci",
      interval(&ratio[FIGURE_USER]), "cpu_ratio",
      real(ratio[FIGURE_CPU].median), "cpu_ci", interval(&ratio[FIGURE_CPU]),
      "sys_ratio", real(ratio[FIGURE_SYS].median));
  if (!object) return NULL;
  const struct {
    const char *key;
    json_t *value;
  } more[] = {
      {"verdict", json_string(verdict_word(outcome, FIGURE_WALL))},
      {"user_verdict", json_string(verdict_word(outcome, FIGURE_USER))},
      {"rounds_needed", json_integer(comparison_rounds(c, outcome))},
      {"minor_faults", real(outcome->faults)},
      {"peak_bytes", real(outcome->peak_bytes)},
      {"forbids_thp",
       json_boolean(outcome->refused_thp && !outcome->arm->forbid_thp)},
      {"granted", backing_to_json(c, &outcome->backing, kind)},
      {"counters", counts_to_json(c, outcome->counters)},
  };
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    json_object_set_new(object, more[i].key, more[i].value);
  if (c->launch.metric)
    json_object_set_new(object, "metric", metric_to_json(outcome));
  return object;
}

static json_t *control_to_json(const struct comparison *c) {
  const struct ratio *control = c->control;
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:b}", "ratio", real(control[FIGURE_WALL].median),
      "ci", interval(&control[FIGURE_WALL]), "user_ratio",
      real(control[FIGURE_USER].median), "user_ci",
      interval(&control[FIGURE_USER]), "steady", comparison_is_steady(c));
}

static json_t *touch_to_json(const struct first_touch *touch) {
  if (!touch->known) return json_null();
  return json_pack("{s:{s:f, s:f}, s:{s:f, s:f}}", "4k", "as_found",
                   touch->base_found, "again", touch->base_again, "2m",
                   "as_found", touch->huge_found, "again", touch->huge_again);
}

json_t *comparison_to_json(const struct comparison *c, bool complete) {
  json_t *pages = json_array();
  for (size_t i = 0; i < c->outcome_count; i++)
    json_array_append_new(pages, outcome_to_json(c, &c->outcomes[i]));
  return json_pack(
      "{s:o, s:s, s:s, s:b, s:b, s:o, s:o, s:o, s:o}", "command",
      command_to_json(c), "means", c->arms.means, "looks", comparison_looks(c),
      "complete", complete, "prewarm", c->options.prewarm, "pages", pages,
      "control", control_to_json(c), "first_touch_s_per_gib",
      touch_to_json(&c->touch), "counters_absent", absent_to_json(c));
}

json_t *comparison_plan_to_json(const struct comparison *c) {
  json_t *pages = json_array();
  for (size_t i = 0; i < c->arms.count; i++)
    json_array_append_new(pages, json_string(c->arms.at[i].kind->name));
  return json_pack("{s:s, s:o, s:s, s:b, s:o, s:I, s:o, s:o}", "record",
                   "compare", "command", command_to_json(c), "means",
                   c->arms.means, "prewarm", c->options.prewarm, "pages", pages,
                   "runs", (json_int_t)c->options.runs, "seed",
                   json_of_u64(c->options.seed), "first_touch_s_per_gib",
                   touch_to_json(&c->touch));
}

static json_t *result_to_json(const struct comparison *c,
                              const struct launch_result *result,
                              const struct hp_kind *kind) {
  double values[QUANTITY_COUNT];
  for (int q = 0; q < QUANTITY_COUNT; q++)
    values[q] =
        result->counts.present[q] ? (double)result->counts.value[q] : NAN;
  return json_pack(
      "{s:f, s:f, s:f, s:I, s:I, s:I, s:b, s:I, s:i, s:o, s:o, s:o, s:o}",
      "wall_s", result->wall_s, "user_s", result->user_s, "sys_s",
      result->sys_s, "minor_faults", (json_int_t)result->minor_faults,
      "major_faults", (json_int_t)result->major_faults, "peak_bytes",
      (json_int_t)result->peak_bytes, "stopped_at_exit", result->traced,
      "left_behind", (json_int_t)result->left_behind, "exit_status",
      WEXITSTATUS(result->status), "metric",
      result->has_metric ? json_real(result->metric) : json_null(),
      "granted_at_exit", backing_to_json(c, &result->at_exit, kind),
      "granted_at_peak", backing_to_json(c, &result->at_peak, kind), "counters",
      counts_to_json(c, values));
}

json_t *compare_run_to_json(const struct comparison *c,
                            const struct compare_run *run) {
  const struct arm *arm = &c->arms.at[run->arm];
  json_t *object =
      json_pack("{s:s, s:I, s:s, s:b, s:b}", "record", "compare_run", "round",
                (json_int_t)run->round, "kind", arm->kind->name, "control",
                arm->control, "counts", run->counts);
  json_t *result = result_to_json(c, &run->result, arm->kind);
  if (object && result) json_object_update(object, result);
  json_decref(result);
  return object;
}
