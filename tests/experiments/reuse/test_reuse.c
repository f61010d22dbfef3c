/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reuse distances and profiles. */
#include <config.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/reuse/last_uses.h"
#include "experiments/reuse/sampler.h"
#include "tests/experiments/reuse/reuse_reference.h"
#include "tests/experiments/suites.h"

static void test_buckets_hold_their_distances(void) {
  uint64_t wrong = 0;
  for (uint64_t distance = 2; distance < UINT64_C(1) << 31;
       distance += 1 + distance / 100) {
    unsigned bucket = reuse_bucket(distance), coarse = reuse_coarse(distance);
    wrong += distance < reuse_bucket_least(bucket) ||
             distance >= reuse_bucket_least(bucket + 1);
    if (distance >= UINT64_C(1) << 28) continue;
    wrong += distance < reuse_coarse_least(coarse) ||
             distance >= reuse_coarse_least(coarse + 1);
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_EQUAL(reuse_bucket(0), 0);
  CU_ASSERT_EQUAL(reuse_bucket(1), 0);
  for (unsigned i = 2; i < 16; i++) CU_ASSERT_EQUAL(reuse_bucket(i), i);
  CU_ASSERT_EQUAL(reuse_bucket(17), 16);
  CU_ASSERT_EQUAL(reuse_bucket(18), 17);
  CU_ASSERT_EQUAL(reuse_bucket(UINT64_MAX), REUSE_BUCKETS - 1);
  CU_ASSERT_EQUAL(reuse_coarse(UINT64_MAX), REUSE_COARSE - 1);
  /* Capacities that there are: 96 pages, 48 KiB, 1.25 MiB, 1536 pages. */
  static const uint64_t edges[] = {64, 96, 768, 20480, 1536, 2048};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    CU_ASSERT_EQUAL(reuse_bucket_least(reuse_bucket(edges[i])), edges[i]);
}

static void test_beyond_is_the_sum_of_the_upper_buckets(void) {
  struct reuse_histogram h = {.cold = 1000};
  h.count[3] = 1;
  h.count[reuse_bucket(16)] = 10; /* 16 and 17 */
  h.count[reuse_bucket(100)] = 100;
  CU_ASSERT_EQUAL(reuse_beyond(&h, 0), 111);
  CU_ASSERT_EQUAL(reuse_beyond(&h, 3), 111);
  CU_ASSERT_EQUAL(reuse_beyond(&h, 4), 110);
  CU_ASSERT_EQUAL(reuse_beyond(&h, 16), 110);
  CU_ASSERT_EQUAL(reuse_beyond(&h, 17), 105);
  CU_ASSERT_EQUAL(reuse_beyond(&h, 18), 100);
  CU_ASSERT_EQUAL(reuse_beyond(&h, 1e9), 0);
}

static void test_one_in_so_many_is_drawn(void) {
  static const uint32_t every[] = {1, 2, 16, 64};
  for (size_t i = 0; i < 4; i++) {
    struct sampler sampler = sampler_begin(every[i]);
    uint32_t drawn = 0, most = 0, gap = 0;
    for (uint32_t j = 0; j < 100000 * every[i]; j++, gap++) {
      if (!sampler_next(&sampler)) continue;
      if (gap > most) most = gap;
      gap = 0;
      drawn++;
    }
    CU_ASSERT(fabs(drawn - 100000.0) < 1000);
    CU_ASSERT(most < 2 * every[i]);
  }
}

enum { THINGS = 40000, USES = 400000 };

/* Times of last uses; two marks that stay where they were set. */
struct naive_uses {
  uint32_t last[THINGS], marked[2];
};

static uint32_t naive_since(const struct naive_uses *naive, size_t things,
                            uint32_t time, size_t but) {
  uint32_t count = 0;
  for (size_t i = 0; i < things; i++)
    count += i != but && naive->last[i] > time;
  return count;
}

/* Some things often, others hardly ever, and runs of neighbours. */
static size_t next_thing(size_t thing, size_t things) {
  int way = rand() % 8;
  if (way < 3) return (thing + 1) % things;
  size_t range = way < 6 ? 20 < things ? 20 : things : things;
  return (size_t)rand() % range;
}

static void renumber(struct last_uses *uses, uint32_t kept[2]) {
  last_uses_renumber_begin(uses);
  last_uses_move(uses, kept, 2);
  last_uses_renumber_end(uses);
}

/* Was it, and were the two things on either side, used in the window before the
 * last use, which was at `time`? */
static unsigned wrong_recent(const struct last_uses *uses,
                             const struct naive_uses *naive, size_t thing,
                             uint32_t time) {
  unsigned wrong = 0;
  for (int side = -2; side <= 2; side++) {
    uint32_t before = uses->next - 1 - (uses->at + thing)[side];
    if (thing + (size_t)side >= uses->things) continue;
    uint32_t at = naive->last[thing + (size_t)side];
    wrong += (before <= uses->window) != (at && time - at <= uses->window);
  }
  return wrong;
}

static unsigned wrong_uses(size_t things, uint32_t window, unsigned seed) {
  static struct naive_uses naive;
  struct last_uses uses;
  uint32_t kept[2] = {0};
  unsigned wrong = 0, renumbered = 0;
  size_t thing = 0;
  srand(seed);
  memset(&naive, 0, sizeof naive);
  last_uses_init(&uses, things, 2, window);
  for (uint32_t time = 1; time <= USES; time++) {
    if (!last_uses_has_room(&uses, 1)) renumber(&uses, kept), renumbered++;
    thing = next_thing(thing, things);
    uint32_t old = last_uses_put(&uses, thing), last = naive.last[thing];
    wrong += !old != !last;
    naive.last[thing] = time;
    wrong += wrong_recent(&uses, &naive, thing, time);
    bool looked_up = rand() % (16 + (int)things / 20) == 0;
    if (looked_up && old)
      wrong += last_uses_since(&uses, old) !=
               naive_since(&naive, things, last, thing);
    for (int i = 0; i < 2; i++)
      if (looked_up && kept[i])
        wrong += last_uses_since(&uses, kept[i]) !=
                 naive_since(&naive, things, naive.marked[i], thing);
    if (time % 5000 > 1 && rand() % 200000) continue;
    int i = time % 5000 == 1;
    kept[i] = uses.next - 1;
    naive.marked[i] = time;
  }
  CU_ASSERT(renumbered > 0);
  last_uses_fini(&uses, 2);
  return wrong;
}

static void test_uses_since_are_counted(void) {
  static const size_t things[] = {1, 2, 3, 65, 700, THINGS};
  static const uint32_t windows[] = {0, 1, 63, 64, 100, 1000};
  for (size_t i = 0; i < 6; i++) {
    unsigned wrong = wrong_uses(things[i], windows[i], (unsigned)i + 1);
    CU_ASSERT_EQUAL(wrong, 0);
    if (wrong) printf(" %zu things, seed %zu\n", things[i], i + 1);
  }
}

#ifdef HAVE_STREAMS
static struct reuse_profile profile, expected;

static struct stream stream_of(const char *algo, uint64_t n, uint64_t seed) {
  return (struct stream){.algo = cpu_algo_find(algo),
                         .n = n,
                         .seed = seed,
                         .base = UINT64_C(1) << 32};
}

/* Numbers that differ; those looked up for all are whole. */
static unsigned differ(const double *a, const double *b, size_t count) {
  unsigned wrong = 0;
  for (size_t i = 0; i < count; i++) wrong += fabs(a[i] - b[i]) > 1e-6 * b[i];
  return wrong;
}

static unsigned histograms_differ(const struct reuse_histogram *a,
                                  const struct reuse_histogram *b) {
  return differ(a->count, b->count, REUSE_BUCKETS) + (a->cold != b->cold);
}

static unsigned profiles_differ(const struct reuse_profile *a,
                                const struct reuse_profile *b) {
  unsigned wrong = a->accesses != b->accesses;
  for (unsigned i = 0; i < REUSE_CLASSES; i++)
    wrong += histograms_differ(&a->lines[i], &b->lines[i]);
  for (unsigned i = 0; i < REUSE_KINDS * REUSE_CLASSES; i++)
    wrong += histograms_differ(&a->kinds[i / REUSE_CLASSES][i % REUSE_CLASSES],
                               &b->kinds[i / REUSE_CLASSES][i % REUSE_CLASSES]);
  for (unsigned i = 0; i < b->pages_count; i++) {
    const struct reuse_pages *p = &a->pages[i], *q = &b->pages[i];
    wrong += p->page_bits != q->page_bits;
    wrong += histograms_differ(&p->pages, &q->pages);
    wrong += histograms_differ(&p->tables, &q->tables);
    wrong += differ((const double *)p->joint, (const double *)q->joint,
                    sizeof p->joint / sizeof p->joint[0][0]);
    wrong +=
        differ((const double *)p->tables_joint, (const double *)q->tables_joint,
               sizeof p->tables_joint / sizeof p->tables_joint[0][0]);
  }
  for (unsigned i = 0; i < b->tc_count; i++)
    wrong += a->tc_misses[i] != b->tc_misses[i];
  return wrong;
}

static void test_profiles_are_those_of_the_definitions(void) {
  static const char *const algos[] = {
      "sequential_scan", "random_scan",    "permute",
      "binary_search",   "heapify",        "heapsort",
      "introsort",       "transpose_rows", "transpose_recursive",
      "transpose_morton"};
  static const uint64_t sizes[] = {0, 1, 2, 9, 64, 501, 2500};
  struct reuse_params params = {.every = 1,
                                .page_bits_count = 4,
                                .page_bits = {7, 10, 12, 21},
                                .tc_count = 2,
                                .tcs = {{10, 4, 30}, {7, 5, 200}}};
  for (size_t i = 0; i < sizeof algos / sizeof *algos; i++)
    for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
      uint64_t n = i < 7 ? sizes[j] : (uint64_t)sqrt((double)sizes[j]);
      struct stream stream = stream_of(algos[i], n, i + j);
      params.window = 1u << (i + j) % 10;
      CU_ASSERT_FATAL(!reuse_simulate(&profile, &stream, &params, NULL));
      CU_ASSERT_FATAL(!reuse_reference(&expected, &stream, &params));
      unsigned wrong = profiles_differ(&profile, &expected);
      CU_ASSERT_EQUAL(wrong, 0);
      if (wrong) printf(" %s n = %u seed %zu\n", algos[i], (unsigned)n, i + j);
    }
}

