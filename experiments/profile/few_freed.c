/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/few_freed.h"

#include <math.h>

static bool few(double all, double at_once) { return all <= at_once * 9 / 8; }

/* Bytes of all large blocks are not known: at most these. */
static double all_large(const struct profile_site *site) {
  double all = (double)site->bytes - (double)site->small_peak;
  return fmin(all, (double)site->large * (double)site->largest);
}

/* Of an older vat's profiles what is not known of small blocks is 0. */
bool few_freed_small(const struct profile_site *site) {
  if (!site->small) return few((double)site->bytes, (double)site->peak);
  return few((double)(site->blocks - site->large), (double)site->small);
}

bool few_freed_large(const struct profile_site *site) {
  return few(all_large(site), (double)site->large_peak);
}

bool half_freed_large(const struct profile_site *site) {
  return all_large(site) <= 2 * (double)site->large_peak;
}
