/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "cpu_algos/random.h"
#include "experiments/profile/candidates.h"
#include "experiments/profile/heat_pieces.h"
#include "tests/experiments/suites.h"

#define MIB (UINT64_C(1) << 20)
enum { SITES = 8, HEATS = 1 << 12 };

/* A profile that is filled site by site. */
static struct profile_site sites[SITES];
static struct profile_heat heats[HEATS];
static struct what_if_value saved[SITES];
static struct profile_chain chain = {.frames = 1, .frame = {{"/opt/a", 1}}};
static struct profile profile;
static struct what_if what;

static void begin(void) {
  static const struct profile none;
  profile = none;
  profile.trees = 2;
  profile.unit = PROFILE_UNIT;
  profile.sites.site = sites;
  profile.heats.heat = heats;
  profile.chains.chain = &chain;
  what = (struct what_if){.sites = saved};
}

/* All of its misses are where there can be huge pages, and save so much. */
static struct profile_site *add_site(const char *kind, uint64_t peak,
                                     uint64_t misses, double saved_s) {
  size_t number = profile.sites.count++;
  struct profile_site *site = &sites[number];
  *site = (struct profile_site){.name = "", .peak = peak};
  strcpy(site->kind, kind);
  site->at_peak = site->bytes = peak;
  site->smallest = site->largest = peak;
  site->large = peak >= PROFILE_UNIT;
  site->large_peak = site->large ? peak : 0;
  site->chains = 1;
  site->heat = profile.heats.count;
  site->counts.misses[0][0] = misses;
  site->counts.misses[1][0] = misses / 100;
  site->walks[1][3] = misses;
  saved[number] = (struct what_if_value){saved_s, saved_s / 2, saved_s * 3 / 2};
  return site;
}

static void add_heat(uint32_t block, uint32_t unit, uint64_t misses,
                     uint32_t pages) {
  struct profile_site *site = &sites[profile.sites.count - 1];
  heats[profile.heats.count++] = (struct profile_heat){
      profile.sites.count - 1, block, unit, {misses, misses / 100}, pages};
  site->heats++;
}

static void add_heats(uint32_t from, uint32_t to, uint64_t misses) {
  for (uint32_t i = from; i < to; i++) add_heat(0, i, misses, 512);
}

static struct candidates make(uint64_t page) {
  struct candidates all;
  candidates_make(&all, &profile, &what, page, 1, true, NULL);
  return all;
}

static const struct candidate *find(const struct candidates *all,
                                    enum plan_what kind, size_t site) {
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].what == kind && all->at[i].site == site) return &all->at[i];
  return NULL;
}

/* A block that is evenly hot, and not aligned: one piece, of the pages that it
 * needs where it is. */
