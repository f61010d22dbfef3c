/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/static_data.h"

#include <string.h>

uint32_t static_data_end(const struct profile *profile) {
  uint32_t first = UINT32_MAX;
  for (size_t i = 0; i < profile->heats.count; i++) {
    const struct profile_heat *heat = &profile->heats.heat[i];
    if (heat->block == PROFILE_SMALL && heat->unit < first &&
        !strcmp(profile->sites.site[heat->site].kind, "heap"))
      first = heat->unit;
  }
  return first;
}

struct static_data static_data_of(const struct profile *profile,
                                  const struct profile_site *site,
                                  uint32_t end) {
  struct static_data data = {0};
  uint64_t all = 0;
  for (size_t i = 0; i < site->heats; i++) {
    const struct profile_heat *heat = &profile->heats.heat[site->heat + i];
    all += heat->misses[0];
    if (heat->unit >= end) continue;
    data.units++;
    data.pages += heat->pages;
    for (unsigned t = 0; t < PROFILE_TREES; t++)
      data.misses[t] += heat->misses[t];
  }
  data.share = all ? (double)data.misses[0] / (double)all : 0;
  return data;
}
