/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tree of a plan tells: its misses by layer, and beside what adding up
 * its choices gave. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/record.h"
#include "experiments/profile/profile.h"
#include "huge_pages/size_text.h"

unsigned profile_plan_tree(const struct profile *profile) {
  unsigned t = 0;
  while (t < profile->trees && strcmp(profile->tree[t].name, "plan")) t++;
  return t < profile->trees ? t : PROFILE_TREES;
}

void profile_plan_layers(const struct profile *profile,
                         uint64_t layer[PROFILE_LAYERS]) {
  const struct profile_plan *plan = &profile->plan;
  const uint64_t *misses = profile->totals.misses[profile_plan_tree(profile)];
  const unsigned base_bits = 12, index_bits = 9;
  unsigned leaf = (plan->page_bits - base_bits) / index_bits;
  uint64_t large = 0;
  memcpy(layer, misses, PROFILE_LAYERS * sizeof *layer);
  for (unsigned n = PROFILE_LAYERS; n-- > 0;) {
    large += plan->large[n];
    layer[n] -= large;
    if (n + leaf < PROFILE_LAYERS) layer[n + leaf] += large;
  }
}

/* A damaged file can tell of a plan without its tree. */
bool profile_plan_is_there(const struct profile *profile) {
  return profile->plan.page_bits && profile_plan_tree(profile) < PROFILE_TREES;
}

static uint64_t large_misses(const struct profile *profile) {
  uint64_t sum = 0;
  for (unsigned n = 0; n < PROFILE_LAYERS; n++) sum += profile->plan.large[n];
  return sum;
}

/* Of the leaf misses on base pages, the share that the plan saves; NAN: these
 * were not simulated, or there are none. */
static double share_saved(const struct profile *profile) {
  double base = (double)profile->totals.misses[0][0];
  double left = (double)profile->totals.misses[profile_plan_tree(profile)][0];
  return strcmp(profile->tree[0].name, "4k") || !(base > 0)
             ? NAN
             : (base - left) / base;
}

static double added_share(const struct profile_added *added) {
  return added->leaf > 0 ? added->saved / added->leaf : NAN;
}

json_t *profile_added_to_json(const struct profile_added *added) {
  return json_of_reals("leaf", added->leaf, "saved", added->saved, "user_ratio",
                       added->user_ratio, "lo", added->lo, "hi", added->hi);
}

struct profile_added profile_added_of_json(const json_t *object) {
  return (struct profile_added){
      json_real_at(object, "leaf"), json_real_at(object, "saved"),
      json_real_at(object, "user_ratio"), json_real_at(object, "lo"),
      json_real_at(object, "hi")};
}

json_t *profile_plan_json(const struct profile *profile) {
  const struct profile_plan *plan = &profile->plan;
  uint64_t layer[PROFILE_LAYERS];
  if (!profile_plan_is_there(profile)) return json_null();
  json_t *layers = json_array();
  profile_plan_layers(profile, layer);
  for (unsigned i = 0; i < profile->tree[profile_plan_tree(profile)].layers;
       i++)
    json_array_append_new(layers, json_integer((json_int_t)layer[i]));
  json_t *added = json_of_reals("leaf_misses_saved", added_share(&plan->added),
                                "user_ratio", plan->added.user_ratio, "lo",
                                plan->added.lo, "hi", plan->added.hi);
  return json_pack("{sI sI so sI so so}", "page_bytes",
                   (json_int_t)1 << plan->page_bits, "large_leaf_misses",
                   (json_int_t)large_misses(profile), "misses_by_layer", layers,
                   "both", (json_int_t)plan->both, "leaf_misses_saved",
                   json_of_real(share_saved(profile)), "added_up", added);
}

/* Layers are as `vat sim --layout` has them. */
void profile_plan_print(const struct profile *profile, FILE *to) {
  const struct profile_plan *plan = &profile->plan;
  uint64_t layer[PROFILE_LAYERS];
  if (!profile_plan_is_there(profile)) return;
  double saved = share_saved(profile), added = added_share(&plan->added);
  profile_plan_layers(profile, layer);
  fprintf(to,
          "plan: %llu of the leaf misses on pages of %s; by layer of the 4k "
          "tree",
          (unsigned long long)large_misses(profile),
          HP_SIZE_SHOWN((size_t)1 << plan->page_bits));
  for (unsigned i = 0; i < profile->tree[profile_plan_tree(profile)].layers;
       i++)
    fprintf(to, " %llu", (unsigned long long)layer[i]);
  fputc('\n', to);
  if (isnan(saved)) return;
  fprintf(to, "plan: %.1f %% of the leaf misses on 4k saved", 100 * saved);
  if (!isnan(added))
    fprintf(to, "; adding up what each choice saves, the plan says %.1f %%",
            100 * added);
  fputc('\n', to);
}