/* More changes of lines than slots: they are renumbered on the way. */
static void test_long_profiles_are_those_of_the_definitions(void) {
  struct reuse_params params = {.window = 256,
                                .every = 1,
                                .page_bits_count = 2,
                                .page_bits = {8, 12},
                                .tc_count = 1,
                                .tcs = {{12, 4, 16}}};
  struct stream stream = stream_of("heapsort", 12000, 5);
  CU_ASSERT_FATAL(!reuse_simulate(&profile, &stream, &params, NULL));
  CU_ASSERT_FATAL(!reuse_reference(&expected, &stream, &params));
  CU_ASSERT_EQUAL(profiles_differ(&profile, &expected), 0);
}

/* 1024 keys, on 128 lines, on two pages whose entries share a line. */
static void test_a_scan_is_one_stream(void) {
  static const struct reuse_params params = {.page_bits_count = 1,
                                             .page_bits = {12},
                                             .tc_count = 1,
                                             .tcs = {{12, 4, 64}}};
  struct stream stream = stream_of("sequential_scan", 1024, 1);
  CU_ASSERT_FATAL(!reuse_simulate(&profile, &stream, &params, NULL));
  CU_ASSERT_EQUAL(profile.accesses, 1024);
  CU_ASSERT_EQUAL(profile.lines[REUSE_OTHER].cold, 4);
  CU_ASSERT_EQUAL(profile.lines[REUSE_STREAM].cold, 124);
  CU_ASSERT_EQUAL(profile.lines[REUSE_OTHER].count[0], 1024 - 128);
  CU_ASSERT_EQUAL(profile.pages[0].pages.cold, 2);
  CU_ASSERT_EQUAL(profile.pages[0].pages.count[0], 1022);
  CU_ASSERT_EQUAL(profile.pages[0].tables.cold, 1);
  CU_ASSERT_EQUAL(profile.pages[0].tables.count[0], 1);
  CU_ASSERT_EQUAL(profile.pages[0].joint[REUSE_COARSE][0], 1);
  CU_ASSERT_EQUAL(profile.pages[0].joint[REUSE_COARSE][REUSE_COARSE], 1);
  CU_ASSERT_EQUAL(profile.tc_misses[0], 6); /* a path, and a leaf */

  /* 1 MiB: 256 pages, of 8 a line. */
  static const struct reuse_params two = {.page_bits_count = 2,
                                          .page_bits = {7, 12}};
  stream.n = 1 << 17;
  CU_ASSERT_FATAL(!reuse_simulate(&profile, &stream, &two, NULL));
  CU_ASSERT_EQUAL(profile.pages[0].pages.cold, 8192);
  CU_ASSERT_EQUAL(profile.pages[0].tables.cold, 1024);
  CU_ASSERT_EQUAL(profile.pages[1].pages.cold, 256);
  CU_ASSERT_EQUAL(profile.pages[1].tables.cold, 32);
}

