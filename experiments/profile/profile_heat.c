/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_heat.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"

static int compare_heats(const void *x, const void *y) {
  const struct profile_heat *a = x, *b = y;
  int order = order_words(a->site, b->site);
  if (!order) order = order_words(a->block, b->block);
  return order ? order : order_words(a->unit, b->unit);
}

static int compare_chains(const void *x, const void *y) {
  const struct profile_chain *a = x, *b = y;
  int order = order_words(a->site, b->site);
  for (unsigned i = 0; !order && i < a->frames && i < b->frames; i++) {
    order = strcmp(a->frame[i].object, b->frame[i].object);
    if (!order) order = order_words(a->frame[i].offset, b->frame[i].offset);
  }
  return order ? order : order_words(a->frames, b->frames);
}

static void add_heat(struct profile_heat *to, const struct profile_heat *from) {
  for (unsigned t = 0; t < PROFILE_TREES; t++) to->misses[t] += from->misses[t];
  to->pages = from->pages > UINT32_MAX - to->pages ? UINT32_MAX
                                                   : to->pages + from->pages;
}

static void merge_heats(struct profile *profile) {
  struct profile_heats *all = &profile->heats;
  size_t kept = 0;
  if (!all->count) return;
  qsort(all->heat, all->count, sizeof *all->heat, compare_heats);
  for (size_t i = 0; i < all->count; i++) {
    if (i && !compare_heats(&all->heat[kept - 1], &all->heat[i])) {
      add_heat(&all->heat[kept - 1], &all->heat[i]);
      continue;
    }
    struct profile_site *site = &profile->sites.site[all->heat[i].site];
    if (!site->heats++) site->heat = kept;
    all->heat[kept++] = all->heat[i];
  }
  all->count = kept;
}

/* Of those that are one too many it is not known whether another process has
 * counted them among those that it has not kept. */
static void merge_chains(struct profile *profile) {
  struct profile_chains *all = &profile->chains;
  size_t kept = 0, dropped = 0;
  if (!all->count) return;
  qsort(all->chain, all->count, sizeof *all->chain, compare_chains);
  for (size_t i = 0; i < all->count; i++) {
    struct profile_site *site = &profile->sites.site[all->chain[i].site];
    if (i && !compare_chains(&all->chain[i - 1], &all->chain[i])) continue;
    if (!site->chains) site->chain = kept, dropped = 0;
    if (site->chains < PROFILE_CHAINS) {
      site->chains++;
      all->chain[kept++] = all->chain[i];
    } else if (++dropped > site->more_chains) {
      site->more_chains = dropped;
    }
  }
  all->count = kept;
}

void profile_heat_finish(struct profile *profile, const size_t *place) {
  for (size_t i = 0; i < profile->sites.count; i++)
    profile->sites.site[i].chains = profile->sites.site[i].heats = 0;
  for (size_t i = 0; i < profile->heats.count; i++)
    profile->heats.heat[i].site = place[profile->heats.heat[i].site];
  for (size_t i = 0; i < profile->chains.count; i++)
    profile->chains.chain[i].site = place[profile->chains.chain[i].site];
  merge_heats(profile);
  merge_chains(profile);
}

static int hotter_first(const void *x, const void *y) {
  const struct profile_heat *const *a = x, *const *b = y;
  int order = order_words((*b)->misses[0], (*a)->misses[0]);
  return order ? order : compare_heats(*a, *b);
}

/* Of which blocks?  To be released by free(). */
static const struct profile_heat **sort_units(const struct profile *profile,
                                              const struct profile_site *site,
                                              uint32_t blocks, size_t *count) {
  const struct profile_heat **unit =
      memory_zeroed(site->heats + 1, sizeof *unit);
  *count = 0;
  for (size_t i = 0; i < site->heats; i++) {
    const struct profile_heat *heat = &profile->heats.heat[site->heat + i];
    if (heat->block < blocks) unit[(*count)++] = heat;
  }
  qsort(unit, *count, sizeof *unit, hotter_first);
  return unit;
}

struct profile_uneven profile_heat_uneven(const struct profile *profile,
                                          const struct profile_site *site,
                                          double share) {
  struct profile_uneven uneven = {0};
  size_t count, hot = 0;
  const struct profile_heat **unit =
      sort_units(profile, site, PROFILE_SMALL, &count);
  double all = 0, sum = 0;
  for (size_t i = 0; i < count; i++) all += (double)unit[i]->misses[0];
  while (hot < count && sum < share * all)
    sum += (double)unit[hot++]->misses[0];
  uneven.hot = hot * PROFILE_UNIT;
  uneven.bytes = count * PROFILE_UNIT;
  if (uneven.bytes < site->large_peak) uneven.bytes = site->large_peak;
  free(unit);
  return uneven;
}

size_t profile_heat_hottest(const struct profile *profile,
                            const struct profile_site *site, size_t most,
                            const struct profile_heat **to) {
  size_t count;
  const struct profile_heat **unit =
      sort_units(profile, site, PROFILE_SMALL + 1, &count);
  if (count > most) count = most;
  memcpy(to, unit, count * sizeof *to);
  free(unit);
  return count;
}
