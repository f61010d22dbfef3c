/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan costs, and whether it is worth it. */
#include <math.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/leave_out.h"
#include "experiments/profile/mapped_blocks.h"
#include "experiments/profile/planning.h"
#include "experiments/profile/small_blocks.h"
#include "experiments/profile/static_data.h"
#include "experiments/results/summary.h"
#include "huge_pages/region.h"
#include "huge_pages/size_text.h"

static const double gib = 1 << 30, base = 4096;

/* Large blocks of a heap that took the place of others: of a table that grows.
 */
static bool is_renewed(const struct profile_site *site) {
  bool known = site->small_chunks || site->large; /* not of an older vat */
  return known && !strcmp(site->kind, "heap") &&
         site->bytes - site->small_bytes > site->large_peak;
}

/* Faults of malloc()'s memory that the profile does not explain: malloc() may
 * give back more than it does under Valgrind.  Where it explains more than
 * there are (a child that reads what it has of its parent has no faults), the
 * heap has its share. */
struct again {
  double all;   /* times as many */
  double most;  /* there are no more; INFINITY: not known */
  double twice; /* of what is read first, the part that is written later */
};

/* Older profiles count pages, and a read maps 16 of a file around it. */
static double faults_of(const struct profile_site *site) {
  double pages = (double)site->pages[0];
  if (site->faults) return (double)site->faults;
  if (strcmp(site->kind, "file")) return pages;
  return fmin(pages, ceil((double)site->bytes / (16 * base)));
}

/* Faults that no profile has: of vat's library in each process, and of vat
 * until it is the program.  /bin/true has 122 so, of which a profile tells 54;
 * each process that it executes has 17 more than alone. */
enum { BY_PROCESS = 17, BY_VAT = 51 };

/* What vat's library takes in each process more than the one of the runs on
 * base pages: that of pages alone, and the one that interposes malloc(). */
enum { BY_PAGES = 5, BY_MALLOC = 33 };

/* Of the main program: the heap, behind static data. */
static bool is_break(const struct profile_site *site) {
  return !strcmp(site->kind, "break") && !site->callers;
}

static struct again again_of(const struct planning *p) {
  const struct profile_sites *sites = &p->profile.sites;
  const uint32_t data_end = static_data_end(&p->profile);
  double now = (double)p->table.native.faults - BY_VAT -
               BY_PROCESS * (double)p->profile.processes -
               (double)p->profile.left;
  double heap = 0, others = 0, read = 0;
  if (!p->table.native.runs) return (struct again){1, INFINITY, 1};
  for (size_t i = 0; i < sites->count; i++) {
    const struct profile_site *site = &sites->site[i];
    double faults = faults_of(site), data = 0;
    if (is_break(site))
      data = (double)static_data_of(&p->profile, site, data_end).pages;
    if (!candidates_of_heap(&p->profile, site)) data = faults;
    data = fmin(data, faults);
    heap += faults - data;
    others += data;
    read += (double)site->read_first;
  }
  double twice = fmin(read, fmax(0, now - heap - others));
  now = fmax(0, now - twice);
  double of_heap = fmax(now - others, now * heap / (heap + others));
  return (struct again){heap > 0 ? fmax(1, of_heap / heap) : 1, of_heap,
                        read > 0 ? twice / read : 0};
}

/* Bytes of base pages that what is chosen is faulted in on. */
static double faulted_now(const struct again *again,
                          const struct candidate *c) {
  double bytes = c->times * (double)c->touched;
  if (c->what == PLAN_HEAP) return fmin(again->all * bytes, again->most * base);
  return c->what == PLAN_SITE_SMALL && c->arena ? again->all * bytes : bytes;
}

/* What glibc maps by itself may end within a larger page; nothing that is
 * smaller than 2 MiB is mapped (site_heap.c). */
static double ends_of_blocks(const struct planning *p,
                             const struct profile_site *site) {
  double ends = mapped_blocks_of(site, planning_page(p)).ends;
  return fmin(ends, (double)site->large_faults * base);
}

/* What malloc() has of brk() is on larger pages from its first to its last byte
 * (begin_heap() of shim_start.c); of another thread's heap all but the first 2
 * MiB (shim_threads.c); what another malloc() maps is, too (shim_mallocs.c). */
