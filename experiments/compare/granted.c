/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Was it what was asked? */
#include <math.h>

#include "experiments/compare/comparison.h"

/* Under this there is nothing to give huge pages to. */
static const size_t little = (size_t)4 << 20;

/*
 * Programs whose allocators ask for a MiB at a time get half of their memory
 * on huge pages and gain by it; where nothing was granted since a pool ran dry
 * or the program forbids it, the share is near 0.
 */
static const double enough = 0.25, all_of_base = 0.98;

static const struct backing *larger(const struct backing *a,
                                    const struct backing *b) {
  return backing_total(a) >= backing_total(b) ? a : b;
}

const struct backing *granted_backing(const struct comparison *c, size_t arm,
                                      const struct launch_result *result) {
  size_t like = c->arms.at[arm].control ? 0 : arm;
  const struct launch_result *warm = &c->warm[like];
  const struct backing *seen = larger(&result->at_exit, &result->at_peak);
  bool enough_seen =
      result->traced && backing_total(seen) >= result->peak_bytes / 2;
  if (!c->warmed[like] || enough_seen) return seen;
  return larger(seen, larger(&warm->at_exit, &warm->at_peak));
}

size_t granted_base_open(const struct comparison *c) {
  return c->warmed[0] ? granted_backing(c, 0, &c->warm[0])->open : 0;
}

double granted_share(const struct backing *backing, const struct hp_kind *kind,
                     size_t base_open) {
  size_t open = backing->open, used = base_open ? base_open : open;
  size_t of_kind = backing_of_kind(backing, kind);
  if (open < little || used < little) return NAN;
  if (kind->base) return (double)of_kind / (double)open;
  return fmax(0, 1 - (double)(open - of_kind) / (double)used);
}

bool granted_ok(const struct backing *backing, const struct hp_kind *kind,
                size_t base_open) {
  double share = granted_share(backing, kind, base_open);
  return isnan(share) || share >= (kind->base ? all_of_base : enough);
}
