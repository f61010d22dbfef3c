/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/applications/applications.h"
#include "experiments/cli/memory.h"
#include "experiments/profile/few_freed.h"
#include "experiments/profile/heat_pieces.h"
#include "experiments/profile/look_ups.h"
#include "experiments/profile/mapped_blocks.h"
#include "experiments/profile/profile_walks.h"
#include "experiments/profile/small_blocks.h"
#include "experiments/profile/static_data.h"
#include "experiments/profile/what_if_table.h"

enum { BASE = 4096 };

/* Blocks below 32 MiB share memory of their own, jemalloc's
 * (experiments/exec/site_arena.c), but for those of which only a part is
 * chosen.  These are mapped each time that one is allocated, or grows: so where
 * few are freed, or as much as stays of a site that has larger ones, too. */
static const uint64_t apart = 32 << 20, divisible = 4 << 20;

struct making {
  struct candidates *all;
  const struct profile *profile;
  const struct what_if *what;
  unsigned tree;
  bool parts;                          /* of blocks can be on larger pages */
  const struct candidate_price *price; /* or NULL */
  uint32_t first_of_heap;              /* a unit, of static_data_end() */
  bool heap_known;
  bool *shared; /* look_ups_shared() */
};

static bool is(const struct profile_site *site, const char *kind) {
  return *site->kind == *kind && !strcmp(site->kind, kind);
}

/* Who calls mmap(); NULL: it is not mapped, or not known. */
static const char *mapper_of(const struct profile *profile,
                             const struct profile_site *site) {
  if (!is(site, "mapping") || !site->chains) return NULL;
  return profile->chains.chain[site->chain].frame[0].object;
}

/* What its malloc() and the loader map: no library can see these calls. */
static bool is_of_libc(const struct profile *profile,
                       const struct profile_site *site) {
  const char *object = mapper_of(profile, site);
  if (!object) return false;
  const char *slash = strrchr(object, '/'), *name = slash ? slash + 1 : object;
  return !strncmp(name, "libc.so", 7) || !strncmp(name, "ld-linux", 8);
}

bool candidates_of_allocator(const struct profile *profile,
                             const struct profile_site *site) {
  const char *object = mapper_of(profile, site);
  const char *function = site->callers ? site->caller[0].function : "";
  const struct application_seen seen = {.exe = "",
                                        .cwd = "",
                                        .env_why = "no process is looked at",
                                        .objects = &object,
                                        .object_count = 1,
                                        .functions = &function,
                                        .function_count = 1};
  return object && !is_of_libc(profile, site) && applications_allocator(&seen);
}

bool candidates_know_heap(const struct profile *profile) {
  for (size_t i = 0; i < profile->sites.count; i++)
    if (is(&profile->sites.site[i], "heap")) return true;
  return false;
}

/* Where its blocks are not known, an allocator's mappings are all there is. */
static bool is_of_malloc(const struct profile *profile,
                         const struct profile_site *site, bool heap_known) {
  return is_of_libc(profile, site) ||
         (heap_known && candidates_of_allocator(profile, site));
}

/* Whole larger pages.  An allocator that is not given these at a multiple of
 * their size maps as much more, less a base page, and unmaps what is around
 * them. */
static bool is_whole(uint64_t bytes) {
  return bytes % PROFILE_UNIT == 0 ||
         (bytes > PROFILE_UNIT && (bytes + BASE) % PROFILE_UNIT == 0);
}

/* What describes an allocator's blocks, too, where it has whole larger pages:
 * jemalloc's thp:always asks for all that it maps. */
bool candidates_of_heap(const struct profile *profile,
                        const struct profile_site *site) {
  bool whole = is_whole(site->smallest) && is_whole(site->largest);
  return is(site, "heap") || is(site, "break") || is_of_libc(profile, site) ||
         (whole && candidates_of_allocator(profile, site));
}

/* What is left of 2 MiB goes back to the kernel, and then no larger page has
 * room there (page_shim.c). */
static bool fills_pages(const struct profile_site *site) {
  uint64_t bytes = site->largest;
  return bytes == site->smallest && bytes && PROFILE_UNIT % bytes == 0;
}

bool candidates_are_cut(const struct profile *profile,
                        const struct profile_site *site, uint64_t page,
                        bool heap_known) {
  return is(site, "mapping") && site->chains && page <= PROFILE_UNIT &&
         fills_pages(site) && small_blocks_mapped(site).arena &&
         !is_of_malloc(profile, site, heap_known);
}

static bool is_cut(const struct making *m, const struct profile_site *site) {
  return candidates_are_cut(m->profile, site, m->all->page, m->heap_known);
}

