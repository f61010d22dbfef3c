/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a plan that is resumed what the options ask for? */
#include <string.h>

#include "experiments/run/run_options.h"

/* An algorithm has an entry for each of its generators. */
static bool same_algos(const struct run_options *options,
                       const struct plan *plan) {
  size_t i = 0;
  for (size_t k = 0; k < options->algos.count; k++) {
    size_t first = i;
    while (i < plan->count &&
           !strcmp(options->algos.at[k], plan->entries[i].algo->name))
      i++;
    if (i == first) return false;
  }
  return i == plan->count;
}

/* Has the plan all numbers of the list, where there is one, and no others? */
static bool same_blocks(const struct run_options *options,
                        const struct plan *plan, bool grid) {
  const struct sizes *list =
      grid ? &options->grid_blocks : &options->block_threads;
  size_t found = 0; /* of each: entries begin with the smallest */
  bool same = true;
  for (size_t i = 0; list->count && i < plan->count; i++) {
    const struct sample_variant variant = plan_variant(plan, &plan->entries[i]);
    uint32_t has = grid ? variant.grid_blocks : variant.block_threads;
    bool any = false;
    for (size_t j = 0; j < list->count; j++) any |= list->at[j] == has;
    if (found < list->count && list->at[found] == has) found++;
    same &= any;
  }
  return same && found == list->count;
}

static bool same_sweeps(const struct run_options *options,
                        const struct plan *plan) {
  const struct sizes *asked = &options->sizes;
  for (size_t i = 0; asked->count && i < plan->count; i++) {
    const struct sizes *sweep = plan_sweep(&plan->entries[i]);
    if (sweep->count != asked->count ||
        memcmp(sweep->at, asked->at, sweep->count * sizeof *sweep->at) != 0)
      return false;
  }
  return true;
}

static bool differs(uint64_t asked, uint64_t planned) {
  return asked && asked != planned;
}

const char *run_plan_conflict(const struct run_options *o,
                              const struct plan *made,
                              const struct plan *plan) {
  const struct plan *asked = &o->asked;
  const struct sample_variant *variant = &plan->variant;
  const struct {
    const char *option;
    bool differs;
  } all[] = {
      {o->set ? "--set" : "algorithms", o->algos.count && !same_algos(o, plan)},
      {"--device", o->device && made->device != plan->device},
      {"--sizes", !same_sweeps(o, plan)},
      {"--pages", page_set_is_named(o->pages) &&
                      memcmp(&made->pages, &plan->pages, sizeof plan->pages)},
      {"--reps", differs(asked->reps, plan->reps)},
      {"--passes", o->passes_given && asked->passes != plan->passes},
      {"--seed", o->seed_given && asked->seed != plan->seed},
      {"--counters", o->counters && strcmp(o->counters, plan->counters)},
      {"--device-memory", differs(o->device_memory, plan->device_room)},
      /* None asked for are one; and times with others are other times. */
      {"--emu-threads",
       differs(asked->emu_threads, plan->emu_threads ? plan->emu_threads : 1)},
      {"--block-threads", !same_blocks(o, plan, false)},
      {"--dummy-shared",
       differs(asked->variant.dummy_shared, variant->dummy_shared)},
      {"--grid-blocks", !same_blocks(o, plan, true)},
      {"--parameters",
       o->parameters && strcmp(o->parameters, variant->parameters)},
      {"--alloc", o->alloc && made->alloc != plan->alloc},
      {"--shard", o->shard.count && (o->shard.index != plan->shard.index ||
                                     o->shard.count != plan->shard.count)}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].differs) return all[i].option;
  return NULL;
}
