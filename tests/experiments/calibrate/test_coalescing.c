/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether contiguous frames share TLB entries, on TLBs that are known: they are
 * simulated access by access (vat/mixed_tlb.h), and an entry holds as many
 * pages as the processor joins and the frames allow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/calibrate/coalescing.h"
#include "experiments/calibrate/derivation.h"
#include "experiments/calibrate/derive_coalescing.h"
#include "experiments/cli/interrupt.h"
#include "tests/check.h"
#include "tests/experiments/calibrate/chase_machine.h"
#include "tests/experiments/suites.h"
#include "vat/mixed_tlb.h"

enum { ACCESSES = 1 << 15, MOST = 16384, PASSES = 5 };

static const double hit_ns = 2, second_ns = 2, walk_ns = 15;

static uint64_t state;

static uint64_t below(uint64_t n) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint64_t)(((unsigned __int128)state * n) >> 64);
}

/* Share of accesses to random ones of `pages` that miss `entries` of LRU, each
 * of which holds `joined` pages. */
static double missed(unsigned entries, size_t pages, size_t joined) {
  const struct vat_tree tree = {3, 12, 9};
  struct mixed_tlb_shape shape = {
      .all.level[0] = {entries, entries % 3 ? 4 : 12}};
  struct mixed_tlb tlb;
  if (joined > 1) shape.coalesce_bits = 12 + (unsigned)__builtin_ctzll(joined);
  void *memory = malloc(vat_mixed_tlb_bytes(&shape, &tree));
  vat_mixed_tlb_init(&tlb, &shape, &tree, memory);
  size_t count = 0;
  for (size_t i = 0; i < 2 * ACCESSES; i++)
    count += vat_mixed_tlb_access(&tlb, below(pages), 0, 0) && i >= ACCESSES;
  free(memory);
  return (double)count / ACCESSES;
}

static double noisy(double ns, double noise) {
  double sum = -6; /* of twelve: a standard deviation of 1 */
  for (int i = 0; i < 12; i++) sum += (double)below(1 << 20) / (1 << 20);
  return ns * fmax(0.1, 1 + noise * sum);
}

/* A first level of `near` entries that joins near_joined pages, and so on. */
struct machine {
  unsigned near, far;
  size_t near_joined, far_joined;
  double noise;
};

static const size_t runs[COALESCING_LAYOUTS] = {1, 1, 2, 4, 8, 16};

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* The lines of data and of tables leave the near cache as they grow. */
static struct coalescing_times *chases(const struct machine *m, size_t passes) {
  struct coalescing_times *times = calloc(1, sizeof *times);
  if (!times) abort();
  times->passes = passes;
  state = 1;
  for (double x = 16; x <= MOST; x *= 1.26) {
    size_t pages = (size_t)x, p = times->points++;
    double lines = hit_ns + fmax(0, 4 - 2048 / x);
    times->x[p] = (double)pages;
    for (size_t i = 0; i < passes; i++)
      times->lines[p][i] = noisy(lines, m->noise);
    for (size_t l = 0; l < COALESCING_LAYOUTS; l++) {
      double ns =
          lines +
          second_ns * missed(m->near, pages, least(runs[l], m->near_joined)) +
          (walk_ns + x / 4096) *
              missed(m->far, pages, least(runs[l], m->far_joined));
      for (size_t i = 0; i < passes; i++)
        times->pages[l][p][i] = noisy(ns, m->noise);
    }
  }
  return times;
}

static struct cal_coalescing found_of(const struct machine *machine,
                                      size_t passes) {
  struct cal_coalescing found = {.page_bytes = 4096};
  struct coalescing_times *times = chases(machine, passes);
  derive_coalescing(times, &found);
  free(times);
  return found;
}

static void near_to(double value, double truth) {
  if (fabs(value / truth - 1) <= 0.15) return;
  printf("%g, not %g\n", value, truth);
  CU_FAIL("too far off");
}

/* Reach grows with runs up to what is joined. */
static void check_level(const struct cal_coalescing_tlb *tlb, double entries,
                        size_t joined, size_t seen) {
  near_to(tlb->entries.value, entries);
  near_to(tlb->reach[0].value, 1);
  CU_ASSERT_EQUAL(tlb->joined, (double)joined);
  for (size_t r = 1; (size_t)1 << r <= seen; r++) {
    near_to(tlb->reach[r].value, (double)least((size_t)1 << r, joined));
    CU_ASSERT_TRUE(tlb->reach[r].lo <= tlb->reach[r].value &&
                   tlb->reach[r].value <= tlb->reach[r].hi);
  }
}

