/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/sweeps.h"

#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/array.h"
#include "experiments/cli/command.h"
#include "experiments/run/plan_json.h"

/* What a machine has room for and how long it may take are its own affair. */
static json_t *common_plan(const json_t *plan) {
  static const char *const own[] = {"shard", "device_room", "time_budget_s"};
  json_t *common = json_copy((json_t *)plan);
  for (size_t i = 0; common && i < sizeof own / sizeof *own; i++)
    json_object_del(common, own[i]);
  return common;
}

/* The I of [I, N], in *shards N; 1 of 1 where there is none. */
static uint32_t shard_of(const json_t *plan, uint32_t *shards) {
  const json_t *pair = json_object_get(plan, "shard");
  json_int_t index = json_integer_value(json_array_get(pair, 0));
  json_int_t count = json_integer_value(json_array_get(pair, 1));
  bool sound = index >= 1 && index <= count && count <= SHARDS_MAX;
  *shards = sound ? (uint32_t)count : 1;
  return sound ? (uint32_t)index : 1;
}

/* 0: a time budget may have left some out, or this vat does not know. */
static uint64_t planned(const json_t *record) {
  struct plan plan;
  char reason[PLAN_REASON];
  uint64_t samples = 0;
  if (plan_from_json(&plan, record, reason)) return 0;
  bool known = !(plan.time_budget_s > 0) && !*plan.variant.file;
  for (size_t i = 0; known && i < plan.count; i++) {
    const struct plan_entry *e = &plan.entries[i];
    for (size_t j = 0; j < e->sizes.count; j++)
      samples += plan_reps(&plan, e->algo, e->sizes.at[j]) * plan.pages.count;
  }
  plan_fini(&plan);
  return samples;
}

/* Takes `common` over. */
static struct sweep *find_or_add(struct sweeps *sweeps, json_t *common,
                                 uint32_t shards) {
  for (size_t i = 0; i < sweeps->count; i++) {
    struct sweep *sweep = &sweeps->sweeps[i];
    if (sweep->shards != shards || !json_equal(sweep->plan, common)) continue;
    json_decref(common);
    return sweep;
  }
  struct sweep *sweep = ARRAY_ADD(sweeps->sweeps, sweeps->count);
  *sweep = (struct sweep){.plan = common, .shards = shards};
  return sweep;
}

struct sweep_part *sweeps_add(struct sweeps *sweeps, const char *path,
                              size_t machine, const json_t *plan) {
  uint32_t shards, shard = shard_of(plan, &shards);
  json_t *common = common_plan(plan);
  struct sweep *sweep = find_or_add(sweeps, common, shards);
  for (size_t i = 0; i < sweep->count; i++)
    if (sweep->parts[i].shard == shard && sweep->parts[i].machine == machine)
      return &sweep->parts[i];
  struct sweep_part *part = ARRAY_ADD(sweep->parts, sweep->count);
  *part = (struct sweep_part){.path = path,
                              .machine = machine,
                              .shard = shard,
                              .planned = planned(plan)};
  return part;
}

static const char *first_difference(const json_t *a, const json_t *b) {
  const char *key;
  const json_t *value;
  json_object_foreach((json_t *)a, key, value) {
    if (!json_equal(value, json_object_get(b, key))) return key;
  }
  return "plan";
}

/* NULL: it has none. */
static const struct sweep_part *find_shard(const struct sweep *sweep,
                                           uint32_t shard) {
  for (size_t i = 0; i < sweep->count; i++)
    if (sweep->parts[i].shard == shard) return &sweep->parts[i];
  return NULL;
}

/* One of as many that is there, but by another command. */
static void tell_strayed(const struct sweeps *sweeps, const struct sweep *sweep,
                         uint32_t shard, const char *merged) {
  /* Of two only the first says it. */
  for (size_t i = (size_t)(sweep - sweeps->sweeps) + 1; i < sweeps->count;
       i++) {
    const struct sweep *other = &sweeps->sweeps[i];
    if (other->shards != sweep->shards) continue;
    const struct sweep_part *part = find_shard(other, shard);
    if (!part) continue;
    fail(VAT_FAILED,
         "%s: shard %u of %s is of another sweep than %s, by \"%s\": all "
         "shards are of one command",
         merged, shard, part->path, sweep->parts->path,
         first_difference(sweep->plan, other->plan));
    return;
  }
}

/* The first few by number. */
static bool has_all_shards(const struct sweeps *sweeps,
                           const struct sweep *sweep, const char *merged) {
  enum { NAMED = 10, TEXT = 160 };
  char list[TEXT] = "";
  size_t used = 0, missing = 0;
  uint32_t first = 0;
  for (uint32_t shard = 1; shard <= sweep->shards; shard++) {
    if (find_shard(sweep, shard)) continue;
    if (!missing) first = shard;
    if (missing++ < NAMED)
      used += (size_t)snprintf(list + used, TEXT - used, "%s%u",
                               missing > 1 ? ", " : "", shard);
  }
  if (!missing) return true;
  fail(VAT_FAILED,
       "%s: lacks shard%s %s%s of %u of the sweep that %s is of; give %s, "
       "too",
       merged, missing > 1 ? "s" : "", list, missing > NAMED ? ", ..." : "",
       sweep->shards, sweep->parts->path,
       missing > 1 ? "their files" : "its file");
  tell_strayed(sweeps, sweep, first, merged);
  return false;
}

static bool has_all_samples(const struct sweep_part *part) {
  if (part->there >= part->planned) return true;
  fail(VAT_FAILED,
       "%s: %llu of its %llu samples are not there; vat run --resume -o %s "
       "measures them",
       part->path, (unsigned long long)(part->planned - part->there),
       (unsigned long long)part->planned, part->path);
  return false;
}

bool sweeps_complete(const struct sweeps *sweeps, const char *merged) {
  bool complete = true;
  for (size_t i = 0; i < sweeps->count; i++) {
    const struct sweep *sweep = &sweeps->sweeps[i];
    complete &= has_all_shards(sweeps, sweep, merged);
    for (size_t j = 0; j < sweep->count; j++)
      complete &= has_all_samples(&sweep->parts[j]);
  }
  return complete;
}

void sweeps_fini(struct sweeps *sweeps) {
  for (size_t i = 0; i < sweeps->count; i++) {
    json_decref(sweeps->sweeps[i].plan);
    free(sweeps->sweeps[i].parts);
  }
  free(sweeps->sweeps);
  *sweeps = (struct sweeps){0};
}
