/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/profile/look_ups.h"
#include "experiments/profile/priced_chooser.h"
#include "experiments/profile/small_blocks.h"
#include "tests/experiments/suites.h"

#define MIB (UINT64_C(1) << 20)
enum { MANY = 10 };

static struct candidate at[MANY];
static struct chooser_item item[MANY];
static struct candidates all;
static bool chosen[MANY];

static void begin(void) {
  memset(at, 0, sizeof at);
  memset(item, 0, sizeof item);
  all = (struct candidates){.at = at, .item = item, .page = 2 * MIB};
}

static void add(enum plan_what what, bool arena, uint64_t bytes,
                double saving) {
  bool whole = what == PLAN_HEAP;
  at[all.count] = (struct candidate){
      .what = what, .arena = arena, .bytes = bytes, .saved.value = saving};
  item[all.count++] = (struct chooser_item){.bytes = bytes,
                                            .saving = saving,
                                            .role = whole   ? CHOOSER_WHOLE
                                                    : arena ? CHOOSER_PART
                                                            : CHOOSER_APART};
}

static struct priced_choice choose(uint64_t budget, double look_ups_s) {
  struct priced_chooser chooser;
  priced_chooser_init(&chooser, &all, look_ups_s, 0);
  struct priced_choice choice = priced_choose(&chooser, budget, chosen);
  priced_chooser_fini(&chooser);
  return choice;
}

/* Small blocks save .5 s, and finding them takes .4 s. */
static void small_and_large(void) {
  begin();
  add(PLAN_SITE_LARGE, false, 64 * MIB, .6);
  add(PLAN_SITE_SMALL, true, 8 * MIB, .5);
  add(PLAN_SITE_LARGE, true, 16 * MIB, .3);
}

static void test_everything(void) {
  small_and_large();
  struct priced_choice choice = choose(UINT64_MAX, .4);
  CU_ASSERT_DOUBLE_EQUAL(choice.choice.saving, 1.4 - .4, 1e-12);
  CU_ASSERT_EQUAL(choice.choice.bytes, 88 * MIB + SMALL_BLOCKS_BEGIN);
  CU_ASSERT_EQUAL(choice.look_ups_s, .4);
  CU_ASSERT(chosen[0] && chosen[1] && chosen[2]);
}

/* What is left of a small block's saving is less than what it takes. */
static void test_dear_small_blocks(void) {
  small_and_large();
  struct priced_choice choice = choose(UINT64_MAX, .6);
  CU_ASSERT_DOUBLE_EQUAL(choice.choice.saving, .9, 1e-12);
  CU_ASSERT_EQUAL(choice.choice.bytes, 80 * MIB + SMALL_BLOCKS_BEGIN);
  CU_ASSERT_EQUAL(choice.look_ups_s, 0);
  CU_ASSERT(chosen[0] && !chosen[1] && chosen[2]);
  /* No choice saves more than the best way. */
  CU_ASSERT_DOUBLE_EQUAL(choice.choice.most, .9, 1e-12);
}

/* 64 MiB have no room for the arena beside the block. */
static void test_without_the_arena(void) {
  small_and_large();
  struct priced_choice choice = choose(64 * MIB, .4);
  CU_ASSERT_DOUBLE_EQUAL(choice.choice.saving, .6, 1e-12);
  CU_ASSERT_EQUAL(choice.choice.bytes, 64 * MIB);
  CU_ASSERT(chosen[0] && !chosen[1] && !chosen[2]);
  CU_ASSERT(!choice.whole);
}

