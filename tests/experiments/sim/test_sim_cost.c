/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat sim --tau: what the misses cost. */
#include <config.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"
#include "vat/policy.h"

/* Pages 0 0 2 2 0, K = 2, d = 2: MIN misses 3, 3 and 1 nodes with W = 3. */
#define STREAM "printf '0\\n0\\n2\\n2\\n0\\n' |"
#define SMALL "- --index-bits 1 --page-bits 0 --policy min --tc-nodes 3 "

static void test_text(void) {
  same_text(
      run_sim(NULL, STREAM, SMALL "--tau 30,10,0.25"),
      "5 accesses, 5 translations\n"
      "min, W = 3\n"
      "tree: 2 levels, 2 children a node, pages of 1 byte\n"
      "layer    a node spans               misses misses per translation\n"
      "0 leaf         1 byte                    3               0.600000\n"
      "1             2 bytes                    3               0.600000\n"
      "2 root        4 bytes                    1               0.200000\n"
      "all                                      7               1.400000\n"
      "layer             tau                 cost        cost per access\n"
      "0 leaf             30                   90              18.000000\n"
      "1                  10                   30               6.000000\n"
      "2 root           0.25             0.250000               0.050000\n"
      "all                             120.250000              24.050000\n"
      "VAT model: 5 accesses + 120.250000 for translation = 125.250000; "
      "translation is 96.01 %\n");
}

static void test_json(void) {
  same_text(run_sim(NULL, STREAM, SMALL "--tau 3 --json"),
            "{\"policy\": \"min\", \"tc_nodes\": 3, \"page_bits\": 0, "
            "\"index_bits\": 1, \"levels\": 2, \"accesses\": 5, "
            "\"translations\": 5, \"misses\": 7, "
            "\"misses_by_layer\": [3, 3, 1], "
            "\"tau\": [3, 3, 3], \"cost_by_layer\": [9, 9, 3], \"cost\": 21, "
            "\"cost_per_access\": 4.2000000000000002, \"vat_cost\": 26, "
            "\"translation_share\": 0.80769230769230771}\n");
}

/* Guest and host by what they miss, the host's walks through leaves of 5. */
static void test_nested_text(void) {
  same_text(run_sim(NULL, "echo 0 |",
                    "- --index-bits 1 --page-bits 3 --nested split --tau 2,1 "
                    "--host-levels 2 --levels 1 --host-tau 5"),
            "1 accesses, 1 translations\n"
            "islru, W = 1536 for the guest, 1536 for the host\n"
            "guest tree: 1 level, 2 children a node, pages of 8 bytes\n"
            "host  tree: 2 levels, 2 children a node, pages of 8 bytes\n"
            "3 walks in the host, 3.000000 a translation\n"
            "      layer    a node spans               misses misses per "
            "translation\n"
            "guest 0 leaf        8 bytes                    1               "
            "1.000000\n"
            "guest 1 root       16 bytes                    1               "
            "1.000000\n"
            "host  0 leaf        8 bytes                    3               "
            "3.000000\n"
            "host  1            16 bytes                    2               "
            "2.000000\n"
            "host  2 root       32 bytes                    1               "
            "1.000000\n"
            "      all                                      8               "
            "8.000000\n"
            "      layer             tau                 cost        cost per "
            "access\n"
            "guest 0 leaf              2                    2               "
            "2.000000\n"
            "guest 1 root              1                    1               "
            "1.000000\n"
            "host  0 leaf              5                   15              "
            "15.000000\n"
            "host  1                   5                   10              "
            "10.000000\n"
            "host  2 root              5                    5               "
            "5.000000\n"
            "      all                                     33              "
            "33.000000\n"
            "VAT model: 1 accesses + 33 for translation = 34; translation is "
            "97.06 %\n");
}

