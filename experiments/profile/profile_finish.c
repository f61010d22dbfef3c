/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of all that was read: the same is merged, functions are found
 * and named, paths of calls say what they cost with what they call. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"
#include "experiments/profile/profile_arenas.h"
#include "experiments/profile/profile_heat.h"
#include "experiments/profile/profile_walks.h"

/* Misses of the first tree's nodes first; then accesses. */
static int compare_counts(const struct profile_counts *a,
                          const struct profile_counts *b) {
  int order = order_words(profile_nodes(b, 0), profile_nodes(a, 0));
  return order ? order : order_words(b->accesses, a->accesses);
}

static int compare_costs(const void *x, const void *y) {
  const struct profile_row *a = x, *b = y;
  int order = compare_counts(&a->counts, &b->counts);
  return order ? order : profile_compare_places(&a->at, &b->at);
}

/* A site is half a kibibyte: what is sorted are these, and most of them differ
 * in the keys. */
struct site_order {
  struct profile_site *site;
  /* What says which site it is, of the same sites the same, and nothing; then
   * misses of the first tree, and accesses. */
  uint64_t key, second;
};

static void mix(uint64_t *key, uint64_t word) {
  *key = (*key ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  *key ^= *key >> 32;
}

static uint64_t key_of(const struct profile_site *site) {
  uint64_t key = (unsigned char)*site->kind;
  mix(&key, (uintptr_t)site->name);
  for (unsigned i = 0; i < site->callers; i++) {
    const struct profile_place *at = &site->caller[i];
    mix(&key, (uintptr_t)at->function);
    mix(&key, (uintptr_t)at->object);
    mix(&key, (uintptr_t)at->file);
    mix(&key, at->line);
    mix(&key, at->offset);
  }
  return key;
}

static int compare_sites(const void *x, const void *y) {
  const struct profile_site *a = ((const struct site_order *)x)->site;
  const struct profile_site *b = ((const struct site_order *)y)->site;
  int order = strcmp(a->kind, b->kind);
  if (!order) order = profile_compare_texts(a->name, b->name);
  if (!order) order = order_words(a->callers, b->callers);
  for (unsigned i = 0; !order && i < a->callers; i++)
    order = profile_compare_places(&a->caller[i], &b->caller[i]);
  return order;
}

static int compare_same(const void *x, const void *y) {
  const struct site_order *a = x, *b = y;
  int order = order_words(a->key, b->key);
  return order ? order : compare_sites(x, y);
}

/* As compare_counts(). */
static int compare_site_costs(const void *x, const void *y) {
  const struct site_order *a = x, *b = y;
  int order = order_words(b->key, a->key);
  if (!order) order = order_words(b->second, a->second);
  if (!order) order = order_words(b->site->peak, a->site->peak);
  return order ? order : compare_sites(x, y);
}

static void sort_rows(struct profile_rows *rows,
                      int (*compare)(const void *, const void *)) {
  if (rows->count) qsort(rows->row, rows->count, sizeof *rows->row, compare);
}

static void merge_rows(struct profile_rows *rows,
                       int (*compare)(const void *, const void *)) {
  size_t kept = 0;
  if (!rows->count) return;
  sort_rows(rows, compare);
  for (size_t i = 1; i < rows->count; i++) {
    if (compare(&rows->row[kept], &rows->row[i]))
      rows->row[++kept] = rows->row[i];
    else
      profile_add(&rows->row[kept].counts, &rows->row[i].counts);
  }
  rows->count = kept + 1;
}

/* Processes have memory of their own, so peaks and pages add up. */
static void merge_site(struct profile_site *to,
                       const struct profile_site *from) {
  to->blocks += from->blocks;
  to->bytes += from->bytes;
  to->peak += from->peak;
  for (unsigned t = 0; t < PROFILE_TREES; t++) to->pages[t] += from->pages[t];
  to->faults += from->faults;
  to->large_faults += from->large_faults;
  to->mapped_large += from->mapped_large;
  to->begin_faults += from->begin_faults;
  to->read_first += from->read_first;
  profile_add(&to->counts, &from->counts);
  if (!to->smallest || (from->smallest && from->smallest < to->smallest))
    to->smallest = from->smallest;
  if (to->largest < from->largest) to->largest = from->largest;
  to->large += from->large;
  to->large_peak += from->large_peak;
  to->small += from->small;
  to->small_peak += from->small_peak;
  to->small_rounded += from->small_rounded;
  to->small_chunks += from->small_chunks;
  to->small_bytes += from->small_bytes;
  to->at_peak += from->at_peak;
  if (to->more_chains < from->more_chains) to->more_chains = from->more_chains;
}

/* Those that are the same become one, which `owner` says of each; returns how
 * many they are. */
static size_t join_sites(struct site_order *order, size_t count,
                         const struct profile_site *first, size_t *owner) {
  size_t kept = 0;
  qsort(order, count, sizeof *order, compare_same);
  for (size_t i = 0; i < count; i++) {
    bool same = i && !compare_same(&order[kept], &order[i]);
    if (same)
      merge_site(order[kept].site, order[i].site);
    else if (i)
      order[++kept] = order[i];
    owner[order[i].site - first] = (size_t)(order[kept].site - first);
  }
  return kept + 1;
}

/* In that order and in place: each swap brings one to where it belongs.  `at`
 * says where each is, and `who` is there. */
static void arrange(struct profile_site *site, const struct site_order *order,
                    size_t count, size_t kept) {
  size_t *at = memory_zeroed(2 * count, sizeof *at), *who = at + count;
  for (size_t i = 0; i < count; i++) at[i] = who[i] = i;
  for (size_t i = 0; i < kept; i++) {
    size_t wanted = (size_t)(order[i].site - site), from = at[wanted];
    if (from == i) continue;
    struct profile_site other = site[i];
    site[i] = site[from];
    site[from] = other;
    at[who[i]] = from;
    who[from] = who[i];
  }
  free(at);
}

/* Misses of bursts, units and chains name sites by their places in the list as
 * it was read. */
static void merge_sites(struct profile *profile) {
  struct profile_flow *flow = &profile->flow;
  struct profile_site *site = profile->sites.site;
  size_t count = profile->sites.count;
  if (!count) return;
  profile_arenas_join(profile);
  struct site_order *order = memory_zeroed(count, sizeof *order);
  size_t *owner = memory_zeroed(2 * count, sizeof *owner);
  size_t *place = owner + count;
  for (size_t i = 0; i < count; i++)
    order[i] = (struct site_order){&site[i], key_of(&site[i]), 0};
  size_t kept = join_sites(order, count, site, owner);
  for (size_t i = 0; i < kept; i++)
    order[i] = (struct site_order){order[i].site,
                                   profile_nodes(&order[i].site->counts, 0),
                                   order[i].site->counts.accesses};
  qsort(order, kept, sizeof *order, compare_site_costs);
  for (size_t i = 0; i < kept; i++) place[order[i].site - site] = i;
  arrange(site, order, count, kept);
  profile->sites.count = kept;
  for (size_t i = 0; i < count; i++) owner[i] = place[owner[i]];
  for (size_t i = 0; i < flow->waits; i++)
    flow->wait[i].site = (uint32_t)owner[flow->wait[i].site];
  profile_heat_finish(profile, owner);
  profile_walks_finish(profile, owner);
  free(owner);
  free(order);
}

/* Where functions begin, of objects that have no names for them. */
struct entries {
  struct profile_place *at;
  size_t count;
};

static int compare_entries(const void *x, const void *y) {
  const struct profile_place *a = x, *b = y;
  int order = order_words((uintptr_t)a->object, (uintptr_t)b->object);
  return order ? order : order_words(a->offset, b->offset);
}

/* By the last entry that is not behind the place. */
static void name(struct profile *profile, const struct entries *entries,
                 struct profile_place *at) {
  char text[256];
  size_t from = 0, to = entries->count;
  if (*at->function || !*at->object || !at->offset) return;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (compare_entries(&entries->at[middle], at) <= 0)
      from = middle + 1;
    else
      to = middle;
  }
  bool found = from && entries->at[from - 1].object == at->object;
  snprintf(text, sizeof text, "%.200s+0x%" PRIx64, basename(at->object),
           found ? entries->at[from - 1].offset : at->offset & ~(uint64_t)4095);
  at->function = profile_intern(profile, text);
}

