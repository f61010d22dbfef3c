/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan costs, and whether it is worth it. */
#include <math.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/planning.h"
#include "experiments/profile/small_blocks.h"
#include "experiments/results/summary.h"
#include "huge_pages/region.h"
#include "huge_pages/size_text.h"

static const double gib = 1 << 30, base = 4096;

/* What may have taken the place of freed memory; bytes.  Large blocks of a heap
 * do so one after the other: of an array that doubles all but the last. */
struct renewed {
  double large, small;
};

static struct renewed renewed_of(const struct profile_site *site) {
  double bytes = (double)site->bytes, small = (double)site->small_bytes;
  if (strcmp(site->kind, "heap")) return (struct renewed){0};
  if (!site->small_chunks && !site->large)
    return (struct renewed){0}; /* an older vat's profile does not tell */
  double large = bytes - small, now = (double)site->large_peak;
  return (struct renewed){large > now ? large - (double)site->largest : 0,
                          fmax(0, small - (double)site->small_peak)};
}

/* A mapping is new memory each time that it is made. */
static double times_mapped(const struct profile_site *site) {
  double bytes = (double)site->bytes;
  double at_once =
      (double)(site->large == site->blocks ? site->large_peak : site->peak);
  bool again = !strcmp(site->kind, "mapping") && at_once > 0;
  return again ? fmax(1, bytes / at_once) : 1;
}

/*
 * Memory that is given back and taken again is faulted in again: as often as
 * all faults of the run are more than pages.  malloc() gives large blocks back,
 * and keeps smaller ones for the next; what neither explains is of all that it
 * hands out.
 */
struct again {
  double large, small; /* shares of what is renewed */
  double all;          /* times */
  double heap_most;    /* faults of malloc()'s memory; INFINITY: not known */
};

/* A fault maps 16 pages of a file around it (fault_around_bytes, mm/memory.c of
 * Linux). */
static double faults_of(const struct profile_site *site) {
  double pages = (double)site->pages[0];
  if (strcmp(site->kind, "file")) return pages * times_mapped(site);
  return fmin(pages, ceil((double)site->bytes / (16 * base)));
}

/* A share of `all` that is `of` it at most; less what it explains. */
static double take(double *of, double all) {
  double taken = fmin(*of, all);
  *of -= taken;
  return all > 0 ? taken / all : 0;
}

static struct again again_of(const struct planning *p) {
  const struct profile_sites *sites = &p->profile.sites;
  struct renewed all = {0};
  struct again again = {.all = 1, .heap_most = INFINITY};
  double faults_now = (double)p->table.native.faults;
  double heap = 0, others = 0, more = faults_now;
  for (size_t i = 0; i < sites->count; i++) {
    struct renewed one = renewed_of(&sites->site[i]);
    double faults = faults_of(&sites->site[i]);
    all.large += one.large / base;
    all.small += one.small / base;
    more -= faults;
    if (!strcmp(sites->site[i].kind, "heap")) heap += faults;
    if (!candidates_of_heap(&p->profile, &sites->site[i])) others += faults;
  }
  if (p->table.native.runs) again.heap_most = fmax(0, faults_now - others);
  more = fmax(0, more);
  again.large = take(&more, all.large);
  again.small = take(&more, all.small);
  if (heap > 0) again.all += more / heap;
  return again;
}

static double heap_renewed(const struct planning *p,
                           const struct again *again) {
  const struct profile_sites *sites = &p->profile.sites;
  double more = 0;
  for (size_t i = 0; i < sites->count; i++) {
    struct renewed one = renewed_of(&sites->site[i]);
    more += again->large * one.large + again->small * one.small;
  }
  return more;
}

/* How often what is chosen is faulted in; a part as often as the whole. */
static double times(const struct planning *p, const struct again *again,
                    const struct candidate *c) {
  double at_once = (double)c->touched, more;
  if (c->what == PLAN_HEAP) {
    double all = again->all * at_once + heap_renewed(p, again);
    return at_once > 0 ? fmin(all, again->heap_most * base) / at_once : 1;
  }
  if (c->site == CANDIDATE_NO_SITE) return 1;
  const struct profile_site *site = &p->profile.sites.site[c->site];
  if (strcmp(site->kind, "heap")) return times_mapped(site);
  struct renewed one = renewed_of(site);
  bool small = c->what == PLAN_SITE_SMALL;
  more = small ? again->small * one.small : again->large * one.large;
  at_once = (double)(!small        ? site->large_peak
                     : site->large ? site->small_peak
                                   : site->peak);
  return at_once > 0 ? again->all + more / at_once : again->all;
}

/* glibc maps large blocks, beside each other while they live; and one that is
 * larger than any that was freed (mallopt(3), M_MMAP_THRESHOLD) by itself, as
 * of an array that doubles. */