static double sum_of(const struct reuse_histogram *histogram) {
  return histogram->cold + reuse_beyond(histogram, 0);
}

static void test_every_access_counts_once(void) {
  static const char *const algos[] = {"heapsort", "introsort", "permute",
                                      "random_scan"};
  struct reuse_params params = {.page_bits_count = 3,
                                .page_bits = {12, 21, 30}};
  for (size_t i = 0; i < 4; i++)
    for (params.every = 0; params.every < 10; params.every += 3) {
      struct stream stream = stream_of(algos[i], 70000, i);
      CU_ASSERT_FATAL(!reuse_simulate(&profile, &stream, &params, NULL));
      double all = (double)profile.accesses, lines = 0;
      for (unsigned c = 0; c < REUSE_CLASSES; c++)
        lines += sum_of(&profile.lines[c]);
      CU_ASSERT_DOUBLE_EQUAL(lines, all, 1e-6 * all);
      for (unsigned k = 0; k < 3; k++) {
        const struct reuse_pages *p = &profile.pages[k];
        double far = sum_of(&p->pages) - p->pages.count[0], joint = 0, both = 0;
        CU_ASSERT_DOUBLE_EQUAL(sum_of(&p->pages), all, 1e-6 * all);
        CU_ASSERT_DOUBLE_EQUAL(sum_of(&p->tables), far, 1e-6 * all);
        for (size_t c = 0; c < sizeof p->joint / sizeof **p->joint; c++)
          joint += ((const double *)p->joint)[c],
              both += ((const double *)p->tables_joint)[c];
        CU_ASSERT_DOUBLE_EQUAL(joint, far, 1e-6 * all);
        CU_ASSERT_DOUBLE_EQUAL(both, far, 1e-6 * all);
        for (double d = 2; k && d < 1000; d *= 1.5)
          CU_ASSERT(reuse_beyond(&p->pages, d) <=
                    reuse_beyond(&p[-1].pages, d) * 1.01 + 1);
      }
    }
}

