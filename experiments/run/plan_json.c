/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/plan_json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/json_u64.h"
#include "experiments/cli/memory.h"
#include "experiments/run/plan_shard.h"
#include "gpu_algos/gpu_algo.h"

static json_t *sizes_to_json(const struct sizes *sizes) {
  json_t *array = json_array();
  for (size_t i = 0; i < sizes->count; i++)
    json_array_append_new(array, json_integer((json_int_t)sizes->at[i]));
  return array;
}

static json_t *entry_to_json(const struct plan_entry *entry) {
  json_t *object =
      json_pack("{s:s, s:s*, s:o}", "name", entry->algo->name, "generator",
                entry->generator, "sizes", sizes_to_json(plan_sweep(entry)));
  if (entry->block_threads)
    json_object_set_new(object, "block_threads",
                        json_integer(entry->block_threads));
  if (entry->grid_blocks)
    json_object_set_new(object, "grid_blocks",
                        json_integer(entry->grid_blocks));
  return object;
}

json_t *plan_to_json(const struct plan *plan) {
  json_t *algos = json_array(), *pages = json_array();
  for (size_t i = 0; i < plan->count; i++)
    json_array_append_new(algos, entry_to_json(&plan->entries[i]));
  for (size_t i = 0; i < plan->pages.count; i++)
    json_array_append_new(pages, json_string(plan->pages.kinds[i]->name));
  json_t *record = json_pack(
      "{s:s, s:o, s:o, s:I, s:I, s:o, s:f, s:b, s:s, s:I, s:s*}", "record",
      "plan", "algos", algos, "pages", pages, "reps", (json_int_t)plan->reps,
      "passes", (json_int_t)plan->passes, "seed", json_of_u64(plan->seed),
      "time_budget_s", plan->time_budget_s, "thin", plan->thin, "counters",
      plan->counters, "simulate", (json_int_t)plan->simulate, "alloc",
      plan->alloc ? plan->alloc->name : NULL);
  if (plan->shard.count)
    json_object_set_new(record, "shard",
                        json_pack("[I, I]", (json_int_t)plan->shard.index,
                                  (json_int_t)plan->shard.count));
  if (plan->device && plan->device->own_memory)
    json_object_set_new(record, "device", json_string(plan->device->name));
  if (plan->device_room)
    json_object_set_new(record, "device_room",
                        json_integer((json_int_t)plan->device_room));
  if (plan->emu_threads)
    json_object_set_new(record, "emu_threads", json_integer(plan->emu_threads));
  if (!record || !sample_variant_to_json(&plan->variant, record)) return record;
  json_decref(record);
  return NULL;
}

static int sizes_from_json(struct sizes *sizes, const json_t *array) {
  size_t count = json_array_size(array);
  uint64_t last = 0;
  sizes->at = memory_get((count + 1) * sizeof *sizes->at);
  for (sizes->count = 0; sizes->count < count; sizes->count++) {
    json_int_t n = json_integer_value(json_array_get(array, sizes->count));
    const json_t *size = json_array_get(array, sizes->count);
    if (!json_is_integer(size) || n < 0 ||
        (sizes->count && (uint64_t)n <= last)) {
      errno = EINVAL;
      return -1;
    }
    sizes->at[sizes->count] = last = (uint64_t)n;
  }
  return 0;
}

/* In older files the plan names one for all.  False: the algorithm has none of
 * that name. */
static bool generator_from_json(struct plan_entry *entry, const json_t *name) {
  const char *const *all = entry->algo->generators;
  if (!name) return true;
  const char *found =
      json_is_string(name)
          ? cpu_algo_generator(entry->algo, json_string_value(name))
          : NULL;
  entry->generator = found && found != all[0] ? found : NULL;
  return found;
}