static void name_functions(struct profile *profile) {
  struct entries entries = {0};
  entries.at = memory_zeroed(profile->contexts.count + 1, sizeof *entries.at);
  for (size_t i = 0; i < profile->contexts.count; i++)
    if (profile->contexts.context[i].at.offset)
      entries.at[entries.count++] = profile->contexts.context[i].at;
  qsort(entries.at, entries.count, sizeof *entries.at, compare_entries);
  for (size_t i = 0; i < profile->lines.count; i++)
    name(profile, &entries, &profile->lines.row[i].at);
  for (size_t i = 0; i < profile->code.rows; i++)
    name(profile, &entries, &profile->code.row[i].at);
  for (size_t i = 0; i < profile->contexts.count; i++)
    name(profile, &entries, &profile->contexts.context[i].at);
  for (size_t i = 0; i < profile->sites.count; i++)
    for (unsigned k = 0; k < profile->sites.site[i].callers; k++)
      name(profile, &entries, &profile->sites.site[i].caller[k]);
  /* A call is made by the function that its context is of. */
  for (size_t i = 0; i < profile->edges.count; i++) {
    struct profile_edge *edge = &profile->edges.edge[i];
    if (*edge->at.function) continue;
    edge->at.function = profile->contexts.context[edge->from].at.function;
  }
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
static void find_inclusive(struct profile *profile) {
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
    profile_add(&row->inclusive, &context->inclusive);
    if (*context->at.file) row->at.file = context->at.file;
  }
  for (size_t i = 0; i < functions->count; i++) take_own(&functions->row[i]);
}

/* Those with accesses of their own, and those that only call. */
static void find_functions(struct profile *profile) {
  struct profile_rows *functions = &profile->functions;
  size_t lines = profile->lines.count, contexts = profile->contexts.count;
  functions->row = memory_zeroed(lines + contexts + 1, sizeof *functions->row);
  for (size_t i = 0; i < lines; i++) functions->row[i] = profile->lines.row[i];
  for (size_t i = 0; i < contexts; i++)
    functions->row[lines + i].at = profile->contexts.context[i].at;
  functions->count = lines + contexts;
  for (size_t i = 0; i < functions->count; i++)
    functions->row[i].at.line = 0, functions->row[i].at.offset = 0;
  merge_rows(functions, profile_compare_functions);
  find_inclusive(profile);
}

void profile_finish(struct profile *profile) {
  name_functions(profile);
  merge_rows(&profile->lines, profile_compare_places);
  find_functions(profile);
  sort_rows(&profile->lines, compare_costs);
  sort_rows(&profile->functions, compare_costs);
  merge_sites(profile);
  profile_code_finish(&profile->code);
}
