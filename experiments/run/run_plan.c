/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the options of vat run to a plan. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/spelling.h"
#include "experiments/memory/workspaces.h"
#include "experiments/run/run_options.h"
#include "gpu_algos/gpu_algo.h"
#include "huge_pages/available_memory.h"

/* Sizes start here where they are not given: below, the branch predictor
 * learns an input by heart over the repetitions. */
static const uint64_t first_size = 1 << 14;

/* Or lower where n is no number of elements but the side of a matrix: halved
 * until the workspace is no larger than this, and less an eighth, since rows of
 * powers of two meet in a few sets of the caches. */
static const size_t first_bytes = (size_t)512 << 10;

/* Without any size given, a run is over in two minutes. */
static const double default_budget_s = 120;

/* Emulated, kernels are run for their counts, which an operation hardly changes
 * any more at larger sizes, and take far longer than on a GPU. */
static const double emulated_budget_s = 30;
static const size_t emulated_bytes = (size_t)8 << 20;

/* Where no device is built in, nobody knows the names of what runs on them. */
static bool knows_kernels(void) {
  for (size_t i = 0; i < DEVICES; i++)
    if (devices[i].set) return true;
  return false;
}

/* Is every name one of the device's algorithms?  One that is not built in has
 * none, but would have those of the others. */
static int check_names(const struct run_options *options,
                       const struct device *device) {
  char names[NAMES_SIZE];
  for (size_t i = 0; i < options->algos.count; i++) {
    const char *name = options->algos.at[i];
    if (device_algo(device, name)) continue;
    if (device->own_memory && !knows_kernels() &&
        !device_algo(&devices[0], name))
      return device_open(device);
    if (cpu_algo_unbuilt(name))
      return fail(VAT_ABSENT, "%s: %s", name, cpu_algo_unbuilt(name));
    struct spelling spelling = {.typed = name};
    device_offer_algos(device, &spelling);
    if (!*device_names(name, names))
      return fail(VAT_USAGE, "%s: unknown algorithm; %ssee `vat list algos`",
                  name, spelling_hint(&spelling));
    const char *near = spelling.nearest;
    if (!device->own_memory || device->set || device_algo(&devices[0], name))
      return fail(VAT_USAGE, "%s does not run on --device %s, only on %s%s%s%s",
                  name, device->name, names, near ? "; " : "", near ? near : "",
                  near ? " does" : "");
  }
  return VAT_OK;
}

static bool any_allocates(const struct run_options *options) {
  for (size_t i = 0; i < options->algos.count; i++) {
    const struct algo *algo = cpu_algo_find(options->algos.at[i]);
    if (algo && algo->allocates) return true;
  }
  for (size_t i = 0; !options->algos.count && cpu_algos[i]; i++)
    if (cpu_algo_is_default(cpu_algos[i]) && cpu_algos[i]->allocates)
      return true;
  return false;
}

/* The first that can be had; if that is not the first, why. */
static const struct alloc_way *best_way(void) {
  const struct alloc_way *way = alloc_ways;
  while (way->missing()) way++;
  if (way != alloc_ways)
    fprintf(stderr,
            "vat: note: nodes are allocated by --alloc %s; --alloc %s is not "
            "available: %s\n",
            way->name, alloc_ways->name, alloc_ways->missing());
  return way;
}

static void keep_base_pages(const struct alloc_way *way, struct plan *plan) {
  const struct hp_kind *base = hp_kind_base();
  if (plan->pages.count == 1 && plan->pages.kinds[0] == base) return;
  plan->pages.kinds[0] = base;
  plan->pages.count = 1;
  fprintf(stderr, "vat: note: --alloc %s: measured on %s pages only\n",
          way->name, base->name);
}

/* Where nodes come from, if one of the algorithms asked for allocates.  Where
 * the page kinds are left open, ordinary allocators narrow them to base pages.
 */
static int choose_alloc(const struct run_options *options, struct plan *plan) {
  const char *name = options->alloc;
  bool any = any_allocates(options);
  if (name) plan->alloc = alloc_find(name);
  /* A plan to resume may have others than are named here. */
  if (name && !any && (options->algos.count || !options->resume))
    return fail(VAT_USAGE,
                "--alloc: no algorithm of this run allocates; leave it out, or "
                "name one that does, such as list_ranking_nodes");
  if (!name && any) plan->alloc = best_way();
  if (any && plan->alloc->ordinary && !page_set_is_named(options->pages))
    keep_base_pages(plan->alloc, plan);
  return VAT_OK;
}

/* Those of its sizes that are nearest from below. */
static void fit_sizes(const struct algo *algo, struct sizes *sizes) {
  size_t count = 0;
  for (size_t i = 0; i < sizes->count; i++) {
    uint64_t n = cpu_algo_fit(algo, sizes->at[i]);
    if (!count || sizes->at[count - 1] != n) sizes->at[count++] = n;
  }
  sizes->count = count;
}

