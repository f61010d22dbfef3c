/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

/* Where functions begin, of objects that have no names for them. */
struct entries {
  struct profile_place *at;
  size_t count;
};

static int compare_entries(const void *x, const void *y) {
  const struct profile_place *a = x, *b = y;
  if (a->object != b->object)
    return (uintptr_t)a->object < (uintptr_t)b->object ? -1 : 1;
  return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* The last entry that is not behind the place. */
static const struct profile_place *entry_of(const struct entries *entries,
                                            const struct profile_place *at) {
  size_t from = 0, to = entries->count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (compare_entries(&entries->at[middle], at) <= 0)
      from = middle + 1;
    else
      to = middle;
  }
  if (!from || entries->at[from - 1].object != at->object) return NULL;
  return &entries->at[from - 1];
}

static void name(struct profile *profile, const struct entries *entries,
                 struct profile_place *at) {
  char text[256];
  if (*at->function || !*at->object || !at->offset) return;
  const struct profile_place *entry = entry_of(entries, at);
  snprintf(text, sizeof text, "%.200s+0x%" PRIx64,
           profile_base_name(at->object),
           entry ? entry->offset : at->offset & ~(uint64_t)4095);
  at->function = profile_intern(profile, text);
}

static void name_all(struct profile *profile, const struct entries *entries) {
  for (size_t i = 0; i < profile->lines.count; i++)
    name(profile, entries, &profile->lines.row[i].at);
  for (size_t i = 0; i < profile->contexts.count; i++)
    name(profile, entries, &profile->contexts.context[i].at);
  for (size_t i = 0; i < profile->sites.count; i++)
    for (unsigned k = 0; k < profile->sites.site[i].callers; k++)
      name(profile, entries, &profile->sites.site[i].caller[k]);
  /* A call is made by the function that its context is of. */
  for (size_t i = 0; i < profile->edges.count; i++) {
    struct profile_edge *edge = &profile->edges.edge[i];
    if (*edge->at.function) continue;
    edge->at.function = profile->contexts.context[edge->from].at.function;
  }
}

void profile_name_functions(struct profile *profile) {
  struct entries entries = {0};
  entries.at = memory_zeroed(profile->contexts.count + 1, sizeof *entries.at);
  for (size_t i = 0; i < profile->contexts.count; i++)
    if (profile->contexts.context[i].at.offset)
      entries.at[entries.count++] = profile->contexts.context[i].at;
  qsort(entries.at, entries.count, sizeof *entries.at, compare_entries);
  name_all(profile, &entries);
  free(entries.at);
}

/* Is the function already on the path? */
static int recurs(const struct profile_contexts *all, size_t i) {
  const struct profile_place *at = &all->context[i].at;
  while ((i = all->context[i].parent) != PROFILE_ROOT)
    if (!profile_compare_functions(&all->context[i].at, at)) return 1;
  return 0;
}

/* What is jumped to, not called, counts for the path of who jumped; it costs at
 * least what it does itself. */
static void take_own(struct profile_row *row) {
  struct profile_counts *all = &row->inclusive, *own = &row->counts;
  if (all->accesses < own->accesses) all->accesses = own->accesses;
  for (unsigned t = 0; t < PROFILE_TREES; t++)
    for (unsigned i = 0; i < PROFILE_LAYERS; i++)
      if (all->misses[t][i] < own->misses[t][i])
        all->misses[t][i] = own->misses[t][i];
}

/* Parents are before their children.  `functions` is sorted by function. */
void profile_find_inclusive(struct profile *profile) {
  struct profile_contexts *all = &profile->contexts;
  struct profile_rows *functions = &profile->functions;
  for (size_t i = 0; i < all->count; i++)
    all->context[i].inclusive = all->context[i].counts;
  for (size_t i = all->count; i-- > 0;) {
    struct profile_context *context = &all->context[i];
    if (context->parent != PROFILE_ROOT)
      profile_add(&all->context[context->parent].inclusive,
                  &context->inclusive);
    if (recurs(all, i)) continue;
    struct profile_row *row =
        bsearch(&context->at, functions->row, functions->count,
                sizeof *functions->row, profile_compare_functions);
    if (!row) continue;
    profile_add(&row->inclusive, &context->inclusive);
    if (*context->at.file) row->at.file = context->at.file;
  }
  for (size_t i = 0; i < functions->count; i++) take_own(&functions->row[i]);
}
