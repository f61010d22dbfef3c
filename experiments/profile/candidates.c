/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/heat_pieces.h"
#include "experiments/profile/small_blocks.h"

enum { BASE = 4096 };

/* Blocks below 32 MiB share memory of their own, jemalloc's
 * (experiments/exec/site_arena.c).  Of smaller ones a part has a mapping, too,
 * each time that one is allocated: so only where few are freed. */
static const uint64_t apart = 32 << 20, divisible = 4 << 20;

struct making {
  struct candidates *all;
  const struct profile *profile;
  const struct what_if *what;
  unsigned tree;
  bool parts;             /* of blocks can be on larger pages */
  uint32_t first_of_heap; /* unit in which small blocks begin */
};

static uint64_t whole_pages(const struct making *m, double bytes) {
  return m->all->page * (uint64_t)ceil(fmax(0, bytes) / (double)m->all->page);
}

static bool is(const struct profile_site *site, const char *kind) {
  return !strcmp(site->kind, kind);
}

static double sum_of(const uint64_t walks[PROFILE_OCTAVES]) {
  double all = 0;
  for (int i = 0; i < PROFILE_OCTAVES; i++) all += (double)walks[i];
  return all;
}

/* Of a site's misses, those where there can be huge pages. */
static double covered(const struct profile_site *site) {
  double can = sum_of(site->walks[1]), all = can + sum_of(site->walks[0]);
  return all > 0 ? can / all : 0;
}

/* Leaf misses that larger pages do not have. */
static double fewer(const struct making *m, const uint64_t *misses) {
  double less = m->tree ? (double)misses[m->tree] : 0;
  return fmax(0, (double)misses[0] - less);
}

static void leaves(const struct profile_counts *counts, uint64_t *misses) {
  for (unsigned t = 0; t < PROFILE_TREES; t++) misses[t] = counts->misses[t][0];
}

static void scale(struct what_if_value *value, double share) {
  value->value *= share;
  value->lo *= share;
  value->hi *= share;
}

static struct what_if_value of_site(const struct making *m, size_t site,
                                    double share) {
  struct what_if_value value = {NAN, NAN, NAN};
  if (m->what) value = m->what->sites[site];
  scale(&value, share);
  return value;
}

static bool frees_few(const struct profile_site *site) {
  return site->bytes <= site->peak + site->peak / 8;
}

static bool can_be_divided(const struct profile_site *site) {
  return site->largest >= (frees_few(site) ? divisible : apart);
}

/* A page of each block, where these are on pages of their own, and as large as
 * what is chosen of them.  Of small blocks the first can be chosen, where few
 * come after these are freed. */
static uint64_t step_of(const struct making *m, const struct candidate *c) {
  if (c->site == CANDIDATE_NO_SITE || !m->parts) return 0;
  const struct profile_site *site = &m->profile->sites.site[c->site];
  if (c->what == PLAN_SITE_SMALL) return frees_few(site) ? m->all->page : 0;
  uint64_t bytes = c->to ? c->to - c->from : site->largest;
  uint64_t pages = whole_pages(m, (double)bytes) / m->all->page;
  if (!can_be_divided(site)) return 0;
  if (!c->to && site->largest < apart) /* all of it is in the arena */
    return site->large_peak == site->largest ? m->all->page : 0;
  if (c->bytes % pages) return 0;
  if (!c->to && c->bytes != pages * m->all->page) return 0;
  return c->bytes / pages;
}

static void add(struct making *m, const struct candidate *candidate,
                enum chooser_role role) {
  struct candidates *all = m->all;
  size_t items = all->count;
  if (!candidate->bytes) return;
  struct chooser_item *item = ARRAY_ADD(all->item, items);
  *ARRAY_ADD(all->at, all->count) = *candidate;
  double saving = m->what ? candidate->saved.value : candidate->misses;
  *item = (struct chooser_item){candidate->bytes, saving, role,
                                step_of(m, candidate)};
}

/* The part of a site's bytes that it had when all blocks were most. */
static double at_peak(const struct profile_site *site) {
  return site->peak ? (double)site->at_peak / (double)site->peak : 1;
}

/* Sites that share heap or break; the heap as a whole takes their place. */
static enum chooser_role role_of(const struct profile_site *site) {
  return is(site, "heap") ? CHOOSER_PART : CHOOSER_APART;
}

/* Blocks of the site at once, each on pages of its own from its beginning. */
static uint64_t bytes_of_blocks(const struct making *m,
                                const struct profile_site *site) {
  uint64_t page = m->all->page, blocks = 1;
  if (site->largest < apart && is(site, "heap"))
    return small_blocks_large(site);
  if (site->large_peak > site->largest)
    blocks = site->large_peak / site->largest;
  if (site->largest == site->smallest)
    return blocks * whole_pages(m, (double)site->largest);
  return whole_pages(m, (double)(site->large_peak + blocks * (page / 2)));
}

