/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/device/offload.h"
#include "gpu_algos/gpu_algo.h"

void plan_fini(struct plan *plan) {
  for (size_t i = 0; i < plan->count; i++) {
    free(plan->entries[i].sizes.at);
    free(plan->entries[i].sweep.at);
  }
  free(plan->entries);
  *plan = (struct plan){0};
}

void plan_add(struct plan *plan, const struct algo *algo,
              const struct sizes *sizes) {
  uint64_t *at = memory_get((sizes->count + 1) * sizeof *at);
  memcpy(at, sizes->at, sizes->count * sizeof *at);
  *ARRAY_ADD(plan->entries, plan->count) =
      (struct plan_entry){.algo = algo, .sizes = {at, sizes->count}};
}

const struct sizes *plan_sweep(const struct plan_entry *entry) {
  return entry->sweep.at ? &entry->sweep : &entry->sizes;
}

uint32_t plan_reps(const struct plan *plan, const struct algo *algo,
                   uint64_t n) {
  /* Six pairs are the least that a bootstrap of the median gets 95 % from;
   * three are kept where one run takes many seconds, or where time is short and
   * larger sizes are worth more.  Decided by operations, not by the clock, so
   * that the same command always yields the same set of samples. */
  if (plan->reps) return plan->reps;
  return cpu_algo_ops(algo, n, plan->given) <= (plan->thin ? 1e7 : 1e9) ? 6 : 3;
}

uint32_t plan_reps_after(const struct plan *plan, uint32_t pass,
                         uint32_t reps) {
  uint64_t passes = plan->passes ? plan->passes : 1;
  if (passes > reps) return pass < reps ? pass + 1 : reps;
  return (uint32_t)((reps * (pass + UINT64_C(1)) + passes - 1) / passes);
}

unsigned plan_threads(const struct plan *plan) {
  unsigned most = 1;
  for (size_t i = 0; i < plan->count; i++) {
    const struct algo *algo = plan->entries[i].algo;
    unsigned threads =
        algo->threads ? algo->threads(plan->variant.parameters) : 1;
    if (threads > most) most = threads;
  }
  return most;
}

const char *plan_alloc_name(const struct plan *plan, const struct algo *algo) {
  if (!algo->allocates) return "";
  return plan->alloc ? plan->alloc->name : "workspace";
}

struct sample_variant plan_variant(const struct plan *plan,
                                   const struct plan_entry *entry) {
  struct sample_variant variant = plan->variant;
  if (entry->block_threads) variant.block_threads = entry->block_threads;
  if (entry->grid_blocks) variant.grid_blocks = entry->grid_blocks;
  snprintf(variant.generator, sizeof variant.generator, "%s",
           entry->generator ? entry->generator : "");
  snprintf(variant.alloc, sizeof variant.alloc, "%s",
           plan_alloc_name(plan, entry->algo));
  return variant;
}

struct algo_run plan_run(const struct plan *plan,
                         const struct plan_entry *entry, uint64_t n) {
  const struct sample_variant variant = plan_variant(plan, entry);
  return (struct algo_run){.n = n,
                           .seed = plan->seed,
                           .bytes = cpu_algo_bytes(entry->algo, n, plan->given),
                           .given = plan->given,
                           .generator = entry->generator,
                           .gpu = {.block_threads = variant.block_threads,
                                   .dummy_shared = variant.dummy_shared,
                                   .grid_blocks = variant.grid_blocks},
                           .parameters = plan->variant.parameters};
}

/* The largest n below `n`, which has none, that an algorithm has bytes for: of
 * data from outside, whatever is more in those. */
static uint64_t most_of(const struct plan *plan, const struct algo *algo,
                        uint64_t n) {
  uint64_t good = 0;
  while (n - good > 1) {
    uint64_t middle = good + (n - good) / 2;
    if (alloc_region_bytes(plan->alloc, algo, middle, NULL))
      good = middle;
    else
      n = middle;
  }
  return good;
}

const char *plan_smaller(const struct plan *plan, char text[PLAN_SMALLER]) {
  if (!plan->given) return "smaller --sizes";
  snprintf(text, PLAN_SMALLER, "a smaller input than %s", plan->variant.file);
  return text;
}

static int refuse_too_large(const struct plan *plan, const struct algo *algo,
                            uint64_t n) {
  char smaller[PLAN_SMALLER];
  if (plan->device && plan->device->own_memory)
    return fail(
        VAT_USAGE,
        "%s: n = %llu is too large on a GPU, the maximum is %llu; choose %s",
        algo->name, (unsigned long long)n,
        (unsigned long long)most_of(plan, algo, n),
        plan_smaller(plan, smaller));
  return fail(VAT_USAGE,
              "%s: n = %llu does not fit the address space; choose %s",
              algo->name, (unsigned long long)n, plan_smaller(plan, smaller));
}

int plan_bytes(const struct plan *plan, size_t *bytes) {
  *bytes = 0;
  for (size_t i = 0; i < plan->count; i++) {
    const struct algo *algo = plan->entries[i].algo;
    const struct sizes *sizes = &plan->entries[i].sizes;
    for (size_t j = 0; j < sizes->count; j++) {
      uint64_t n = sizes->at[j], fit = cpu_algo_fit(algo, n);
      if (fit != n)
        return fail(VAT_USAGE,
                    "%s: n = %llu is an unsupported size; it takes %s, the "
                    "next smaller one is %llu",
                    algo->name, (unsigned long long)n, algo->fits,
                    (unsigned long long)fit);
      size_t need = alloc_region_bytes(plan->alloc, algo, n, plan->given);
      if (!need) return refuse_too_large(plan, algo, n);
      if (need > *bytes) *bytes = need;
    }
  }
  return VAT_OK;
}

