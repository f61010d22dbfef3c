/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/alloc_plan.h"

#include <stdio.h>

#include "experiments/cli/command.h"
#include "experiments/memory/alloc.h"

static bool any_allocates(const struct run_options *options) {
  for (size_t i = 0; i < options->algos.count; i++) {
    const struct algo *algo = cpu_algo_find(options->algos.at[i]);
    if (algo && algo->allocates) return true;
  }
  for (size_t i = 0; !options->algos.count && cpu_algos[i]; i++)
    if (cpu_algos[i]->classic && cpu_algos[i]->allocates) return true;
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

int alloc_choose(const struct run_options *options, struct plan *plan) {
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

int alloc_check(const struct plan *plan) {
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

size_t alloc_elsewhere_bytes(const struct plan *plan) {
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
