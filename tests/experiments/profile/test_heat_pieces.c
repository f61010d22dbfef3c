/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/random.h"
#include "experiments/profile/heat_pieces.h"
#include "tests/experiments/profile/made_sites.h"
#include "tests/experiments/suites.h"

/* Two blocks at once, which came elsewhere four times: pages have room for no
 * more than that. */
static void test_blocks_that_come_again(void) {
  struct heat_piece piece[HEAT_PIECES];
  made_begin();
  struct profile_site *site = made_site("mapping", 4 * MIB, 0, 1);
  site->large = 8;
  made_heat(0, 0, 100, 4 * 512);
  made_heat(1, 0, 100, 300);
  CU_ASSERT_EQUAL(heat_pieces(site, made.heat, 2, 1, HEAT_PIECES, piece), 1);
  CU_ASSERT_EQUAL(piece[0].units, 2);
  CU_ASSERT_EQUAL(piece[0].pages, 512 + 300);
}

/* By hand: 4 MiB that were mapped eight times have an eighth of their pages
 * touched, 128, which were faulted in each time. */
static void test_pages_that_are_mapped_again(void) {
  struct heat_piece piece[HEAT_PIECES];
  made_begin();
  struct profile_site *site = made_site("mapping", 4 * MIB, 0, 1);
  site->large = 8;
  site->faults = 8 * 128 + 5;
  site->large_faults = 8 * 128;
  made_heat(0, 0, 100, 64);
  made_heat(0, 1, 100, 64);
  CU_ASSERT_EQUAL(heat_pieces(site, made.heat, 2, 1, HEAT_PIECES, piece), 1);
  CU_ASSERT_EQUAL(piece[0].pages, 128);
  CU_ASSERT_EQUAL(piece[0].faults, 8 * 128);
}

/* Pieces of random heat: in order, few, and nothing is lost. */
static void test_pieces_are_all(void) {
  struct cpu_random random = {.state = 8};
  for (int round = 0; round < 300; round++) {
    struct heat_piece piece[HEAT_PIECES];
    made_begin();
    struct profile_site *site = made_site("mapping", 512 * MIB, 0, 1);
    uint64_t misses = 0, units = 0, pages = 0;
    uint32_t unit = 0;
    size_t count = cpu_random_below(&random, 256);
    uint64_t wild = 1 + cpu_random_below(&random, 100000);
    for (size_t i = 0; i < count; i++) {
      unit += 1 + (uint32_t)cpu_random_below(&random, 3);
      uint64_t miss = cpu_random_below(&random, wild);
      uint32_t page = 1 + (uint32_t)cpu_random_below(&random, 512);
      made_heat(0, unit, miss, page);
      misses += miss;
      pages += page;
      units++;
    }
    size_t pieces = heat_pieces(site, made.heat, count, 1, HEAT_PIECES, piece);
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
  made_begin();
  struct profile_site *site = made_site("mapping", 400 * MIB, 0, 1);
  static uint64_t counts[200];
  for (int i = 0; i < 1000; i++) counts[cpu_random_below(&random, 200)]++;
  for (uint32_t i = 0; i < 200; i++)
    if (counts[i]) made_heat(0, i, counts[i], 512);
  CU_ASSERT_EQUAL(
      heat_pieces(site, made.heat, site->heats, 1, HEAT_PIECES, piece), 1);
}

/* The last number stands for many blocks. */
static void test_more_blocks_than_numbers(void) {
  struct heat_piece piece[HEAT_PIECES];
  made_begin();
  struct profile_site *site = made_site("mapping", 4000 * MIB, 0, 1);
  site->large = 2000;
  site->largest = site->smallest = 2 * MIB;
  for (uint32_t block = 0; block < PROFILE_BLOCKS; block++)
    made_heat(block, 0, block + 1 < PROFILE_BLOCKS ? 10 : 9770, 512);
  CU_ASSERT_EQUAL(
      heat_pieces(site, made.heat, site->heats, 1, HEAT_PIECES, piece), 1);
  CU_ASSERT_EQUAL(piece[0].units, 2000);
}

static const struct check_test tests[] = {
    {"blocks that are freed and come again", test_blocks_that_come_again},
    {"pages that are mapped again", test_pages_that_are_mapped_again},
    {"pieces are in order, few, and all", test_pieces_are_all},
    {"chance is no heat", test_chance_is_no_heat},
    {"more blocks than numbers", test_more_blocks_than_numbers},
    {NULL, NULL}};

const struct check_suite suite_heat_pieces = {"heat pieces", tests, NULL};