static double ends_of_heap(const struct planning *p) {
  const struct profile_sites *sites = &p->profile.sites;
  double bytes = 0;
  for (size_t i = 0; i < sites->count; i++) {
    const struct profile_site *site = &sites->site[i];
    if (!strcmp(site->kind, "heap")) bytes += ends_of_blocks(p, site);
    if (p->all.glibc) bytes += base * (double)site->begin_faults;
  }
  return bytes;
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

/* Blocks below this size are in an arena (site_blocks.c). */
static const uint64_t apart = 32 << 20;

/* Of a table that grows beyond the arena, the block before the last may still
 * be there.  Of what it is rounded up by, its last huge page has a part. */
static double rounded_up(const struct profile_site *site) {
  uint64_t before = site->large_peak - site->largest;
  if (site->large_peak <= site->largest || before >= apart) return 0;
  return fmin(PROFILE_UNIT, (double)(small_blocks_size(before) - before));
}

/* Of a table that grows, its smaller blocks are in an arena, unless only a part
 * of each is chosen.  What is freed there goes back within ten seconds: half of
 * it is taken to be there still. */
static double left_in_arena(const struct planning *p,
                            const struct candidate *c) {
  if (c->what != PLAN_SITE_LARGE || c->arena || c->from || c->to) return 0;
  const struct profile_site *site = &p->profile.sites.site[c->site];
  if (!is_renewed(site) || site->smallest >= apart) return 0;
  double freed = (double)site->bytes - (double)site->small_bytes -
                 (double)site->large_peak;
  return fmin(fmax(0, freed), (double)apart) / 2 + rounded_up(site);
}

/* Of one that is not of a site: does it have memory of this one? */
static bool has_memory_of(const struct planning *p, const struct candidate *c,
                          size_t number) {
  const struct profile_site *site = &p->profile.sites.site[number];
  if (c->what == PLAN_HEAP) return candidates_of_heap(&p->profile, site);
  return is_break(site);
}

/* Base pages of it that are faulted in twice, of those of its sites the share
 * that it has; larger ones are few. */
static double read_first(const struct planning *p, const struct candidate *c,
                         double faulted) {
  const struct profile_sites *sites = &p->profile.sites;
  bool one = c->site != CANDIDATE_NO_SITE;
  double faults = 0, twice = 0;
  for (size_t i = one ? c->site : 0, end = one ? i + 1 : sites->count; i < end;
       i++) {
    if (!one && !has_memory_of(p, c, i)) continue;
    faults += (double)sites->site[i].faults;
    twice += (double)sites->site[i].read_first;
  }
  return faults > 0 ? twice * fmin(1, faulted / base / faults) : 0;
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
  double now = faulted_now(again, c), touched = (double)c->touched;
  double then = arena || !(touched > 0) ? 1 : now / touched;
  return (struct faulted){now, then * on_pages(p, c)};
}

/* What an arena keeps of each of its pages is read before it is written, so
 * that both are faults. */
static void add_costs(struct planning *p, const struct again *again,
                      const struct candidate *c) {
  struct faulted faulted = faulted_of(p, again, c);
  double more = on_pages(p, c) - (double)c->touched;
  p->costs.touched += (double)c->touched;
  p->costs.faulted_now += faulted.now;
  p->costs.read_first += again->twice * read_first(p, c, faulted.now);
  p->costs.faulted_then += faulted.then;
  if (c->what == PLAN_HEAP) {
    p->costs.on_base += ends_of_heap(p);
    p->costs.more += ends_of_heaps(p);
  }
  if (c->what == PLAN_SITE_SMALL && c->arena)
    p->costs.on_base +=
        2 * fmin(PROFILE_UNIT, SMALL_BLOCKS_OF_PAGE * (double)c->bytes / base);
  p->costs.more += c->at_peak * more;
}

/* The bytes of large blocks that share an arena count those that are freed,
 * too: so many. */
static double freed_in_arena(const struct planning *p,
                             const struct candidate *c) {
  if (c->what != PLAN_SITE_LARGE || !c->arena || c->to) return 0;
  const struct profile_site *site = &p->profile.sites.site[c->site];
  double freed = on_pages(p, c) - (double)site->large_peak;
  return c->at_peak * fmax(0, freed);
}

/* Small blocks are in the same arena, and take what is free there; not where
 * the first of them are chosen, which were there before. */
static double left_by_all(const struct planning *p,
                          const struct candidate *chosen, size_t count) {
  double left = 0, freed = 0, small = 0;
  for (size_t i = 0; i < count; i++) {
    left += left_in_arena(p, &chosen[i]);
    freed += freed_in_arena(p, &chosen[i]);
    if (chosen[i].what == PLAN_SITE_SMALL && chosen[i].arena && !chosen[i].to)
      small += (double)chosen[i].touched;
  }
  return left - fmin(left + freed, small);
}

void planning_add_costs(struct planning *p, const struct candidate *chosen,
                        size_t count) {
  struct again again = again_of(p);
  for (size_t i = 0; i < count; i++) add_costs(p, &again, &chosen[i]);
  p->costs.more += left_by_all(p, chosen, count);
}

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
  p->all.left_out = leave_out(p->all.item, p->all.count, planning_noise_s(p));
}

