/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is estimated of samples: piece by piece by hand, then of streams whose
 * misses are known. */
#include "cpu_algos/random.h"
#include "experiments/profile/sample_bursts.h"
#include "experiments/profile/sample_pages.h"
#include "experiments/profile/sampled.h"
#include "tests/experiments/suites.h"

enum { PAGE = 4096, MIDDLE = 100 /* mean period */ };

static const uint64_t somewhere = UINT64_C(0x7f0000000000);

/* A stream of accesses, one in MIDDLE of which is sampled. */
struct source {
  struct perf_samples samples;
  struct cpu_random random;
  uint64_t left, period;
};

static void begin(struct source *source, uint64_t seed) {
  *source = (struct source){.random = {seed}, .left = 1};
}

static void take(struct source *source, uint64_t address, uint64_t ip) {
  source->period++;
  if (--source->left) return;
  perf_samples_add(&source->samples, 1, (double)source->period, address, ip)
      ->function = "f";
  source->samples.accesses += (double)source->period;
  source->period = 0;
  source->left = 1 + cpu_random_below(&source->random, 2 * MIDDLE);
}

/* Misses per access. */
static struct miss_value estimated(struct source *source, double entries,
                                   int size) {
  struct sampled sampled = {.samples = source->samples, .entries = entries};
  if (!source->samples.threads) perf_samples_finish(&sampled.samples);
  source->samples = sampled.samples;
  sampled_estimate(&sampled);
  struct miss_value all = sampled.all[size];
  free(sampled.row);
  double accesses = source->samples.accesses;
  return (struct miss_value){all.value / accesses, all.lo / accesses,
                             all.hi / accesses};
}

static void scan(struct source *source, uint64_t accesses, uint64_t ips) {
  for (uint64_t i = 0; i < accesses; i++)
    take(source, somewhere + 8 * (i / ips), 1 + i % ips);
}

