/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan costs, and whether it is worth it. */
#include <math.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/planning.h"
#include "experiments/profile/small_blocks.h"
#include "experiments/results/summary.h"
#include "huge_pages/size_text.h"

static const double gib = 1 << 30, base = 4096;

/* Large blocks of the site that took the place of freed ones; bytes. */
static double renewed(const struct profile_site *site) {
  if (!site->small_chunks && !site->large) return 0;
  double bytes = (double)site->bytes - (double)site->small_bytes;
  return fmax(0, bytes - (double)site->large_peak);
}

/*
 * Memory that is given back and taken again is faulted in again: as often as
 * all faults of the run are more than pages.  malloc() gives large blocks back;
 * what these do not explain is of all memory alike.
 */
struct again {
  double renewed; /* of these bytes, a share */
  double all;     /* times of all others */
};

static struct again again_of(const struct planning *p) {
  const struct profile_sites *sites = &p->profile.sites;
  double pages = base * (double)profile_pages(&p->profile, 0), large = 0;
  double more = base * (double)p->table.native.faults - pages;
  if (!(pages > 0) || !(more > 0)) return (struct again){0, 1};
  for (size_t i = 0; i < sites->count; i++) large += renewed(&sites->site[i]);
  return (struct again){large > more ? more / large : 1,
                        1 + fmax(0, more - large) / pages};
}

/* How often what is chosen is faulted in. */
static double times(const struct planning *p, const struct candidate *c) {
  const struct profile_sites *sites = &p->profile.sites;
  struct again again = again_of(p);
  double bytes = 0, large = 0;
  for (size_t i = 0; i < sites->count; i++) {
    const struct profile_site *site = &sites->site[i];
    bool of_heap = c->what == PLAN_HEAP && !strcmp(site->kind, "heap");
    if (!of_heap && (c->site != i || c->what == PLAN_SITE_SMALL)) continue;
    large += renewed(site);
    bytes += (double)site->large_peak;
  }
  if (c->what == PLAN_HEAP) bytes = (double)c->touched;
  return again.all + (bytes > 0 ? again.renewed * large / bytes : 0);
}

/* Large blocks that glibc gives a mapping: all that live at once, and each that
 * is larger than any that was freed (mallopt(3), M_MMAP_THRESHOLD), as of an
 * array that doubles. */
static double mapped(const struct profile_site *site) {
  double largest = (double)site->largest, smallest = (double)site->smallest;
  if (!site->large) return 0;
  double grown = log2(largest / fmax(PROFILE_UNIT, smallest));
  return fmin((double)site->large, (double)site->large_peak / largest + grown);
}

/* These begin and end anywhere in a larger page. */
static double ends_of_heap(const struct planning *p) {
  const struct profile_sites *sites = &p->profile.sites;
  double blocks = 0;
  for (size_t i = 0; i < sites->count; i++)
    if (!strcmp(sites->site[i].kind, "heap")) blocks += mapped(&sites->site[i]);
  return blocks * (double)p->all.page;
}

/* What is freed in an arena stays there.  What it keeps of each of its pages is
 * read before it is written, so that both are faults. */
void planning_add_costs(struct planning *p, const struct candidate *c) {
  double now = times(p, c), then = c->arena ? 1 : now;
  p->costs.touched += (double)c->touched;
  p->costs.faulted_now += now * (double)c->touched;
  p->costs.faulted_then += then * (double)c->bytes;
  if (c->what == PLAN_HEAP) p->costs.on_base += ends_of_heap(p);
  if (c->what == PLAN_SITE_SMALL && c->arena)
    p->costs.on_base +=
        2 * fmin(PROFILE_UNIT, SMALL_BLOCKS_OF_PAGE * (double)c->bytes / base);
  p->costs.more += c->at_peak * ((double)c->bytes - (double)c->touched);
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
static void add_touches(struct planning *p) {
  const struct first_touch *touch = &p->table.native.touch;
  struct plan_costs *costs = &p->costs;
  costs->touch_now = costs->touch_then = costs->sys_saved_s = NAN;
  if (!touch->known) return;
  costs->touch_now = touch->base_again * base / gib;
  costs->touch_then = touch->huge_again * (double)p->all.page / gib;
  costs->sys_saved_s = (costs->faulted_now * touch->base_again -
                        costs->faulted_then * touch->huge_again) /
                       gib;
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
  const struct plan_costs *costs = &p->costs;
  double now = peak_now(p);
  double faults = (costs->faulted_now - costs->on_base) / base -
                  costs->faulted_then / (double)p->all.page;
  double most = (double)p->table.native.faults; /* there are no more */
  if (p->table.native.runs && faults > most) faults = most;
  plan->harm = (struct plan_harm){
      .peak_rss_bytes = {now, now + costs->more},
      .zeroed_bytes = costs->faulted_then - costs->faulted_now,
      .faults_saved = faults};
  add_touches(p);
  plan->verdict = verdict(p);
}
