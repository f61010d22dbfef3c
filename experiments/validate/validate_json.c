/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/record.h"
#include "experiments/validate/validate.h"

static json_t *by_model(const struct scores *scores, bool ratio, bool p90) {
  json_t *object = json_object();
  for (size_t m = 0; m < MODELS; m++)
    json_object_set_new(object, models[m].name,
                        json_of_real(scores_part(&scores[m], ratio, p90)));
  return object;
}

static json_t *growth(const struct growth *g) {
  return json_of_reals("exponent", g->exponent, "lo", g->lo, "hi", g->hi);
}

static json_t *program_json(const struct validation *v, size_t p) {
  const struct program *program = &v->points.programs[p];
  const struct program_judged *judged = &v->judged.programs[p];
  json_t *fits = json_object(), *growths = json_object();
  if (program->left_out)
    return json_pack("{ss ss}", "algo", program->algo->name, "left_out",
                     program->left_out);
  for (size_t m = 0; m < MODELS; m++) {
    json_object_set_new(fits, models[m].name,
                        json_of_reals("c_ns", judged->fitted[m].c, "overlap",
                                      judged->fitted[m].overlap, "element_ns",
                                      judged->fitted[m].element));
    json_object_set_new(growths, models[m].name, growth(&judged->predicted[m]));
  }
  json_object_set_new(growths, "measured", growth(&judged->measured));
  return json_pack("{ss sI so so so so}", "algo", program->algo->name,
                   "held_out", (json_int_t)judged->scores[0].time.count,
                   "error", by_model(judged->scores, false, false),
                   "ratio_error", by_model(judged->scores, true, false),
                   "fitted", fits, "growth", growths);
}

static json_t *translations_json(
    const struct costs_translation tlbs[COSTS_TLBS]) {
  json_t *object = json_object();
  for (int tlb = 0; tlb < COSTS_TLBS; tlb++) {
    const struct costs_translation *t = &tlbs[tlb];
    json_object_set_new(
        object, tlb == COSTS_LRU ? "lru" : "random",
        json_of_reals("tlb", t->tlb, "walk", t->walk, "walk_best", t->walk_best,
                      "table", t->table, "table_best", t->table_best,
                      "streamed", t->streamed));
  }
  return object;
}

static json_t *counts_json(const struct costs_counts *counts, size_t levels) {
  static const char *const names[COSTS_TOLD] = {"lines", "loads", "writebacks"};
  json_t *object = json_object();
  for (int told = 0; told < COSTS_TOLD; told++) {
    json_t *array = json_array();
    for (size_t i = 0; i < levels; i++)
      json_array_append_new(array, json_of_real(counts->at[told][i]));
    json_object_set_new(object, names[told], array);
  }
  return object;
}

static json_t *costs_json(const struct costs *costs) {
  const struct costs_waits *waits = costs->waits;
  json_t *object = json_of_reals(
      "stepped", waits->stepped[REUSE_OTHER], "stepped_streams",
      waits->stepped[REUSE_STREAM], "spread", waits->spread[REUSE_OTHER],
      "spread_streams", waits->spread[REUSE_STREAM], "best", costs->best,
      "streams", costs->streams, "vat", costs->vat);
  json_object_set_new(object, "asked", translations_json(waits->asked));
  json_object_set_new(object, "measured", translations_json(waits->measured));
  return object;
}

static json_t *point_json(const struct validation *v, size_t i) {
  static const char *const uses[] = {"small", "c", "overlap", "held_out"};
  const struct point *point = &v->points.points[i];
  const struct costs_counts *stepped = point->costs.stepped_counts;
  const struct costs_counts *spread = point->costs.spread_counts;
  const size_t levels = v->cal->level_count;
  json_t *predicted = json_object();
  for (size_t m = 0; m < MODELS; m++)
    json_object_set_new(predicted, models[m].name,
                        json_of_real(v->judged.predicted[m][i]));
  return json_pack(
      "{ss sI ss ss so so so so so so s{so so so so}}", "algo",
      point->row->algo, "n", (json_int_t)point->row->n, "pages",
      point->row->pages, "use", uses[point->use], "bytes",
      json_of_real(point->bytes), "measured_ns", json_of_real(point->ns),
      "ratio_to_4k", json_of_real(point->row->ratio_to_4k), "predicted_ns",
      predicted, "costs_ns", costs_json(&point->costs), "accesses",
      json_of_real(point->costs.accesses), "counts", "stepped",
      counts_json(&stepped[REUSE_OTHER], levels), "stepped_streams",
      counts_json(&stepped[REUSE_STREAM], levels), "spread",
      counts_json(&spread[REUSE_OTHER], levels), "spread_streams",
      counts_json(&spread[REUSE_STREAM], levels));
}

static json_t *totals(const struct scores *scores) {
  return json_pack("{so so so so}", "median_error",
                   by_model(scores, false, false), "p90_error",
                   by_model(scores, false, true), "ratio_error_median",
                   by_model(scores, true, false), "ratio_error_p90",
                   by_model(scores, true, true));
}

static json_t *ablation(const struct judged *j) {
  json_t *array = json_array();
  for (size_t t = 0; terms[t].name; t++) {
    const struct scores *all = &j->ablated_all[t],
                        *large = &j->ablated_large[t];
    json_t *object = json_pack("{ss}", "without", terms[t].name);
    json_object_update_new(
        object,
        json_of_reals("median_error", all->time.median, "p90_error",
                      all->time.p90, "large_median_error", large->time.median,
                      "large_p90_error", large->time.p90, "ratio_error_median",
                      all->ratio.median, "ratio_error_p90", all->ratio.p90,
                      "large_ratio_error_median", large->ratio.median,
                      "large_ratio_error_p90", large->ratio.p90));
    json_array_append_new(array, object);
  }
  return array;
}

json_t *validation_to_json(const struct validation *v) {
  const struct judged *j = &v->judged;
  json_t *programs = json_array(), *points = json_array(), *large;
  for (size_t p = 0; p < v->points.program_count; p++)
    json_array_append_new(programs, program_json(v, p));
  for (size_t i = 0; i < v->points.count; i++)
    if (!v->points.points[i].program->left_out)
      json_array_append_new(points, point_json(v, i));
  large = totals(j->large);
  json_object_set_new(large, "elements", json_real(POINTS_LARGE));
  json_t *object =
      json_pack("{so so so so so so so so}", "programs", programs,
                "median_error", by_model(j->all, false, false), "p90_error",
                by_model(j->all, false, true), "ratio_error_median",
                json_of_real(j->all[MODEL_FULL].ratio.median),
                "ratio_error_p90", json_of_real(j->all[MODEL_FULL].ratio.p90),
                "all", totals(j->all), "large", large, "ablation", ablation(j));
  json_object_update_new(
      object, json_of_reals("exchanged_error", j->exchanged.median, "own_error",
                            j->own.median, "noise_floor", v->noise_floor,
                            "last_cache_bytes", v->last_bytes,
                            "neighbours_bytes_per_ns", v->neighbours,
                            "canary_range", v->canary_range));
  json_object_update_new(
      object, json_pack("{sb ss so}", "holds", v->holds, "verdict", v->verdict,
                        "points", points));
  return object;
}