static void test_joined_pages_are_found(void) {
  for (size_t joined = 1; joined <= 8; joined *= 2) {
    const struct machine machine = {64, 1536, joined, joined, 0.02};
    struct cal_coalescing found = found_of(&machine, PASSES);
    CU_ASSERT_STRING_EQUAL(found.absent, "");
    CU_ASSERT_EQUAL_FATAL(found.tlbs, 2);
    check_level(&found.tlb[0], 64, joined, 16);
    check_level(&found.tlb[1], 1536, joined, 8);
    CU_ASSERT_EQUAL(cal_coalescing_joined(&found), (double)joined);
  }
}

static void test_a_level_may_join_alone(void) {
  const struct machine first = {64, 1536, 4, 1, 0.02};
  struct cal_coalescing found = found_of(&first, PASSES);
  CU_ASSERT_EQUAL_FATAL(found.tlbs, 2);
  CU_ASSERT_EQUAL(found.tlb[0].joined, 4);
  CU_ASSERT_EQUAL(cal_coalescing_joined(&found), 1);
  const struct machine last = {64, 1536, 1, 4, 0.02};
  found = found_of(&last, PASSES);
  CU_ASSERT_EQUAL(found.tlb[0].joined, 1);
  CU_ASSERT_EQUAL(cal_coalescing_joined(&found), 4);
}

/* What the chase does not reach is not there, and may be more. */
static void test_what_is_beyond_the_chase_is_open(void) {
  const struct machine machine = {64, 3072, 8, 8, 0.02};
  struct cal_coalescing found = found_of(&machine, PASSES);
  CU_ASSERT_EQUAL_FATAL(found.tlbs, 2);
  CU_ASSERT(isnan(found.tlb[1].reach[3].value));
  CU_ASSERT_EQUAL(found.tlb[1].joined, 4);
  CU_ASSERT_TRUE(cal_coalescing_open(&found.tlb[1]));
  CU_ASSERT_EQUAL(cal_coalescing_joined(&found), 8);
}

static void test_noise_leaves_it_undecided(void) {
  const struct machine machine = {64, 1536, 1, 1, 1.5};
  struct cal_coalescing found = found_of(&machine, PASSES);
  for (size_t i = 0; i < found.tlbs; i++) CU_ASSERT(isnan(found.tlb[i].joined));
  CU_ASSERT(isnan(cal_coalescing_joined(&found)));
}

/* Most passes show that two pages are joined, and others that none are. */
static void test_passes_that_disagree_leave_it_undecided(void) {
  const struct machine two = {64, 1536, 2, 2, 0.02}, one = {64, 1536, 1, 1, 0};
  struct cal_coalescing found = {.page_bytes = 4096};
  struct coalescing_times *times = chases(&two, PASSES);
  struct coalescing_times *other = chases(&one, PASSES);
  for (size_t p = 0; p < times->points; p++)
    for (size_t l = 2; l < COALESCING_LAYOUTS; l++)
      for (size_t i = 0; i < 2; i++)
        times->pages[l][p][i] = other->pages[l][p][i];
  derive_coalescing(times, &found);
  CU_ASSERT_EQUAL_FATAL(found.tlbs, 2);
  near_to(found.tlb[0].reach[1].value, 2);
  CU_ASSERT(isnan(found.tlb[0].joined));
  CU_ASSERT(isnan(cal_coalescing_joined(&found)));
  free(other);
  free(times);
}

/* A control that moves: the scattered frames differ by something else. */
static void test_a_control_that_moves_leaves_it_undecided(void) {
  const struct machine machine = {64, 1536, 1, 1, 0.02};
  struct cal_coalescing found = {.page_bytes = 4096};
  struct coalescing_times *times = chases(&machine, PASSES);
  for (size_t p = 0; p < times->points; p++)
    for (size_t i = 0; i < PASSES; i++)
      times->pages[1][p][i] = times->lines[p][i];
  derive_coalescing(times, &found);
  CU_ASSERT(isnan(cal_coalescing_joined(&found)));
  free(times);
}

static void test_few_passes_leave_it_undecided(void) {
  const struct machine machine = {64, 1536, 4, 4, 0.02};
  struct cal_coalescing found = found_of(&machine, 2);
  CU_ASSERT_EQUAL(found.tlbs, 2);
  CU_ASSERT(isnan(found.tlb[0].reach[2].lo));
  CU_ASSERT(isnan(cal_coalescing_joined(&found)));
}