static void test_even_block(void) {
  begin();
  add_site("heap", 192 * MIB, 96500, 0.4);
  add_heat(0, 0, 500, 256);
  add_heats(1, 96, 1000);
  add_heat(0, 96, 500, 256);
  struct candidates all = make(2 * MIB);
  const struct candidate *c = find(&all, PLAN_SITE_LARGE, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_EQUAL(c->bytes, 192 * MIB);
  CU_ASSERT_EQUAL(c->touched, 192 * MIB);
  CU_ASSERT_EQUAL(c->to, 0);
  CU_ASSERT_DOUBLE_EQUAL(c->saved.value, 0.4 * 96000 / 96500, 1e-3);
  CU_ASSERT_DOUBLE_EQUAL(c->saved.hi, 1.5 * c->saved.value, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(c->misses, 95040 + 990, 1000);
  candidates_fini(&all);
}

/* A quarter is hot: the rest can be left out. */
static void test_uneven_block(void) {
  begin();
  add_site("mapping", 256 * MIB, 32 * 10000 + 96 * 100, 1);
  add_heats(0, 64, 100);
  add_heats(64, 96, 10000);
  add_heats(96, 128, 100);
  struct candidates all = make(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 3);
  CU_ASSERT_EQUAL(all.at[1].from, 128 * MIB);
  CU_ASSERT_EQUAL(all.at[1].to, 192 * MIB);
  CU_ASSERT_EQUAL(all.at[1].bytes, 64 * MIB);
  double share = 32. * 10000 / (32 * 10000 + 96 * 100);
  CU_ASSERT_DOUBLE_EQUAL(all.at[1].saved.value, share, 1e-9);
  CU_ASSERT_EQUAL(all.at[0].bytes + all.at[2].bytes, 192 * MIB);
  CU_ASSERT_EQUAL(all.item[0].role, CHOOSER_APART);
  candidates_fini(&all);
  candidates_make(&all, &profile, &what, 2 * MIB, 1, false, NULL);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT_EQUAL(all.at[0].bytes, 256 * MIB);
  CU_ASSERT_EQUAL(all.at[0].to, 0);
  candidates_fini(&all);
}

/* Shared memory, twice 5 MiB: each block has pages of its own, and none is
 * small. */
static void test_shared_memory(void) {
  begin();
  struct profile_site *site = add_site("shared", 10 * MIB, 5000, 1);
  site->smallest = site->largest = 5 * MIB;
  site->large = 2;
  for (uint32_t block = 0; block < 2; block++)
    for (uint32_t i = 0; i < 3; i++) add_heat(block, i, 800, 512);
  struct candidates all = make(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT_EQUAL(all.at[0].what, PLAN_SHARED);
  CU_ASSERT_EQUAL(all.at[0].bytes, 12 * MIB);
  CU_ASSERT_EQUAL(all.item[0].role, CHOOSER_APART);
  candidates_fini(&all);
}

/* A block of which a page in each unit is touched needs the whole units. */
static void test_sparse_block(void) {
  begin();
  add_site("mapping", 1024 * MIB, 6400, 1);
  for (uint32_t i = 0; i < 64; i++) add_heat(0, 8 * i, 100, 1);
  struct candidates all = make(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT_EQUAL(all.at[0].bytes, 128 * MIB);
  CU_ASSERT_EQUAL(all.at[0].touched, 64 * 4096);
  candidates_fini(&all);
}

/* Two blocks at once, which came elsewhere four times: pages have room for no
 * more than that. */
static void test_blocks_that_come_again(void) {
  struct heat_piece piece[HEAT_PIECES];
  begin();
  struct profile_site *site = add_site("mapping", 4 * MIB, 0, 1);
  site->large = 8;
  add_heat(0, 0, 100, 4 * 512);
  add_heat(1, 0, 100, 300);
  CU_ASSERT_EQUAL(heat_pieces(site, heats, 2, 1, HEAT_PIECES, piece), 1);
  CU_ASSERT_EQUAL(piece[0].units, 2);
  CU_ASSERT_EQUAL(piece[0].pages, 512 + 300);
}

/* A gibibyte is one page; of three blocks one each. */
static void test_pages_of_1g(void) {
  begin();
  struct profile_site *site = add_site("mapping", 900 * MIB, 1200, 1);
  site->large = 3;
  site->largest = site->smallest = 300 * MIB;
  for (uint32_t block = 0; block < 3; block++)
    for (uint32_t i = 0; i < 150; i += 3) add_heat(block, i, 8, 512);
  struct candidates all = make(1024 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT_EQUAL(all.at[0].bytes, 3 * 1024 * MIB);
  CU_ASSERT_EQUAL(all.at[0].touched, 150 * 2 * MIB);
  candidates_fini(&all);
}

/* Small blocks need room of their own; all of the heap is another way. */
static void test_small_blocks_and_heap(void) {
  begin();
  struct profile_site *site = add_site("heap", 10 * MIB, 1000, 0.5);
  site->smallest = site->largest = 32; /* which jemalloc has */
  site->large = site->large_peak = 0;
  site->pages[0] = 10 * 256;
  site->pages[1] = 6;
  add_heat(PROFILE_SMALL, 7, 900, 512);
  add_site("break", 0, 100, 0.1);
  sites[1].pages[0] = 600;
  sites[1].pages[1] = 2;
  add_heat(PROFILE_SMALL, 3, 75, 512); /* before the heap: static data */
  add_heat(PROFILE_SMALL, 8, 25, 88);
  struct candidates all = make(2 * MIB);
  const struct candidate *small = find(&all, PLAN_SITE_SMALL, 0);
  const struct candidate *heap = find(&all, PLAN_HEAP, CANDIDATE_NO_SITE);
  const struct candidate *data = find(&all, PLAN_DATA, CANDIDATE_NO_SITE);
  CU_ASSERT_FATAL(small && heap && data);
  CU_ASSERT_EQUAL(small->bytes, 10 * MIB + 10 * MIB / 32); /* 4 KiB slabs */
  CU_ASSERT_EQUAL(small->touched, 15 * MIB); /* 48 bytes for 32: malloc(3) */
  CU_ASSERT_DOUBLE_EQUAL(small->saved.value, 0.5, 1e-12);
  CU_ASSERT_EQUAL(heap->bytes, 16 * MIB);
  CU_ASSERT_EQUAL(heap->touched, 15 * MIB);
  CU_ASSERT_DOUBLE_EQUAL(heap->saved.value, 0.525, 1e-12);
  CU_ASSERT_EQUAL(data->bytes, 2 * MIB);
  CU_ASSERT_DOUBLE_EQUAL(data->saved.value, 0.075, 1e-12);
  CU_ASSERT_EQUAL(all.item[small - all.at].role, CHOOSER_PART);
  CU_ASSERT_EQUAL(all.item[heap - all.at].role, CHOOSER_WHOLE);
  CU_ASSERT_EQUAL(all.item[data - all.at].role, CHOOSER_APART);
  candidates_fini(&all);
}

/* jemalloc has them as densely as the memory that they are moved to. */
static void test_small_blocks_of_jemalloc(void) {
  struct profile_row row = {
      .at = {.object = "/usr/lib/libjemalloc.so.2", .function = "malloc"}};
  begin();
  profile.functions.row = &row;
  profile.functions.count = 1;
  struct profile_site *site = add_site("heap", 10 * MIB, 1000, 0.5);
  site->smallest = site->largest = 32;
  site->large = site->large_peak = 0;
  struct candidates all = make(2 * MIB);
  const struct candidate *c = find(&all, PLAN_SITE_SMALL, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_EQUAL(c->bytes, 10 * MIB + 10 * MIB / 32);
  CU_ASSERT_EQUAL(c->touched, c->bytes);
  candidates_fini(&all);
}

/* Finding small blocks takes 12.4 ns each; where that is more than they save,
 * they are no candidate that saves. */
static void test_look_ups(void) {
  begin();
  struct profile_site *site = add_site("heap", 10 * MIB, 1000, 0.5);
  site->smallest = site->largest = 32;
  site->large = site->large_peak = 0;
  site->blocks = 10000000;
  add_site("heap", 10 * MIB, 1000, 0.1);
  sites[1] = sites[0];
  struct candidates all = make(2 * MIB);
  const struct candidate *c = find(&all, PLAN_SITE_SMALL, 0);
  const struct candidate *dear = find(&all, PLAN_SITE_SMALL, 1);
  const struct candidate *heap = find(&all, PLAN_HEAP, CANDIDATE_NO_SITE);
  CU_ASSERT_FATAL(c && dear && heap);
  CU_ASSERT_DOUBLE_EQUAL(c->saved.value, 0.5 - 0.124, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(c->saved.lo, 0.25 - 0.124, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(all.item[c - all.at].saving, 0.5 - 0.124, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(c->look_ups_s, 0.124, 1e-12);
  CU_ASSERT_EQUAL(all.item[dear - all.at].saving, 0);
  CU_ASSERT_EQUAL(dear->parts.count, 0);
  CU_ASSERT_DOUBLE_EQUAL(heap->saved.value, 0.6, 1e-12);
  candidates_fini(&all);
}

/* By jemalloc(3), SIZE CLASSES; 128 bytes for a slab of whole pages, 4 KiB for
 * a large block. */
static void test_sizes_of_blocks(void) {
  static const struct {
    uint64_t smallest, largest, peak, bytes;
  } rows[] = {{32, 32, 1024 * 4096, 1056 * 4096},
              {33, 33, 33 * 4096, 49 * 4096},
              {129, 129, 129 * 4096, 161 * 4096},
              {4097, 4097, 4097 * 4096, 5152 * 4096},
              {3 << 20, 3 << 20, 6 << 20, (6 << 20) + 2 * 4096},
              {20, 80, 1024 * 4096, 1408 * 4096},
              {48, 80, 1024 * 4096, 1188 * 4096}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    begin();
    struct profile_site *site = add_site("heap", rows[i].peak, 1000, 1);
    site->smallest = rows[i].smallest;
    site->largest = rows[i].largest;
    site->large = site->large_peak = 0;
    if (rows[i].smallest < PROFILE_UNIT) {
      struct candidates all = make(2 * MIB);
      CU_ASSERT_EQUAL(find(&all, PLAN_SITE_SMALL, 0)->bytes, rows[i].bytes);
      candidates_fini(&all);
      continue;
    }
    site->large = 2;
    site->large_peak = rows[i].peak;
    add_heats(0, 4, 250);
    struct candidates all = make(2 * MIB);
    CU_ASSERT_EQUAL(find(&all, PLAN_SITE_LARGE, 0)->bytes, rows[i].bytes);
    candidates_fini(&all);
  }
}

/* A block of its own by pages, and small blocks that stay by the order in which
 * they come; not small blocks that come and go, nor a block that is shared. */
static void test_what_can_be_divided(void) {
  begin();
  add_site("mapping", 64 * MIB, 32000, 0.4);
  add_heats(0, 32, 1000);
  struct profile_site *small = add_site("heap", 96 * MIB, 8000, 0.3);
  small->smallest = small->largest = 32;
  small->large = small->large_peak = 0;
  small->bytes = 96 * MIB;
  add_site("mapping", 16 * MIB, 8000, 0.1);
  add_heats(0, 8, 1000);
  struct candidates all = make(2 * MIB);
  struct candidate of = *find(&all, PLAN_SITE_LARGE, 0);
  CU_ASSERT_EQUAL(of.parts.count, 31);
  CU_ASSERT_EQUAL(find(&all, PLAN_SITE_LARGE, 2)->parts.count, 7);
  candidate_cut(&of, 7);
  CU_ASSERT(of.cut && !of.from && of.to == 16 * MIB && of.bytes == 16 * MIB);
  CU_ASSERT_EQUAL(of.touched, 16 * MIB);
  CU_ASSERT_DOUBLE_EQUAL(of.saved.value, 0.1, 1e-12);
  of = *find(&all, PLAN_SITE_SMALL, 1);
  CU_ASSERT_EQUAL(of.parts.count, 49);
  candidate_cut(&of, 11);
  CU_ASSERT_EQUAL(of.bytes, 24 * MIB);
  CU_ASSERT_DOUBLE_EQUAL((double)of.to, 24. * MIB / 1.03125, 1);
  candidates_fini(&all);
  small->bytes = 1000 * MIB;
  sites[2].large = 60;
  sites[2].bytes = 60 * 16 * MIB;
  all = make(2 * MIB);
  CU_ASSERT_EQUAL(find(&all, PLAN_SITE_LARGE, 2)->parts.count, 0);
  CU_ASSERT_EQUAL(find(&all, PLAN_SITE_SMALL, 1)->parts.count, 0);
  candidates_fini(&all);
}

/* Ever hotter to its end, which is one piece: of each length the last ones. */
static void test_hottest_part(void) {
  begin();
  add_site("mapping", 64 * MIB, 52800, 1);
  for (uint32_t i = 0; i < 32; i++) add_heat(0, i, 100 * (i + 1), 512);
  struct candidates all = make(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT_EQUAL_FATAL(all.item[0].parts, 31);
  double hottest = 0;
  for (unsigned i = 0; i < 31; i++) {
    const struct candidate_part *part = &all.at[0].parts.at[i];
    hottest += 100. * (32 - i);
    CU_ASSERT_EQUAL(all.item[0].part[i].bytes, 2 * MIB * (i + 1));
    CU_ASSERT_DOUBLE_EQUAL(all.item[0].part[i].saving, hottest / 52800, 1e-12);
    CU_ASSERT_EQUAL(part->from, 2 * MIB * (31 - i));
    CU_ASSERT_EQUAL(part->to, 64 * MIB);
    CU_ASSERT_DOUBLE_EQUAL(part->misses, .99 * hottest, 1e-6);
  }
  candidates_fini(&all);
}

/* Of several blocks the same units; where one is shorter, its end is none. */
static void test_parts_of_several_blocks(void) {
  begin();
  struct profile_site *site = add_site("mapping", 112 * MIB, 56000, 1);
  site->large = 2;
  site->largest = 64 * MIB;
  site->smallest = 48 * MIB;
  add_heats(0, 32, 1000);
  for (uint32_t i = 0; i < 24; i++) add_heat(1, i, 1000, 512);
  struct candidates all = make(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  const struct chooser_item *item = &all.item[0];
  for (size_t i = 0; i < item->parts; i++)
    CU_ASSERT_DOUBLE_EQUAL(item->part[i].saving,
                           (double)item->part[i].bytes / (112. * MIB), 1e-12);
  CU_ASSERT_EQUAL_FATAL(item->parts, 55);
  CU_ASSERT_EQUAL(all.at[0].parts.at[0].from, 48 * MIB);
  CU_ASSERT_EQUAL(all.at[0].parts.at[47].from, 0);
  CU_ASSERT_EQUAL(all.at[0].parts.at[47].to, 48 * MIB);
  candidates_fini(&all);
}

/* Of growing arrays most are freed; what is small and stays can be divided. */
static void test_freed_arrays_beside_small_blocks(void) {
  begin();
  struct profile_site *site = add_site("heap", 160 * MIB, 8000, 0.3);
  site->smallest = 32;
  site->largest = 64 * MIB;
  site->large = 6;
  site->large_peak = 64 * MIB;
  site->bytes = 96 * MIB + 126 * MIB;
  site->small = site->blocks = 3 * MIB;
  site->blocks += 6;
  site->small_peak = site->small_rounded = 96 * MIB;
  struct candidates all = make(2 * MIB);
  CU_ASSERT(find(&all, PLAN_SITE_SMALL, 0)->parts.count);
  candidates_fini(&all);
}

/* A hash table of 2 million nodes, whose buckets grew: what they left stays,
 * and nodes are not what is left of the peak. */
static void test_growing_table(void) {
  begin();
  struct profile_site *site = add_site("heap", 71 * MIB, 8000, 0.3);
  site->smallest = 24;
  site->largest = 24 * MIB;
  site->large = 4;
  site->large_peak = 36 * MIB;
  site->bytes = 48 * MIB + 45 * MIB;
  site->small = 2 * MIB;
  site->small_peak = 48 * MIB;
  site->small_rounded = 64 * MIB;
  add_heats(0, 12, 100);
  struct candidates all = make(2 * MIB);
  CU_ASSERT_EQUAL(find(&all, PLAN_SITE_LARGE, 0)->bytes, 45 * MIB + 2 * 4096);
  CU_ASSERT_EQUAL(find(&all, PLAN_SITE_SMALL, 0)->bytes, 66 * MIB);
  CU_ASSERT_EQUAL(find(&all, PLAN_SITE_SMALL, 0)->touched, 80 * MIB);
  CU_ASSERT(find(&all, PLAN_SITE_SMALL, 0)->arena);
  candidates_fini(&all);
}

/* Python's arenas: two of 1 MiB are cut from each page. */
static void test_small_mappings(void) {
  static const struct {
    uint64_t smallest, largest, bytes; /* of 101 MiB; 0: not cut */
  } cases[] = {{MIB, MIB, 102 * MIB},
               {MIB * 3 / 4, MIB * 3 / 4, 136 * MIB},
               {MIB / 4, MIB, 136 * MIB},
               {MIB / 8, MIB, 0}};
  for (int i = 0; i < 4; i++) {
    begin();
    struct profile_site *site = add_site("mapping", 101 * MIB, 8000, 0.3);
    site->large = site->large_peak = 0;
    site->smallest = cases[i].smallest;
    site->largest = cases[i].largest;
    site->blocks = 101;
    site->pages[0] = 25000;
    struct candidates all = make(2 * MIB);
    const struct candidate *c = find(&all, PLAN_SITE_SMALL, 0);
    CU_ASSERT_EQUAL(c != NULL, cases[i].bytes > 0);
    if (c) {
      CU_ASSERT_EQUAL(c->bytes, cases[i].bytes);
      CU_ASSERT_EQUAL(c->touched, 25000 * 4096);
      CU_ASSERT(!c->arena && c->parts.count);
    }
    candidates_fini(&all);
  }
}

/* What was not there when the program had most does not add to its peak. */
static void test_part_at_the_peak(void) {
  begin();
  add_site("mapping", 64 * MIB, 32000, 0.4)->at_peak = 16 * MIB;
  add_heats(0, 32, 1000);
  struct candidates all = make(2 * MIB);
  CU_ASSERT_EQUAL(find(&all, PLAN_SITE_LARGE, 0)->at_peak, 0.25);
  candidates_fini(&all);
}

/* The library of vat exec does not see what malloc() itself maps. */
static void test_mappings_of_libc(void) {
  static const char *const names[] = {"/lib/x86_64-linux-gnu/libc.so.6",
                                      "/lib64/ld-linux-x86-64.so.2",
                                      "/opt/libc.so/a"};
  for (int i = 0; i < 3; i++) {
    begin();
    add_site("mapping", 64 * MIB, 32000, 0.4);
    add_heats(0, 32, 1000);
    chain.frame[0].object = names[i];
    struct candidates all = make(2 * MIB);
    chain.frame[0].object = "/opt/a";
    CU_ASSERT_EQUAL(all.count, i == 2);
    CU_ASSERT_EQUAL(all.unreachable, 0);
    candidates_fini(&all);
  }
}

/* Nobody finds such a site again. */
static void test_unknown_callers(void) {
  begin();
  add_site("mapping", 64 * MIB, 1000, 0.25)->chains = 0;
  add_heats(0, 32, 31);
  struct candidates all = make(2 * MIB);
  CU_ASSERT_EQUAL(all.count, 0);
  CU_ASSERT_DOUBLE_EQUAL(all.unreachable, 0.25, 1e-12);
  candidates_fini(&all);
}

/* Without a prediction, what is chosen by is misses. */
static void test_misses_alone(void) {
  struct candidates all;
  begin();
  add_site("mapping", 64 * MIB, 32000, 0);
  add_heats(0, 32, 1000);
  candidates_make(&all, &profile, NULL, 2 * MIB, 1, true, NULL);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT(isnan(all.at[0].saved.value));
  CU_ASSERT_EQUAL(all.item[0].saving, 32000 - 320);
  candidates_fini(&all);
}

/* Pieces of random heat: in order, few, and nothing is lost. */
static void test_pieces_are_all(void) {
  struct cpu_random random = {.state = 8};
  for (int round = 0; round < 300; round++) {
    struct heat_piece piece[HEAT_PIECES];
    begin();
    struct profile_site *site = add_site("mapping", 512 * MIB, 0, 1);
    uint64_t misses = 0, units = 0, pages = 0;
    uint32_t unit = 0;
    size_t count = cpu_random_below(&random, 256);
    uint64_t wild = 1 + cpu_random_below(&random, 100000);
    for (size_t i = 0; i < count; i++) {
      unit += 1 + (uint32_t)cpu_random_below(&random, 3);
      uint64_t miss = cpu_random_below(&random, wild);
      uint32_t page = 1 + (uint32_t)cpu_random_below(&random, 512);
      add_heat(0, unit, miss, page);
      misses += miss;
      pages += page;
      units++;
    }
    size_t pieces = heat_pieces(site, heats, count, 1, HEAT_PIECES, piece);
    CU_ASSERT_FATAL(pieces <= HEAT_PIECES && (pieces > 0) == (count > 0));
    for (size_t i = 0; i < pieces; i++) {
      CU_ASSERT_FATAL(piece[i].from < piece[i].to);
      CU_ASSERT_FATAL(!i || piece[i].from >= piece[i - 1].to);
      misses -= piece[i].misses[0];
      units -= piece[i].units;
      pages -= piece[i].pages;
    }
    CU_ASSERT_FATAL(!misses && !units && !pages);
  }
}

/* Counts that are only as uneven as chance makes them are one piece. */
static void test_chance_is_no_heat(void) {
  struct cpu_random random = {.state = 9};
  struct heat_piece piece[HEAT_PIECES];
  begin();
  struct profile_site *site = add_site("mapping", 400 * MIB, 0, 1);
  static uint64_t counts[200];
  for (int i = 0; i < 1000; i++) counts[cpu_random_below(&random, 200)]++;
  for (uint32_t i = 0; i < 200; i++)
    if (counts[i]) add_heat(0, i, counts[i], 512);
  CU_ASSERT_EQUAL(heat_pieces(site, heats, site->heats, 1, HEAT_PIECES, piece),
                  1);
}

/* The last number stands for many blocks. */
static void test_more_blocks_than_numbers(void) {
  struct heat_piece piece[HEAT_PIECES];
  begin();
  struct profile_site *site = add_site("mapping", 4000 * MIB, 0, 1);
  site->large = 2000;
  site->largest = site->smallest = 2 * MIB;
  for (uint32_t block = 0; block < PROFILE_BLOCKS; block++)
    add_heat(block, 0, block + 1 < PROFILE_BLOCKS ? 10 : 9770, 512);
  CU_ASSERT_EQUAL(heat_pieces(site, heats, site->heats, 1, HEAT_PIECES, piece),
                  1);
  CU_ASSERT_EQUAL(piece[0].units, 2000);
}

/* Beyond 256 pages, numbers differ by a 256th, and each is for those before. */
static void test_parts_of_many_pages(void) {
  begin();
  add_site("mapping", 2048 * MIB, 1024000, 1);
  add_heats(0, 1024, 1000);
  struct candidates all = make(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  const struct chooser_item *item = &all.item[0];
  CU_ASSERT_FATAL(item->parts > CANDIDATE_EXACT && item->parts < 600);
  for (size_t i = 0; i < item->parts; i++) {
    const struct chooser_part *part = &item->part[i];
    uint64_t before = i ? item->part[i - 1].bytes : 0;
    CU_ASSERT_EQUAL(part->least, before + 2 * MIB);
    CU_ASSERT(part->bytes - part->least <= part->bytes / CANDIDATE_EXACT);
  }
  CU_ASSERT_EQUAL(item->part[item->parts - 1].bytes, 2046 * MIB);
  candidates_fini(&all);
}

static const struct check_test tests[] = {
    {"a block that is evenly hot", test_even_block},
    {"a block of which a part is hot", test_uneven_block},
    {"shared memory has pages of its own", test_shared_memory},
    {"a sparse block needs whole pages", test_sparse_block},
    {"blocks that are freed and come again", test_blocks_that_come_again},
    {"pages of 1 GiB", test_pages_of_1g},
    {"small blocks, static data, and the heap as a whole",
     test_small_blocks_and_heap},
    {"small blocks of jemalloc", test_small_blocks_of_jemalloc},
    {"look-ups of small blocks", test_look_ups},
    {"what blocks need that share memory", test_sizes_of_blocks},
    {"what can be divided, and parts of it", test_what_can_be_divided},
    {"the hottest part of each length", test_hottest_part},
    {"parts of several blocks", test_parts_of_several_blocks},
    {"freed arrays do not keep small blocks whole",
     test_freed_arrays_beside_small_blocks},
    {"a table that grew", test_growing_table},
    {"small mappings", test_small_mappings},
    {"what was there at the peak", test_part_at_the_peak},
    {"mappings of libc are not chosen", test_mappings_of_libc},
    {"sites whose callers are not known", test_unknown_callers},
    {"misses where there is no prediction", test_misses_alone},
    {"pieces are in order, few, and all", test_pieces_are_all},
    {"chance is no heat", test_chance_is_no_heat},
    {"more blocks than numbers", test_more_blocks_than_numbers},
    {"parts of more than 256 pages", test_parts_of_many_pages},
    {NULL, NULL}};

const struct check_suite suite_candidates = {"candidates", tests, NULL};
