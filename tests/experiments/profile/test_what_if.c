/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/calibrate/measure.h"
#include "experiments/probe/calibration.h"
#include "experiments/profile/what_if_table.h"
#include "tests/experiments/suites.h"

static const struct overlap_machine small = {.window = 10, .walkers = 2};

static double took(double base_ns, const struct overlap_miss *misses,
                   size_t count, double instructions) {
  return overlap_ns(&small, base_ns, misses, count, instructions);
}

/* Worked out by hand, with a window of 10 and two walkers. */
static void test_overlap_by_hand(void) {
  const struct overlap_miss one = {100, 0, 50, 0};
  const struct overlap_miss near[] = {{100, 0, 50, 0}, {5, 0, 50, 0}};
  const struct overlap_miss waits[] = {{100, 0, 50, 0}, {5, 1, 50, 0}};
  const struct overlap_miss far[] = {{100, 0, 50, 0}, {15, 0, 50, 0}};
  const struct overlap_miss three[] = {
      {100, 0, 50, 7}, {1, 0, 50, 7}, {1, 0, 50, 7}};
  CU_ASSERT_EQUAL(took(1, NULL, 0, 200), 200);
  /* Taken at 100 and done at 150, when instruction 110 is taken. */
  CU_ASSERT_EQUAL(took(1, &one, 1, 200), 240);
  /* Nothing comes behind it. */
  CU_ASSERT_EQUAL(took(1, &one, 1, 100), 150);
  /* The second is done at 155, when instruction 115 is taken: 5 later than
   * without it, as 115 was to be taken at 155 anyhow. */
  CU_ASSERT_EQUAL(took(1, near, 2, 200), 240);
  /* From 150 to 200; 115 is taken then. */
  CU_ASSERT_EQUAL(took(1, waits, 2, 200), 285);
  /* Taken at 155, done at 205, when 125 is. */
  CU_ASSERT_EQUAL(took(1, far, 2, 200), 280);
  /* The third walk begins at 150, its data are there at 207, for 112. */
  CU_ASSERT_EQUAL(took(1, three, 3, 200), 295);
}

/* The same, instruction by instruction. */
static double slowly(const struct overlap_machine *machine, double base_ns,
                     const struct overlap_miss *misses, size_t count,
                     unsigned instructions) {
  double taken[512] = {0}, clear[512] = {0}, done[64] = {0}, walker[16] = {0};
  unsigned window = (unsigned)machine->window, at = 0;
  size_t next = 0;
  if (count) at = misses[0].gap;
  for (unsigned i = 0; i <= instructions; i++) {
    taken[i] = i ? taken[i - 1] + base_ns : 0;
    if (i >= window) taken[i] = fmax(taken[i], clear[i - window]);
    clear[i] = i ? fmax(clear[i - 1], taken[i]) : 0;
    for (; next < count && at == i; next++) {
      double start = taken[i];
      unsigned first = 0;
      if (misses[next].back && misses[next].back <= next)
        start = fmax(start, done[next - misses[next].back]);
      for (unsigned w = 1; w < machine->walkers; w++)
        if (walker[w] < walker[first]) first = w;
      if (misses[next].walk_ns > 0) {
        start = fmax(start, walker[first]) + misses[next].walk_ns;
        walker[first] = start;
      }
      done[next] = start + misses[next].data_ns;
      clear[i] = fmax(clear[i], done[next]);
      if (next + 1 < count) at += misses[next + 1].gap;
    }
  }
  return clear[instructions];
}

static void test_overlap_against_reference(void) {
  struct cpu_random random = {.state = 7};
  for (int round = 0; round < 5000; round++) {
    struct overlap_miss misses[40];
    struct overlap_machine machine = {
        1 + (double)cpu_random_below(&random, 60),
        1 + (unsigned)cpu_random_below(&random, 4)};
    size_t count = (size_t)cpu_random_below(&random, 40);
    double base_ns = (double)cpu_random_below(&random, 4);
    unsigned instructions = (unsigned)cpu_random_below(&random, 50);
    for (size_t i = 0; i < count; i++) {
      misses[i] =
          (struct overlap_miss){(uint32_t)cpu_random_below(&random, 10),
                                (uint32_t)cpu_random_below(&random, i + 1),
                                (double)cpu_random_below(&random, 50),
                                (double)cpu_random_below(&random, 50)};
      instructions += misses[i].gap;
    }
    double fast = overlap_ns(&machine, base_ns, misses, count, instructions);
    double slow = slowly(&machine, base_ns, misses, count, instructions);
    if (fast == slow) continue;
    printf("\nround %d: %g, and %g slowly\n", round, fast, slow);
    CU_FAIL_FATAL("overlap_ns() is not what it should be");
  }
}

