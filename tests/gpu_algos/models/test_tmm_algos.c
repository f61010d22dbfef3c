/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of chapter 4, by hand and against each other. */
#include <math.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "gpu_algos/models/tmm_algo.h"
#include "tests/check.h"

/* Powers of two: lg Z is 10, sqrt Z 32, P Z / Q 8192. */
static const struct tmm_machine toy = {
    "toy", "toy", "", .L = 100, .P = 64, .C = 16, .Z = 1024, .Q = 8, .X = 32};

struct expected {
  const char *algo;
  double n, m, k, T1, Tinf, M;
};

/* n = 2^12 and m = 2^16: what the rows come to on paper; then problems that
 * local memory takes. */
static const struct expected by_hand[] = {
    {"reduce", 4096, NAN, NAN, 4096, 12, 256},
    {"scan", 4096, NAN, NAN, 4096, 12, 256},
    {"merge", 4096, NAN, NAN, 40960, 10, 256},
    {"blocked_merge", 4096, NAN, NAN, 41008, 12, 304},
    {"merge_sort", 4096, NAN, NAN, 81920, 20, 512},
    {"odd_even_sort", 4096, NAN, NAN, 589824, 144, 512},
    {"connected_components", 4096, 65536, NAN, 835584, 144, 52224},
    {"mst_boruvka", 4096, 65536, NAN, 786432, 12, 786432},
    {"suffix_tree", 4096, NAN, 8, 32768, 8, 32768},
    {"suffix_array", 4096, 65536, 8, 524288, 128, 32768},
    {"fft_stockham", 4096, NAN, NAN, 49152, 12, 3072},
    {"list_ranking_wyllie", 4096, NAN, NAN, 49152, 12, 49152},
    {"apsp_matmul", 4096, NAN, NAN, 0x1p36 * 12, 49152, 0x1p27 * 12},
    {"johnson_heap", 4096, 65536, NAN, 0x1p28 * 12, 786432, 0x1p28 * 12},
    {"johnson_array", 4096, 65536, NAN, 0x1p36, 163840, 0x1p32 + 0x1p28},
    {"bellman_ford", 4096, 65536, NAN, 0x1p40, 4096, 0x1p36},
    {"merge_sort", 512, NAN, NAN, 512 * 81, 81, 32},
    {"johnson_array", 512, 65536, NAN, 0x1p27, 4608, 0x1p14 + 0x1p25},
    {"bellman_ford", 4096, 4096, NAN, 0x1p36, 4096, 0x1p32}};

enum { BY_HAND = sizeof by_hand / sizeof *by_hand };

static void test_rows_by_hand(void) {
  for (size_t i = 0; i < BY_HAND; i++) {
    const struct expected *e = &by_hand[i];
    struct tmm_at at = {e->n, e->m, e->k, NAN, &toy};
    const struct tmm_algo *algo = tmm_algo_find(e->algo);
    CU_ASSERT_PTR_NOT_NULL_FATAL(algo);
    struct tmm_program p = tmm_algo_program(algo, &at);
    bool same = p.T1 == e->T1 && p.Tinf == e->Tinf && p.M == e->M && p.S == 1;
    if (!same) printf("\n%s: %g %g %g\n", e->algo, p.T1, p.Tinf, p.M);
    CU_ASSERT(same);
  }
}

static void test_every_row_is_there(void) {
  for (const struct tmm_algo *a = tmm_algos; a->name; a++) {
    size_t i = 0;
    while (i < BY_HAND && strcmp(by_hand[i].algo, a->name)) i++;
    CU_ASSERT(i < BY_HAND);
    CU_ASSERT(strchr(a->sizes, 'm') ? !isnan(by_hand[i].m)
                                    : isnan(by_hand[i].m));
    CU_ASSERT(strchr(a->sizes, 'k') ? !isnan(by_hand[i].k)
                                    : isnan(by_hand[i].k));
    CU_ASSERT_PTR_EQUAL(tmm_algo_find(a->name), a);
    CU_ASSERT(strlen(a->title) && strlen(a->source));
  }
  CU_ASSERT_PTR_NULL(tmm_algo_find("no such"));
}

static double number(struct cpu_random *random, double least, double most) {
  double u = (double)cpu_random_below(random, 1 << 30) / (1 << 30);
  return least * pow(most / least, u);
}

/* L is at least C, as the source has it without saying so: else a transfer
 * takes less than an operation. */
