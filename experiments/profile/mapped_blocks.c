/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/mapped_blocks.h"

#include <math.h>

#include "experiments/profile/few_freed.h"

/* Bytes of a block on larger pages. */
static double on_pages(double bytes, double page) {
  double whole = page * ceil(bytes / page);
  return whole - bytes <= whole / 8 ? whole : whole - page;
}

struct mapped_blocks mapped_blocks_of(const struct profile_site *site,
                                      uint64_t page) {
  double all = 0, on = 0, ends = 0, n = 0, size = (double)site->largest;
  double large = (double)site->bytes - (double)site->small_bytes;
  bool renewed = !few_freed_large(site);
  if (!site->mapped_large || size < PROFILE_UNIT || !(large > 0))
    return (struct mapped_blocks){1, 0};
  if (!renewed && site->large) size = fmin(size, large / (double)site->large);
  for (uint64_t i = 0; i < site->mapped_large && size >= PROFILE_UNIT; i++) {
    double here = on_pages(size, (double)page);
    all += size;
    on += here;
    ends += fmax(0, size - here);
    n++;
    if (!renewed) break;
    size /= 2;
  }
  return (struct mapped_blocks){on / all,
                                ends / n * (double)site->mapped_large};
}