static double mapped_alone(const struct profile_site *site) {
  double least = fmax(PROFILE_UNIT, (double)site->smallest);
  bool alone = site->large && renewed_of(site).large > 0;
  return alone ? log2((double)site->largest / least) : 0;
}

/* Blocks that glibc maps (M_MMAP_THRESHOLD at first), but which no larger page
 * fits into. */
static double mapped_small(const struct profile_site *site) {
  bool mapped = !site->large && site->bytes >= (128 << 10) * site->blocks;
  return mapped ? (double)site->pages[0] * base : 0;
}

/* The first 2 MiB of each other thread's heap (shim_threads.c), as far as small
 * blocks fill them, if all threads have as many. */
static double begins_of_threads(const struct planning *p) {
  const struct profile_sites *sites = &p->profile.sites;
  double threads = (double)p->profile.threads - p->profile.processes;
  double small = 0;
  if (!p->all.glibc || !(threads > 0)) return 0;
  for (size_t i = 0; i < sites->count; i++)
    if (!strcmp(sites->site[i].kind, "heap"))
      small += (double)small_blocks_of(&sites->site[i], true).heap;
  return threads * fmin(PROFILE_UNIT, small / (double)p->profile.threads);
}

/* Mapped blocks begin and end within a larger page: those that are alone, and
 * the others together.  What malloc() has of brk() does not (begin_heap() of
 * shim_start.c). */
static double ends_of_heap(const struct planning *p) {
  const struct profile_sites *sites = &p->profile.sites;
  double pieces = 0, bytes = 0;
  bool large = false;
  for (size_t i = 0; i < sites->count; i++) {
    if (strcmp(sites->site[i].kind, "heap")) continue;
    large |= sites->site[i].large;
    pieces += mapped_alone(&sites->site[i]);
    bytes += mapped_small(&sites->site[i]);
  }
  return bytes + begins_of_threads(p) +
         (pieces + large) * (double)planning_page(p);
}

/* Pages of a tree that were touched, for each base page: of the site that is
 * chosen or, of what is none, of all, or all of the heap. */
static double pages_touched(const struct planning *p, const struct candidate *c,
                            unsigned tree) {
  const struct profile_sites *sites = &p->profile.sites;
  bool one = c->site != CANDIDATE_NO_SITE;
  double small = 0, large = 0;
  for (size_t i = one ? c->site : 0, end = one ? i + 1 : sites->count; i < end;
       i++) {
    const struct profile_site *site = &sites->site[i];
    if (c->what == PLAN_HEAP && strcmp(site->kind, "heap")) continue;
    small += (double)site->pages[0];
    large += (double)site->pages[tree];
  }
  return small > 0 ? large / small : 1;
}

/*
 * Bytes that what is chosen has on larger pages: all of it, unless they are
 * smaller than the units that it is chosen by.  Then as many as pages of that
 * size were touched, where the profile has counts of these; else at most one
 * for each base page.
 */
static double on_pages(const struct planning *p, const struct candidate *c) {
  double bytes = (double)c->bytes, touched = (double)c->touched;
  double page = (double)planning_page(p), more = page / base;
  char name[HP_NAME_SIZE];
  if (!planning_is_small(p)) return bytes;
  hp_page_name((size_t)page, name);
  unsigned tree = profile_tree_named(&p->profile, name);
  if (tree) more *= pages_touched(p, c, tree);
  return fmax(touched, fmin(bytes, more * touched));
}

/* jemalloc and others have heaps that threads do not share; of each, half of
 * the last page is left on average.  glibc's lie behind each other, or begin
 * with base pages. */
static double ends_of_heaps(const struct planning *p) {
  if (p->all.glibc) return 0;
  return (double)p->profile.threads * (double)planning_page(p) / 2;
}

/* Of a table that grows, blocks below 32 MiB are in an arena (site_blocks.c),
 * but for those of which only a part is chosen.  What is freed there goes back
 * within ten seconds: half of it is taken to be there still. */
static double left_in_arena(const struct planning *p,
                            const struct candidate *c) {
  const double apart = 32 << 20;
  if (c->what != PLAN_SITE_LARGE || c->arena || c->from) return 0;
  const struct profile_site *site = &p->profile.sites.site[c->site];
  if (!(renewed_of(site).large > 0) || (double)site->smallest >= apart)
    return 0;
  double freed = (double)site->bytes - (double)site->small_bytes -
                 (double)site->large_peak;
  double most = c->to ? fmin((double)c->to, apart) : apart;
  return fmin(fmax(0, freed), most) / 2;
}

/* Bytes of base pages, and of larger ones: each time that it is touched. */
struct faulted {
  double now, then;
};

/* What is freed in an arena stays there; a part of a block never is. */
static struct faulted faulted_of(const struct planning *p,
                                 const struct again *again,
                                 const struct candidate *c) {
  bool arena = c->arena && !(c->what == PLAN_SITE_LARGE && c->to);
  double now = times(p, again, c), then = arena ? 1 : now;
  return (struct faulted){now * (double)c->touched, then * on_pages(p, c)};
}

