/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/profile/profile_heat.h"
#include "experiments/profile/profile_objects.h"
#include "experiments/profile/profile_walks.h"
#include "tests/experiments/suites.h"

#define HEAD                                                                 \
  "vat-profile 1\nprocess 7\nparent 1\nprogram ./a\ntree 4k 1 64\nunit "     \
  "2097152\nthreads 1\nsampled 5\nheap told\nobject /a\nfile a.c\nfunction " \
  "f\n"

static void read_text(struct profile *profile, const char *text, int expected,
                      const char *why) {
  char error[PROFILE_ERROR_SIZE] = "";
  FILE *file = fmemopen((void *)text, strlen(text), "r");
  if (!file) abort();
  CU_ASSERT_EQUAL(profile_read(profile, file, "out", error), expected);
  if (why) CU_ASSERT_STRING_EQUAL(error, why);
  fclose(file);
}

/* A cold site and a hot one, which comes first in the end. */
static const char sample[] = HEAD
    "site heap 1 9 9 1 5 3\ncaller 1 0\nsizes 9 9 0 0\nheat 1024 5 1 3\n"
    "site heap 3 9 9000000 2 50 30\ncaller 2 0\n"
    "sizes 0 6000000 2 9000000\nframe 0 a1\nframe 1 b1\nframe 0 a1\n"
    "object /b\nframe 1 b1\nmore_chains 4\n"
    "heat 1 0 512 4\nheat 0 2 7 20\nheat 0 1 8 6\nend\n";

static void check_unit(const struct profile_heat *heat, uint32_t block,
                       uint32_t unit, uint32_t pages, uint64_t misses) {
  CU_ASSERT_EQUAL(heat->block, block);
  CU_ASSERT_EQUAL(heat->unit, unit);
  CU_ASSERT_EQUAL(heat->pages, pages);
  CU_ASSERT_EQUAL(heat->misses[0], misses);
}

static void test_heat_is_the_sites(void) {
  struct profile p;
  p = (struct profile){0};
  read_text(&p, sample, 0, NULL);
  profile_finish(&p);
  CU_ASSERT_EQUAL(p.unit, PROFILE_UNIT);
  const struct profile_site *hot = &p.sites.site[0], *cold = hot + 1;
  CU_ASSERT_EQUAL_FATAL(hot->heats, 3);
  check_unit(&p.heats.heat[hot->heat], 0, 1, 8, 6);
  check_unit(&p.heats.heat[hot->heat + 1], 0, 2, 7, 20);
  check_unit(&p.heats.heat[hot->heat + 2], 1, 0, 512, 4);
  CU_ASSERT_EQUAL_FATAL(cold->heats, 1);
  check_unit(&p.heats.heat[cold->heat], PROFILE_SMALL, 5, 1, 3);
  CU_ASSERT_EQUAL(hot->smallest, 0);
  CU_ASSERT_EQUAL(hot->largest, 6000000);
  CU_ASSERT_EQUAL(hot->large, 2);
  CU_ASSERT_EQUAL(hot->large_peak, 9000000);
  profile_fini(&p);
}

static void test_chains_are_the_sites(void) {
  struct profile p;
  p = (struct profile){0};
  read_text(&p, sample, 0, NULL);
  profile_finish(&p);
  const struct profile_site *hot = &p.sites.site[0];
  CU_ASSERT_EQUAL_FATAL(hot->chains, 2);
  CU_ASSERT_EQUAL(hot->more_chains, 4);
  CU_ASSERT_EQUAL(hot[1].chains, 0);
  for (size_t i = 0; i < 2; i++) {
    const struct profile_chain *chain = &p.chains.chain[hot->chain + i];
    CU_ASSERT_EQUAL_FATAL(chain->frames, 2);
    CU_ASSERT_STRING_EQUAL(chain->frame[0].object, "/a");
    CU_ASSERT_EQUAL(chain->frame[0].offset, 0xa1);
    CU_ASSERT_STRING_EQUAL(chain->frame[1].object, i ? "/b" : "/a");
    CU_ASSERT_EQUAL(chain->frame[1].offset, 0xb1);
  }
  profile_fini(&p);
}