/* A calibrated machine: page chases that take `walk_ns` more on base pages
 * from 64 pages on, and nothing else costs much. */
static void make_curve(struct calibration *cal, const char *name,
                       const char *kind, bool by_pages, double ns) {
  struct cal_curve *curve = &cal->curves[cal->curve_count++];
  *curve = (struct cal_curve){.by_pages = by_pages,
                              .step_bytes = by_pages ? 4096 : 64,
                              .chains = 1,
                              .count = 6};
  strcpy(curve->name, name);
  strcpy(curve->pages, kind);
  curve->points = calloc(curve->count, sizeof *curve->points);
  for (size_t i = 0; i < curve->count; i++) {
    double x = by_pages ? exp2(2 + 2 * (double)i) : exp2(12 + 3 * (double)i);
    double t = i < 2 ? 1 : ns;
    curve->points[i] = (struct cal_point){x, t, t, t};
  }
}

static void make_machine(struct calibration *cal, double walk_ns) {
  *cal = (struct calibration){0};
  cal->curves = calloc(6, sizeof *cal->curves);
  make_curve(cal, "page_chase", "4k", true, 1 + walk_ns);
  make_curve(cal, "page_chase", "2m", true, 1);
  make_curve(cal, "line_chase", "4k", false, 1);
  make_curve(cal, "line_chase", "2m", false, 1);
}

static const double saves = 40. * 4096 / 4080;

static void test_costs_of_a_flat_machine(void) {
  struct calibration cal;
  struct walk_costs costs;
  make_machine(&cal, 40);
  CU_ASSERT_PTR_NULL(walk_costs_make(&costs, &cal, "4k", "2m", 12288, 1));
  CU_ASSERT_EQUAL(costs.at[0].saved_slow, 0); /* 8 pages or less are at hand */
  CU_ASSERT_EQUAL(costs.at[1].saved_slow, 0);
  /* From 16 pages to 4096, x S(x) rises from 0 to 4096 x 40. */
  for (int i = 5; i < WALK_OCTAVES; i++)
    CU_ASSERT_DOUBLE_EQUAL(costs.at[i].saved_slow, saves, 1e-9);
  CU_ASSERT_STRING_EQUAL(walk_costs_make(&costs, &cal, "4k", "1g", 1, 1),
                         "no chases on larger pages");
  CU_ASSERT_STRING_EQUAL(walk_costs_make(&costs, &cal, "64k", "2m", 1, 1),
                         "no chases on base pages");
  calibration_fini(&cal);
}