static void test_streams_scan(void) {
  struct source source;
  struct stream_set set;
  begin(&source, 1);
  scan(&source, 200000, 1);
  perf_samples_finish(&source.samples);
  stream_set_make(&set, source.samples.sample, source.samples.count);
  CU_ASSERT_EQUAL_FATAL(set.runs, 1);
  CU_ASSERT_DOUBLE_EQUAL(set.run[0].speed, 8, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(stream_entry(&set.run[0], PAGE), 8. / PAGE, 1e-4);
  CU_ASSERT_TRUE(isinf(stream_reuse(&set, 50, PAGE)));
  CU_ASSERT_EQUAL(set.of[50], 1);
  stream_set_fini(&set);
  perf_samples_fini(&source.samples);
}

/* A load and a store by turns: one is the first on each page.  The second pass
 * comes to where the first was, a pass ago. */
static void test_streams_together(void) {
  enum { PASS = 400000 };
  struct source source;
  struct stream_set set;
  begin(&source, 2);
  scan(&source, PASS, 2);
  scan(&source, PASS, 2);
  perf_samples_finish(&source.samples);
  stream_set_make(&set, source.samples.sample, source.samples.count);
  CU_ASSERT_EQUAL_FATAL(set.runs, 4);
  size_t follow = 0, again = 0;
  for (size_t i = 0; i < source.samples.count; i++) {
    if (!set.of[i]) continue;
    double ago = stream_reuse(&set, i, PAGE);
    follow += ago == 0;
    again += ago > 0.9 * PASS && ago < 1.1 * PASS;
  }
  CU_ASSERT_TRUE(fabs((double)follow / (double)source.samples.count - .5) < .1);
  CU_ASSERT_TRUE(fabs((double)again / (double)source.samples.count - .25) < .1);
  stream_set_fini(&set);
  perf_samples_fini(&source.samples);
}

static void random_pages(struct source *source, uint64_t accesses,
                         uint64_t pages, uint64_t ips) {
  uint64_t page = 0;
  for (uint64_t i = 0; i < accesses; i++) {
    if (i % ips == 0) page = cpu_random_below(&source->random, pages);
    take(source, somewhere + page * PAGE + i % 512 * 8, 1 + i % ips);
  }
}

static void test_streams_none(void) {
  struct source source;
  struct stream_set set;
  begin(&source, 3);
  random_pages(&source, 500000, 1000, 1);
  perf_samples_finish(&source.samples);
  stream_set_make(&set, source.samples.sample, source.samples.count);
  CU_ASSERT_EQUAL(set.runs, 0);
  stream_set_fini(&set);
  perf_samples_fini(&source.samples);
}

/* Page 5 twice, page 9 once. */
static void test_pages_by_hand(void) {
  static const uint64_t page[] = {5, 9, 5, 7};
  static const bool counted[] = {true, true, true, false};
  const double half[] = {.5, .5, .5, .5}, more[] = {2, 2, 2, 2};
  struct sample_pages pages;
  double is_new[4];
  sample_pages_make(&pages, page, counted, 0, 4, 21);
  CU_ASSERT_EQUAL(pages.seen, 2);
  CU_ASSERT_EQUAL(pages.once, 1);
  CU_ASSERT_EQUAL(pages.twice, 1);
  CU_ASSERT_EQUAL(pages.unseen, 0);
  CU_ASSERT_DOUBLE_EQUAL(
      sample_pages_reached(&pages, page, half, false, is_new), 1.25, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(is_new[0], .5, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(is_new[1], 1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(is_new[2], .5, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(
      sample_pages_reached(&pages, page, more, false, is_new), 2, 1e-12);
  CU_ASSERT_EQUAL(is_new[0], 0);
  sample_pages_fini(&pages);
  CU_ASSERT_DOUBLE_EQUAL(pages_unseen(10, 4), 9, 1e-12);
  CU_ASSERT_EQUAL(pages_unseen(0, 0), 0);
}

/* Each page by two accesses, one after the other; all are sampled.  Of pairs
 * next to each other half are on one page. */
static void test_bursts_by_hand(void) {
  enum { COUNT = 200 };
  struct perf_sample sample[COUNT];
  uint64_t page[COUNT];
  double share[COUNT];
  struct sample_bursts bursts;
  for (size_t i = 0; i < COUNT; i++) {
    sample[i] = (struct perf_sample){.ip = 1, .at = (double)i + 1};
    page[i] = i / 2;
    share[i] = 0;
  }
  sample_bursts_make(&bursts, sample, COUNT, page, share);
  CU_ASSERT_DOUBLE_EQUAL(sample_bursts_after(&bursts, 7, 2), .5, .01);
  CU_ASSERT_DOUBLE_EQUAL(sample_bursts_after(&bursts, 7, 32), .5, .01);
  CU_ASSERT_TRUE(sample_bursts_error(&bursts, 2) < .2);
  sample_bursts_fini(&bursts);
}

/* But for the accesses behind the last sample. */
static void within(const struct miss_value *found, double truth) {
  bool is = found->lo <= truth * 1.005 && truth <= found->hi * 1.005;
  if (!is)
    printf("\n%g is not within %g and %g\n", truth, found->lo, found->hi);
  CU_ASSERT_TRUE(is);
}

/* Of M pages E are in the TLB. */
static void test_misses_uniform(void) {
  static const double entries[] = {16, 64, 128};
  double before = 1;
  struct source source;
  begin(&source, 4);
  random_pages(&source, 1000000, 200, 1);
  for (int i = 0; i < 3; i++) {
    struct miss_value found = estimated(&source, entries[i], 0);
    within(&found, 1 - entries[i] / 200);
    CU_ASSERT_DOUBLE_EQUAL(found.value, 1 - entries[i] / 200, .08);
    CU_ASSERT_TRUE(found.value <= before);
    before = found.value;
  }
  struct miss_value all = estimated(&source, 256, 0);
  within(&all, 200e-6);
  CU_ASSERT_TRUE(all.hi < 1000e-6);
  perf_samples_fini(&source.samples);
}

/* Two accesses to each page: the second one hits. */
static void test_misses_burst(void) {
  struct source source;
  begin(&source, 5);
  random_pages(&source, 1000000, 1000, 2);
  struct miss_value found = estimated(&source, 50, 0);
  within(&found, .5 * (1 - 50. / 1000));
  CU_ASSERT_TRUE(found.value > .3 && found.value < .75);
  perf_samples_fini(&source.samples);
}

static void test_misses_scan(void) {
  struct source source;
  begin(&source, 6);
  scan(&source, 1000000, 1);
  struct miss_value small = estimated(&source, 64, 0);
  within(&small, 8. / PAGE);
  CU_ASSERT_DOUBLE_EQUAL(small.value, 8. / PAGE, 1e-4);
  struct miss_value large = estimated(&source, 64, 1);
  within(&large, 4e-6);
  perf_samples_fini(&source.samples);
}

/* Whatever the samples are: each interval has its estimate, and is of what can
 * be; more entries hardly miss more often. */
static void test_misses_any(void) {
  for (uint64_t seed = 0; seed < 40; seed++) {
    struct source source;
    begin(&source, seed);
    uint64_t pages = 1 + cpu_random_below(&source.random, 3000);
    if (seed % 3) random_pages(&source, 60000, pages, 1 + seed % 5);
    if (seed % 2) scan(&source, 60000, 1 + seed % 4);
    if (seed % 3 == 2) random_pages(&source, 3000, 5, 1);
    if (!source.samples.count) take(&source, somewhere, 1);
    struct miss_value few = estimated(&source, 20, 0);
    struct miss_value many = estimated(&source, 200, 0);
    if (!(few.lo <= few.value && few.value <= few.hi))
      printf("\nseed %" PRIu64 ": %g (%g to %g)\n", seed, few.value, few.lo,
             few.hi);
    CU_ASSERT_TRUE(0 <= few.lo && few.lo <= few.value && few.value <= few.hi);
    CU_ASSERT_TRUE(few.value <= 1 && few.hi <= 1);
    if (many.value > few.value * 1.05)
      printf("\nseed %" PRIu64 ": %g, then %g\n", seed, few.value, many.value);
    CU_ASSERT_TRUE(many.value <= few.value * 1.05);
    perf_samples_fini(&source.samples);
  }
}

/* None was not sampled, so there is no other page. */
static void test_misses_of_all_accesses(void) {
  struct source source = {.left = 1};
  for (uint64_t i = 0; i < 80; i++) {
    take(&source, somewhere + i * PAGE, 1 + i);
    source.left = 1;
  }
  struct miss_value all = estimated(&source, 1536, 0);
  CU_ASSERT_DOUBLE_EQUAL(all.value, 1, 1e-9);
  CU_ASSERT_EQUAL(all.hi, 1);
  perf_samples_fini(&source.samples);
}

static const struct check_test tests[] = {
    {"a scan is a stream", test_streams_scan},
    {"streams side by side, and again", test_streams_together},
    {"random pages are none", test_streams_none},
    {"pages by hand", test_pages_by_hand},
    {"bursts by hand", test_bursts_by_hand},
    {"uniform random pages", test_misses_uniform},
    {"two accesses to a page", test_misses_burst},
    {"a scan", test_misses_scan},
    {"any samples", test_misses_any},
    {"all accesses", test_misses_of_all_accesses},
    {NULL, NULL}};

const struct check_suite suite_samples = {"samples", tests, NULL};
