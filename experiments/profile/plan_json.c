/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan as a file has it, and what else is known of it. */
#include <math.h>

#include "experiments/cli/record.h"
#include "experiments/profile/planning.h"

/* Shares of all leaf misses; without a prediction alone, where they are what
 * is chosen by. */
static json_t *misses(const struct planning *p) {
  double saved = 0;
  json_t *curve = json_array();
  for (size_t i = 0; i < p->plan.choice_count; i++)
    saved += p->choice_misses[i];
  for (size_t i = 0; !p->what && i < p->plan.points; i++)
    json_array_append_new(
        curve,
        json_pack("[oo]", json_of_real(p->plan.curve[i].bytes),
                  json_of_real(p->misses > 0 ? p->curve[i] / p->misses : NAN)));
  json_t *object =
      json_of_reals("leaf", p->misses, "saved", saved, "most",
                    planning_has_time(p) ? NAN : p->most, "unreachable",
                    planning_has_time(p) ? NAN : p->all.unreachable);
  json_object_set_new(object, "curve", curve);
  return object;
}

/* By budget; null where savings are misses. */
static json_t *saved_curve(const struct planning *p) {
  if (!planning_has_time(p)) return json_null();
  json_t *curve = json_array();
  for (size_t i = 0; i < p->plan.points; i++)
    json_array_append_new(
        curve, json_pack("[oo]", json_of_real(p->plan.curve[i].bytes),
                         json_of_real(p->curve[i])));
  return curve;
}

static json_t *costs(const struct planning *p) {
  const struct native *native = &p->table.native;
  const struct plan_costs *c = &p->costs;
  json_t *object = json_of_reals(
      "touched_bytes", c->touched, "sys_saved_s", c->sys_saved_s,
      "first_touch_now_s", c->touch_now, "first_touch_then_s", c->touch_then,
      "look_ups_s", c->look_ups_s, "peak_measured_bytes", native->peak_bytes);
  json_object_set_new(object, "processes",
                      json_integer((json_int_t)p->profile.processes));
  return object;
}

static json_t *user_time(const struct planning *p) {
  const struct what_if_time *time = &p->table.native.time;
  if (!(time->user_s > 0)) return json_null();
  return json_of_reals("user_s", time->user_s, "user_s_least", time->lo_s,
                       "user_s_most", time->hi_s);
}

json_t *planning_to_json(const struct planning *p) {
  json_t *object = page_plan_to_json(&p->plan);
  json_t *choices = json_object_get(object, "choices");
  for (size_t i = 0; i < p->plan.choice_count; i++)
    json_object_set_new(json_array_get(choices, i), "misses_saved",
                        json_of_real(p->choice_misses[i]));
  double optimum = p->saving > 0 ? p->most / p->saving - 1 : NAN;
  json_object_set_new(object, "optimum_more", json_of_real(optimum));
  json_object_set_new(object, "misses", misses(p));
  json_object_set_new(object, "saved_curve", saved_curve(p));
  json_object_set_new(object, "costs", costs(p));
  json_object_set_new(object, "native", user_time(p));
  json_object_set_new(object, "saved_time",
                      !planning_has_time(p)
                          ? json_null()
                          : json_string(p->by_touch ? "system" : "user"));
  return object;
}
