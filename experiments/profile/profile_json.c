/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/json_file.h"
#include "experiments/profile/profile_heat.h"
#include "experiments/profile/profile_objects.h"
#include "experiments/profile/profile_request.h"
#include "experiments/profile/what_if_table.h"
#include "experiments/sim/tlb_option.h"

/* {"4k": [leaf, ..., root], ...} */
static json_t *misses(const struct profile *profile,
                      const struct profile_counts *counts) {
  json_t *object = json_object();
  for (unsigned t = 0; t < profile->trees; t++) {
    json_t *layers = json_array();
    for (unsigned i = 0; i < profile->tree[t].layers; i++)
      json_array_append_new(layers,
                            json_integer((json_int_t)counts->misses[t][i]));
    json_object_set_new(object, profile->tree[t].name, layers);
  }
  return object;
}

static json_t *text_or_null(const char *value) {
  return *value ? json_of_text(value) : json_null();
}

static json_t *place(const struct profile_place *at) {
  return json_pack("{so so so so so*}", "name", text_or_null(at->function),
                   "file", text_or_null(at->file), "object",
                   text_or_null(at->object), "line",
                   at->line ? json_integer(at->line) : json_null(), "offset",
                   at->offset ? json_integer((json_int_t)at->offset) : NULL);
}

static json_t *costs(const struct profile *profile,
                     const struct profile_counts *counts) {
  return json_pack("{sI so}", "accesses", (json_int_t)counts->accesses,
                   "misses", misses(profile, counts));
}

static json_t *rows(const struct profile *profile,
                    const struct profile_rows *from, bool are_functions) {
  json_t *array = json_array();
  for (size_t i = 0; i < from->count; i++) {
    const struct profile_row *row = &from->row[i];
    json_t *object = place(&row->at);
    if (are_functions) json_object_del(object, "line");
    json_object_update_new(object, costs(profile, &row->counts));
    if (are_functions)
      json_object_set_new(object, "inclusive", costs(profile, &row->inclusive));
    json_array_append_new(array, object);
  }
  return array;
}

/* {"4k": misses, ...} */
static json_t *by_tree(const struct profile *profile, const uint64_t *count) {
  json_t *object = json_object();
  for (unsigned t = 0; t < profile->trees; t++)
    json_object_set_new(object, profile->tree[t].name,
                        json_integer((json_int_t)count[t]));
  return object;
}

/* Of base pages; null: the first tree has others, or it is not known. */
static json_t *of_base(const struct profile *profile, bool known,
                       uint64_t count) {
  return known && !strcmp(profile->tree[0].name, "4k")
             ? json_integer((json_int_t)count)
             : json_null();
}

/* The units that miss most; a saved profile has all. */
static json_t *hottest(const struct profile *profile,
                       const struct profile_site *site) {
  enum { MOST = 16 };
  const struct profile_heat *heat[MOST];
  size_t count = profile_heat_hottest(profile, site, MOST, heat);
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    const struct profile_heat *unit = heat[i];
    json_array_append_new(
        array,
        json_pack("{so sI so so}", "block",
                  unit->block == PROFILE_SMALL ? json_null()
                                               : json_integer(unit->block),
                  "unit", (json_int_t)unit->unit, "pages",
                  of_base(profile, true, unit->pages), "misses",
                  by_tree(profile, unit->misses)));
  }
  return array;
}

/* Sizes of blocks, and what is known of units and calls; null of what an older
 * vat saved. */
static json_t *large_blocks(const struct profile *profile,
                            const struct profile_site *site) {
  if (!profile->unit)
    return json_pack("{sn sn sn sn sn sn sn}", "smallest_block",
                     "largest_block", "large_blocks", "large_bytes", "chains",
                     "units", "heat");
  return json_pack(
      "{sI sI sI sI sI sI so}", "smallest_block", (json_int_t)site->smallest,
      "largest_block", (json_int_t)site->largest, "large_blocks",
      (json_int_t)site->large, "large_bytes", (json_int_t)site->large_peak,
      "chains", (json_int_t)(site->chains + site->more_chains), "units",
      (json_int_t)site->heats, "heat", hottest(profile, site));
}