static void test_some_look_ups_stand_for_all(void) {
  static const char *const algos[] = {"heapsort", "binary_search", "permute"};
  struct reuse_params params = {.page_bits_count = 1};
  for (size_t i = 0; i < 3; i++) {
    params.page_bits[0] = i < 2 ? 12 : 7; /* many cold ones */
    struct stream stream = stream_of(algos[i], 150000, 7);
    params.every = 1;
    CU_ASSERT_FATAL(!reuse_simulate(&expected, &stream, &params, NULL));
    params.every = 16;
    CU_ASSERT_FATAL(!reuse_simulate(&profile, &stream, &params, NULL));
    const struct reuse_histogram *some[] = {
        profile.lines, &profile.pages[0].pages, &profile.pages[0].tables};
    const struct reuse_histogram *all[] = {
        expected.lines, &expected.pages[0].pages, &expected.pages[0].tables};
    for (size_t k = 0; k < 3; k++)
      for (double d = 2; d < 1e5; d *= 2) {
        double a = reuse_beyond(some[k], d), b = reuse_beyond(all[k], d);
        CU_ASSERT(fabs(a - b) < 4 * sqrt(16 * b) + 1e-6); /* 4 sigma */
      }
    CU_ASSERT_EQUAL(profile.lines[0].cold, expected.lines[0].cold);
  }
}

static void raise_signal(void *arg, uint64_t accesses) {
  (void)accesses;
  ++*(unsigned *)arg;
  raise(SIGTERM);
}

/* In a process of its own, since it is the end of that. */
static void be_ended(void) {
  static const struct reuse_params params = {.page_bits_count = 1,
                                             .page_bits = {12}};
  struct stream stream = stream_of("heapsort", 100000, 1);
  unsigned told = 0;
  struct reuse_watch watch = {raise_signal, &told};
  if (interrupt_arm()) _exit(2);
  if (reuse_simulate(&profile, &stream, &params, &watch) != VAT_FAILED)
    _exit(3);
  if (!interrupt_pending() || told != 1) _exit(4);
  interrupt_disarm();
  interrupt_die();
}

static void test_a_signal_ends_it(void) {
  int status = -1;
  fflush(NULL);
  pid_t pid = fork();
  if (!pid) {
    be_ended();
    _exit(5);
  }
  waitpid(pid, &status, 0);
  CU_ASSERT(WIFSIGNALED(status));
  CU_ASSERT_EQUAL(WTERMSIG(status), SIGTERM);
}
#endif

static const struct check_test tests[] = {
    {"buckets hold their distances", test_buckets_hold_their_distances},
    {"what is beyond a distance is the sum of the upper buckets",
     test_beyond_is_the_sum_of_the_upper_buckets},
    {"one in so many is drawn", test_one_in_so_many_is_drawn},
    {"uses since a slot are counted", test_uses_since_are_counted},
#ifdef HAVE_STREAMS
    {"profiles are those of the definitions",
     test_profiles_are_those_of_the_definitions},
    {"long profiles are those of the definitions",
     test_long_profiles_are_those_of_the_definitions},
    {"a scan is one stream", test_a_scan_is_one_stream},
    {"every access counts once", test_every_access_counts_once},
    {"some look-ups stand for all", test_some_look_ups_stand_for_all},
    {"a signal ends it", test_a_signal_ends_it},
#endif
    {NULL, NULL}};
const struct check_suite suite_reuse = {"reuse profiles", tests, NULL};
