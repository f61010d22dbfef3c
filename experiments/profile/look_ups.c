/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/look_ups.h"

#include <string.h>

static const double other_s = 1.4e-9, chosen_s = 9.7e-9;

double look_ups_all(const struct profile *profile) {
  uint64_t blocks = 0;
  for (size_t i = 0; i < profile->sites.count; i++)
    if (!strcmp(profile->sites.site[i].kind, "heap"))
      blocks += profile->sites.site[i].blocks;
  return other_s * (double)blocks;
}

double look_ups_chosen(const struct profile_site *site) {
  uint64_t large = site->large;
  return site->blocks > large ? chosen_s * (double)(site->blocks - large) : 0;
}