/* What an arena keeps of each of its pages is read before it is written, so
 * that both are faults. */
static void add_costs(struct planning *p, const struct again *again,
                      const struct candidate *c) {
  struct faulted faulted = faulted_of(p, again, c);
  double larger = on_pages(p, c);
  p->costs.touched += (double)c->touched;
  p->costs.faulted_now += faulted.now;
  p->costs.faulted_then += faulted.then;
  if (c->what == PLAN_HEAP) {
    p->costs.on_base += ends_of_heap(p);
    p->costs.more += ends_of_heaps(p);
  }
  if (c->what == PLAN_SITE_SMALL && c->arena)
    p->costs.on_base +=
        2 * fmin(PROFILE_UNIT, SMALL_BLOCKS_OF_PAGE * (double)c->bytes / base);
  p->costs.more += c->at_peak * (larger - (double)c->touched);
  p->costs.more += left_in_arena(p, c);
}

void planning_add_costs(struct planning *p, const struct candidate *chosen,
                        size_t count) {
  struct again again = again_of(p);
  for (size_t i = 0; i < count; i++) add_costs(p, &again, &chosen[i]);
}

/* A fault that zeroes a larger page takes as much longer as that is larger, but
 * for entering the kernel. */
static double rate_then(const struct planning *p) {
  return first_touch_again(&p->table.native.touch, (double)planning_page(p));
}

/* System time, seconds. */
static double saved_by(const struct planning *p,
                       const struct faulted *faulted) {
  double now = p->table.native.touch.base_again;
  return (faulted->now * now - faulted->then * rate_then(p)) / gib;
}

static void add_touches(struct planning *p) {
  const struct first_touch *touch = &p->table.native.touch;
  struct plan_costs *costs = &p->costs;
  costs->touch_now = costs->touch_then = costs->sys_saved_s = NAN;
  if (!touch->known) return;
  costs->touch_now = touch->base_again * base / gib;
  double then = rate_then(p);
  costs->touch_then = then * (double)planning_page(p) / gib;
  const struct faulted faulted = {costs->faulted_now, costs->faulted_then};
  costs->sys_saved_s = saved_by(p, &faulted);
}

/* A price for candidates: what their costs say. */
struct touches {
  const struct planning *p;
  struct again again;
};

/* Shared memory has other switches, and stays as it is. */
static double touches_saved_s(const void *context, const struct candidate *c) {
  const struct touches *touches = context;
  const struct planning *p = touches->p;
  struct faulted faulted = faulted_of(p, &touches->again, c);
  bool shared = c->site != CANDIDATE_NO_SITE &&
                !strcmp(p->profile.sites.site[c->site].kind, "shared");
  return shared ? 0 : saved_by(p, &faulted);
}

void planning_find(struct planning *p, uint64_t page, unsigned tree) {
  struct touches touches = {p, again_of(p)};
  const struct candidate_price price = {touches_saved_s, &touches};
  candidates_make(&p->all, &p->profile, p->what, page, tree, planning_is_thp(p),
                  p->by_touch ? &price : NULL);
}

double planning_arena_s(const struct planning *p) {
  return p->by_touch ? SMALL_BLOCKS_BEGIN * rate_then(p) / gib : 0;
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

static double saved_s(const struct planning *p) {
  double sys = p->costs.sys_saved_s;
  return p->saving + (isnan(sys) ? 0 : sys);
}

static char *verdict_of_touches(const struct planning *p) {
  const struct native *native = &p->table.native;
  double user_s = native->time.user_s;
  double all = user_s + (isnan(native->sys_s) ? 0 : native->sys_s);
  if (p->saving >= SUMMARY_NOISE_FLOOR * all) return NULL;
  return memory_format(
      "it saves nothing but first touches, which are %.2g s of %.2g s in all",
      p->saving, all);
}

static char *verdict(const struct planning *p) {
  double user_s = p->table.native.time.user_s;
  if (!p->plan.choice_count && p->all.count && p->request->budget_given &&
      p->plan.everything.bytes)
    return memory_format("nothing that saves time fits into a budget of %s",
                         HP_SIZE_SHOWN(p->request->budget));
  if (!p->plan.choice_count)
    return memory_text(
        p->by_touch
            ? "no memory takes less time to be touched first on such pages"
            : "no memory that can be on larger pages has misses that they "
              "save");
  if (p->by_touch) return verdict_of_touches(p);
  if (!p->what)
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
                  costs->faulted_then / (double)planning_page(p);
  double most = (double)p->table.native.faults; /* there are no more */
  if (p->table.native.runs && faults > most) faults = most;
  plan->harm = (struct plan_harm){
      .peak_rss_bytes = {now, now + costs->more},
      .zeroed_bytes = costs->faulted_then - costs->faulted_now,
      .faults_saved = faults};
  add_touches(p);
  plan->verdict = verdict(p);
}