/* Two lines are missed, each for its tau. */
static void test_hashed_tables_have_one_tau(void) {
  static const char pages[] = "printf '0\\n8\\n4096\\n0x1000000000008000\\n' |";
  const char *text =
      run_sim(NULL, pages, "- --table clustered-8 --tc-nodes 1 --tau 7");
  CU_ASSERT_PTR_NOT_NULL(strstr(
      text,
      "\nlayer             tau                 cost        cost per "
      "access\n"
      "all                 7                   14               3.500000\n"
      "VAT model: 4 accesses + 14 for translation = 18; translation is "
      "77.78 %\n"));
  text =
      run_sim(NULL, pages, "- --table clustered-8 --tc-nodes 1 --tau 7 --json");
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text,
             ", \"tau\": [7], \"cost\": 14, \"cost_per_access\": 3.5, "
             "\"vat_cost\": 18, \"translation_share\": 0.77777777777777779}"));
}

#define SCATTERED                                                        \
  "i=0; x=1; while [ $i -lt 300 ]; do x=$((x * 1103 % 4093)); echo $x; " \
  "i=$((i + 1)); done |"

static json_t *sim(const char *arguments) {
  char whole[256];
  snprintf(whole, sizeof whole, "- --page-bits 1 --json %s", arguments);
  json_t *object = json_loads(run_sim(NULL, SCATTERED, whole), 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(object);
  return object;
}

static double member(const json_t *object, const char *key) {
  CU_ASSERT(json_is_number(json_object_get(object, key)));
  return json_number_value(json_object_get(object, key));
}

/* The definition: a tau for each layer, times what is missed there. */
static double weigh(const json_t *side, const double taus[4]) {
  const json_t *misses = json_object_get(side, "misses_by_layer"), *one;
  long double cost = 0;
  size_t layer;
  CU_ASSERT(json_array_size(misses) > 1);
  json_array_foreach(misses, layer, one) {
    size_t last = layer < 3 ? layer : 3;
    cost += (long double)taus[last] * (long double)json_number_value(one);
  }
  return (double)cost;
}

static void test_the_cost_is_the_weighted_sum(void) {
  static const char *const modes[] = {
      "",
      "--index-bits 9",
      "--index-bits 1 --nested misses",
      "--index-bits 3 --nested split --host-page-bits 7",
      "--index-bits 2 --nested shared --guest-memory 2^20",
  };
  static const char *const policies[] = {"lru", "islru", "min", "ismin"};
  static const double taus[4] = {30, 10.5, 7, 0.125}, host[4] = {9, 5, 5, 3};
  for (size_t i = 0; i < 20; i++) {
    char arguments[200];
    bool nested = i % 5 > 1;
    snprintf(arguments, sizeof arguments,
             "%s --levels 11 --policy %s --tc-nodes 40 --tau 30,10.5,7,0.125 "
             "%s",
             modes[i % 5], policies[i / 5], nested ? "--host-tau 9,5,5,3" : "");
    json_t *object = sim(arguments);
    const json_t *inner = json_object_get(object, "guest");
    double cost = weigh(nested ? inner : object, taus);
    if (nested) {
      CU_ASSERT_DOUBLE_EQUAL(member(inner, "cost"), cost, 1e-9 * cost);
      double hosts = weigh(json_object_get(object, "host"), host);
      CU_ASSERT_DOUBLE_EQUAL(member(json_object_get(object, "host"), "cost"),
                             hosts, 1e-9 * hosts);
      cost += hosts;
    }
    CU_ASSERT(cost > 0);
    CU_ASSERT_DOUBLE_EQUAL(member(object, "cost"), cost, 1e-9 * cost);
    CU_ASSERT_DOUBLE_EQUAL(member(object, "vat_cost"), cost + 300, 1e-9 * cost);
    CU_ASSERT_DOUBLE_EQUAL(member(object, "cost_per_access"), cost / 300, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(member(object, "translation_share"),
                           cost / (cost + 300), 1e-12);
    json_decref(object);
  }
}

static double cost_of(const char *arguments) {
  json_t *object = sim(arguments);
  double cost = member(object, "cost");
  json_decref(object);
  return cost;
}

/* Of any policy; whole numbers are exact. */
static void test_tau_1_counts_misses_and_cost_is_linear(void) {
  for (size_t i = 0; vat_policies[i]; i++) {
    char text[4][128];
    static const char *const taus[] = {"1", "5,3", "2,8,1", "7,11,4"};
    double cost[4];
    for (size_t k = 0; k < 4; k++) {
      snprintf(text[k], sizeof text[k],
               "--index-bits 2 --levels 6 --tc-nodes 20 --policy %s --tau %s",
               vat_policies[i]->name, taus[k]);
      cost[k] = cost_of(text[k]);
    }
    json_t *object = sim(text[0]);
    CU_ASSERT_EQUAL(cost[0], member(object, "misses"));
    json_decref(object);
    CU_ASSERT_EQUAL(cost[1] + cost[2], cost[3]); /* (5, 3, 3) + (2, 8, 1) */
    snprintf(
        text[0], sizeof text[0],
        "--index-bits 2 --levels 6 --tc-nodes 20 --policy %s --tau 35,55,20",
        vat_policies[i]->name);
    CU_ASSERT_EQUAL(cost_of(text[0]), 5 * cost[3]);
  }
}

static void test_the_last_tau_is_of_all_higher_layers(void) {
  double one = cost_of("--levels 4 --index-bits 3 --tau 6,2");
  CU_ASSERT_EQUAL(cost_of("--levels 4 --index-bits 3 --tau 6,2,2,2,2"), one);
  CU_ASSERT_NOT_EQUAL(cost_of("--levels 4 --index-bits 3 --tau 6,2,2,2,3"),
                      one);
}

/* The host's tau is the guest's, unless it is given. */
static void test_the_host_has_the_same_tau(void) {
#define NESTED "--index-bits 1 --nested split --tau 6,2 "
  CU_ASSERT_EQUAL(cost_of(NESTED), cost_of(NESTED "--host-tau 6,2"));
  CU_ASSERT(cost_of(NESTED) > cost_of(NESTED "--host-tau 6,1"));
}

static void test_refusals(void) {
  static const struct {
    const char *arguments, *says;
  } cases[] = {
      {"--tau -1", "--tau -1: not a number from 0 to 1e+12; write 30, "},
      {"--tau nan", "--tau nan: not a number from 0 to 1e+12"},
      {"--tau inf", "--tau inf: not a number from 0"},
      {"--tau ''", "--tau '': not a number from 0"},
      {"--tau 3,", "--tau '': not a number from 0"},
      {"--tau 3,x", "--tau x: not a number from 0"},
      {"--tau 2e12", "--tau 2e12: not a number from 0"},
      {"--tau 1,2,3", "--tau: 3 values, but the tree has only 2 layers; leave"},
      {"--tree amd64-4k,amd64-2m --tau 1,2,3,4,5",
       "--tau: 5 values, but the tree has only 4 layers"},
      {"--tau 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
       "--tau: too many values; a tree has at most 16 layers"},
      {"--tau 3 --all-w", "--tau and --all-w exclude each other"},
      {"--tau 3,4 --table hashed", "--tau with --table: a hashed table has no"},
      {"--host-tau 3", "--host-tau without --nested: "},
      {"--nested split --host-tau 3", "--host-tau without --tau: give both"},
      {"--nested split --tau 1 --host-levels 3 --host-tau 1,2,3,4,5",
       "--host-tau: 5 values, but the tree has only 4 layers"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    sim_refuses(cases[i].arguments, cases[i].says);
}

#ifdef HAVE_STREAMS
static void test_nothing_has_no_share(void) {
  const char *text = run_sim(NULL, "", "--algo permute --n 0 --tau 3 --json");
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text,
             "\"cost\": 0, \"cost_per_access\": null, \"vat_cost\": 0, "
             "\"translation_share\": null}"));
}
#endif

static const struct check_test tests[] = {
    {"text", test_text},
    {"JSON", test_json},
    {"text of guest and host", test_nested_text},
    {"hashed tables have one tau", test_hashed_tables_have_one_tau},
    {"the cost is the weighted sum", test_the_cost_is_the_weighted_sum},
    {"tau 1 counts misses, and cost is linear",
     test_tau_1_counts_misses_and_cost_is_linear},
    {"the last tau is of all higher layers",
     test_the_last_tau_is_of_all_higher_layers},
    {"the host has the same tau", test_the_host_has_the_same_tau},
#ifdef HAVE_STREAMS
    {"nothing has no share", test_nothing_has_no_share},
#endif
    {"what it refuses", test_refusals},
    {0}};
const struct check_suite suite_sim_cost = {"sim --tau", tests, NULL};