/* What is left out of the choice is in the bound, in its own way too. */
static void test_left_out_is_in_the_bound(void) {
  small_and_large();
  item[2].left_out = true;
  struct priced_choice choice = choose(84 * MIB, .6);
  CU_ASSERT_DOUBLE_EQUAL(choice.choice.saving, .6, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(choice.choice.most, .9, 1e-12);
}

/* The heap as a whole is found without a look-up. */
static void test_heap_instead(void) {
  begin();
  add(PLAN_SITE_SMALL, true, 8 * MIB, .5);
  add(PLAN_HEAP, false, 16 * MIB, .45);
  struct priced_choice choice = choose(UINT64_MAX, .1);
  CU_ASSERT_DOUBLE_EQUAL(choice.choice.saving, .45, 1e-12);
  CU_ASSERT_EQUAL(choice.choice.bytes, 16 * MIB);
  CU_ASSERT(!chosen[0] && chosen[1]);
  choice = choose(UINT64_MAX, .01);
  CU_ASSERT_DOUBLE_EQUAL(choice.choice.saving, .49, 1e-12);
  CU_ASSERT(chosen[0] && !chosen[1]);
}

/* Of whole items: the best of all their choices, with prices. */
static double best_of(uint64_t budget, double look_ups_s) {
  double best = 0;
  for (unsigned set = 0; set < 1u << all.count; set++) {
    bool arena = false, small = false;
    uint64_t bytes = 0;
    double saving = 0;
    for (size_t i = 0; i < all.count; i++) {
      if (!(set >> i & 1)) continue;
      arena |= at[i].arena;
      small |= at[i].arena && at[i].what == PLAN_SITE_SMALL;
      bytes += item[i].bytes;
      saving += item[i].saving;
    }
    if (arena) bytes += SMALL_BLOCKS_BEGIN;
    if (small) saving -= look_ups_s;
    if (bytes <= budget) best = fmax(best, saving);
  }
  return best;
}

/* Against all choices of random items: at most the best, whose bound holds; and
 * a larger budget never saves less. */
static void test_against_all_choices(void) {
  struct cpu_random random = {8};
  for (int round = 0; round < 500; round++) {
    double look_ups_s = (double)cpu_random_below(&random, 200) / 100;
    begin();
    for (int i = 0; i < 8; i++) {
      bool arena = cpu_random_below(&random, 2);
      bool small = arena && cpu_random_below(&random, 2);
      add(small ? PLAN_SITE_SMALL : PLAN_SITE_LARGE, arena,
          (1 + cpu_random_below(&random, 8)) * 2 * MIB,
          (double)cpu_random_below(&random, 100) / 100);
    }
    double before = 0;
    for (uint64_t budget = 0; budget <= 80 * MIB; budget += 2 * MIB) {
      struct priced_choice choice = choose(budget, look_ups_s);
      double best = best_of(budget, look_ups_s);
      CU_ASSERT_FATAL(choice.choice.bytes <= budget);
      CU_ASSERT_FATAL(choice.choice.saving <= best + 1e-12);
      CU_ASSERT_FATAL(choice.choice.most >= best - 1e-12);
      CU_ASSERT_FATAL(choice.choice.saving >= before - 1e-12);
      before = choice.choice.saving;
    }
  }
}

/* 10^6 and 2 * 10^6 blocks of the heap, of which 1000 are large; mappings are
 * not looked up. */
static void test_seconds(void) {
  struct profile_site sites[3] = {{.kind = "heap", .blocks = 1000000},
                                  {.kind = "heap", .blocks = 2000000},
                                  {.kind = "mapping", .blocks = 5000000}};
  struct profile profile = {.sites = {.site = sites, .count = 3}};
  sites[1].large = 1000;
  CU_ASSERT_DOUBLE_EQUAL(look_ups_all(&profile, (bool[3]){0}), 3e6 * 1.4e-9,
                         1e-12);
  CU_ASSERT_DOUBLE_EQUAL(look_ups_heap(&profile), 3e6 * .9e-9, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(look_ups_chosen(&sites[1], false), 1999000 * 9.7e-9,
                         1e-12);
  CU_ASSERT_DOUBLE_EQUAL(look_ups_chosen(&sites[1], true), 1999000 * 3.3e-9,
                         1e-12);
}

/* Two of three sites call malloc() at one place. */
static void test_shared_calls(void) {
  struct profile_chain chains[3] = {
      {.frames = 2, .frame = {{"/a", 8}, {"/a", 16}}},
      {.frames = 2, .frame = {{"/b", 8}, {"/a", 24}}},
      {.frames = 2, .frame = {{"/a", 8}, {"/a", 24}}}};
  struct profile_site sites[3] = {0};
  struct profile profile = {.sites = {.site = sites, .count = 3},
                            .chains = {.chain = chains, .count = 3}};
  for (size_t i = 0; i < 3; i++) {
    strcpy(sites[i].kind, "heap");
    sites[i].blocks = 1000000 << i;
    sites[i].chain = i;
    sites[i].chains = 1;
  }
  bool *shared = look_ups_shared(&profile);
  CU_ASSERT(shared[0] && !shared[1] && shared[2]);
  CU_ASSERT_DOUBLE_EQUAL(look_ups_all(&profile, shared),
                         2e6 * 1.4e-9 + 5e6 * 11.1e-9, 1e-12);
  free(shared);
}

static const struct check_test tests[] = {
    {"everything, less the time of look-ups", test_everything},
    {"no small blocks, where look-ups take more than they save",
     test_dear_small_blocks},
    {"no arena, where it does not fit", test_without_the_arena},
    {"what is left out is in the bound", test_left_out_is_in_the_bound},
    {"the heap as a whole is not looked up", test_heap_instead},
    {"against all choices of whole items", test_against_all_choices},
    {"seconds of look-ups", test_seconds},
    {"calls that sites share", test_shared_calls},
    {NULL, NULL}};

const struct check_suite suite_priced_chooser = {"priced chooser", tests, NULL};
