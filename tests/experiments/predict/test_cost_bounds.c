/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat predict --tau: bounds of the cost. */
#include <config.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/predict/cost_bounds.h"
#include "tests/experiments/predict/bounds_fixture.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"
#include "vat/policy.h"

static struct cost_bounds bounds_of(const struct tau *tau, unsigned levels,
                                    enum vat_bounds_policy policy, double lower,
                                    double upper) {
  const struct predict_request request = {.tree = {1, 0, levels}, .tau = *tau};
  const struct prediction prediction = {
      .of = {.policy = policy}, .lower = lower, .upper = upper};
  return cost_bounds_find(&request, &prediction);
}

/* 10 to 20 misses on three layers: all on leaves, or a third on each. */
static void test_by_hand(void) {
  static const struct {
    struct tau tau;
    enum vat_bounds_policy policy;
    double lower, upper;
  } cases[] = {
      {{{30, 15, 0}, 3}, VAT_BOUNDS_RECENT, 150, 600},
      {{{30, 15, 0}, 3}, VAT_BOUNDS_ISMIN, 150, 600},
      {{{30, 15, 0}, 3}, VAT_BOUNDS_MIN, 0, 600},
      {{{0, 0, 9}, 3}, VAT_BOUNDS_RECENT, 0, 60},
      {{{0, 0, 9}, 3}, VAT_BOUNDS_MIN, 0, 180},
      {{{4}, 1}, VAT_BOUNDS_RECENT, 40, 80},
      {{{4, 1}, 2}, VAT_BOUNDS_RECENT, 20, 80}, /* the root, too, for 1 */
      {{{0}, 1}, VAT_BOUNDS_RECENT, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct cost_bounds b = bounds_of(&cases[i].tau, 2, cases[i].policy, 10, 20);
    CU_ASSERT_DOUBLE_EQUAL(b.lower, cases[i].lower, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(b.upper, cases[i].upper, 1e-9);
  }
}

static void test_one_tau_is_exact(void) {
  const struct tau tenth = {{0.1}, 1}, nothing = {{0}, 1};
  for (unsigned levels = 1; levels <= VAT_LEVELS_MAX; levels++) {
    struct cost_bounds b = bounds_of(&tenth, levels, VAT_BOUNDS_RECENT, 7, 7);
    CU_ASSERT_EQUAL(b.lower, 0.1 * 7);
    CU_ASSERT_EQUAL(b.upper, b.lower);
  }
  CU_ASSERT_EQUAL(bounds_of(&tenth, 3, VAT_BOUNDS_RECENT, 7, INFINITY).upper,
                  INFINITY);
  CU_ASSERT_EQUAL(bounds_of(&nothing, 3, VAT_BOUNDS_RECENT, 7, INFINITY).upper,
                  0);
}

enum { LAYERS = 4, MISSES = 24 };

/* Every way to have MISSES on so many layers: the least and the greatest cost.
 * `ordered`: no layer has more than the one below. */
static void try_all(const struct tau *tau, bool ordered, unsigned layer,
                    uint64_t left, uint64_t misses[LAYERS], double range[2]) {
  if (layer == LAYERS - 1) {
    misses[layer] = left;
    if (ordered && left > misses[layer - 1]) return;
    double cost = 0;
    for (int i = 0; i < LAYERS; i++) cost += tau->at[i] * (double)misses[i];
    range[0] = fmin(range[0], cost);
    range[1] = fmax(range[1], cost);
    return;
  }
  uint64_t most = left;
  if (ordered && layer && misses[layer - 1] < most) most = misses[layer - 1];
  for (misses[layer] = 0; misses[layer] <= most; misses[layer]++)
    try_all(tau, ordered, layer + 1, left - misses[layer], misses, range);
}

/* Nothing is given away: some distribution has the bound. */
static void test_they_are_the_best_of_all_distributions(void) {
  struct cpu_random random = {7};
  for (int round = 0; round < 40; round++) {
    struct tau tau = {.count = LAYERS};
    for (int i = 0; i < LAYERS; i++)
      tau.at[i] = (double)cpu_random_below(&random, 9);
    for (int ordered = 0; ordered < 2; ordered++) {
      double range[2] = {INFINITY, -INFINITY};
      uint64_t misses[LAYERS];
      try_all(&tau, ordered, 0, MISSES, misses, range);
      struct cost_bounds b = bounds_of(
          &tau, LAYERS - 1, ordered ? VAT_BOUNDS_RECENT : VAT_BOUNDS_MIN,
          MISSES, MISSES);
      CU_ASSERT_DOUBLE_EQUAL(b.lower, range[0], 1e-9);
      CU_ASSERT_DOUBLE_EQUAL(b.upper, range[1], 1e-9);
    }
  }
}

/* Misses of a random stream, or a given one, by layer. */
static struct vat_tc_counts run(const char *policy, const struct vat_tree *tree,
                                uint64_t nodes, const uint64_t *pages,
                                size_t count) {
  struct vat_tc *tc = vat_tc_create(vat_policy_find(policy), tree, nodes, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(tc);
  CU_ASSERT_EQUAL(vat_tc_pages(tc, pages, count), 0);
  CU_ASSERT_EQUAL(vat_tc_finish(tc), 0);
  struct vat_tc_counts counts = vat_tc_counts(tc);
  vat_tc_destroy(tc);
  return counts;
}

static bool is_ordered(const struct vat_tc_counts *counts, unsigned levels) {
  bool ordered = true;
  for (unsigned i = 0; i < levels; i++)
    ordered &= counts->misses_by_layer[i] >= counts->misses_by_layer[i + 1];
  return ordered;
}

enum { STREAM = 200 };

static void test_layers_of_misses_are_ordered(void) {
  static const char *const policies[] = {"lru", "islru", "ismin"};
  struct cpu_random random = {5};
  for (int round = 0; round < 300; round++) {
    const struct vat_tree tree = {1 + (unsigned)cpu_random_below(&random, 3), 0,
                                  1 + (unsigned)cpu_random_below(&random, 5)};
    uint64_t pages[STREAM],
        bits = 1 + cpu_random_below(&random, tree.index_bits * tree.levels);
    uint64_t nodes = tree.levels + 1 + cpu_random_below(&random, 12);
    for (int i = 0; i < STREAM; i++)
      pages[i] = cpu_random_below(&random, UINT64_C(1) << bits);
    for (int p = 0; p < 3; p++) {
      struct vat_tc_counts counts =
          run(policies[p], &tree, nodes, pages, STREAM);
      CU_ASSERT(is_ordered(&counts, tree.levels));
    }
  }
}

/* K = 2, d = 2: MIN keeps both leaves, and one of the nodes between. */
static void test_those_of_min_need_not_be(void) {
  static const uint64_t pages[] = {0, 2, 0, 2};
  const struct vat_tree tree = {1, 0, 2};
  struct vat_tc_counts counts = run("min", &tree, 4, pages, 4);
  CU_ASSERT_EQUAL(counts.misses_by_layer[0], 2);
  CU_ASSERT_EQUAL(counts.misses_by_layer[1], 3);
  CU_ASSERT_EQUAL(counts.misses_by_layer[2], 1);
}

static void test_text(void) {
  static struct command_result result;
  run_command(&result, cmd_predict,
              (const char *const[]){"--algo", "sequential_scan", "--n", "2048",
                                    "--no-simulation", "--tau", "30,0.5", NULL},
              false);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(result.out,
             "\nW = 1536: 7 <= (not simulated: not asked for) <= 7\n"
             "  cost: 55.125000 <= (not simulated: not asked for) <= 210\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out,
                                "\ncost: a miss costs 7.875 to 30 accesses on "
                                "average; simulated layer by layer\n"));
}

static void refused(const char *tau, const char *message) {
  static struct command_result result;
  run_command(&result, cmd_predict,
              (const char *const[]){"--algo", "permute", "--n", "64", "--tau",
                                    tau, NULL},
              false);
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  CU_ASSERT_STRING_EQUAL(result.out, "");
  CU_ASSERT_STRING_EQUAL(result.err, message);
}

static void test_refusals(void) {
  refused("1,2,3,4,5",
          "vat: --tau: 5 values, but the tree has only 4 layers; leave the "
          "others out, or choose more levels\n");
  refused("-1",
          "vat: --tau -1: not a number from 0 to 1e+12; write 30, 0.5 or a "
          "list such as 30,10,0\n");
}

static json_t *predicted(const char *algo, const char *policy, const char *tau,
                         bool simulated) {
  static struct command_result result;
  run_command(
      &result, cmd_predict,
      (const char *const[]){"--algo", algo, "--n", "300", "--page-bits", "7",
                            "--index-bits", "2", "--base", "0", "--policy",
                            policy, "--tc-nodes", "16", "--tau", tau, "--json",
                            simulated ? NULL : "--no-simulation", NULL},
      false);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  return json_loads(result.out, 0, NULL);
}

static void test_json_without_a_simulation(void) {
  json_t *object = predicted("permute", "lru", "2.5", false);
  double lower = json_number_value(json_object_get(object, "lower"));
  CU_ASSERT_EQUAL(json_number_value(json_object_get(object, "cost_lower")),
                  2.5 * lower);
  CU_ASSERT(json_is_null(json_object_get(object, "cost")));
  CU_ASSERT(json_is_null(json_object_get(object, "cost_by_layer")));
  CU_ASSERT_EQUAL(json_array_size(json_object_get(object, "tau")), 4);
  json_decref(object);
}

#ifdef HAVE_STREAMS
/* And the cost is that of vat sim. */
static void test_the_cost_is_within(void) {
  static const char *const taus[] = {"3", "30,10,0", "0,0,5,1", "1,2,4,8",
                                     "0.3,0.2,0.1"};
  static const char *const algos[] = {"random_scan", "heapsort",
                                      "transpose_rows"};
  for (size_t i = 0; i < 3; i++)
    for (size_t p = 0; p < BOUNDS_POLICIES; p++)
      for (size_t t = 0; t < sizeof taus / sizeof *taus; t++) {
        const char *policy = bounds_policies[p].name;
        const char *tau = taus[t];
        char arguments[200];
        json_t *object = predicted(algos[i], policy, tau, true);
        snprintf(arguments, sizeof arguments,
                 "--algo %s --n 300 --page-bits 7 --index-bits 2 --base 0 "
                 "--policy %s --tc-nodes 16 --tau %s --json",
                 algos[i], policy, tau);
        json_t *sim = json_loads(run_sim(NULL, "", arguments), 0, NULL);
        double cost = json_number_value(json_object_get(object, "cost"));
        json_t *upper = json_object_get(object, "cost_upper");
        CU_ASSERT(cost > 0 || t == 2);
        CU_ASSERT(json_equal(json_object_get(object, "cost"),
                             json_object_get(sim, "cost")));
        CU_ASSERT(json_equal(json_object_get(object, "cost_by_layer"),
                             json_object_get(sim, "cost_by_layer")));
        CU_ASSERT(json_number_value(json_object_get(object, "cost_lower")) <=
                  cost);
        CU_ASSERT(json_is_null(upper) || cost <= json_number_value(upper));
        json_decref(sim);
        json_decref(object);
      }
}
#endif

static const struct check_test tests[] = {
    {"by hand", test_by_hand},
    {"one tau is exact", test_one_tau_is_exact},
    {"they are the best of all distributions",
     test_they_are_the_best_of_all_distributions},
    {"layers of misses are ordered", test_layers_of_misses_are_ordered},
    {"those of MIN need not be", test_those_of_min_need_not_be},
    {"text", test_text},
    {"JSON without a simulation", test_json_without_a_simulation},
#ifdef HAVE_STREAMS
    {"the cost is within", test_the_cost_is_within},
#endif
    {"what it refuses", test_refusals},
    {0}};

const struct check_suite suite_cost_bounds = {"vat predict --tau", tests, NULL};
