/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/profile_calls.h"
#include "experiments/profile/profile_flow.h"

void profile_init(struct profile *profile) { *profile = (struct profile){0}; }

void profile_fini(struct profile *profile) {
  tdestroy(profile->texts, free);
  free(profile->lines.row);
  free(profile->functions.row);
  free(profile->sites.site);
  free(profile->contexts.context);
  free(profile->edges.edge);
  profile_flow_fini(&profile->flow);
}

static int compare_words(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int compare_places(const void *x, const void *y) {
  const struct profile_place *a = x, *b = y;
  int order = profile_compare_functions(x, y);
  if (!order) order = profile_compare_texts(a->file, b->file);
  if (!order) order = compare_words(a->line, b->line);
  return order ? order : compare_words(a->offset, b->offset);
}

/* Misses of the first tree's nodes first; then accesses. */
static int compare_counts(const struct profile_counts *a,
                          const struct profile_counts *b) {
  uint64_t of_a = profile_nodes(a, 0), of_b = profile_nodes(b, 0);
  if (of_a != of_b) return of_a > of_b ? -1 : 1;
  return a->accesses == b->accesses ? 0 : a->accesses > b->accesses ? -1 : 1;
}

static int compare_costs(const void *x, const void *y) {
  const struct profile_row *a = x, *b = y;
  int order = compare_counts(&a->counts, &b->counts);
  if (!order) order = profile_compare_texts(a->at.function, b->at.function);
  if (!order) order = profile_compare_texts(a->at.object, b->at.object);
  if (!order) order = profile_compare_texts(a->at.file, b->at.file);
  if (!order) order = compare_words(a->at.line, b->at.line);
  return order ? order : compare_words(a->at.offset, b->at.offset);
}

static int compare_sites(const void *x, const void *y) {
  const struct profile_site *a = x, *b = y;
  int order = strcmp(a->kind, b->kind);
  if (!order) order = profile_compare_texts(a->name, b->name);
  if (!order) order = compare_words(a->callers, b->callers);
  for (unsigned i = 0; !order && i < a->callers; i++)
    order = compare_places(&a->caller[i], &b->caller[i]);
  return order;
}

static int compare_site_costs(const void *x, const void *y) {
  const struct profile_site *a = x, *b = y;
  int order = compare_counts(&a->counts, &b->counts);
  if (!order) order = compare_words(b->peak, a->peak);
  return order ? order : compare_sites(x, y);
}

static void merge_rows(struct profile_rows *rows,
                       int (*compare)(const void *, const void *)) {
  size_t kept = 0;
  if (!rows->count) return;
  qsort(rows->row, rows->count, sizeof *rows->row, compare);
  for (size_t i = 1; i < rows->count; i++) {
    if (compare(&rows->row[kept], &rows->row[i]))
      rows->row[++kept] = rows->row[i];
    else
      profile_add(&rows->row[kept].counts, &rows->row[i].counts);
  }
  rows->count = kept + 1;
}

/* Processes have memory of their own, so peaks and pages add up. */
static void merge_sites(struct profile *profile) {
  struct profile_sites *sites = &profile->sites;
  struct profile_site *site = sites->site;
  size_t kept = 0;
  if (!sites->count) return;
  qsort(site, sites->count, sizeof *site, compare_sites);
  for (size_t i = 1; i < sites->count; i++) {
    if (compare_sites(&site[kept], &site[i])) {
      site[++kept] = site[i];
      continue;
    }
    site[kept].blocks += site[i].blocks;
    site[kept].bytes += site[i].bytes;
    site[kept].peak += site[i].peak;
    for (unsigned t = 0; t < PROFILE_TREES; t++)
      site[kept].pages[t] += site[i].pages[t];
    profile_add(&site[kept].counts, &site[i].counts);
    profile_flow_merge(profile, kept, i);
  }
  sites->count = kept + 1;
  qsort(site, sites->count, sizeof *site, compare_site_costs);
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
  profile_find_inclusive(profile);
}

void profile_finish(struct profile *profile) {
  struct profile_rows *lines = &profile->lines, *functions;
  profile_name_functions(profile);
  merge_rows(lines, compare_places);
  find_functions(profile);
  functions = &profile->functions;
  if (lines->count)
    qsort(lines->row, lines->count, sizeof *lines->row, compare_costs);
  if (functions->count)
    qsort(functions->row, functions->count, sizeof *functions->row,
          compare_costs);
  profile_flow_begin_merge(profile);
  merge_sites(profile);
  profile_flow_end_merge(profile);
}
