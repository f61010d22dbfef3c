/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The streams of our own programs lie between their bounds, which are not far
 * apart; and `vat predict` says so, or fails. */
#include <config.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/algo_sets.h"
#include "experiments/predict/predict_print.h"
#include "tests/experiments/predict/bounds_fixture.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"

static json_t *predicted(const char *const *arguments, int code) {
  static struct command_result result;
  run_command(&result, cmd_predict, arguments, false);
  CU_ASSERT_EQUAL(result.code, code);
  CU_ASSERT_STRING_EQUAL(result.err, "");
  return json_loads(result.out, 0, NULL);
}

/* What is missing is reported in one line, once. */
static void test_no_algorithm_is_told_once(void) {
  static const char *const cases[][2] = {
      {"--n=5", "vat: --n without --algo: give --algo ALGO\n"},
      {"--json", "vat: nothing to predict; name an algorithm with --algo\n"}};
  static struct command_result result;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run_command(&result, cmd_predict, (const char *const[]){cases[i][0], NULL},
                false);
    CU_ASSERT_EQUAL(result.code, VAT_USAGE);
    CU_ASSERT_STRING_EQUAL(result.err, cases[i][1]);
  }
}

static void test_the_json_has_the_keys(void) {
  json_t *object = predicted(
      (const char *const[]){"--algo", "sequential_scan", "--n", "1000",
                            "--json", "--no-simulation", NULL},
      VAT_OK);
  json_int_t n, nodes, lower, upper;
  const char *algo, *lower_source, *upper_source, *why;
  json_t *simulated, *printed;
  CU_ASSERT_EQUAL_FATAL(
      json_unpack(object, "{ss sI sI sI so sI ss ss so ss}", "algo", &algo, "n",
                  &n, "tc_nodes", &nodes, "lower", &lower, "simulated",
                  &simulated, "upper", &upper, "lower_source", &lower_source,
                  "upper_source", &upper_source, "printed", &printed,
                  "simulated_why", &why),
      0);
  CU_ASSERT_STRING_EQUAL(algo, "sequential_scan");
  CU_ASSERT_EQUAL(n, 1000);
  CU_ASSERT_EQUAL(nodes, 1536);
  CU_ASSERT_EQUAL(lower, 2 + 3); /* two pages, levels 1 to 3 */
  CU_ASSERT_EQUAL(upper, lower);
  CU_ASSERT(json_is_null(simulated));
  CU_ASSERT_EQUAL(json_array_size(printed), 2); /* and what holds */
  json_decref(object);
}

static void test_large_numbers_do_not_turn_negative(void) {
  static const char large[] = "18446744073709551615";
  json_t *object = predicted(
      (const char *const[]){"--algo=permute", "--n=10", "--json", "--seed",
                            large, "--tc-nodes", large, NULL},
      VAT_OK);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(object, "seed")),
                         large);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(object, "tc_nodes")),
                         large);
  json_decref(object);
}

/* Every form, of n = 0, too, where some that are printed are no numbers. */
static void test_all_have_json(void) {
  static const char *const sizes[] = {"0", "1", "1000"};
  for (const struct predict_form *form = predict_forms; form->algo; form++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      json_t *object =
          predicted((const char *const[]){"--algo", form->algo, "--n", sizes[i],
                                          "--json", "--no-simulation", NULL},
                    VAT_OK);
      CU_ASSERT_PTR_NOT_NULL(json_object_get(object, "printed"));
      json_decref(object);
    }
}

static void test_what_has_no_constant_is_null(void) {
  json_t *object = predicted(
      (const char *const[]){"--algo", "heapsort", "--n", "1e6", "--json",
                            "--tc-nodes", "4", "--no-simulation", NULL},
      VAT_OK);
  json_t *printed = json_array_get(json_object_get(object, "printed"), 0);
  CU_ASSERT(json_is_null(json_object_get(object, "upper")));
  CU_ASSERT(json_is_string(json_object_get(object, "upper_why")));
  CU_ASSERT(json_is_null(json_object_get(printed, "misses")));
  CU_ASSERT(json_is_true(json_object_get(printed, "asymptotic")));
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(printed, "status")),
                         "asymptotic");
  CU_ASSERT(json_is_null(json_object_get(printed, "counterexample")));
  json_decref(object);
}

/* What would be printed had one miss too many, or too few, been counted. */
static int print_outside(int argc, char **argv) {
  struct predict_request request;
  char *algo[] = {argv[0], "--algo", "permute", "--n", "1e6", NULL};
  (void)argc;
  if (predict_request_parse(&request, 5, algo)) return VAT_USAGE;
  bool above = !strcmp(argv[1], "above");
  struct prediction outside = {.of = {.nodes = 1536},
                               .lower = 10,
                               .upper = 20,
                               .simulated = true,
                               .misses = above ? 21 : 9};
  int code = predict_print(&request, &outside);
  options_fini(&predict_table, &request);
  return code;
}

