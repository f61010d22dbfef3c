/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/profile/made_sites.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/profile/profile_walks.h"

struct made_sites made;

void made_begin(void) {
  free(made.profile.walks.walk);
  made.profile = (struct profile){.trees = 2, .unit = PROFILE_UNIT};
  made.profile.sites.site = made.site;
  made.profile.heats.heat = made.heat;
  made.profile.chains.chain = &made.chain;
  made.chain = (struct profile_chain){.frames = 1, .frame = {{"/opt/a", 1}}};
  made.what = (struct what_if){.sites = made.saved};
}

struct profile_site *made_site(const char *kind, uint64_t peak, uint64_t misses,
                               double saved_s) {
  size_t number = made.profile.sites.count++;
  struct profile_site *site = &made.site[number];
  *site = (struct profile_site){.name = "", .peak = peak};
  strcpy(site->kind, kind);
  site->at_peak = site->bytes = peak;
  site->smallest = site->largest = peak;
  site->large = peak >= PROFILE_UNIT;
  site->large_peak = site->large ? peak : 0;
  site->chains = 1;
  site->heat = made.profile.heats.count;
  site->counts.misses[0][0] = misses;
  site->counts.misses[1][0] = misses / 100;
  profile_walks_add(&made.profile, number, 1, 3, misses);
  made.saved[number] =
      (struct what_if_value){saved_s, saved_s / 2, saved_s * 3 / 2};
  return site;
}

void made_heat(uint32_t block, uint32_t unit, uint64_t misses, uint32_t pages) {
  size_t site = made.profile.sites.count - 1;
  made.heat[made.profile.heats.count++] =
      (struct profile_heat){site, block, unit, {misses, misses / 100}, pages};
  made.site[site].heats++;
}

void made_heats(uint32_t from, uint32_t to, uint64_t misses) {
  for (uint32_t i = from; i < to; i++) made_heat(0, i, misses, 512);
}

struct candidates made_candidates(uint64_t page) {
  struct candidates all;
  candidates_make(&all, &made.profile, &made.what, page, 1, true, NULL);
  return all;
}

const struct candidate *made_find(const struct candidates *all,
                                  enum plan_what kind, size_t site) {
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].what == kind && all->at[i].site == site) return &all->at[i];
  return NULL;
}
