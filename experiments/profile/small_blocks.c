/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/small_blocks.h"

#include <math.h>

/* jemalloc(3), SIZE CLASSES: blocks of up to 14 KiB are in slabs. */
enum {
  BASE = 4096,
  EXTENT = SMALL_BLOCKS_OF_PAGE,
  SLAB_MOST = 14336,
  SPREAD_LEAST = 448,
  SPREAD_MOST = 4096,
  SPREAD_BY = 16,
  SPREAD_SLAB = 64 << 10,
  ROUNDED_LEAST = 16
};

/* As CUT_MIN of page_shim.c: smaller mappings stay where they are. */
static const uint64_t CUT_LEAST = 256 << 10;

/* jemalloc(3), SIZE CLASSES: multiples of 16 up to 128, and then four between a
 * power of two and the next. */
uint64_t small_blocks_size(uint64_t bytes) {
  uint64_t step = 16;
  while (bytes > 8 * step) step *= 2;
  return (bytes + step - 1) / step * step;
}

static uint64_t pages_of(double bytes) {
  return BASE * (uint64_t)ceil(fmax(0, bytes) / BASE);
}

/* Of an older vat: where blocks differ in size an eighth more, half of the way
 * from a size to the next, or up to a third, as the smallest, which may be the
 * most. */
static double factor_of(const struct profile_site *site) {
  double of_smallest = (double)site->smallest;
  double as_smallest =
      site->smallest ? (double)small_blocks_size(site->smallest) / of_smallest
                     : 1;
  if (site->smallest == site->largest) return as_smallest;
  if (site->smallest < ROUNDED_LEAST) return 9. / 8;
  return fmin(fmax(9. / 8, as_smallest), 4. / 3);
}

struct blocks {
  double count, bytes, rounded;
};

static struct blocks blocks_of(const struct profile_site *site) {
  struct blocks blocks = {(double)site->small, (double)site->small_peak,
                          (double)site->small_rounded};
  if (site->small_rounded || site->smallest >= PROFILE_UNIT) return blocks;
  double mean = (double)site->smallest;
  if (!site->large && site->blocks)
    mean = (double)site->bytes / (double)site->blocks;
  blocks.bytes = site->peak > site->large_peak
                     ? (double)(site->peak - site->large_peak)
                     : (double)site->smallest;
  blocks.count = mean > 0 ? blocks.bytes / mean : 0;
  blocks.rounded = factor_of(site) * blocks.bytes;
  return blocks;
}

static double mean_of(const struct blocks *blocks) {
  return blocks->count > 0 ? blocks->bytes / blocks->count : 0;
}

/* A slab is as many pages as blocks of one size fill, mostly; of many sizes as
 * few as can be. */
static double slab_of(const struct profile_site *site) {
  uint64_t size = small_blocks_size(site->smallest), slab = BASE;
  if (site->smallest == site->largest)
    while (size && slab % size && slab < 8 * BASE) slab += BASE;
  return (double)slab;
}

/* A larger block begins anywhere in its first page (opt.cache_oblivious). */
static double with_extents(const struct profile_site *site,
                           const struct blocks *blocks) {
  if (mean_of(blocks) > SLAB_MOST)
    return blocks->rounded + (EXTENT + BASE) * blocks->count;
  return blocks->rounded * (1 + EXTENT / slab_of(site));
}

/* Blocks of some sizes lie further apart, in slabs of their own
 * (experiments/exec/site_slabs.c).  Of many sizes half of one may be lost. */
static double in_arena(const struct profile_site *site,
                       const struct blocks *blocks) {
  double mean = mean_of(blocks);
  if (mean <= SPREAD_LEAST || mean > SPREAD_MOST)
    return with_extents(site, blocks);
  double one = (double)small_blocks_size((uint64_t)ceil(mean)) + SPREAD_BY;
  double fits = site->smallest == site->largest ? one * floor(SPREAD_SLAB / one)
                                                : SPREAD_SLAB - one / 2;
  return (blocks->rounded + SPREAD_BY * blocks->count) * SPREAD_SLAB / fits;
}

/* A word before each block; all are multiples of 16, and none is less than 32.
 * In older profiles, of blocks that differ, estimated. */
static double in_glibc(const struct profile_site *site,
                       const struct blocks *blocks) {
  if (site->small_chunks) return (double)site->small_chunks;
  double one = mean_of(blocks);
  double chunk = 16 * ceil((one + 8) / 16);
  if (site->smallest != site->largest) chunk = one + 16;
  return blocks->count * fmax(32, chunk);
}

struct small_blocks small_blocks_of(const struct profile_site *site,
                                    bool glibc) {
  struct blocks blocks = blocks_of(site);
  return (struct small_blocks){
      (uint64_t)blocks.bytes, pages_of(in_arena(site, &blocks)),
      pages_of(glibc ? in_glibc(site, &blocks) : with_extents(site, &blocks))};
}

/* Of mappings that live at once.  Pages are of who mapped them first: what is
 * mapped where others were has none, but faults, of all that it maps. */
static double touched_of(const struct profile_site *site) {
  double peak = (double)site->peak, pages = (double)site->pages[0];
  double faults = (double)site->faults * peak / fmax(peak, (double)site->bytes);
  return fmin(peak, BASE * fmax(pages, faults));
}

/* A page is cut no more where the next does not fit; of many sizes half of one
 * may be lost. */
struct small_blocks small_blocks_mapped(const struct profile_site *site) {
  double peak = (double)site->peak, size = (double)site->largest;
  if (site->large || site->smallest < CUT_LEAST)
    return (struct small_blocks){0};
  double in_page = floor(PROFILE_UNIT / size);
  double pages = site->smallest == site->largest
                     ? ceil(peak / size / in_page)
                     : ceil(peak / (PROFILE_UNIT - size / 2));
  return (struct small_blocks){.bytes = site->peak,
                               .arena = (uint64_t)pages * PROFILE_UNIT,
                               .heap = (uint64_t)touched_of(site)};
}

/* Blocks that grow leave those before them, which are too small for the next;
 * what is freed stays for ten seconds. */
static double with_freed(const struct profile_site *site) {
  double live = (double)site->large_peak;
  double all = (double)site->bytes - (double)site->small_peak;
  double most = fmin(2 * live, (double)site->large * (double)site->largest);
  return fmax(live, fmin(all, most));
}

uint64_t small_blocks_large(const struct profile_site *site) {
  double bytes = (double)site->large_peak, size = (double)site->largest;
  if (!(size > 0)) return 0;
  if (site->smallest == site->largest)
    return pages_of(bytes / size *
                    ((double)small_blocks_size(site->largest) + BASE));
  return pages_of(with_freed(site) + BASE * ceil(bytes / size));
}