static uint64_t whole_pages(const struct making *m, double bytes) {
  return m->all->page * (uint64_t)ceil(fmax(0, bytes) / (double)m->all->page);
}

/* Of a site's misses, those where there can be huge pages. */
static double covered(const struct making *m, const struct profile_site *site) {
  double can = profile_walks_sum(m->profile, site, 1);
  double all = can + profile_walks_sum(m->profile, site, 0);
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

static void pay_look_ups(const struct making *m, struct candidate *c,
                         double look_ups_s) {
  if (!m->what) return;
  c->look_ups_s = look_ups_s;
  c->saved.value -= look_ups_s;
  c->saved.lo -= look_ups_s;
  c->saved.hi -= look_ups_s;
}

/* How often pages are faulted in.  Older profiles do not tell; nor do faults of
 * small blocks of a heap, as malloc() writes behind each before there is one.
 */
static double times(const struct profile_site *site, uint64_t faults,
                    uint64_t touched) {
  bool known = site->faults && touched;
  return known ? (double)faults * BASE / (double)touched : 1;
}

static bool can_be_divided(const struct making *m,
                           const struct profile_site *site) {
  if (!m->parts) return false;
  if (site->largest >= apart) return half_freed_large(site);
  return site->largest >= divisible && few_freed_large(site);
}

static void add(struct making *m, const struct candidate *candidate,
                enum chooser_role role) {
  struct candidates *all = m->all;
  size_t items = all->count;
  if (!candidate->bytes) return;
  struct chooser_item *item = ARRAY_ADD(all->item, items);
  *ARRAY_ADD(all->at, all->count) = *candidate;
  double saving = m->what ? candidate->saved.value : candidate->misses;
  *item = (struct chooser_item){.bytes = candidate->bytes,
                                .saving = fmax(0, saving),
                                .role = role,
                                .part = candidate->parts.item,
                                .parts = candidate->parts.count};
}

static struct candidate_whole whole_of(const struct making *m,
                                       const struct candidate *c) {
  return (struct candidate_whole){
      .bytes = c->bytes,
      .page = m->all->page,
      .touched = c->touched,
      .asked = c->asked,
      .times = c->times,
      .saving = m->what ? c->saved.value : c->misses,
      .misses = c->misses};
}

/* The profile's blocks begin anywhere in their first unit, and what is aligned
 * at its beginning: so a unit behind the last page is a part of that one. */
static size_t units_of(const struct making *m, const struct profile_site *site,
                       const struct heat_piece *all, size_t count,
                       const struct heat_piece *piece,
                       struct candidate_unit *unit) {
  uint64_t page = m->all->page;
  uint64_t end = whole_pages(m, (double)site->largest);
  size_t units = 0;
  for (size_t i = 0; i < count; i++) {
    if (all[i].from < piece->from || all[i].from >= piece->to) continue;
    uint64_t from = all[i].from * page;
    if (!units || from < end)
      unit[units++] = (struct candidate_unit){
          .from = from, .to = from + page, .bytes = all[i].units * page};
    struct candidate_unit *to = &unit[units - 1];
    double saved = fewer(m, all[i].misses);
    to->touched += all[i].pages * BASE;
    to->faulted += (site->faults ? all[i].faults : all[i].pages) * BASE;
    to->saving += m->price  ? all[i].pages
                  : m->what ? all[i].misses[0]
                            : (uint64_t)saved;
    to->misses += (uint64_t)saved;
  }
  return units;
}

static void add_parts(const struct making *m, const struct profile_site *site,
                      const struct heat_piece *all, size_t count,
                      const struct heat_piece *piece, struct candidate *c) {
  struct candidate_whole whole = whole_of(m, c);
  if (!count) return;
  struct candidate_unit *unit = memory_zeroed(count + 1, sizeof *unit);
  size_t units = units_of(m, site, all, count, piece, unit);
  candidate_parts_of_blocks(&c->parts, &whole, unit, units);
  candidate_price_parts(c, m->price);
  free(unit);
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

/* All units of a site's blocks, and pieces of them. */
struct pieces {
  struct heat_piece *unit, piece[HEAT_PIECES];
  size_t units, count;
};

static void add_piece(struct making *m, size_t number,
                      const struct pieces *pieces, size_t at, double all) {
  const struct heat_piece *piece = &pieces->piece[at];
  const struct profile_site *site = &m->profile->sites.site[number];
  uint64_t page = m->all->page;
  struct candidate c = {.site = number};
  c.what = is(site, "shared") ? PLAN_SHARED : PLAN_SITE_LARGE;
  c.bytes = piece->units * page;
  c.touched = piece->pages * BASE;
  if (pieces->count == 1) {
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
  c.times = times(site, piece->faults, c.touched);
  c.at_peak = at_peak(site);
  c.saved = of_site(m, number, all > 0 ? (double)piece->misses[0] / all : 0);
  c.misses = fewer(m, piece->misses) * covered(m, site);
  candidate_price(&c, m->price);
  add_parts(m, site, pieces->unit, pieces->units, piece, &c);
  add(m, &c, role_of(site));
}

/* Those that are freed are asked for, too.  Older profiles do not tell. */
static uint64_t asked_in_all(const struct profile_site *site,
                             const struct small_blocks *blocks) {
  bool more = is(site, "heap") && site->small_bytes > blocks->bytes;
  return more ? site->small_bytes : blocks->bytes;
}

static void add_small(struct making *m, size_t number, const uint64_t *large) {
  const struct profile_site *site = &m->profile->sites.site[number];
  uint64_t misses[PROFILE_TREES];
  leaves(&site->counts, misses);
  double all = (double)misses[0];
  for (unsigned t = 0; t < PROFILE_TREES; t++)
    misses[t] -= large[t] < misses[t] ? large[t] : misses[t];
  bool in_heap = is(site, "heap");
  if (!misses[0] || site->smallest >= PROFILE_UNIT || is(site, "shared"))
    return;
  struct small_blocks blocks = in_heap ? small_blocks_of(site, m->all->glibc)
                                       : small_blocks_mapped(site);
  struct candidate c = {
      .what = PLAN_SITE_SMALL,
      .site = number,
      .bytes = blocks.arena,
      .asked = asked_in_all(site, &blocks),
      .touched = blocks.heap,
      .times = in_heap ? 1 : times(site, site->faults, blocks.heap),
      .at_peak = at_peak(site),
      .arena = in_heap,
      .saved = of_site(m, number, all > 0 ? (double)misses[0] / all : 0),
      .misses = fewer(m, misses) * (is_cut(m, site) ? 1 : covered(m, site))};
  candidate_price(&c, m->price);
  if (in_heap) pay_look_ups(m, &c, look_ups_chosen(site, m->shared[number]));
  struct candidate_whole whole = whole_of(m, &c);
  if (c.bytes && m->parts && whole.saving > 0 && few_freed_small(site))
    candidate_parts_of_small(&c.parts, &whole);
  candidate_price_parts(&c, m->price);
  add(m, &c, role_of(site));
}

static void add_blocks(struct making *m, size_t number, uint64_t *large) {
  const struct profile_site *site = &m->profile->sites.site[number];
  const struct profile_heat *heat =
      site->heats ? &m->profile->heats.heat[site->heat] : NULL;
  uint32_t per = (uint32_t)(m->all->page / PROFILE_UNIT);
  bool divided = can_be_divided(m, site);
  struct pieces pieces = {0};
  pieces.count =
      heat_pieces(site, heat, site->heats, per,
                  divided && !m->price ? HEAT_PIECES : 1, pieces.piece);
  if (pieces.count && divided) {
    pieces.unit = memory_zeroed(site->heats, sizeof *pieces.unit);
    pieces.units = heat_units(site, heat, site->heats, per, false, pieces.unit);
  }
  for (size_t i = 0; i < pieces.count; i++)
    for (unsigned t = 0; t < PROFILE_TREES; t++)
      large[t] += pieces.piece[i].misses[t];
  double all = fmax((double)large[0], (double)site->counts.misses[0][0]);
  for (size_t i = 0; i < pieces.count; i++)
    add_piece(m, number, &pieces, i, all);
  free(pieces.unit);
}

/* Its large blocks, then its small ones. */
static void add_site(struct making *m, size_t number) {
  const struct profile_site *site = &m->profile->sites.site[number];
  uint64_t large[PROFILE_TREES] = {0};
  if (!is(site, "heap") && !is(site, "mapping") && !is(site, "shared")) return;
  if (is_of_malloc(m->profile, site, m->heap_known)) return;
  if (site->chains) {
    add_blocks(m, number, large);
    add_small(m, number, large);
    return;
  }
  struct candidate c = {.site = number,
                        .touched = site->pages[0] * BASE,
                        .times = 1,
                        .saved = of_site(m, number, 1)};
  c.bytes = whole_pages(m, (double)c.touched);
  candidate_price(&c, m->price);
  uint64_t misses[PROFILE_TREES];
  leaves(&site->counts, misses);
  m->all->unreachable += m->what ? fmax(0, c.saved.value) : fewer(m, misses);
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
      .what = PLAN_DATA, .site = CANDIDATE_NO_SITE, .at_peak = 1, .times = 1};
  uint64_t units = 0;
  if (!m->what) c.saved = (struct what_if_value){NAN, NAN, NAN};
  for (size_t i = 0; i < m->profile->sites.count; i++) {
    const struct profile_site *site = &m->profile->sites.site[i];
    if (!is(site, "break") || site->callers) continue;
    struct static_data data =
        static_data_of(m->profile, site, m->first_of_heap);
    struct what_if_value saved = of_site(m, i, data.share);
    units += data.units;
    c.touched += data.pages * BASE;
    add_up(&c, &saved, fewer(m, data.misses) * covered(m, site));
  }
  c.bytes = whole_pages(m, (double)(units * PROFILE_UNIT));
  candidate_price(&c, m->price);
  add(m, &c, CHOOSER_APART);
}

/* Of a heap site, when all blocks were most: its small blocks lie side by side,
 * and each large one has whole pages. */
static void add_to_heap(const struct making *m, const struct profile_site *site,
                        double *small, struct candidate *c) {
  struct heat_piece piece[HEAT_PIECES];
  const struct profile_heat *heat =
      site->heats ? &m->profile->heats.heat[site->heat] : NULL;
  double share = at_peak(site);
  *small += share * (double)small_blocks_of(site, m->all->glibc).heap;
  if (!heat_pieces(site, heat, site->heats,
                   (uint32_t)(m->all->page / PROFILE_UNIT), 1, piece))
    return;
  double bytes = share * (double)piece->units * (double)m->all->page;
  if (m->all->glibc && site->mapped_large)
    bytes = fmin(bytes, share * (double)site->large_peak *
                            mapped_blocks_of(site, m->all->page).on_pages);
  c->touched += (uint64_t)(share * (double)piece->pages) * BASE;
  c->bytes += whole_pages(m, bytes);
}

/* What malloc() itself maps are its blocks. */
static void add_heap(struct making *m) {
  struct candidate c = {
      .what = PLAN_HEAP, .site = CANDIDATE_NO_SITE, .at_peak = 1};
  double small = 0, faults = 0;
  bool any = false;
  for (size_t i = 0; i < m->profile->sites.count; i++) {
    const struct profile_site *site = &m->profile->sites.site[i];
    bool heap = is(site, "heap");
    if (!candidates_of_heap(m->profile, site)) continue;
    struct static_data data = {0};
    if (is(site, "break") && !site->callers)
      data = static_data_of(m->profile, site, m->first_of_heap);
    struct what_if_value saved = of_site(m, i, 1 - data.share);
    uint64_t misses[PROFILE_TREES];
    leaves(&site->counts, misses);
    any |= heap;
    faults += fmax(0, (double)site->faults - (double)data.pages);
    add_up(&c, &saved, fewer(m, misses) * covered(m, site) * (1 - data.share));
    if (heap) add_to_heap(m, site, &small, &c);
  }
  c.touched += (uint64_t)(small / BASE) * BASE;
  c.bytes += whole_pages(m, small);
  if (c.touched > c.bytes) c.touched = c.bytes;
  c.times = faults > 0 && c.touched ? faults * BASE / (double)c.touched : 1;
  candidate_price(&c, m->price);
  pay_look_ups(m, &c, look_ups_heap(m->profile));
  if (any) add(m, &c, CHOOSER_WHOLE);
}

void candidates_make(struct candidates *all, const struct profile *profile,
                     const struct what_if *what, uint64_t page, unsigned tree,
                     bool parts, const struct candidate_price *price) {
  struct heap_advice heap;
  heap_advice_of(profile, &heap);
  struct making making = {all,
                          profile,
                          what,
                          tree,
                          parts,
                          price,
                          static_data_end(profile),
                          candidates_know_heap(profile),
                          look_ups_shared(profile)};
  *all =
      (struct candidates){.page = page, .glibc = !strcmp(heap.name, "glibc")};
  for (size_t i = 0; i < profile->sites.count; i++) add_site(&making, i);
  add_heap(&making);
  add_data(&making);
  if (what) all->look_ups_s = look_ups_all(profile, making.shared);
  free(making.shared);
}

void candidates_fini(struct candidates *all) {
  for (size_t i = 0; i < all->count; i++)
    candidate_parts_fini(&all->at[i].parts);
  free(all->at);
  free(all->item);
  *all = (struct candidates){0};
}
