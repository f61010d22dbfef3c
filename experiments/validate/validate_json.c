/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "experiments/cli/record.h"
#include "experiments/validate/validate.h"

enum part { TIME_MEDIAN, TIME_P90, RATIO_MEDIAN, RATIO_P90 };

static double part_of(const struct scores *scores, enum part part) {
  switch (part) {
    case TIME_MEDIAN:
      return scores->time.median;
    case TIME_P90:
      return scores->time.p90;
    case RATIO_MEDIAN:
      return scores->ratio.median;
    default:
      return scores->ratio.p90;
  }
}

static json_t *by_model(const struct scores *scores, enum part part) {
  json_t *object = json_object();
  for (size_t m = 0; models[m]; m++)
    json_object_set_new(object, models[m]->name,
                        json_of_real(part_of(&scores[m], part)));
  return object;
}

static json_t *growth(const struct growth *g) {
  return json_pack("{so so so}", "exponent", json_of_real(g->exponent), "lo",
                   json_of_real(g->lo), "hi", json_of_real(g->hi));
}

static json_t *program_json(const struct validation *v, size_t p) {
  const struct program *program = &v->points.programs[p];
  const struct program_judged *judged = &v->judged.programs[p];
  json_t *fits = json_object(), *growths = json_object();
  if (program->left_out[0])
    return json_pack("{ss ss}", "algo", program->algo->name, "left_out",
                     program->left_out);
  for (size_t m = 0; models[m]; m++) {
    json_object_set_new(
        fits, models[m]->name,
        json_pack("{so so}", "c_ns", json_of_real(judged->fitted[m].c),
                  "overlap", json_of_real(judged->fitted[m].overlap)));
    json_object_set_new(growths, models[m]->name,
                        growth(&judged->predicted[m]));
  }
  json_object_set_new(growths, "measured", growth(&judged->measured));
  return json_pack("{ss sI so so so so}", "algo", program->algo->name,
                   "held_out", (json_int_t)judged->scores[0].time.count,
                   "error", by_model(judged->scores, TIME_MEDIAN),
                   "ratio_error", by_model(judged->scores, RATIO_MEDIAN),
                   "fitted", fits, "growth", growths);
}

static json_t *translation_json(const struct costs_translation *t) {
  return json_pack("{so so so so so so}", "tlb", json_of_real(t->tlb), "walk",
                   json_of_real(t->walk), "walk_best",
                   json_of_real(t->walk_best), "table", json_of_real(t->table),
                   "table_best", json_of_real(t->table_best), "streamed",
                   json_of_real(t->streamed));
}

static json_t *translations_json(
    const struct costs_translation tlbs[COSTS_TLBS]) {
  return json_pack("{so so}", "lru", translation_json(&tlbs[COSTS_LRU]),
                   "random", translation_json(&tlbs[COSTS_RANDOM]));
}

static const char *const told_names[COSTS_TOLD] = {"lines", "loads",
                                                   "writebacks"};

static json_t *counts_json(const struct costs_counts *counts, size_t levels) {
  json_t *object = json_object();
  for (int told = 0; told < COSTS_TOLD; told++) {
    json_t *array = json_array();
    for (size_t i = 0; i < levels; i++)
      json_array_append_new(array, json_of_real(counts->at[told][i]));
    json_object_set_new(object, told_names[told], array);
  }
  return object;
}

static json_t *all_counts_json(const struct costs *costs, size_t levels) {
  return json_pack(
      "{so so so so}", "stepped",
      counts_json(&costs->stepped_counts[REUSE_OTHER], levels),
      "stepped_streams",
      counts_json(&costs->stepped_counts[REUSE_STREAM], levels), "spread",
      counts_json(&costs->spread_counts[REUSE_OTHER], levels), "spread_streams",
      counts_json(&costs->spread_counts[REUSE_STREAM], levels));
}