static void add_piece(struct making *m, size_t number,
                      const struct heat_piece *piece, bool only, double all) {
  const struct profile_site *site = &m->profile->sites.site[number];
  uint64_t page = m->all->page;
  struct candidate c = {.site = number};
  c.what = is(site, "shared") ? PLAN_SHARED : PLAN_SITE_LARGE;
  c.bytes = piece->units * page;
  c.touched = piece->pages * BASE;
  if (only) {
    uint64_t bytes = bytes_of_blocks(m, site);
    c.arena = site->largest < apart && is(site, "heap");
    if (bytes < c.bytes || c.arena) c.bytes = bytes;
  } else {
    /* The profile's blocks begin anywhere in their first unit, and what is
     * aligned at its beginning: so a part begins up to a page later. */
    c.from = piece->from * page;
    c.to = piece->to * page;
  }
  if (c.touched > c.bytes) c.touched = c.bytes;
  c.at_peak = at_peak(site);
  c.saved = of_site(m, number, all > 0 ? (double)piece->misses[0] / all : 0);
  c.misses = fewer(m, piece->misses) * covered(site);
  add(m, &c, role_of(site));
}

static void add_small(struct making *m, size_t number, const uint64_t *large) {
  const struct profile_site *site = &m->profile->sites.site[number];
  uint64_t misses[PROFILE_TREES];
  leaves(&site->counts, misses);
  double all = (double)misses[0];
  for (unsigned t = 0; t < PROFILE_TREES; t++)
    misses[t] -= large[t] < misses[t] ? large[t] : misses[t];
  if (!misses[0] || site->smallest >= PROFILE_UNIT || !is(site, "heap")) return;
  struct small_blocks blocks = small_blocks_of(site);
  struct candidate c = {
      .what = PLAN_SITE_SMALL,
      .site = number,
      .bytes = blocks.arena,
      .asked = blocks.bytes,
      .touched = blocks.glibc,
      .at_peak = at_peak(site),
      .arena = true,
      .saved = of_site(m, number, all > 0 ? (double)misses[0] / all : 0),
      .misses = fewer(m, misses) * covered(site)};
  add(m, &c, role_of(site));
}

/* What malloc() and the loader map: no library can see these calls. */
static bool is_of_libc(const struct profile *profile,
                       const struct profile_site *site) {
  if (!is(site, "mapping") || !site->chains) return false;
  const char *object = profile->chains.chain[site->chain].frame[0].object;
  const char *name = strrchr(object, '/');
  name = name ? name + 1 : object;
  return !strncmp(name, "libc.so", 7) || !strncmp(name, "ld-linux", 8);
}

/* Its large blocks, then its small ones. */
static void add_site(struct making *m, size_t number) {
  const struct profile_site *site = &m->profile->sites.site[number];
  struct heat_piece piece[HEAT_PIECES];
  uint64_t large[PROFILE_TREES] = {0};
  if (!is(site, "heap") && !is(site, "mapping") && !is(site, "shared")) return;
  if (is_of_libc(m->profile, site)) return;
  if (!site->chains) {
    struct what_if_value saved = of_site(m, number, 1);
    uint64_t misses[PROFILE_TREES];
    leaves(&site->counts, misses);
    m->all->unreachable += m->what ? saved.value : fewer(m, misses);
    return;
  }
  const struct profile_heat *heat =
      site->heats ? &m->profile->heats.heat[site->heat] : NULL;
  bool divided = m->parts && (site->largest >= apart || frees_few(site));
  size_t pieces = heat_pieces(site, heat, site->heats,
                              (uint32_t)(m->all->page / PROFILE_UNIT),
                              divided ? HEAT_PIECES : 1, piece);
  for (size_t i = 0; i < pieces; i++)
    for (unsigned t = 0; t < PROFILE_TREES; t++) large[t] += piece[i].misses[t];
  double all = fmax((double)large[0], (double)site->counts.misses[0][0]);
  for (size_t i = 0; i < pieces; i++)
    add_piece(m, number, &piece[i], pieces == 1, all);
  add_small(m, number, large);
}

/* The heap of brk() begins where small blocks are first. */
static uint32_t find_heap(const struct profile *profile) {
  uint32_t first = UINT32_MAX;
  for (size_t i = 0; i < profile->heats.count; i++) {
    const struct profile_heat *heat = &profile->heats.heat[i];
    if (heat->block == PROFILE_SMALL && heat->unit < first &&
        is(&profile->sites.site[heat->site], "heap"))
      first = heat->unit;
  }
  return first;
}

/* A site of kind "break" is static data as far as its units come before the
 * heap: the share of its misses, and units and pages of these. */
struct data {
  uint64_t units, pages, misses[PROFILE_TREES];
  double share;
};

static struct data data_of(const struct making *m,
                           const struct profile_site *site) {
  struct data data = {0};
  uint64_t all = 0;
  for (size_t i = 0; i < site->heats; i++) {
    const struct profile_heat *heat = &m->profile->heats.heat[site->heat + i];
    all += heat->misses[0];
    if (heat->unit >= m->first_of_heap) continue;
    data.units++;
    data.pages += heat->pages;
    for (unsigned t = 0; t < PROFILE_TREES; t++)
      data.misses[t] += heat->misses[t];
  }
  data.share = all ? (double)data.misses[0] / (double)all : 0;
  return data;
}

