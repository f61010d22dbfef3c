/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_walks.h"

#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"

void profile_walks_add(struct profile *profile, size_t site, unsigned where,
                       unsigned octave, uint64_t misses) {
  struct profile_walks *all = &profile->walks;
  struct profile_site *of = &profile->sites.site[site];
  if (!misses) return;
  if (!of->walks++) of->walk = all->count;
  *ARRAY_ADD(all->walk, all->count) =
      (struct profile_walk){site, (uint8_t)where, (uint8_t)octave, misses};
}

static int compare(const void *x, const void *y) {
  const struct profile_walk *a = x, *b = y;
  int order = order_words(a->site, b->site);
  if (!order) order = order_words(a->where, b->where);
  return order ? order : order_words(a->octave, b->octave);
}

void profile_walks_finish(struct profile *profile, const size_t *place) {
  struct profile_walks *all = &profile->walks;
  size_t kept = 0;
  for (size_t i = 0; i < profile->sites.count; i++)
    profile->sites.site[i].walks = 0;
  for (size_t i = 0; i < all->count; i++)
    all->walk[i].site = place[all->walk[i].site];
  if (all->count) qsort(all->walk, all->count, sizeof *all->walk, compare);
  for (size_t i = 0; i < all->count; i++) {
    const struct profile_walk *walk = &all->walk[i];
    if (kept && !compare(&all->walk[kept - 1], walk)) {
      all->walk[kept - 1].misses += walk->misses;
      continue;
    }
    struct profile_site *site = &profile->sites.site[walk->site];
    if (!site->walks++) site->walk = kept;
    all->walk[kept++] = *walk;
  }
  all->count = kept;
}

double profile_walks_sum(const struct profile *profile,
                         const struct profile_site *site, unsigned where) {
  double sum = 0;
  for (size_t i = 0; i < site->walks; i++) {
    const struct profile_walk *walk = &profile->walks.walk[site->walk + i];
    if (walk->where == where) sum += (double)walk->misses;
  }
  return sum;
}