static json_t *costs_json(const struct costs *costs) {
  return json_pack(
      "{so so so so so so so so so}", "stepped",
      json_of_real(costs->waits->stepped[REUSE_OTHER]), "stepped_streams",
      json_of_real(costs->waits->stepped[REUSE_STREAM]), "spread",
      json_of_real(costs->waits->spread[REUSE_OTHER]), "spread_streams",
      json_of_real(costs->waits->spread[REUSE_STREAM]), "best",
      json_of_real(costs->best), "streams", json_of_real(costs->streams), "vat",
      json_of_real(costs->vat), "asked", translations_json(costs->waits->asked),
      "measured", translations_json(costs->waits->measured));
}

static json_t *point_json(const struct validation *v, size_t i) {
  static const char *const uses[] = {"small", "c", "overlap", "held_out"};
  const struct point *point = &v->points.points[i];
  json_t *predicted = json_object();
  for (size_t m = 0; models[m]; m++)
    json_object_set_new(predicted, models[m]->name,
                        json_of_real(v->judged.predicted[m][i]));
  return json_pack("{ss sI ss ss so so so so so so}", "algo", point->row->algo,
                   "n", (json_int_t)point->row->n, "pages", point->row->pages,
                   "use", uses[point->use], "bytes", json_of_real(point->bytes),
                   "measured_ns", json_of_real(point->ns), "ratio_to_4k",
                   json_of_real(point->row->ratio_to_4k), "predicted_ns",
                   predicted, "costs_ns", costs_json(&point->costs), "counts",
                   all_counts_json(&point->costs, v->cal->level_count));
}

static json_t *totals(const struct scores *scores) {
  return json_pack("{so so so so}", "median_error",
                   by_model(scores, TIME_MEDIAN), "p90_error",
                   by_model(scores, TIME_P90), "ratio_error_median",
                   by_model(scores, RATIO_MEDIAN), "ratio_error_p90",
                   by_model(scores, RATIO_P90));
}

static json_t *ablation(const struct judged *j) {
  json_t *array = json_array();
  for (size_t t = 0; terms[t].name; t++)
    json_array_append_new(
        array,
        json_pack(
            "{ss so so so so so so so so}", "without", terms[t].name,
            "median_error", json_of_real(j->ablated_all[t].time.median),
            "p90_error", json_of_real(j->ablated_all[t].time.p90),
            "large_median_error", json_of_real(j->ablated_large[t].time.median),
            "large_p90_error", json_of_real(j->ablated_large[t].time.p90),
            "ratio_error_median", json_of_real(j->ablated_all[t].ratio.median),
            "ratio_error_p90", json_of_real(j->ablated_all[t].ratio.p90),
            "large_ratio_error_median",
            json_of_real(j->ablated_large[t].ratio.median),
            "large_ratio_error_p90",
            json_of_real(j->ablated_large[t].ratio.p90)));
  return array;
}

json_t *validation_to_json(const struct validation *v) {
  const struct judged *j = &v->judged;
  json_t *programs = json_array(), *points = json_array(), *large;
  size_t full = model_find("full");
  for (size_t p = 0; p < v->points.program_count; p++) {
    const struct program *program = &v->points.programs[p];
    json_array_append_new(programs, program_json(v, p));
    for (size_t i = 0; !program->left_out[0] && i < program->count; i++)
      json_array_append_new(points, point_json(v, program->first + i));
  }
  large = totals(j->large);
  json_object_set_new(large, "elements", json_real(POINTS_LARGE));
  return json_pack(
      "{so so so so so so so so so so so so so so sb ss so}", "programs",
      programs, "median_error", by_model(j->all, TIME_MEDIAN), "p90_error",
      by_model(j->all, TIME_P90), "ratio_error_median",
      json_of_real(j->all[full].ratio.median), "ratio_error_p90",
      json_of_real(j->all[full].ratio.p90), "all", totals(j->all), "large",
      large, "ablation", ablation(j), "exchanged_error",
      json_of_real(j->exchanged.median), "own_error",
      json_of_real(j->own.median), "noise_floor", json_of_real(v->noise_floor),
      "last_cache_bytes", json_of_real(v->last_bytes),
      "neighbours_bytes_per_ns", json_of_real(v->neighbours), "canary_range",
      json_of_real(v->canary_range), "holds", v->holds, "verdict", v->verdict,
      "points", points);
}
