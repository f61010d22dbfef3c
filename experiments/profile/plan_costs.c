/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan costs, and whether it is worth it. */
#include <math.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/planning.h"
#include "experiments/results/summary.h"
#include "huge_pages/size_text.h"

static const double gib = 1 << 30, base = 4096;

/* Memory that is given back and taken again is faulted in again: as often as
 * all faults of the run are more than pages. */
static double again(const struct planning *p) {
  double pages = (double)profile_pages(&p->profile, 0);
  double faults = (double)p->table.native.faults;
  return pages > 0 && faults > pages ? faults / pages : 1;
}

/* Shared memory that several processes touched, but for once. */
static double touched_again(const struct profile *profile) {
  double bytes = 0;
  for (size_t i = 0; i < profile->sites.count; i++) {
    const struct profile_site *site = &profile->sites.site[i];
    if (strcmp(site->kind, "shared")) continue;
    bytes += fmax(0, base * (double)site->pages[0] - (double)site->peak);
  }
  return bytes;
}

static double peak_now(const struct planning *p) {
  double peak = p->table.native.peak_bytes;
  if (!isnan(peak)) return peak;
  return base * (double)profile_pages(&p->profile, 0) -
         touched_again(&p->profile);
}

/* A fault that zeroes a larger page takes as much longer as that is larger, but
 * for entering the kernel. */
static void add_touches(struct planning *p, double bytes) {
  const struct first_touch *touch = &p->table.native.touch;
  struct plan_costs *costs = &p->costs;
  costs->touch_now = costs->touch_then = costs->sys_saved_s = NAN;
  if (!touch->known) return;
  costs->touch_now = touch->base_again * base / gib;
  costs->touch_then = touch->huge_again * (double)p->all.page / gib;
  costs->sys_saved_s =
      again(p) *
      (costs->touched * touch->base_again - bytes * touch->huge_again) / gib;
}

static double saved_s(const struct planning *p) {
  double sys = p->costs.sys_saved_s;
  return p->saving + (isnan(sys) ? 0 : sys);
}

static char *verdict(const struct planning *p) {
  double user_s = p->table.native.time.user_s;
  if (!p->plan.choice_count && p->all.count && p->request->budget_given &&
      p->plan.everything.bytes)
    return memory_format("nothing that saves time fits into a budget of %s",
                         HP_SIZE_SHOWN(p->request->budget));
  if (!p->plan.choice_count)
    return memory_text(
        "no memory that can be on larger pages has misses that they save");
  if (!p->row)
    return memory_text(
        "not known without a calibration; fix: vat calibrate -o MACHINE.json, "
        "then --machine MACHINE.json");
  if (p->saving < SUMMARY_NOISE_FLOOR * user_s)
    return memory_format(
        "it saves %.2g %% of the user time, and less than %.3g %% is noise",
        100 * p->saving / user_s, 100 * SUMMARY_NOISE_FLOOR);
  if (saved_s(p) <= 0)
    return memory_format(
        "zeroing larger pages takes %.2g s more system time, and fewer misses "
        "save %.2g s: the program runs too short for them",
        -p->costs.sys_saved_s, p->saving);
  return NULL;
}

void planning_costs(struct planning *p) {
  struct page_plan *plan = &p->plan;
  double bytes = (double)plan->used_bytes, now = peak_now(p);
  double more = bytes - p->costs.touched;
  double faults =
      again(p) * (p->costs.touched / base - bytes / (double)p->all.page);
  double most = (double)p->table.native.faults; /* there are no more */
  if (p->table.native.runs && faults > most) faults = most;
  plan->harm = (struct plan_harm){.peak_rss_bytes = {now, now + p->costs.more},
                                  .zeroed_bytes = more * again(p),
                                  .faults_saved = faults};
  add_touches(p, bytes);
  plan->verdict = verdict(p);
}