static struct tmm_machine any_machine(struct cpu_random *random) {
  struct tmm_machine m = {.P = number(random, 1, 20000),
                          .C = number(random, 1, 64),
                          .Z = number(random, 64, 65536),
                          .Q = number(random, 1, 256),
                          .X = number(random, 1, 256)};
  m.L = number(random, m.C, 2000);
  return m;
}

static struct tmm_at any_size(struct cpu_random *random,
                              const struct tmm_machine *machine) {
  double n = number(random, 2, 1e6);
  return (struct tmm_at){n, number(random, n, n * n), number(random, 1, 1000),
                         number(random, 0.1, 256), machine};
}

/* 4.2.1: T P = n until T = X.  So the four terms are the three with threads as
 * many as the parallelism n has; but for the span of (4.35), which is not that
 * of table 4.4. */
static void test_four_terms_are_three(void) {
  struct cpu_random random = {21};
  for (const struct tmm_refined *r = tmm_refineds; r->algo; r++)
    for (int i = 0; i < 2000; i++) {
      struct tmm_machine machine = any_machine(&random);
      machine.Z = 1e30; /* it bounds no threads */
      struct tmm_at at = any_size(&random, &machine);
      const struct tmm_algo *algo = tmm_algo_find(r->algo);
      struct tmm_program p = tmm_algo_program(algo, &at);
      struct tmm_result three;
      if (tmm_small_of(algo, &at)) machine.Z = at.n / 64;
      p = tmm_algo_program(algo, &at);
      p.S = 0;
      tmm_evaluate(&machine, &p, INFINITY, &three);
      double memory = fmax(r->small.value(&at), r->large.value(&at));
      CU_ASSERT_DOUBLE_EQUAL(three.term[TMM_MEMORY] / memory, 1, 1e-9);
      if (strcmp(r->algo, "merge_sort"))
        CU_ASSERT_DOUBLE_EQUAL(three.time / tmm_refined_time(r, &at), 1, 1e-9);
    }
}

/* Of table 4.1, "we have ignored the span term", and of a sum only the larger
 * term is left. */
static void test_table_4_1_is_what_rows_say(void) {
  struct cpu_random random = {22};
  for (int i = 0; i < 5000; i++) {
    struct tmm_machine machine = any_machine(&random);
    machine.Z = number(&random, 1, 16);
    struct tmm_at at = any_size(&random, &machine);
    at.n += 16; /* no small problems */
    at.m = at.n * fmax(at.n / 10, machine.P * machine.Z / machine.Q);
    for (const struct tmm_limits *row = tmm_table_4_1; row->algo; row++) {
      const struct tmm_algo *algo = tmm_algo_find(row->algo);
      const struct tmm_limits *holds = tmm_limits_of(algo, &at);
      struct tmm_program p = tmm_algo_program(algo, &at);
      double least = strcmp(row->algo, "johnson_array") ? 1 - 1e-9 : 0.5;
      CU_ASSERT_PTR_NOT_NULL_FATAL(holds);
      if (holds != row) continue;
      double tmm = p.M * machine.L / (at.T * machine.P);
      double ratios[] = {
          row->tmm.value(&at) / tmm,
          p.T1 / p.M * machine.X / row->hardware.value(&at),
          p.T1 / p.M * machine.Z / machine.Q / row->local.value(&at)};
      CU_ASSERT_DOUBLE_EQUAL(row->pram.value(&at) * machine.P / p.T1, 1, 1e-9);
      for (size_t j = 0; j < 3; j++)
        CU_ASSERT(ratios[j] >= least && ratios[j] <= 1 + 1e-9);
    }
  }
}

/* The smallest n whose time is not that of one query, found by halving. */
static double first_slower(const struct tmm_refined *refined,
                           struct tmm_at at) {
  double low = 1, high = 1e12;
  at.n = 1;
  double flat = tmm_refined_time(refined, &at);
  while (high > low * (1 + 1e-9)) {
    at.n = sqrt(low * high);
    if (tmm_refined_time(refined, &at) > flat * (1 + 1e-12))
      high = at.n;
    else
      low = at.n;
  }
  return low;
}

