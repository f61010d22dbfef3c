/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many accesses sites have.  To look up the site of each would take longer
 * than all else, so some are looked at, each for as many as it stands for: all
 * at first, and half as many of them whenever SAMPLES were.  Which comes next
 * is chosen at random, so that no loop keeps step with it.  So no more than
 * SAMPLES of a doubling of accesses are looked at, and the share that a site
 * has of these has a standard error of at most 1 / (2 sqrt(SAMPLES)), 0.2 %.
 *
 * Generated code has but few instructions to spare.  It subtracts the time from
 * vt_sample_after, which is never further ahead than a page is large, and takes
 * what is left for one more difference between addresses in a page: if that is
 * negative, the accesses go to the engine, recent pages or not. */
#include "experiments/valgrind/sites.h"

enum { SAMPLES = 1 << 16, LG_PERIOD_MOST = 30, FARTHEST = 4000 };

ULong vt_sample_after;

static ULong next; /* time of the access that is looked at next */
static UInt lg_period, taken, random_state = 1;
static ULong looked_at, stand_for;

static void sample_access(struct vt_site *site) {
  ULong weight = 1ULL << lg_period;
  site->counts.accesses += weight;
  stand_for += weight;
  looked_at++;
  if (++taken == SAMPLES && lg_period < LG_PERIOD_MOST) {
    lg_period++;
    taken = 0;
  }
  /* 1 to 2^(lg + 1) - 1: 2^lg on the average. */
  random_state = random_state * 1664525 + 1013904223;
  next += 1 + (random_state * ((2ULL << lg_period) - 1) >> 32);
}

void vt_sample(Addr a, ULong now) {
  if (now >= next) sample_access(vt_site_at(a));
  vt_sample_after = next < now + FARTHEST ? next : now + FARTHEST;
}

ULong vt_samples_looked_at(void) { return looked_at; }

/* An access that missed is one, whether it was looked at or not. */
ULong vt_samples_accesses(const struct vt_counts *counts) {
  ULong least = 0;
  if (stand_for == vt_clock) return counts->accesses;
  for (UInt t = 0; t < vt_tcs.trees; t++) {
    ULong missed = 0;
    for (UInt n = 1; n <= VT_MISSED_MOST; n++) missed += counts->missed[t][n];
    if (missed > least) least = missed;
  }
  double share = (double)counts->accesses / (double)(stand_for + !stand_for);
  ULong accesses = (ULong)(share * (double)vt_clock + 0.5);
  return accesses > least ? accesses : least;
}

void vt_samples_clear(void) {
  vt_sample_after = 0;
  next = 0;
  lg_period = taken = 0;
  looked_at = stand_for = 0;
}
