/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/static_data.h -- which of what brk() returns is static
 * data: a site of kind "break" is, as far as its units come before the heap.
 */
#pragma once
#include "experiments/profile/profile.h"

/* Units and pages of these, and the share of the site's misses. */
struct static_data {
  uint64_t units, pages, misses[PROFILE_TREES];
  double share;
};

/* The heap of brk() begins where small blocks are first: the unit. */
uint32_t static_data_end(const struct profile *profile);
struct static_data static_data_of(const struct profile *profile,
                                  const struct profile_site *site,
                                  uint32_t end);