/* The sizes of one algorithm where none were given: up to what `limit` bytes
 * of workspace hold. */
static void add_fitting(struct plan *plan, const struct algo *algo,
                        size_t limit) {
  struct sizes sizes = {0};
  uint64_t first = first_size;
  /* bytes() is 0 where it overflows. */
  while (first > 1 && algo->bytes(first) - 1 >= first_bytes) first /= 2;
  if (first < first_size) first -= first / 8;
  sizes_range(first, (uint64_t)1 << 40, SIZES_FACTOR, &sizes);
  fit_sizes(algo, &sizes);
  while (sizes.count > 1) {
    size_t bytes =
        alloc_region_bytes(plan->alloc, algo, sizes.at[sizes.count - 1], NULL);
    if (bytes && bytes <= limit) break;
    sizes.count--;
  }
  plan_add(plan, algo, &sizes);
  free(sizes.at);
}

static int add_algos(const struct run_options *options, struct plan *plan) {
  const struct device *device = plan->device;
  int code = VAT_OK;
  size_t limit = hp_memory_available() / 4 / plan->pages.count;
  size_t device_limit = device_free_bytes(device) / 2;
  if (device_is_emulated(device)) device_limit = emulated_bytes;
  if (device_limit < limit) limit = device_limit;
  for (size_t i = 0; !code; i++) {
    bool named = options->algos.count > 0;
    if (named ? i == options->algos.count : !device_algos(device)[i]) break;
    const struct algo *algo = named ? device_algo(device, options->algos.at[i])
                                    : device_algos(device)[i];
    if (!named && !device->own_memory && !cpu_algo_is_default(algo)) continue;
    for (size_t j = 0; j < plan->count; j++)
      if (plan->entries[j].algo == algo)
        code = fail(VAT_USAGE, "%s is named twice", algo->name);
    if (!code && options->quick) {
      uint64_t n = quick_size(algo);
      plan_add(plan, algo, &(struct sizes){&n, 1});
    } else if (!code && !options->sizes.count)
      add_fitting(plan, algo, limit);
    else if (!code)
      plan_add(plan, algo, &options->sizes);
  }
  return code;
}

/* Of what is free, less what else a run needs there; where no algorithm of the
 * plan has parts, 0: as much as they take. */
static uint64_t device_room(const struct run_options *options,
                            const struct plan *plan) {
  bool any = false;
  for (size_t i = 0; i < plan->count; i++)
    any |= plan->entries[i].algo->gpu && plan->entries[i].algo->gpu->chunk;
  if (options->device_memory || !any) return options->device_memory;
  if (!plan->device->is_gpu) return hp_memory_available() / 4;
  size_t room = device_free_bytes(plan->device);
  return room == SIZE_MAX ? 0 : room - room / 8;
}

/* What is wrong whether the device is there or not. */
static int choose_device(const struct run_options *options, struct plan *plan) {
  const struct device *device = plan->device = device_find(options->device);
  bool chosen = options->device || !options->resume; /* not by the file */
  if (!device)
    return fail(VAT_USAGE,
                "--device: '%s' is not a device; choose cpu, emu or cuda",
                options->device);
  if (options->asked.emu_threads && chosen && strcmp(device->name, "emu") != 0)
    return fail(VAT_USAGE, "--emu-threads: only with --device emu");
  if (options->device_memory && chosen && !device->own_memory)
    return fail(VAT_USAGE, "--device-memory: only with --device emu or cuda");
  if (options->asked.simulate && device->own_memory)
    return fail(VAT_USAGE, "--simulate: only with --device cpu");
  return check_names(options, device);
}

/* What is left out where no sizes are given; of a file that is resumed they are
 * known. */
static void note_bounds(const struct run_options *options,
                        const struct plan *plan) {
  if (device_is_emulated(plan->device) && !options->resume)
    fprintf(stderr,
            "vat: note: sizes on %s are limited to %zu MiB and %g s in total; "
            "fix: choose others with --sizes\n",
            plan->device->name, emulated_bytes >> 20, plan->time_budget_s);
}

/* Where a device has memory of its own, the pages of the host are those that
 * transfers come from and no more: base pages will do. */
static const char *pages_of(const struct run_options *options,
                            const struct plan *plan) {
  if (options->pages || !plan->device->own_memory) return options->pages;
  return hp_kind_base()->name;
}

/* Where there is one, it is of the whole plan. */
static uint32_t one(const struct sizes *list) {
  return list->count == 1 ? (uint32_t)*list->at : 0;
}

enum { BLOCK_CHOICES_MOST = 10000 };