size_t plan_room(const struct plan *plan) {
  uint64_t room = plan->device_room;
  return room && room < SIZE_MAX ? (size_t)room : SIZE_MAX;
}

size_t plan_device_bytes(const struct plan *plan) {
  size_t most = 0;
  for (size_t i = 0; i < plan->count; i++) {
    const struct plan_entry *e = &plan->entries[i];
    for (size_t j = 0; j < e->sizes.count; j++) {
      const struct algo_run run = plan_run(plan, e, e->sizes.at[j]);
      size_t bytes = offload_bytes(e->algo, &run, plan_room(plan));
      if (bytes > most) most = bytes;
    }
  }
  return most;
}

int plan_check_alloc(const struct plan *plan) {
  const struct alloc_way *way = plan->alloc;
  if (!way) return VAT_OK;
  if (way->missing())
    return fail(VAT_ABSENT, "--alloc %s: %s", way->name, way->missing());
  for (size_t i = 0; way->ordinary && i < plan->pages.count; i++)
    if (plan->pages.kinds[i] != hp_kind_base())
      return fail(VAT_USAGE,
                  "--alloc %s: this allocator uses base pages only, not %s; "
                  "fix: --alloc arena, or --pages %s",
                  way->name, plan->pages.kinds[i]->name, hp_kind_base()->name);
  return VAT_OK;
}

size_t plan_elsewhere_bytes(const struct plan *plan) {
  size_t most = 0;
  if (!plan->alloc || !plan->alloc->ordinary) return 0;
  for (size_t i = 0; i < plan->count; i++) {
    const struct plan_entry *e = &plan->entries[i];
    for (size_t j = 0; e->algo->allocates && j < e->sizes.count; j++) {
      size_t bytes = cpu_algo_bytes(e->algo, e->sizes.at[j], plan->given);
      if (bytes > most) most = bytes;
    }
  }
  return most;
}

int plan_shard(struct plan *plan, struct shard shard,
               char reason[PLAN_REASON]) {
  uint64_t count = 0, point = 0;
  for (size_t i = 0; i < plan->count; i++)
    count += plan_sweep(&plan->entries[i])->count;
  if (count < shard.count) {
    snprintf(reason, PLAN_REASON,
             "more shards than the sweep has points (an algorithm at a size), "
             "%llu; choose fewer shards",
             (unsigned long long)count);
    errno = EINVAL;
    return -1;
  }
  for (size_t i = 0; i < plan->count; i++) {
    struct plan_entry *entry = &plan->entries[i];
    entry->sweep = entry->sizes; /* and there is room for as many: */
    entry->sizes = (struct sizes){
        .at = memory_zeroed(entry->sweep.count + 1, sizeof *entry->sizes.at)};
  }
  for (size_t j = 0; point < count; j++)
    for (size_t i = 0; i < plan->count; i++) {
      struct plan_entry *entry = &plan->entries[i];
      if (j >= entry->sweep.count || !shard_has(&shard, point++)) continue;
      entry->sizes.at[entry->sizes.count++] = entry->sweep.at[j];
    }
  plan->shard = shard;
  return 0;
}

/* What is asked of an algorithm, and what is wrong with that. */
struct demand {
  const char *option;  /* NULL: nothing is asked */
  const char *instead; /* what it has instead */
  const char *why, *hint;
};

static struct demand ask_blocks(const struct algo *algo,
                                const struct sample_variant *asked) {
  unsigned threads = asked->block_threads, dummy = asked->dummy_shared;
  const char *option = threads ? "--block-threads" : "--dummy-shared";
  if (!threads && !dummy) return (struct demand){0};
  if (!algo->gpu || !algo->gpu->refuse_block)
    return (struct demand){option, .instead = "no choice of blocks"};
  return (struct demand){option, .hint = "",
                         .why = algo->gpu->refuse_block(threads, dummy)};
}

static struct demand ask_parameters(const struct algo *algo,
                                    const struct sample_variant *asked) {
  if (!*asked->parameters) return (struct demand){0};
  if (!algo->refuse_parameters)
    return (struct demand){"--parameters", .instead = "none"};
  return (struct demand){"--parameters",
                         .why = algo->refuse_parameters(asked->parameters),
                         .hint = " (each once, in digits; K is 1024)"};
}

static struct demand ask_grid(const struct algo *algo,
                              const struct sample_variant *asked) {
  if (!asked->grid_blocks || (algo->gpu && algo->gpu->any_grid))
    return (struct demand){0};
  return (struct demand){"--grid-blocks",
                         .instead = "no choice of how many blocks"};
}

const struct algo *plan_refusing(const struct plan *plan,
                                 char reason[PLAN_REASON]) {
  static struct demand (*const ask[])(const struct algo *algo,
                                      const struct sample_variant *asked) = {
      ask_blocks, ask_parameters, ask_grid};
  for (size_t k = 0; k < sizeof ask / sizeof *ask; k++)
    for (size_t i = 0; i < plan->count; i++) {
      const struct algo *algo = plan->entries[i].algo;
      const struct sample_variant asked = plan_variant(plan, &plan->entries[i]);
      const struct demand d = ask[k](algo, &asked);
      const char *given = ask[k] == ask_parameters ? asked.parameters : "";
      if (d.instead)
        snprintf(reason, PLAN_REASON, "%s: %s has %s; leave it out", d.option,
                 algo->name, d.instead);
      else if (d.why)
        snprintf(reason, PLAN_REASON, "%s%s%s: not for %s: %s%s", d.option,
                 *given ? " " : "", given, algo->name, d.why, d.hint);
      if (d.instead || d.why) return algo;
    }
  return NULL;
}