static void test_processes_add_up_by_block_and_unit(void) {
  struct profile p;
  p = (struct profile){0};
  for (int i = 0; i < 3; i++) read_text(&p, sample, 0, NULL);
  read_text(&p,
            HEAD
            "site heap 1 9 9 1 5 3\ncaller 2 0\nsizes 100 200 1 7\n"
            "frame 0 c1\nmore_chains 2\nheat 0 9 4294967295 1\n"
            "heat 0 1 4294967295 1\nend\n",
            0, NULL);
  profile_finish(&p);
  const struct profile_site *hot = &p.sites.site[0];
  CU_ASSERT_EQUAL_FATAL(hot->heats, 4);
  check_unit(&p.heats.heat[hot->heat], 0, 1, UINT32_MAX, 19);
  check_unit(&p.heats.heat[hot->heat + 1], 0, 2, 21, 60);
  check_unit(&p.heats.heat[hot->heat + 2], 0, 9, UINT32_MAX, 1);
  check_unit(&p.heats.heat[hot->heat + 3], 1, 0, 1536, 12);
  CU_ASSERT_EQUAL(hot->chains, 3);
  CU_ASSERT_EQUAL(hot->more_chains, 4);
  CU_ASSERT_EQUAL(hot->smallest, 100); /* 0: not known */
  CU_ASSERT_EQUAL(hot->largest, 6000000);
  CU_ASSERT_EQUAL(hot->large, 7);
  CU_ASSERT_EQUAL(hot->large_peak, 27000007);
  profile_fini(&p);
}

/* Two processes with 10 chains each, of which one is the same. */
static void test_chains_have_a_limit(void) {
  struct profile p;
  p = (struct profile){0};
  for (int process = 0; process < 2; process++) {
    char text[2000] = HEAD "site heap 1 9 9 1 5 3\ncaller 2 0\n";
    for (int i = 0; i < 10; i++)
      sprintf(text + strlen(text), "frame 0 %x\n", process * 9 + i);
    strcat(text, "end\n");
    read_text(&p, text, 0, NULL);
  }
  profile_finish(&p);
  CU_ASSERT_EQUAL(p.sites.site[0].chains, PROFILE_CHAINS);
  CU_ASSERT_EQUAL(p.sites.site[0].more_chains, 19 - PROFILE_CHAINS);
  CU_ASSERT_EQUAL(p.chains.chain[15].frame[0].offset, 15);
  profile_fini(&p);
}

/* Against counting: 90 % of 100 is in the first 2 of units of 80, 15, 5. */
static void test_uneven_heat_is_told(void) {
  struct profile p;
  p = (struct profile){0};
  read_text(&p,
            HEAD
            "site heap 1 9 9 1 5 200\nsizes 1 99000000 1 99000000\n"
            "heat 0 3 1 5\nheat 0 4 1 80\nheat 1 0 1 15\n"
            "heat 1024 0 1 100\nend\n",
            0, NULL);
  profile_finish(&p);
  struct profile_uneven uneven = profile_heat_uneven(&p, &p.sites.site[0], .9);
  CU_ASSERT_EQUAL(uneven.hot, 2 * PROFILE_UNIT);
  CU_ASSERT_EQUAL(uneven.bytes, 99000000);
  p.sites.site[0].large_peak = 0;
  uneven = profile_heat_uneven(&p, &p.sites.site[0], .96);
  CU_ASSERT_EQUAL(uneven.hot, 3 * PROFILE_UNIT);
  CU_ASSERT_EQUAL(uneven.bytes, 3 * PROFILE_UNIT);
  const struct profile_heat *hottest[3];
  CU_ASSERT_EQUAL(profile_heat_hottest(&p, &p.sites.site[0], 3, hottest), 3);
  check_unit(hottest[0], PROFILE_SMALL, 0, 1, 100);
  check_unit(hottest[1], 0, 4, 1, 80);
  check_unit(hottest[2], 1, 0, 1, 15);
  profile_fini(&p);
}