/* Those of this entry alone, or false: no such numbers. */
static bool blocks_from_json(struct plan_entry *entry, const json_t *record) {
  struct sample_variant own;
  json_t *blocks = json_pack(
      "{s:O*, s:O*}", "block_threads", json_object_get(record, "block_threads"),
      "grid_blocks", json_object_get(record, "grid_blocks"));
  bool good = sample_variant_from_json(&own, blocks);
  json_decref(blocks);
  entry->block_threads = own.block_threads;
  entry->grid_blocks = own.grid_blocks;
  return good;
}

static int algo_from_json(struct plan *plan, const json_t *entry,
                          const json_t *generator, char reason[PLAN_REASON]) {
  const char *name = json_string_value(json_object_get(entry, "name"));
  const struct algo *algo = name ? device_algo(plan->device, name) : NULL;
  struct sizes sizes = {0};
  if (!algo) {
    snprintf(reason, PLAN_REASON, "its plan names an unknown algorithm '%.40s'",
             name ? name : "");
    errno = EINVAL;
    return -1;
  }
  int failed = sizes_from_json(&sizes, json_object_get(entry, "sizes"));
  if (failed)
    snprintf(reason, PLAN_REASON, "its plan has bad sizes for %s", name);
  else
    plan_add(plan, algo, &sizes);
  free(sizes.at);
  if (failed) return failed;
  const json_t *own = json_object_get(entry, "generator");
  struct plan_entry *added = &plan->entries[plan->count - 1];
  bool blocks = blocks_from_json(added, entry);
  if (blocks && generator_from_json(added, own ? own : generator)) return 0;
  snprintf(reason, PLAN_REASON,
           blocks ? "its plan has an unknown generator for %s"
                  : "its plan has no such blocks for %s",
           name);
  errno = EINVAL;
  return -1;
}

static int kind_from_json(struct plan *plan, const json_t *entry,
                          char reason[PLAN_REASON]) {
  const char *name = json_string_value(entry);
  const struct hp_kind *kind = name ? hp_kind_find(name) : NULL;
  if (!kind || plan->pages.count == PAGE_SET_MAX) {
    snprintf(reason, PLAN_REASON, "its plan names an unknown page kind '%.40s'",
             name ? name : "");
    errno = EINVAL;
    return -1;
  }
  plan->pages.kinds[plan->pages.count++] = kind;
  return 0;
}

/* Do all algorithms take the parameters and the number of blocks? */
static int check_taken(const struct plan *plan, char reason[PLAN_REASON]) {
  for (size_t i = 0; i < plan->count; i++) {
    const struct algo *algo = plan->entries[i].algo;
    struct sample_variant asked;
    plan_variant(plan, &plan->entries[i], &asked);
    bool taken = !asked.grid_blocks || (algo->gpu && algo->gpu->any_grid);
    if (*asked.parameters)
      taken &=
          algo->refuse_parameters && !algo->refuse_parameters(asked.parameters);
    if (plan->entries[i].block_threads)
      taken &=
          algo->gpu && algo->gpu->refuse_block &&
          !algo->gpu->refuse_block(asked.block_threads, asked.dummy_shared);
    if (taken) continue;
    snprintf(reason, PLAN_REASON,
             "its plan has parameters or blocks that %.40s does not take",
             algo->name);
    errno = EINVAL;
    return -1;
  }
  return 0;
}

static int variant_from_json(struct plan *plan, const json_t *record,
                             char reason[PLAN_REASON]) {
  bool good = sample_variant_from_json(&plan->variant, record);
  for (size_t i = 1; good && *plan->variant.file && i < plan->count; i++)
    good = plan->entries[i].algo == plan->entries[0].algo;
  /* Not of each: see plan_variant(). */
  *plan->variant.alloc = *plan->variant.generator = '\0';
  if (good) return check_taken(plan, reason);
  snprintf(reason, PLAN_REASON, "its plan has an unknown input");
  errno = EINVAL;
  return -1;
}