static void test_without_misses_it_is_absent(void) {
  const struct machine machine = {MOST, MOST, 4, 4, 0.02};
  struct cal_coalescing found = found_of(&machine, PASSES);
  CU_ASSERT_PTR_NOT_NULL(strstr(found.absent, "no TLB misses"));
  struct coalescing_times none = {.passes = 1};
  derive_coalescing(&none, &found);
  CU_ASSERT_EQUAL(found.tlbs, 0);
}

/* What the runs show overrules bends that the far steps of a chase have. */
static void test_runs_tell_what_an_entry_maps(void) {
  if (check_is_brief()) return;
  const struct chase_machine machine = {
      .cache_bytes = {32 << 10, 1 << 20, 8 << 20},
      .level_ns = {1.2, 4, 20, 100},
      .table_ns = {0, 0, 18, 90},
      .line_flight = 12,
      .walk_flight = 4,
      .stream_ns = 5,
      .noise = 0.02,
      .most_bytes = 1 << 30,
      .kinds = 2,
      .pages = {{"4k", 4096, 4096, {64, 1536}, {2, 20}, 2},
                {"2m", 2 << 20, 8192, {64, 1536}, {2, 12}, 1}}};
  struct calibration cal;
  chase_machine_curves(&machine, 1, &cal);
  snprintf(cal.coalescing.absent, CALIBRATION_TEXT, "none");
  derive(&cal);
  CU_ASSERT_EQUAL(cal.pages[1].granularity_bytes, 8192);
  cal.coalescing = (struct cal_coalescing){.page_bytes = 4096, .tlbs = 1};
  cal.coalescing.tlb[0].joined = 1;
  derive(&cal);
  CU_ASSERT_EQUAL(cal.pages[0].granularity_bytes, 4096);
  CU_ASSERT_EQUAL(cal.pages[1].granularity_bytes, 4096);
  cal.coalescing.tlb[0].joined = NAN;
  derive(&cal);
  CU_ASSERT_EQUAL(cal.pages[1].granularity_bytes, 8192);
  calibration_fini(&cal);
}

/* This machine: what is found is a record, or it says why there is none. */
static void test_here(void) {
  static struct calibration cal;
  struct progress progress;
  double now = progress_now_s();
  const struct measure_time time = {now, now + 3};
  progress_init(&progress);
  CU_ASSERT_EQUAL(interrupt_arm(), 0);
  CU_ASSERT_EQUAL(coalescing_measure(&cal, 64 << 20, now + 3, &time, &progress),
                  0);
  CU_ASSERT_PTR_NOT_NULL(strstr(cal.coalescing.absent, "it takes 96"));
  CU_ASSERT_EQUAL(coalescing_measure(&cal, 96 << 20, now, &time, &progress), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(cal.coalescing.absent, "--time-budget"));
  CU_ASSERT_EQUAL(coalescing_measure(&cal, 96 << 20, now + 3, &time, &progress),
                  0);
  interrupt_disarm();
  const struct cal_coalescing *found = &cal.coalescing;
  if (*found->absent) {
    printf("SKIPPED frames of this machine: %s\n", found->absent);
    return;
  }
  CU_ASSERT(!strcmp(found->proof, "pagemap") || !strcmp(found->proof, "smaps"));
  CU_ASSERT_TRUE(found->tlbs > 0 && found->point_count > 20);
  for (size_t p = 0; p < found->point_count; p++)
    CU_ASSERT_TRUE(found->points[p].runs_ns[CALIBRATION_RUNS - 1] > 0);
}

static const struct check_test tests[] = {
    {"joined pages are found", test_joined_pages_are_found},
    {"a level may join alone", test_a_level_may_join_alone},
    {"what is beyond the chase is open", test_what_is_beyond_the_chase_is_open},
    {"noise leaves it undecided", test_noise_leaves_it_undecided},
    {"passes that disagree leave it undecided",
     test_passes_that_disagree_leave_it_undecided},
    {"a control that moves leaves it undecided",
     test_a_control_that_moves_leaves_it_undecided},
    {"few passes leave it undecided", test_few_passes_leave_it_undecided},
    {"without misses it is absent", test_without_misses_it_is_absent},
    {"runs tell what an entry maps", test_runs_tell_what_an_entry_maps},
    {"here", test_here},
    {NULL, NULL}};

const struct check_suite suite_coalescing = {"coalescing", tests, NULL};