static void test_what_is_outside_fails(void) {
  static const char *const sides[] = {"above", "below"};
  static struct command_result result;
  for (int i = 0; i < 2; i++) {
    run_command(&result, print_outside, (const char *const[]){sides[i], NULL},
                false);
    CU_ASSERT_EQUAL(result.code, VAT_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "are outside the bounds"));
  }
}

static void refused(const char *const *arguments, const char *message) {
  static struct command_result result;
  run_command(&result, cmd_predict, arguments, false);
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  CU_ASSERT_STRING_EQUAL(result.out, "");
  CU_ASSERT_PTR_NOT_NULL(strstr(result.err, message));
  CU_ASSERT_PTR_EQUAL(strchr(result.err, '\n') + 1,
                      result.err + strlen(result.err));
  if (!strstr(result.err, message)) printf("\n%s", result.err);
}

#define REFUSED(message, ...) \
  refused((const char *const[]){__VA_ARGS__, NULL}, message)

static void test_refusals(void) {
  REFUSED("nothing to predict", "--json");
  REFUSED("--algo nonsense: unknown algorithm", "--algo", "nonsense", "--n",
          "10");
  REFUSED("--algo hull2d: the theory has no bounds for it", "--algo", "hull2d",
          "--n", "10");
  REFUSED("--algo without --n: give both; --n is the size", "--algo",
          "permute");
  REFUSED("at least 4 nodes", "--algo", "permute", "--n", "1e6", "--tc-nodes",
          "64,3");
  REFUSED("--tc-nodes x", "--algo", "permute", "--n", "9", "--tc-nodes", "x");
  REFUSED("islru, lru, min or ismin", "--algo", "permute", "--n", "9",
          "--policy", "lis");
  REFUSED("--tree oak: unknown tree", "--algo", "permute", "--n", "9", "--tree",
          "oak");
  REFUSED("outside a tree of 1 levels", "--algo", "permute", "--n", "9",
          "--levels", "1");
  REFUSED("the workspace needs a tree of 21 levels, the maximum is 15",
          "--algo", "permute", "--n", "9", "--index-bits", "1");
  REFUSED("--generator sorted: the bounds hold for random inputs only",
          "--algo", "introsort", "--n", "9", "--generator", "sorted");
  REFUSED("a multiple of 64", "--algo", "permute", "--n", "9", "--base", "8");
  REFUSED("too large", "--algo", "permute", "--n", "2^62");
  REFUSED("unexpected", "permute");
}

#ifdef HAVE_STREAMS
static void test_it_simulates(void) {
  static struct command_result result;
  run_command(
      &result, cmd_predict,
      (const char *const[]){"--algo", "sequential_scan", "--n", "1000",
                            "--tc-nodes", "64,1536", "--policy", "min", NULL},
      false);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "W = 64: 5 <= 5 <= 5\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "W = 1536: 5 <= 5 <= 5\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\nlower: 2.4 Sequential Access"));
  CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\nprinted upper: 2 d + "));
}

/* The same figures as vat sim's, of every policy. */
static void test_it_simulates_as_sim_does(void) {
  static struct command_result result;
  run_shell(&result, NULL,
            "for p in lru islru min ismin; do\n"
            "set -- --algo heapsort --n 9000 --seed 7 --policy $p\n"
            "a=$(\"$VAT\" predict \"$@\" --tc-nodes 9 --json |\n"
            "    sed 's/.*\"simulated\": \\([0-9]*\\).*/\\1/')\n"
            "b=$(\"$VAT\" sim \"$@\" --tc-nodes 9 --json |\n"
            "    sed 's/.*\"misses\": \\([0-9]*\\).*/\\1/')\n"
            "[ \"$a\" = \"$b\" ] && [ \"$a\" -gt 9 ] || echo $p $a $b\n"
            "done");
  CU_ASSERT_STRING_EQUAL(result.out, "");
  CU_ASSERT_STRING_EQUAL(result.err, "");
}
#endif

static const struct check_test tests[] = {
    {"no algorithm is told once", test_no_algorithm_is_told_once},
    {"the JSON has the keys", test_the_json_has_the_keys},
    {"all have JSON", test_all_have_json},
    {"large numbers do not turn negative",
     test_large_numbers_do_not_turn_negative},
    {"what has no constant is null", test_what_has_no_constant_is_null},
    {"what is outside fails", test_what_is_outside_fails},
    {"refusals", test_refusals},
#ifdef HAVE_STREAMS
    {"it simulates", test_it_simulates},
    {"it simulates as sim does", test_it_simulates_as_sim_does},
#endif
    {0}};

const struct check_suite suite_predict = {"vat predict", tests, NULL};
