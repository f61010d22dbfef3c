/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/heat_pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

static int compare_units(const void *x, const void *y) {
  const struct heat_piece *a = x, *b = y;
  return a->from < b->from ? -1 : a->from > b->from;
}

static void add(struct heat_piece *to, const struct heat_piece *from) {
  to->units += from->units;
  to->pages += from->pages;
  to->faults += from->faults;
  for (unsigned t = 0; t < PROFILE_TREES; t++) to->misses[t] += from->misses[t];
  if (from->to > to->to) to->to = from->to;
}

/* The last block's number stands for itself and all behind it: as many as the
 * site has more than numbers, but no more than its peak has room for. */
static uint64_t blocks_of(const struct profile_site *site, uint32_t block) {
  const uint64_t last = PROFILE_BLOCKS - 1;
  if (block < last || site->large <= PROFILE_BLOCKS) return 1;
  uint64_t size = site->largest > PROFILE_UNIT ? site->largest : PROFILE_UNIT;
  uint64_t at_once = site->large_peak / size + 1;
  uint64_t all = at_once < site->large ? at_once : site->large;
  return all > last ? all - last : 1;
}

/* How often large blocks' pages were faulted in: all alike. */
static double times(const struct profile_site *site,
                    const struct profile_heat *heat, size_t heats) {
  double pages = 0;
  for (size_t i = 0; i < heats && heat[i].block < PROFILE_SMALL; i++)
    pages += heat[i].pages;
  return pages > 0 ? fmax(1, (double)site->large_faults / pages) : 1;
}

/* One for each unit of each block; pages are no more than it has room for. */
static size_t take(const struct profile_site *site,
                   const struct profile_heat *heat, size_t heats, uint32_t per,
                   struct heat_piece *unit) {
  enum { PAGES = PROFILE_UNIT / 4096 };
  double again = times(site, heat, heats);
  size_t count = 0;
  uint32_t block = 0;
  for (size_t i = 0; i < heats && heat[i].block < PROFILE_SMALL; i++) {
    uint32_t number = heat[i].unit / per;
    uint64_t blocks = blocks_of(site, heat[i].block);
    uint64_t room = blocks * PAGES;
    struct heat_piece one = {
        .from = number,
        .to = number + 1,
        .pages = heat[i].pages < room ? heat[i].pages : room,
        .faults = (uint64_t)(heat[i].pages * again)};
    memcpy(one.misses, heat[i].misses, sizeof one.misses);
    if (!count || block != heat[i].block || unit[count - 1].from != number) {
      unit[count] = (struct heat_piece){
          .from = number, .to = number + 1, .units = blocks};
      count++;
    }
    add(&unit[count - 1], &one);
    block = heat[i].block;
  }
  return count;
}

/* Those of one number, of all blocks, become one. */
static size_t join_blocks(struct heat_piece *unit, size_t count) {
  size_t kept = 0;
  if (!count) return 0;
  qsort(unit, count, sizeof *unit, compare_units);
  for (size_t i = 1; i < count; i++)
    if (unit[i].from == unit[kept].from)
      add(&unit[kept], &unit[i]);
    else
      unit[++kept] = unit[i];
  return kept + 1;
}

static double rate(const struct heat_piece *piece) {
  return (double)piece->misses[0] / (double)piece->units;
}

/* Counts of random events differ by about their roots. */
static double noise(const struct heat_piece *piece) {
  return (double)piece->misses[0] /
         ((double)piece->units * (double)piece->units);
}

static bool alike(const struct heat_piece *a, const struct heat_piece *b,
                  double tolerance) {
  double left = rate(a), right = rate(b);
  return fabs(left - right) <=
         tolerance * fmax(left, right) + 3 * sqrt(noise(a) + noise(b));
}

/* Where blocks begin and end they have a part of a unit, which misses less by
 * that; so the first and the last one go with their neighbours. */
static size_t join_ends(struct heat_piece *piece, size_t count) {
  if (count < 3) return count;
  add(&piece[0], &piece[1]);
  add(&piece[count == 3 ? 0 : count - 2], &piece[count - 1]);
  if (count == 3) return 1;
  memmove(&piece[1], &piece[2], (count - 3) * sizeof *piece);
  return count - 2;
}

static size_t join_alike(struct heat_piece *piece, size_t count,
                         double tolerance) {
  size_t kept = 0;
  for (size_t i = 1; i < count; i++)
    if (alike(&piece[kept], &piece[i], tolerance))
      add(&piece[kept], &piece[i]);
    else
      piece[++kept] = piece[i];
  return count ? kept + 1 : 0;
}

size_t heat_units(const struct profile_site *site,
                  const struct profile_heat *heat, size_t heats, uint32_t per,
                  bool ends, struct heat_piece *unit) {
  size_t count = join_blocks(unit, take(site, heat, heats, per, unit));
  return ends ? join_ends(unit, count) : count;
}

size_t heat_pieces(const struct profile_site *site,
                   const struct profile_heat *heat, size_t heats, uint32_t per,
                   size_t most, struct heat_piece piece[HEAT_PIECES]) {
  struct heat_piece *all = memory_zeroed(heats + 1, sizeof *all);
  size_t count = heat_units(site, heat, heats, per, true, all);
  double other = 0.5;
  do {
    count = join_alike(all, count, 1 - other);
    other = other > 1e-3 ? other / 2 : 0; /* then all is alike */
  } while (count > most);
  memcpy(piece, all, count * sizeof *all);
  free(all);
  return count;
}