/* Two walkers let a read of 10 ns through in walks of 20, not 40. */
static void test_costs_where_nothing_waits(void) {
  struct calibration cal;
  struct walk_costs costs;
  make_machine(&cal, 40);
  make_curve(&cal, "random_read", "4k", false, 10);
  make_curve(&cal, "random_read", "2m", false, 6);
  strcpy(cal.pages[0].kind, "4k");
  cal.pages[0].walks_in_flight.value = 2;
  cal.page_count = 1;
  CU_ASSERT_PTR_NULL(walk_costs_make(&costs, &cal, "4k", "2m", 12288, 1));
  CU_ASSERT_DOUBLE_EQUAL(costs.at[20].saved_slow, saves, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(costs.at[20].saved_fast, 20, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(costs.at[20].walk_fast, 0, 1e-9);
  cal.pages[0].walks_in_flight.value = NAN; /* not known */
  CU_ASSERT_PTR_NULL(walk_costs_make(&costs, &cal, "4k", "2m", 12288, 1));
  CU_ASSERT_DOUBLE_EQUAL(costs.at[20].saved_fast, saves, 1e-9);
  calibration_fini(&cal);
}

/* Programs' pages are dearer than those of whole blocks, where both are known.
 */
static void test_costs_of_given_pages(void) {
  struct calibration cal;
  struct walk_costs costs;
  make_machine(&cal, 40);
  CU_ASSERT_STRING_EQUAL(walk_costs_base(&cal), "4k");
  make_curve(&cal, "page_chase", "given", true, 71);
  CU_ASSERT_STRING_EQUAL(walk_costs_base(&cal), "given");
  CU_ASSERT_PTR_NULL(
      walk_costs_make(&costs, &cal, walk_costs_base(&cal), "2m", 12288, 1));
  CU_ASSERT_DOUBLE_EQUAL(costs.at[20].saved_slow, saves * 70 / 40, 1e-9);
  calibration_fini(&cal);
}

/* As recorded on a virtual machine that had been up for ten hours: in 1 GiB of
 * pages as the kernel gives them walks cost twice what they do in whole blocks,
 * of which there is least doubt where neighbours have no part.  (The 2 GiB of
 * the last octaves were as slow in blocks, which were not yet divided then: see
 * base_pages.c.) */
static void test_costs_as_recorded(void) {
  const char *path =
      VAT_TEST_SOURCE "/tests/experiments/calibration_given.json";
  char why[400];
  struct calibration cal;
  struct walk_costs given, blocks, busy;
  const double pages = 1 << 18;
  CU_ASSERT_EQUAL_FATAL(calibration_read(&cal, path, why, sizeof why), 0);
  CU_ASSERT_STRING_EQUAL_FATAL(walk_costs_base(&cal), "given");
  CU_ASSERT_PTR_NULL(walk_costs_make(&given, &cal, "given", "2m", pages, 1));
  CU_ASSERT_PTR_NULL(walk_costs_make(&blocks, &cal, "4k", "2m", pages, 1));
  /* Twice the traffic is an octave further away, while most are distinct. */
  CU_ASSERT_PTR_NULL(walk_costs_make(&busy, &cal, "given", "2m", pages, 2));
  CU_ASSERT_EQUAL(busy.at[0].saved_slow, given.at[0].saved_slow);
  double dearest = 0;
  for (int i = 1; i <= 10; i++) {
    const double one = given.at[i].saved_slow, two = busy.at[i].saved_slow;
    CU_ASSERT_DOUBLE_EQUAL(two, given.at[i + 1].saved_slow,
                           0.02 * given.at[i + 1].saved_slow + 0.02);
    dearest = fmax(dearest, two / fmax(one, 1));
  }
  CU_ASSERT(dearest > 1.2);
  for (int i = 12; i <= 20; i++) {
    double more = given.at[i].saved_slow / fmax(1, blocks.at[i].saved_slow);
    CU_ASSERT(more > 1.5);
    CU_ASSERT(given.at[i].saved_least <= given.at[i].saved_slow);
    CU_ASSERT(given.at[i].saved_most >= given.at[i].saved_slow);
    /* On the large pages nothing differs. */
    CU_ASSERT_EQUAL(given.at[i].walk, blocks.at[i].walk);
  }
  calibration_fini(&cal);
}

static void test_costs_of_several_machines(void) {
  static const double walk_ns[] = {60, 20, 40, 50};
  struct walk_costs each[4], joint;
  for (int i = 0; i < 4; i++) {
    struct calibration cal;
    make_machine(&cal, walk_ns[i]);
    CU_ASSERT_PTR_NULL(walk_costs_make(&each[i], &cal, "4k", "2m", 12288, 1));
    calibration_fini(&cal);
  }
  walk_costs_join(&joint, each, 1);
  CU_ASSERT_EQUAL(joint.at[20].saved_slow, each[0].at[20].saved_slow);
  CU_ASSERT_EQUAL(joint.at[20].saved_least, each[0].at[20].saved_least);
  walk_costs_join(&joint, each, 3);
  CU_ASSERT_DOUBLE_EQUAL(joint.at[20].saved_slow, saves, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(joint.at[20].saved_least, saves / 2, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(joint.at[20].saved_most, saves * 1.5, 1e-9);
  CU_ASSERT_EQUAL(joint.at[20].walk, each[0].at[20].walk);
  walk_costs_join(&joint, each, 4);
  CU_ASSERT_DOUBLE_EQUAL(joint.at[20].saved_slow, saves * 45 / 40, 1e-9);
}

/* Neighbours slow passes down up to four times, and kinds alike: what these
 * differ by is what each pass says, not what medians of different passes do. */
static void test_steady_kinds_are_paired(void) {
  enum { COUNT = 7 };
  static const double slowed[COUNT] = {1, 4, 1.5, 2, 3, 1, 2.5};
  double times[2 * COUNT];
  struct cal_point base, large, *points[] = {&base, &large};
  for (int i = 0; i < COUNT; i++) {
    times[i] = 200 * slowed[i];
    times[COUNT + i] = 150 * slowed[i];
  }
  times[2] *= 2; /* one kind alone, which no median minds */
  steady_summarize(times, 2, COUNT, points);
  CU_ASSERT_DOUBLE_EQUAL(large.ns / base.ns, 0.75, 1e-12);
  CU_ASSERT_EQUAL(base.lo, 200);
  CU_ASSERT_EQUAL(base.hi, 600);
  CU_ASSERT_EQUAL(large.hi, 450);
  CU_ASSERT(base.ns > 400 && base.ns < 500);
}

/* A profile of two sites, a miss each in turn, of which the second's wait for
 * the first's where `back` is 1. */
enum { MISSES = 640000, BURSTS = 100, LENGTH = 64 };

static void make_profile(struct profile *p, uint64_t misses, uint32_t gap,
                         unsigned back) {
  static const struct profile_place nowhere = {"", "", "", 0, 0};
  *p = (struct profile){0};
  p->trees = 1;
  p->totals.accesses = misses * gap;
  p->sites.site = calloc(3, sizeof *p->sites.site);
  p->sites.count = 3;
  for (int i = 0; i < 3; i++) {
    p->sites.site[i].name = "";
    p->sites.site[i].caller[0] = nowhere;
    p->sites.site[i].pages[0] = 4096;
  }
  p->sites.site[0].walks[1][10] = misses / 2;
  p->sites.site[1].walks[1][10] = misses / 4;
  p->sites.site[1].walks[0][10] = misses / 4; /* nothing huge there */
  p->flow.burst = calloc(BURSTS, sizeof *p->flow.burst);
  p->flow.wait = calloc(BURSTS * LENGTH, sizeof *p->flow.wait);
  p->flow.bursts = misses ? BURSTS : 0;
  for (size_t i = 0; i < p->flow.bursts; i++)
    p->flow.burst[i] = (struct profile_burst){
        1000, LENGTH, LENGTH * gap, LENGTH * gap, 0, i * LENGTH};
  p->flow.waits = p->flow.bursts * LENGTH;
  for (size_t i = 0; i < p->flow.waits; i++)
    p->flow.wait[i] =
        (struct profile_wait){gap, i % LENGTH ? (uint16_t)back : 0, 10,
                              i % 4 == 3 ? 0 : PROFILE_HUGE, i % 2};
}

/* With 9 lines of data for each miss of the first burst, which stands for as
 * many misses as all others together, and none for theirs: 4.5 a miss. */
static void test_traffic_by_hand(void) {
  struct profile p;
  make_profile(&p, MISSES, 1, 1);
  CU_ASSERT_EQUAL(what_if_traffic(&p), 1);
  p.flow.burst[0].period = (1000 + LENGTH) * (BURSTS - 1) - LENGTH;
  p.flow.burst[0].fills = (uint64_t)9 * LENGTH;
  CU_ASSERT_DOUBLE_EQUAL(what_if_traffic(&p), (1 + 4.5) / 2, 1e-12);
  profile_fini(&p);
  make_profile(&p, 0, 1, 1);
  CU_ASSERT_EQUAL(what_if_traffic(&p), 1);
  profile_fini(&p);
}

static struct what_if predict(const struct profile *profile, double walk_ns,
                              double user_s) {
  struct calibration cal;
  struct what_if what = {0};
  struct what_if_input input = {.profile = profile,
                                .traffic = what_if_traffic(profile),
                                .time = {user_s, user_s, user_s},
                                .machine = {100, 4},
                                .machine_lo = {200, 4},
                                .machine_hi = {50, 4}};
  make_machine(&cal, walk_ns);
  CU_ASSERT_PTR_NULL(
      walk_costs_make(&input.costs, &cal, "4k", "2m", 12288, input.traffic));
  what_if_make(&what, &input);
  calibration_fini(&cal);
  return what;
}

/* Each access misses, and waits for the one before: all of 3/4 x 640000 x 40.16
 * ns is saved, of 1 s. */
static void test_chain_by_hand(void) {
  struct profile p;
  make_profile(&p, MISSES, 1, 1);
  struct what_if what = predict(&p, 40, 1);
  CU_ASSERT_DOUBLE_EQUAL(what.saved_s.value, 0.01927, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(what.ratio.value, 0.98073, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(what.covered, 0.75, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(what.sites[0].value, 0.01285, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(what.sites[1].value, 0.00642, 1e-5);
  CU_ASSERT_EQUAL(what.sites[2].value, 0);
  what_if_fini(&what);
  profile_fini(&p);
}

/* As long as all of it took, in which not all can have waited. */
static void test_waits_that_did_not_fit(void) {
  struct profile p;
  make_profile(&p, MISSES, 1, 1);
  struct what_if whole = predict(&p, 40, 1), what = predict(&p, 40, 0.012);
  CU_ASSERT_DOUBLE_EQUAL(whole.overlap, 1, 1e-3);
  CU_ASSERT(what.overlap > 0.3 && what.overlap < 0.6);
  CU_ASSERT(what.saved_s.value < 0.012);
  what_if_fini(&whole);
  what_if_fini(&what);
  profile_fini(&p);
}

/* Independent misses, four walks at once: a quarter of it at least, and with a
 * window that holds many of them not much more. */
static void test_independent_misses_overlap(void) {
  struct profile p;
  make_profile(&p, MISSES, 1, 0);
  struct what_if what = predict(&p, 40, 0.007);
  CU_ASSERT(what.overlap >= 0.2 && what.overlap < 0.4);
  what_if_fini(&what);
  profile_fini(&p);
}

static void test_no_misses_save_nothing(void) {
  struct profile p;
  make_profile(&p, 0, 1, 0);
  struct what_if what = predict(&p, 40, 1);
  CU_ASSERT_EQUAL(what.saved_s.value, 0);
  CU_ASSERT_EQUAL(what.ratio.value, 1);
  CU_ASSERT_EQUAL(what.ratio.lo, 1);
  CU_ASSERT_EQUAL(what.ratio.hi, 1);
  what_if_fini(&what);
  profile_fini(&p);
}

/* Over many programs: ratios in (0, 1] and in their intervals, sites that add
 * up, and more misses that save no less. */
static void test_properties(void) {
  struct cpu_random random = {.state = 11};
  for (int round = 0; round < 24; round++) {
    uint64_t misses = 4 + cpu_random_below(&random, 1000000);
    uint32_t gap = 1 + (uint32_t)cpu_random_below(&random, 300);
    unsigned back = (unsigned)cpu_random_below(&random, 3);
    double walk = (double)cpu_random_below(&random, 100);
    double user_s = 0.001 * (double)(1 + cpu_random_below(&random, 1000));
    struct profile p, more;
    make_profile(&p, misses, gap, back);
    make_profile(&more, 2 * misses, gap, back);
    struct what_if what = predict(&p, walk, user_s);
    struct what_if twice = predict(&more, walk, 2 * user_s);
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += what.sites[i].value;
    bool good = what.ratio.value > 0 && what.ratio.value <= 1 &&
                what.ratio.lo <= what.ratio.value + 1e-12 &&
                what.ratio.hi >= what.ratio.value - 1e-12 &&
                fabs(sum - what.saved_s.value) <= 1e-9 * what.saved_s.value &&
                twice.saved_s.value >= what.saved_s.value * (1 - 1e-6);
    if (!good)
      printf("\nround %d: %g (%g %g), sites %g of %g, twice %g\n", round,
             what.ratio.value, what.ratio.lo, what.ratio.hi, sum,
             what.saved_s.value, twice.saved_s.value);
    CU_ASSERT_FATAL(good);
    what_if_fini(&what);
    what_if_fini(&twice);
    profile_fini(&p);
    profile_fini(&more);
  }
}

static void note_share(void *context, double done) {
  double *shares = context; /* how many, the last, whether they fell */
  shares[0]++;
  if (done < shares[1]) shares[2] = 1;
  shares[1] = done;
}

/* For people who wait. */
static void test_progress(void) {
  struct profile p;
  double shares[3] = {0};
  struct calibration cal;
  struct what_if what = {0};
  struct what_if_input input = {.profile = &p,
                                .traffic = 1,
                                .time = {0.012, 0.012, 0.012},
                                .machine = {100, 4},
                                .machine_lo = {200, 4},
                                .machine_hi = {50, 4},
                                .tick = note_share,
                                .context = shares};
  make_profile(&p, MISSES, 1, 1);
  make_machine(&cal, 40);
  walk_costs_make(&input.costs, &cal, "4k", "2m", 12288, 1);
  what_if_make(&what, &input);
  CU_ASSERT(shares[0] > 30 && shares[1] > 0.8 && shares[1] <= 1);
  CU_ASSERT_EQUAL(shares[2], 0);
  what_if_fini(&what);
  calibration_fini(&cal);
  profile_fini(&p);
}

static void test_tlbs_as_calibrated(void) {
  struct calibration cal = {.page_count = 1};
  struct cal_pages *pages = &cal.pages[0];
  *pages = (struct cal_pages){.kind = "4k", .page_bytes = 4096, .tlbs = 2};
  pages->tlb[0].entries.value = 61;
  pages->tlb[1].entries.value = 1700;
  struct tlb_shape shape = what_if_here_tlbs(&cal);
  CU_ASSERT_EQUAL(shape.level[0].entries, 64);
  CU_ASSERT_EQUAL(shape.level[0].ways, 4);
  CU_ASSERT_EQUAL(shape.level[1].entries, 2048);
  CU_ASSERT(vat_tlb_shape_check(&shape.level[1]));
  pages->tlb[1].entries.value = NAN;
  CU_ASSERT_EQUAL(what_if_here_tlbs(&cal).level[1].entries, 0);
  pages->tlbs = 0;
  CU_ASSERT_EQUAL(what_if_here_tlbs(&cal).level[0].entries, 0);
}

static void test_allocators_are_told(void) {
  static const struct {
    const char *object, *function, *advice, *besides;
  } rows[] = {
      {"/usr/lib/libjemalloc.so.2", "malloc", "MALLOC_CONF=thp:", NULL},
      {"/opt/prog", "je_arena_new", "MALLOC_CONF=thp:", NULL},
      {"/usr/bin/redis-server", "je_malloc", "JE_MALLOC_CONF=", "disable-thp"},
      {"/opt/prog", "tc_malloc", "TCMALLOC_", NULL},
      {"/usr/lib/libmimalloc.so.2", "malloc", "MIMALLOC_ALLOW_LARGE", NULL},
      {"/opt/prog", "mi_open", "GLIBC_TUNABLES=", NULL}, /* of MyISAM */
      {"/usr/lib/libc.so.6", "malloc", "GLIBC_TUNABLES=", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct profile_row row[2] = {
        {.at = {"/usr/lib/libc.so.6", "", "memcpy", 0, 0}},
        {.at = {rows[i].object, "", rows[i].function, 0, 0}}};
    struct profile profile = {.functions = {row, 2}};
    const char *besides = heap_advice_besides(&profile);
    CU_ASSERT_PTR_EQUAL(
        strstr(heap_advice_of(&profile)->advice, rows[i].advice),
        heap_advice_of(&profile)->advice);
    CU_ASSERT_EQUAL(!besides, !rows[i].besides);
    if (besides) CU_ASSERT_PTR_NOT_NULL(strstr(besides, rows[i].besides));
  }
}

static const struct check_test tests[] = {
    {"overlapping misses, by hand", test_overlap_by_hand},
    {"and instruction by instruction", test_overlap_against_reference},
    {"costs of a flat machine", test_costs_of_a_flat_machine},
    {"costs of pages as programs have them", test_costs_of_given_pages},
    {"costs where nothing waits", test_costs_where_nothing_waits},
    {"both, as they were recorded", test_costs_as_recorded},
    {"costs of several calibrations", test_costs_of_several_machines},
    {"a long chase is paired by passes", test_steady_kinds_are_paired},
    {"lines that caches are filled with, by hand", test_traffic_by_hand},
    {"a chain of misses, by hand", test_chain_by_hand},
    {"waits that did not fit", test_waits_that_did_not_fit},
    {"independent misses overlap", test_independent_misses_overlap},
    {"no misses save nothing", test_no_misses_save_nothing},
    {"ratios, sites and more misses", test_properties},
    {"the share that is done", test_progress},
    {"a program's allocator, and what to set", test_allocators_are_told},
    {"TLBs as they were calibrated", test_tlbs_as_calibrated},
    {NULL, NULL}};

const struct check_suite suite_what_if = {"what if", tests, NULL};