static void test_tables_4_2_and_4_3_are_of_the_four_terms(void) {
  static const char *const names[] = {"suffix_tree", "suffix_array"};
  struct cpu_random random = {23};
  size_t met[6] = {0};
  for (int i = 0; i < 2000; i++) {
    struct tmm_machine machine = any_machine(&random);
    struct tmm_at at = any_size(&random, &machine);
    for (size_t j = 0; j < 2; j++) {
      const struct tmm_algo *algo = tmm_algo_find(names[j]);
      const struct tmm_transition *t = tmm_transition_of(algo, &at);
      const struct tmm_refined *refined = tmm_refined_of(algo);
      CU_ASSERT_PTR_NOT_NULL_FATAL(t);
      met[t - tmm_table_4_2]++;
      double n = t->n.value(&at);
      CU_ASSERT_DOUBLE_EQUAL(first_slower(refined, at) / n, 1, 1e-6);
      at.n = 3 * n;
      CU_ASSERT_DOUBLE_EQUAL(
          tmm_refined_time(refined, &at) / t->bound.value(&at), 1, 1e-9);
      struct tmm_result r;
      struct tmm_program p = tmm_algo_program(algo, &at);
      p.S = 0;
      tmm_evaluate(&machine, &p, INFINITY, &r);
      CU_ASSERT_EQUAL(r.dominant, t->term);
    }
  }
  for (size_t i = 0; i < 6; i++) CU_ASSERT(met[i] > 50);
}

/* "If X > L/C, then the suffix array's runtime becomes linear in n for a
 * smaller value of n" (4.2.3). */
static void test_the_array_turns_first(void) {
  const struct tmm_machine *gtx580 = tmm_machine_find("gtx580");
  struct tmm_at at = {1e5, 1e7, 64, NAN, gtx580};
  double tree =
      tmm_transition_of(tmm_algo_find("suffix_tree"), &at)->n.value(&at);
  double array =
      tmm_transition_of(tmm_algo_find("suffix_array"), &at)->n.value(&at);
  CU_ASSERT_EQUAL(tree, 48 * 512);
  CU_ASSERT_EQUAL(array, 800 / 32 * 512);
}

/* Figure 4.7: 8192 vertices on a GTX 480. */
static double crossing_at(double m, double L) {
  struct tmm_machine gtx480 = *tmm_machine_find("gtx480");
  struct tmm_at at = {8192, m, NAN, NAN, &gtx480};
  gtx480.L = L;
  struct tmm_program dp = tmm_algo_program(tmm_algo_find("apsp_matmul"), &at);
  struct tmm_program johnson =
      tmm_algo_program(tmm_algo_find("johnson_array"), &at);
  return tmm_crossing(&gtx480, &dp, &johnson);
}

/* m n L / (T P) = n^3 lg n / P, but for the n^2 / C of the vertices: at T = m L
 * / (n^2 lg n) = L / 26 for 2^25 edges. */
static void test_figure_4_7_crosses_near_32(void) {
  CU_ASSERT_DOUBLE_EQUAL(crossing_at(0x1p25, 800), 400 / 13., 0.001);
  CU_ASSERT_DOUBLE_EQUAL(crossing_at(0x1p25, 832), 32, 0.001);
  CU_ASSERT_DOUBLE_EQUAL(crossing_at(0x1p24, 800), 200 / 13., 0.001);
  CU_ASSERT(isnan(crossing_at(32768, 800)));
}

/* More local memory or wider accesses never make more accesses. */
static void test_memory_helps(void) {
  struct cpu_random random = {24};
  for (const struct tmm_algo *a = tmm_algos; a->name; a++)
    for (int i = 0; i < 1000; i++) {
      struct tmm_machine machine = any_machine(&random), larger;
      struct tmm_at at = any_size(&random, &machine), other = at;
      double M = tmm_algo_program(a, &at).M;
      other.machine = &larger;
      larger = machine;
      larger.Z *= 2;
      CU_ASSERT(tmm_algo_program(a, &other).M <= M);
      larger = machine;
      larger.C *= 2;
      CU_ASSERT(tmm_algo_program(a, &other).M <= M);
      CU_ASSERT(M > 0 && tmm_algo_program(a, &at).Tinf >= 1);
    }
}

static const struct check_test tests[] = {
    {"rows by hand", test_rows_by_hand},
    {"every row is there", test_every_row_is_there},
    {"four terms are three", test_four_terms_are_three},
    {"table 4.1 is what rows say", test_table_4_1_is_what_rows_say},
    {"tables 4.2 and 4.3 are of the four terms",
     test_tables_4_2_and_4_3_are_of_the_four_terms},
    {"the array turns first", test_the_array_turns_first},
    {"figure 4.7 crosses near 32", test_figure_4_7_crosses_near_32},
    {"memory helps", test_memory_helps},
    {0}};

const struct check_suite suite_tmm_algos = {"TMM tables", tests, NULL};