static void add_up(struct candidate *to, const struct what_if_value *saved,
                   double misses) {
  to->saved.value += saved->value;
  to->saved.lo += saved->lo;
  to->saved.hi += saved->hi;
  to->misses += misses;
}

/* Of sites that are called by somebody, the heap grew. */
static void add_data(struct making *m) {
  struct candidate c = {
      .what = PLAN_DATA, .site = CANDIDATE_NO_SITE, .at_peak = 1};
  uint64_t units = 0;
  if (!m->what) c.saved = (struct what_if_value){NAN, NAN, NAN};
  for (size_t i = 0; i < m->profile->sites.count; i++) {
    const struct profile_site *site = &m->profile->sites.site[i];
    if (!is(site, "break") || site->callers) continue;
    struct data data = data_of(m, site);
    struct what_if_value saved = of_site(m, i, data.share);
    units += data.units;
    c.touched += data.pages * BASE;
    add_up(&c, &saved, fewer(m, data.misses) * covered(site));
  }
  c.bytes = whole_pages(m, (double)(units * PROFILE_UNIT));
  add(m, &c, CHOOSER_APART);
}

/* Of a heap site, when all blocks were most: its small blocks lie side by side,
 * and each large one has whole pages. */
static void add_blocks(const struct making *m, const struct profile_site *site,
                       double *small, struct candidate *c) {
  struct heat_piece piece[HEAT_PIECES];
  const struct profile_heat *heat =
      site->heats ? &m->profile->heats.heat[site->heat] : NULL;
  double share = at_peak(site);
  *small += share * (double)small_blocks_of(site).glibc;
  if (!heat_pieces(site, heat, site->heats,
                   (uint32_t)(m->all->page / PROFILE_UNIT), 1, piece))
    return;
  c->touched += (uint64_t)(share * (double)piece->pages) * BASE;
  c->bytes += (uint64_t)(share * (double)piece->units) * m->all->page;
}

/* What malloc() itself maps are its blocks. */
static void add_heap(struct making *m) {
  struct candidate c = {
      .what = PLAN_HEAP, .site = CANDIDATE_NO_SITE, .at_peak = 1};
  double small = 0;
  bool any = false;
  for (size_t i = 0; i < m->profile->sites.count; i++) {
    const struct profile_site *site = &m->profile->sites.site[i];
    bool heap = is(site, "heap");
    if (!heap && !is(site, "break") && !is_of_libc(m->profile, site)) continue;
    struct data data = {0};
    if (is(site, "break") && !site->callers) data = data_of(m, site);
    struct what_if_value saved = of_site(m, i, 1 - data.share);
    uint64_t misses[PROFILE_TREES];
    leaves(&site->counts, misses);
    any |= heap;
    add_up(&c, &saved, fewer(m, misses) * covered(site) * (1 - data.share));
    if (heap) add_blocks(m, site, &small, &c);
  }
  c.touched += (uint64_t)(small / BASE) * BASE;
  c.bytes += whole_pages(m, small);
  if (c.touched > c.bytes) c.touched = c.bytes;
  if (any) add(m, &c, CHOOSER_WHOLE);
}

static int compare_savings(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return a < b ? -1 : a > b;
}

/* Each choice is a rule to be matched, and a line to be read: so the least,
 * which together save next to nothing, are left out.  Not the heap as a whole,
 * which is one. */
static void drop_least(struct candidates *all) {
  static const double nothing = 0.005;
  double *saving = memory_zeroed(all->count + 1, sizeof *saving);
  double sum = 0, left_out = 0, least = 0;
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++)
    if (all->item[i].role != CHOOSER_WHOLE)
      sum += saving[count++] = all->item[i].saving;
  qsort(saving, count, sizeof *saving, compare_savings);
  for (size_t i = 0; i < count && left_out + saving[i] < nothing * sum; i++)
    left_out += least = saving[i];
  for (size_t i = 0; i < all->count; i++)
    if (all->item[i].role != CHOOSER_WHOLE && all->item[i].saving <= least)
      all->item[i].saving = 0;
  free(saving);
}

void candidates_make(struct candidates *all, const struct profile *profile,
                     const struct what_if *what, uint64_t page, unsigned tree,
                     bool parts) {
  struct making making = {all, profile, what, tree, parts, find_heap(profile)};
  *all = (struct candidates){.page = page};
  for (size_t i = 0; i < profile->sites.count; i++) add_site(&making, i);
  add_heap(&making);
  add_data(&making);
  drop_least(all);
}

void candidate_cut(struct candidate *c, uint64_t bytes, uint64_t step,
                   uint64_t page) {
  double share = (double)bytes / (double)c->bytes;
  if (c->what == PLAN_SITE_SMALL)
    c->to = (uint64_t)(share * (double)c->asked);
  else
    c->to = c->from + bytes / step * page;
  c->cut = true;
  c->bytes = bytes;
  c->touched = (uint64_t)(share * (double)c->touched) / BASE * BASE;
  c->misses *= share;
  scale(&c->saved, share);
}

void candidates_fini(struct candidates *all) {
  free(all->at);
  free(all->item);
  *all = (struct candidates){0};
}
