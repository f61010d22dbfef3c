/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/profile/made_sites.h -- a profile that is made site by
 * site, and what of it could be on larger pages. */
#pragma once
#include "experiments/profile/candidates.h"

#define MIB (UINT64_C(1) << 20)
enum { MADE_SITES = 8, MADE_HEATS = 1 << 12 };

/* Each site has the same chain of callers. */
extern struct made_sites {
  struct profile profile;
  struct what_if what;
  struct what_if_value saved[MADE_SITES];
  struct profile_site site[MADE_SITES];
  struct profile_heat heat[MADE_HEATS];
  struct profile_chain chain;
} made;

void made_begin(void);

/* All of its misses are where there can be huge pages, and save so much. */
struct profile_site *made_site(const char *kind, uint64_t peak, uint64_t misses,
                               double saved_s);
/* Heat of the site that was made last; of its first block, 512 pages a unit. */
void made_heat(uint32_t block, uint32_t unit, uint64_t misses, uint32_t pages);
void made_heats(uint32_t from, uint32_t to, uint64_t misses);

/* With a prediction; candidates_fini() frees them. */
struct candidates made_candidates(uint64_t page);
/* NULL: there is none. */
const struct candidate *made_find(const struct candidates *all,
                                  enum plan_what kind, size_t site);