/* Where there are several, each has an entry, side by side. */
static void add_blocks(const struct run_options *options, struct plan *plan) {
  uint64_t as_plan = 0;
  const struct sizes none = {&as_plan, 1};
  const struct sizes *threads = &options->block_threads;
  const struct sizes *grids = &options->grid_blocks;
  struct plan before = {.entries = plan->entries, .count = plan->count};
  if (threads->count < 2) threads = &none;
  if (grids->count < 2) grids = &none;
  if (threads == grids) return;
  plan->entries = NULL;
  plan->count = 0;
  for (size_t i = 0; i < before.count * threads->count * grids->count; i++) {
    const struct plan_entry *of =
        &before.entries[i / grids->count / threads->count];
    plan_add(plan, of->algo, &of->sizes);
    struct plan_entry *entry = &plan->entries[plan->count - 1];
    entry->generator = of->generator;
    entry->block_threads =
        (uint32_t)threads->at[i / grids->count % threads->count];
    entry->grid_blocks = (uint32_t)grids->at[i % grids->count];
  }
  plan_fini(&before);
}

int run_plan(const struct run_options *options, struct data *data,
             struct plan *plan) {
  bool sized = options->sizes.count || options->data.input || options->quick;
  *plan = options->asked;
  plan->variant.block_threads = one(&options->block_threads);
  plan->variant.grid_blocks = one(&options->grid_blocks);
  plan->thin = !sized;
  if (options->parameters &&
      !sample_variant_set_parameters(&plan->variant, options->parameters))
    return fail(
        VAT_USAGE,
        "--parameters: '%s' is not a short word of printable characters",
        options->parameters);
  if (options->counters && !*options->counters)
    return fail(VAT_USAGE,
                "--counters: the list is empty; write auto, none, or names "
                "from vat list counters");
  if (options->counters &&
      (size_t)snprintf(plan->counters, sizeof plan->counters, "%s",
                       options->counters) >= sizeof plan->counters)
    return fail(VAT_USAGE, "--counters: the list is too long; name fewer");
  int code = choose_device(options, plan);
  if (!code && !sized && !(plan->time_budget_s > 0))
    plan->time_budget_s =
        device_is_emulated(plan->device) ? emulated_budget_s : default_budget_s;
  if (!code)
    code =
        page_set_add(&plan->pages, pages_of(options, plan), options->reserve);
  if (!code) code = choose_alloc(options, plan);
  if (!code) code = device_open(plan->device);
  if (!code) code = add_algos(options, plan);
  if (!code) plan->device_room = device_room(options, plan);
  if (!code)
    code = data_into_plan(&options->data, options->sizes.count, data, plan);
  if (!code && options->block_threads.count * options->grid_blocks.count >
                   BLOCK_CHOICES_MOST)
    code = fail(VAT_USAGE,
                "--block-threads and --grid-blocks: more than %d combinations; "
                "give fewer values",
                BLOCK_CHOICES_MOST);
  if (!code) add_blocks(options, plan);
  if (!code && !sized) note_bounds(options, plan);
  return code;
}

int run_shard(const struct run_options *options, struct plan *plan) {
  char reason[PLAN_REASON];
  const struct shard *shard = &options->shard;
  if (plan_refusing(plan, reason)) return fail(VAT_USAGE, "%s", reason);
  if (!shard->count) return VAT_OK;
  /* Else each machine has those that its memory and its pace allow. */
  if (!options->sizes.count)
    return fail(
        VAT_USAGE,
        "--shard %u/%u: shards need the sizes of the whole sweep; give --sizes",
        shard->index, shard->count);
  if (!plan_shard(plan, *shard, reason)) return VAT_OK;
  return fail(VAT_USAGE, "--shard %u/%u: %s", shard->index, shard->count,
              reason);
}

int run_memory(const struct run_options *options, const struct plan *plan,
               size_t *bytes) {
  char smaller[PLAN_SMALLER];
  if (plan_bytes(plan, bytes)) return VAT_USAGE;
  size_t available = hp_memory_available(), need = plan_elsewhere_bytes(plan);
  /* What is emulated has its memory from the host. */
  bool emulated = device_is_emulated(plan->device);
  if (emulated && __builtin_add_overflow(need, plan_device_bytes(plan), &need))
    need = SIZE_MAX;
  for (size_t i = 0; i < plan->pages.count; i++) {
    const struct hp_kind *kind = plan->pages.kinds[i];
    size_t cost = workspace_cost(kind, *bytes);
    /* Without --reserve a pool gives what it has, and nothing else. */
    if (kind->pooled && !options->reserve && cost < SIZE_MAX) continue;
    if (__builtin_add_overflow(need, cost, &need)) need = SIZE_MAX;
  }
  if (need <= available - available / 16) return VAT_OK;
  return fail(
      VAT_ABSENT,
      "the largest size needs %.1f GiB on each page kind%s, %.1f GiB in all, "
      "but only %.1f GiB of memory is free; choose %s%s",
      (double)*bytes / 0x1p30, emulated ? " and on the emulated device" : "",
      (double)need / 0x1p30, (double)available / 0x1p30,
      plan_smaller(plan, smaller),
      plan->pages.count > 1 ? " or fewer --pages" : "");
}
