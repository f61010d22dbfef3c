/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/profile/profile_texts.h"

void profile_fini(struct profile *profile) {
  profile_texts_fini(profile->texts);
  profile_code_fini(&profile->code);
  free(profile->plan.range);
  free(profile->plan.process);
  free(profile->lines.row);
  free(profile->functions.row);
  free(profile->sites.site);
  free(profile->contexts.context);
  free(profile->edges.edge);
  free(profile->heats.heat);
  free(profile->chains.chain);
  free(profile->walks.walk);
  free(profile->objects.object);
  free(profile->flow.wait);
  free(profile->flow.burst);
  free(profile->flow.site_of);
}

const char *profile_intern(struct profile *profile, const char *text) {
  return profile_texts_keep(&profile->texts, text);
}

uint64_t profile_nodes(const struct profile_counts *counts, unsigned tree) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < PROFILE_LAYERS; i++) sum += counts->misses[tree][i];
  return sum;
}

void profile_add(struct profile_counts *to, const struct profile_counts *from) {
  to->accesses += from->accesses;
  for (unsigned t = 0; t < PROFILE_TREES; t++)
    for (unsigned i = 0; i < PROFILE_LAYERS; i++)
      to->misses[t][i] += from->misses[t][i];
}

unsigned profile_tree_named(const struct profile *profile, const char *name) {
  for (unsigned t = 1; t < profile->trees; t++)
    if (!strcmp(profile->tree[t].name, name)) return t;
  return 0;
}

uint64_t profile_pages(const struct profile *profile, unsigned tree) {
  uint64_t sum = 0;
  for (size_t i = 0; i < profile->sites.count; i++)
    sum += profile->sites.site[i].pages[tree];
  return sum;
}

const char *profile_place_where(const struct profile_place *at,
                                char text[512]) {
  if (at->line)
    snprintf(text, 512, "%s:%u", basename(at->file), at->line);
  else if (at->offset)
    snprintf(text, 512, "%s+0x%llx", basename(at->object),
             (unsigned long long)at->offset);
  else
    snprintf(text, 512, "%s", basename(*at->file ? at->file : at->object));
  fail_tame(text);
  return text;
}

const char *profile_place_function(const struct profile_place *at,
                                   char text[64]) {
  const char *function = *at->function ? at->function : "(unknown)";
  snprintf(text, 64, "%.32s%s", function, strlen(function) > 32 ? "..." : "");
  fail_tame(text);
  return text;
}

const char *profile_site_where(const struct profile_site *site,
                               char text[PROFILE_WHERE]) {
  char at[512], function[64];
  size_t used = (size_t)snprintf(text, PROFILE_WHERE, "%s", site->kind);
  if (*site->name)
    snprintf(text + used, PROFILE_WHERE - used, " %s", site->name);
  for (unsigned i = 0; i < site->callers && used < PROFILE_WHERE; i++) {
    const struct profile_place *caller = &site->caller[i];
    used += (size_t)snprintf(text + used, PROFILE_WHERE - used, "%s%.60s (%s)",
                             i ? " < " : " ", profile_place_where(caller, at),
                             profile_place_function(caller, function));
  }
  fail_tame(text); /* files have any name */
  return text;
}