static int alloc_from_json(struct plan *plan, const json_t *way,
                           char reason[PLAN_REASON]) {
  const char *name = json_string_value(way);
  if (!way || (name && (plan->alloc = alloc_find(name)))) return 0;
  snprintf(reason, PLAN_REASON, "its plan names an unknown allocator '%.40s'",
           name ? name : "");
  errno = EINVAL;
  return -1;
}

/* Older files have none, nor those of the processor. */
static int device_from_json(struct plan *plan, const json_t *device,
                            char reason[PLAN_REASON]) {
  const char *name = json_string_value(device);
  if ((!device || name) && (plan->device = device_find(name))) return 0;
  snprintf(reason, PLAN_REASON, "its plan names an unknown device '%.40s'",
           name ? name : "");
  errno = EINVAL;
  return -1;
}

static int shard_from_json(struct plan *plan, const json_t *pair,
                           char reason[PLAN_REASON]) {
  json_int_t index = json_integer_value(json_array_get(pair, 0));
  json_int_t count = json_integer_value(json_array_get(pair, 1));
  if (!pair) return 0;
  if (index >= 1 && index <= count && count <= SHARDS_MAX)
    return plan_shard(plan, (struct shard){(uint32_t)index, (uint32_t)count},
                      reason);
  snprintf(reason, PLAN_REASON, "its plan has an unknown shard");
  errno = EINVAL;
  return -1;
}

/* All of it but what has a name that may be unknown here. */
static int numbers_from_json(struct plan *plan, const json_t *record) {
  const json_t *seed = json_object_get(record, "seed");
  json_int_t reps = json_integer_value(json_object_get(record, "reps"));
  json_int_t passes = json_integer_value(json_object_get(record, "passes"));
  if (reps < 0 || reps > UINT32_MAX || passes < 0 || passes > UINT32_MAX ||
      (seed && !u64_of_json(seed, &plan->seed)))
    return -1;
  plan->reps = (uint32_t)reps;
  plan->passes = passes ? (uint32_t)passes : 1; /* older files have none */
  plan->time_budget_s =
      json_number_value(json_object_get(record, "time_budget_s"));
  plan->simulate =
      (uint64_t)json_integer_value(json_object_get(record, "simulate"));
  plan->thin = json_is_true(json_object_get(record, "thin"));
  plan->device_room =
      (uint64_t)json_integer_value(json_object_get(record, "device_room"));
  plan->emu_threads =
      (uint32_t)json_integer_value(json_object_get(record, "emu_threads"));
  return 0;
}

int plan_from_json(struct plan *plan, const json_t *record,
                   char reason[PLAN_REASON]) {
  const json_t *algos = json_object_get(record, "algos");
  const json_t *pages = json_object_get(record, "pages");
  *plan = (struct plan){0};
  if (!json_array_size(algos) || !json_array_size(pages) ||
      numbers_from_json(plan, record)) {
    snprintf(reason, PLAN_REASON, "it has no usable plan to resume");
    errno = EINVAL;
    return -1;
  }
  const char *counters = json_string_value(json_object_get(record, "counters"));
  snprintf(plan->counters, sizeof plan->counters, "%s",
           counters ? counters : "");
  if (device_from_json(plan, json_object_get(record, "device"), reason))
    goto fail;
  for (size_t i = 0; i < json_array_size(algos); i++)
    if (algo_from_json(plan, json_array_get(algos, i),
                       json_object_get(record, "generator"), reason))
      goto fail;
  for (size_t i = 0; i < json_array_size(pages); i++)
    if (kind_from_json(plan, json_array_get(pages, i), reason)) goto fail;
  if (alloc_from_json(plan, json_object_get(record, "alloc"), reason))
    goto fail;
  if (variant_from_json(plan, record, reason)) goto fail;
  if (shard_from_json(plan, json_object_get(record, "shard"), reason))
    goto fail;
  return 0;
fail:
  plan_fini(plan);
  return -1;
}
