/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lines are in caches for, held against caches of every size that write
 * back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/reuse/line_uses.h"
#include "tests/experiments/suites.h"

enum { LINES = 70, ACCESSES = 700, RUNS = 2000, NOWHERE = -1 };

struct access {
  int line;
  enum vat_access_kind kind;
};

/* A cache of `size` lines, most recently used first. */
struct cache {
  size_t size, held;
  int line[LINES];
  bool used[LINES][REUSE_KINDS];
  unsigned misses, stays[REUSE_KINDS]; /* stays that are over, by use */
};

static void evict(struct cache *cache, size_t from) {
  while (cache->held > from) {
    cache->held--;
    for (unsigned kind = 0; kind < REUSE_KINDS; kind++)
      cache->stays[kind] += cache->used[cache->held][kind];
  }
}

static void cache_access(struct cache *cache, struct access access) {
  bool used[REUSE_KINDS] = {false, false};
  size_t at = 0;
  while (at < cache->held && cache->line[at] != access.line) at++;
  if (at == cache->held) {
    cache->misses++;
    evict(cache, cache->size - 1);
    at = cache->held++;
  } else {
    memcpy(used, cache->used[at], sizeof used);
  }
  used[access.kind] = true;
  for (; at > 0; at--) {
    cache->line[at] = cache->line[at - 1];
    memcpy(cache->used[at], cache->used[at - 1], sizeof used);
  }
  cache->line[0] = access.line;
  memcpy(cache->used[0], used, sizeof used);
}

static struct reuse_profile profile;

static void simulate(const struct access *accesses, size_t count) {
  struct line_uses lines;
  int last = NOWHERE, before = NOWHERE;
  memset(&profile, 0, sizeof profile);
  line_uses_init(&lines, LINES, 8, 1, &profile);
  for (size_t i = 0; i < count; i++) {
    int line = accesses[i].line;
    if (line != last) {
      uint32_t old = last_uses_put(&lines.uses, (size_t)line);
      if (line != before) line_uses_far(&lines, (uint64_t)line, old);
      before = last;
      last = line;
    }
    lines.lives[line].used |= (uint8_t)(1u << accesses[i].kind);
  }
  line_uses_finish(&lines, count);
  line_uses_fini(&lines);
}

static double told(const struct reuse_histogram classes[REUSE_CLASSES],
                   double lines) {
  double sum = 0;
  for (unsigned c = 0; c < REUSE_CLASSES; c++)
    sum += reuse_beyond(&classes[c], lines) + classes[c].cold;
  return sum;
}

/* A cache that is emptied in the end: the last stays of the run, too. */
static unsigned wrong_at(size_t size, const struct access *accesses,
                         size_t count) {
  struct cache cache = {.size = size};
  for (size_t i = 0; i < count; i++) cache_access(&cache, accesses[i]);
  evict(&cache, 0);
  double lines = (double)size;
  unsigned wrong = told(profile.lines, lines) != cache.misses;
  for (unsigned kind = 0; kind < REUSE_KINDS; kind++)
    wrong += told(profile.kinds[kind], lines) != cache.stays[kind];
  return wrong;
}

/* Every edge of a bucket from 2 lines on. */
static unsigned wrong_caches(const struct access *accesses, size_t count) {
  unsigned wrong = 0;
  simulate(accesses, count);
  for (unsigned bucket = 2; reuse_bucket_least(bucket) <= LINES; bucket++)
    wrong += wrong_at(reuse_bucket_least(bucket), accesses, count);
  return wrong;
}

static void test_stays_by_hand(void) {
  /* Line 0 is stored to, leaves a cache of 2, is loaded, leaves one of 3, and
   * is stored to: in a cache of 2 the first store is written back once, and its
   * line is clean when it leaves again. */
  static const struct access accesses[] = {
      {4, VAT_LOAD}, {0, VAT_STORE}, {1, VAT_LOAD},
      {2, VAT_LOAD}, {0, VAT_LOAD},  {3, VAT_LOAD},
      {1, VAT_LOAD}, {2, VAT_LOAD},  {0, VAT_STORE}};
  simulate(accesses, sizeof accesses / sizeof *accesses);
  const struct reuse_histogram *stores = profile.kinds[VAT_STORE];
  CU_ASSERT_EQUAL(stores[REUSE_OTHER].count[2], 0);
  CU_ASSERT_EQUAL(stores[REUSE_OTHER].count[3], 1);
  CU_ASSERT_EQUAL(stores[REUSE_STREAM].cold, 1); /* beside 1 to 4 */
  CU_ASSERT_EQUAL(told(stores, 2), 2);
  CU_ASSERT_EQUAL(told(stores, 4), 1);
  CU_ASSERT_EQUAL(told(profile.kinds[VAT_LOAD], 2), 1 + 3 + 2 + 1);
  CU_ASSERT_EQUAL(told(profile.kinds[VAT_LOAD], 4), 5);
}

/* Streams, two lines in turns, favourites, any; stores rare or frequent. */
static void draw(struct access *accesses, size_t count) {
  int lines = 1 + rand() % LINES, hot = 1 + rand() % lines, line = 0;
  int stores = 1 + rand() % 20;
  for (size_t i = 0; i < count; i++) {
    int way = rand() % 8;
    if (way < 2)
      line = (line + 1) % lines;
    else if (way < 5)
      line = rand() % (way < 3 ? lines : hot);
    else if (way == 5 && i >= 2)
      line = accesses[i - 2].line;
    bool stored = rand() % stores == 0;
    accesses[i] = (struct access){line, stored ? VAT_STORE : VAT_LOAD};
  }
}

static void test_stays_are_those_of_caches(void) {
  static struct access accesses[ACCESSES];
  for (unsigned seed = 1; seed <= RUNS; seed++) {
    srand(seed);
    size_t count = (size_t)rand() % ACCESSES;
    draw(accesses, count);
    unsigned wrong = wrong_caches(accesses, count);
    CU_ASSERT_EQUAL(wrong, 0);
    if (wrong) printf(" seed %u, %zu accesses\n", seed, count);
  }
}

static const struct check_test tests[] = {
    {"stays by hand", test_stays_by_hand},
    {"stays are those of caches", test_stays_are_those_of_caches},
    {NULL, NULL}};
const struct check_suite suite_line_uses = {"line uses", tests, NULL};