static void test_what_is_broken_is_refused(void) {
#define SITE HEAD "site heap 1 9 9 1 5 3\n"
  static const struct {
    const char *text, *why;
  } cases[] = {
      {"vat-profile 1\nunit 4096\nend\n", "out:2: another unit of heat"},
      {"vat-profile 1\ntree 4k 1 64\nsite heap 1 9 9 1 5 3\nheat 0 0 1 1\n",
       "out:4: no such unit"},
      {HEAD "heat 0 0 1 1\n", "out:13: it belongs to no site"},
      {HEAD "frame 0 1\n", "out:13: it belongs to no site"},
      {HEAD "sizes 1 1 1 1\n", "out:13: it belongs to no site"},
      {SITE "heat 1025 0 1 1\n", "out:14: no such unit"},
      {SITE "heat 0 134217728 1 1\n", "out:14: no such unit"},
      {SITE "heat 0 0 4294967296 1\n", "out:14: no such unit"},
      {SITE "heat 0 0 1\n", "out:14: a number is missing"},
      {SITE "heat 0 0 1 1 1\n", "out:14: more numbers than trees"},
      {SITE "sizes 1 2 3\n", "out:14: a number is missing"},
      {SITE "sizes 1 2 3 4 5\n", "out:14: more numbers than there should be"},
      {SITE "more_chains\n", "out:14: a number is missing"},
      {SITE "frame 1 1\n", "out:14: no chain begins so"},
      {SITE "frame 0 1\nframe 2 1\n", "out:15: no such frame"},
      {SITE "frame 0 1\nframe 1 1\nframe 1 1\n", "out:16: no such frame"},
      {SITE "frame 0 xyz\n", "out:14: a number is missing"},
      {SITE "frame 0 1\nframe 1 1\nframe 2 1\nframe 3 1\nframe 4 1\nframe 5 1\n"
            "frame 6 1\nframe 7 1\nframe 8 1\n",
       "out:22: no such frame"},
      {SITE "frame 0 1\nframe 0 2\nframe 0 3\nframe 0 4\nframe 0 5\nframe 0 6\n"
            "frame 0 7\nframe 0 8\nframe 0 9\nframe 0 a\nframe 0 b\nframe 0 c\n"
            "frame 0 d\nframe 0 e\nframe 0 f\nframe 0 10\nframe 0 11\n",
       "out:30: too many chains"},
  };
  struct profile p;
  p = (struct profile){0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    read_text(&p, cases[i].text, -1, cases[i].why);
  CU_ASSERT_EQUAL(p.heats.count, 0);
  CU_ASSERT_EQUAL(p.chains.count, 0);
  read_text(&p, sample, 0, NULL);
  read_text(&p, SITE "frame 0 1\nheat 0 0 1 1\n", -1,
            "out:15: it ends too soon");
  profile_finish(&p);
  CU_ASSERT_EQUAL(p.heats.count, 4);
  CU_ASSERT_EQUAL(p.chains.count, 2);
  profile_fini(&p);
}

#define ZEROS_8 " 0 0 0 0 0 0 0 0"
#define ZEROS_28 ZEROS_8 ZEROS_8 ZEROS_8 " 0 0 0 0"

static void check_walk(const struct profile_walk *walk, unsigned where,
                       unsigned octave, uint64_t misses) {
  CU_ASSERT_EQUAL(walk->where, where);
  CU_ASSERT_EQUAL(walk->octave, octave);
  CU_ASSERT_EQUAL(walk->misses, misses);
}

/* Of two processes; the site that misses more comes first in the end. */
static void test_walks_are_the_sites(void) {
  struct profile p;
  p = (struct profile){0};
  for (int i = 0; i < 2; i++)
    read_text(&p,
              HEAD "site heap 1 9 9 1 5 1\ncaller 1 0\nwalks 1 0 0 1 0" ZEROS_28
                   "\nsite heap 3 9 9 2 50 30\ncaller 2 0\n"
                   "walks 0 0 4 0 0" ZEROS_28 "\nwalks 1 20 0 0 6" ZEROS_28
                   "\nend\n",
              0, NULL);
  profile_finish(&p);
  const struct profile_site *hot = &p.sites.site[0], *cold = hot + 1;
  CU_ASSERT_EQUAL_FATAL(p.walks.count, 4);
  CU_ASSERT_EQUAL_FATAL(hot->walks, 3);
  check_walk(&p.walks.walk[hot->walk], 0, 1, 8);
  check_walk(&p.walks.walk[hot->walk + 1], 1, 0, 40);
  check_walk(&p.walks.walk[hot->walk + 2], 1, 3, 12);
  CU_ASSERT_EQUAL_FATAL(cold->walks, 1);
  check_walk(&p.walks.walk[cold->walk], 1, 2, 2);
  CU_ASSERT_EQUAL(profile_walks_sum(&p, hot, 0), 8);
  CU_ASSERT_EQUAL(profile_walks_sum(&p, hot, 1), 52);
  CU_ASSERT_EQUAL(profile_walks_sum(&p, cold, 2), 0);
  profile_fini(&p);
}

static void test_objects_are_kept(void) {
  struct profile p, again;
  p = again = (struct profile){0};
  read_text(&p,
            HEAD
            "line 1 0 5 1\nobject /proc/self/exe\nline 2 0 5 1\n"
            "object ???\nline 3 0 5 1\nobject /a\nline 4 0 5 1\nend\n",
            0, NULL);
  profile_finish(&p);
  profile_objects_find(&p);
  CU_ASSERT_EQUAL_FATAL(p.objects.count, 2);
  CU_ASSERT_STRING_EQUAL(p.objects.object[0].name, "/a");
  CU_ASSERT_PTR_NULL(p.objects.object[0].build_id);
  CU_ASSERT_STRING_EQUAL(p.objects.object[1].name, "/proc/self/exe");
  json_t *array = profile_objects_to_json(&p);
  CU_ASSERT_EQUAL_FATAL(profile_objects_from_json(&again, array), 0);
  json_t *same = profile_objects_to_json(&again);
  CU_ASSERT(json_equal(array, same));
  json_decref(array);
  json_decref(same);
  CU_ASSERT_EQUAL(profile_objects_from_json(&again, NULL), 0);
  CU_ASSERT_EQUAL(again.objects.count, 0);
  static const char *const damaged[] = {"{}", "[7]", "[{\"name\":\"/a\"}]",
                                        "[{\"name\":3,\"build_id\":\"a\"}]",
                                        "[{\"name\":\"/a\",\"build_id\":3}]"};
  for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
    array = json_loads(damaged[i], 0, NULL);
    CU_ASSERT_EQUAL(profile_objects_from_json(&again, array), -1);
    json_decref(array);
  }
  profile_fini(&p);
  profile_fini(&again);
}

static const struct check_test tests[] = {
    {"heat is the site's", test_heat_is_the_sites},
    {"chains are the site's", test_chains_are_the_sites},
    {"processes add up by block and unit",
     test_processes_add_up_by_block_and_unit},
    {"walks are the site's", test_walks_are_the_sites},
    {"chains have a limit", test_chains_have_a_limit},
    {"uneven heat is told", test_uneven_heat_is_told},
    {"what is broken is refused", test_what_is_broken_is_refused},
    {"objects are kept", test_objects_are_kept},
    {NULL, NULL}};

const struct check_suite suite_profile_heat = {"heat and chains of sites",
                                               tests, NULL};