/* Of user time, which differs by more from run to run. */
double planning_noise_s(const struct planning *p) {
  return p->what && !p->by_touch ? 1e-3 * p->table.native.time.user_s : 0;
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

static bool interposes_malloc(const struct page_plan *plan) {
  for (size_t i = 0; i < plan->choice_count; i++)
    if (plan->choices[i].chain_count || plan->choices[i].what == PLAN_HEAP)
      return true;
  return false;
}

static double by_library(const struct page_plan *plan) {
  return interposes_malloc(plan) ? BY_MALLOC : BY_PAGES;
}

/* What the library that interposes malloc() has in memory: on Debian 12 900 KiB
 * of its own, 320 of libm, 130 more of libc and 240 of no file.  The library
 * for pages alone has 100, which is left out.  Where there is an arena,
 * SMALL_BLOCKS_BEGIN includes it. */
static double library(const struct planning *p) {
  const double bytes = 1.5 * (1 << 20);
  return interposes_malloc(&p->plan) && !p->costs.arena ? bytes : 0;
}

/* As the misses, what the second level has falls to what it has with all memory
 * on larger pages. */
static void add_hits(struct planning *p, double part) {
  const struct profile *profile = &p->profile;
  const unsigned larger = profile_tree_named(profile, planning_row_name(p));
  const double each = 1e-9 * PLAN_HIT_CYCLES * what_if_cycle_ns(&p->table);
  if (!profile->has_second_hits || !larger) return;
  const double now = each * (double)profile->second_hits[0];
  const double then = each * (double)profile->second_hits[larger];
  double *hit_s = p->plan.walks.hit_s;
  hit_s[0] = now;
  hit_s[1] = now + part * (then - now);
  hit_s[2] = then;
}

/* Each miss that a choice saves, by the mean of what all save.  Counters of
 * processors count the time in which any walk goes on. */
static void add_walks(struct planning *p) {
  const struct what_if *what = p->what;
  struct plan_walks *walks = &p->plan.walks;
  double saved = 0, all;
  if (!what || p->by_touch) return;
  for (size_t i = 0; i < p->plan.choice_count; i++)
    saved += p->choice_misses[i];
  all = fmax(p->misses * what->covered, saved);
  const double now = what->walks_s / what->at_once;
  const double each = all > 0 ? what->alone_s / what->at_once / all : 0;
  *walks = (struct plan_walks){
      .misses = {p->misses, p->misses - saved, p->misses - all},
      .walk_s = {now, fmax(0, now - each * saved), fmax(0, now - each * all)}};
  add_hits(p, all > 0 ? saved / all : 0);
}

void planning_costs(struct planning *p) {
  struct page_plan *plan = &p->plan;
  const struct plan_costs *costs = &p->costs;
  double now = peak_now(p);
  double faults = (costs->faulted_now - costs->on_base) / base +
                  costs->read_first -
                  costs->faulted_then / (double)planning_page(p);
  double most = (double)p->table.native.faults; /* there are no more */
  if (p->table.native.runs && plan->choice_count)
    faults -= by_library(plan) * fmax(1, (double)p->profile.processes);
  if (p->table.native.runs && faults > most) faults = most;
  plan->harm = (struct plan_harm){
      .peak_rss_bytes = {now, now + costs->more + library(p)},
      .zeroed_bytes = costs->faulted_then - costs->faulted_now,
      .faults_saved = faults};
  add_touches(p);
  add_walks(p);
  plan->verdict = verdict(p);
}
