/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_arenas.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"
#include "experiments/profile/profile_place.h"

/* The allocator maps them, and somebody calls it. */
enum { OF_ALLOCATOR = 2 };

static bool are_arenas(const struct profile_site *site) {
  uint64_t bytes = site->largest;
  return !strcmp(site->kind, "mapping") && site->callers >= OF_ALLOCATOR &&
         site->smallest == bytes && bytes && bytes < PROFILE_UNIT &&
         PROFILE_UNIT % bytes == 0;
}

static int compare_arenas(const void *x, const void *y) {
  const struct profile_site *a = *(struct profile_site *const *)x;
  const struct profile_site *b = *(struct profile_site *const *)y;
  int order = order_words(a->largest, b->largest);
  for (unsigned i = 0; !order && i < OF_ALLOCATOR; i++)
    order = profile_compare_places(&a->caller[i], &b->caller[i]);
  return order;
}

static unsigned shared_callers(const struct profile_site *a,
                               const struct profile_site *b, unsigned most) {
  unsigned i = 0;
  while (i < most && i < b->callers &&
         !profile_compare_places(&a->caller[i], &b->caller[i]))
    i++;
  return i;
}

static unsigned shared_frames(const struct profile_chain *a,
                              const struct profile_chain *b, unsigned most) {
  unsigned i = 0;
  while (i < most && i < b->frames &&
         a->frame[i].offset == b->frame[i].offset &&
         !strcmp(a->frame[i].object, b->frame[i].object))
    i++;
  return i;
}

/* Sites `arena[0]` to `arena[count - 1]` are of one allocator, by its number.
 */
static void join(const struct profile *profile, struct profile_site **arena,
                 size_t count, size_t *of, size_t number) {
  unsigned shared = arena[0]->callers;
  for (size_t i = 1; i < count; i++)
    shared = shared_callers(arena[0], arena[i], shared);
  for (size_t i = 0; i < count; i++) {
    arena[i]->callers = shared;
    of[arena[i] - profile->sites.site] = number;
  }
}

/* Of each site its allocator, from 1 on; how many these are. */
static size_t find_allocators(const struct profile *profile, size_t *of) {
  const struct profile_sites *sites = &profile->sites;
  struct profile_site **arena = memory_zeroed(sites->count + 1, sizeof *arena);
  size_t count = 0, found = 0, end;
  for (size_t i = 0; i < sites->count; i++)
    if (are_arenas(&sites->site[i])) arena[count++] = &sites->site[i];
  qsort(arena, count, sizeof *arena, compare_arenas);
  for (size_t from = 0; from < count; from = end) {
    end = from + 1;
    while (end < count && !compare_arenas(&arena[from], &arena[end])) end++;
    if (end - from > 1) join(profile, &arena[from], end - from, of, ++found);
  }
  free(arena);
  return found;
}

void profile_arenas_join(struct profile *profile) {
  const struct profile_chains *chains = &profile->chains;
  size_t *of = memory_zeroed(profile->sites.count + 1, sizeof *of);
  size_t found = find_allocators(profile, of);
  const struct profile_chain **first = memory_zeroed(found + 1, sizeof *first);
  unsigned *shared = memory_zeroed(found + 1, sizeof *shared);
  for (size_t i = 0; i < chains->count; i++) {
    const struct profile_chain *chain = &chains->chain[i];
    size_t number = of[chain->site];
    if (!first[number]) {
      first[number] = chain;
      shared[number] = chain->frames;
    }
    shared[number] = shared_frames(first[number], chain, shared[number]);
  }
  for (size_t i = 0; i < chains->count; i++) {
    size_t number = of[chains->chain[i].site];
    if (number && shared[number]) chains->chain[i].frames = shared[number];
  }
  free(shared);
  free(first);
  free(of);
}