static json_t *site_of(const struct profile *profile, size_t number) {
  const struct profile_site *site = &profile->sites.site[number];
  char where[PROFILE_WHERE];
  json_t *callers = json_array();
  for (unsigned i = 0; i < site->callers; i++)
    json_array_append_new(callers, place(&site->caller[i]));
  json_t *object = json_pack(
      "{so ss so so sI sI sI so so sI so so}", "where",
      json_of_text(profile_site_where(site, where)), "kind", site->kind, "name",
      text_or_null(site->name), "callers", callers, "blocks",
      (json_int_t)site->blocks, "allocated", (json_int_t)site->bytes, "bytes",
      (json_int_t)site->peak, "pages", by_tree(profile, site->pages), "faults",
      of_base(profile, profile->has_faults, site->faults), "accesses",
      (json_int_t)site->counts.accesses, "misses",
      misses(profile, &site->counts), "saving",
      profile->what_if ? what_if_site_to_json(profile->what_if, number)
                       : json_null());
  json_object_update_new(object, large_blocks(profile, site));
  return object;
}

static json_t *sites(const struct profile *profile) {
  json_t *array = json_array();
  for (size_t i = 0; i < profile->sites.count; i++)
    json_array_append_new(array, site_of(profile, i));
  return array;
}

static json_t *all_pages(const struct profile *profile) {
  uint64_t count[PROFILE_TREES];
  for (unsigned t = 0; t < profile->trees; t++)
    count[t] = profile_pages(profile, t);
  return by_tree(profile, count);
}

static json_t *command(const struct profile_request *request) {
  json_t *array = json_array();
  for (char **word = request->program; *word; word++)
    json_array_append_new(array, json_of_text(*word));
  return array;
}

/* Of how many processes malloc() and its like were told, and what of
 * --allocator nobody called. */
static json_t *heap(const struct profile *profile) {
  unsigned told = profile->processes - profile->nameless - profile->unknown;
  json_t *uncalled = json_array();
  for (unsigned i = 0; i < profile->allocators; i++)
    if (!profile->allocator[i].called)
      json_array_append_new(uncalled, json_of_text(profile->allocator[i].name));
  return json_pack("{si si si so}", "told", (int)told, "nameless",
                   (int)profile->nameless, "unknown", (int)profile->unknown,
                   "uncalled", uncalled);
}

static json_t *caches(const struct profile_request *request,
                      const struct profile *profile) {
  const char *policy = request->policy;
  json_t *object = json_object();
  for (unsigned t = 0; t < profile->trees; t++) {
    const struct profile_tree *tree = &profile->tree[t];
    json_t *cache = request->tlb_unknown
                        ? json_pack("{ss sn}", "policy", policy, "tlb")
                    : request->tlb.level[0].entries
                        ? sim_tlb_json(&request->tlb)
                        : json_pack("{ss sI}", "policy", policy, "tc_nodes",
                                    (json_int_t)tree->nodes);
    json_object_set_new(cache, "levels",
                        json_integer((json_int_t)tree->layers - 1));
    json_object_set_new(object, tree->name, cache);
  }
  return object;
}

/* null: TCs have no second level. */
static json_t *second_hits(const struct profile *profile) {
  if (!profile->has_second_hits) return json_null();
  json_t *object = json_object();
  for (unsigned t = 0; t < profile->trees; t++)
    json_object_set_new(object, profile->tree[t].name,
                        json_integer((json_int_t)profile->second_hits[t]));
  return object;
}

static json_t *what_if_json(const struct what_if_table *table) {
  json_t *object = what_if_to_json(table);
  json_object_set_new(object, "sizes", what_if_sizes_to_json(table));
  return object;
}

int profile_json(const struct profile_request *request,
                 const struct profile *profile, FILE *to) {
  json_t *all = json_pack(
      "{so sI sI so sI so so so so so so sI so so so so so}", "command",
      command(request), "processes", (json_int_t)profile->processes, "threads",
      (json_int_t)profile->threads, "caches", caches(request, profile),
      "accesses", (json_int_t)profile->totals.accesses, "misses",
      misses(profile, &profile->totals), "second_hits", second_hits(profile),
      "plan", profile_plan_json(profile), "pages", all_pages(profile), "code",
      profile_code_json(request, profile), "functions",
      rows(profile, &profile->functions, true), "sampled",
      (json_int_t)profile->sampled, "heap", heap(profile), "sites",
      sites(profile), "objects",
      profile->unit ? profile_objects_to_json(profile) : json_null(), "lines",
      rows(profile, &profile->lines, false), "what_if",
      profile->what_if ? what_if_json(profile->what_if) : json_null());
  json_line(to, all, JSON_COMPACT);
  return VAT_OK;
}
