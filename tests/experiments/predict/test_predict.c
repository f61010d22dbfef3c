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
#include "experiments/predict/predict.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/stream/stream_fixture.h"
#include "tests/experiments/suites.h"

/* Every algorithm has a line that is complete. */
static void test_forms_are_complete(void) {
  for (const struct predict_form *form = predict_forms; form->algo; form++) {
    CU_ASSERT_PTR_NOT_NULL(cpu_algo_find(form->algo));
    CU_ASSERT_PTR_EQUAL(predict_form_find(form->algo), form);
    CU_ASSERT(form->lower && form->upper);
    CU_ASSERT(form->lower_source && form->upper_source && form->printed);
  }
  /* Of the programs of section 2.1 all but std::sort, which may be anything. */
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < cpu_algo_set_count(&cpu_algo_sets[i]); k++) {
      const char *name = cpu_algo_sets[i].algos[k];
      CU_ASSERT_EQUAL(!predict_form_find(name), !strcmp(name, "std_sort"));
    }
}

/* Nothing is missed where there is nothing, and less with more nodes. */
static void test_more_nodes_are_no_worse(void) {
  static const uint64_t sizes[] = {0, 1, 2, 3, 100, 1000, 50000};
  for (const struct predict_form *form = predict_forms; form->algo; form++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      for (int kind = 0; kind < 3; kind++) {
        struct vat_bounds_case c = {.n = sizes[i],
                                    .base = UINT64_C(1) << 32,
                                    .tree = {9, 12, 4},
                                    .nodes = 5,
                                    .policy = (enum vat_bounds_policy)kind};
        double lower = INFINITY;
        for (; c.nodes < 1 << 20; c.nodes *= 2) {
          double low = form->lower(&c), high = form->upper(&c);
          CU_ASSERT(low >= 0 && low <= high && low <= lower);
          if (!c.n) CU_ASSERT_EQUAL(low + high, 0);
          lower = low;
        }
      }
}

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
static const struct {
  const char *name;
  enum vat_bounds_policy kind;
} policies[] = {{"lru", VAT_BOUNDS_RECENT},
                {"islru", VAT_BOUNDS_RECENT},
                {"min", VAT_BOUNDS_MIN},
                {"ismin", VAT_BOUNDS_ISMIN}};

/* All W of a stream, by its curve. */
static void check_curve(const struct predict_form *form,
                        const struct stream_case *stream,
                        enum vat_bounds_policy kind) {
  size_t count;
  struct vat_curve_point *curve = stream_case_curve(stream, &count);
  struct vat_bounds_case c = {.n = stream->n,
                              .base = stream->base,
                              .tree = stream_case_tree(stream),
                              .policy = kind};
  uint64_t end = curve[count - 1].nodes + 2;
  for (c.nodes = c.tree.levels + 1; c.nodes <= end;
       c.nodes += 1 + c.nodes / 3) {
    double misses = (double)stream_curve_at(curve, count, c.nodes);
    double low = form->lower(&c), high = form->upper(&c);
    bool within = low <= misses * (1 + 1e-12) && misses <= high * (1 + 1e-12);
    if (!within)
      printf("\n%s n=%" PRIu64 " base=%" PRIu64 " %s k=%u p=%u d=%u W=%" PRIu64
             ": %.0f not in [%.1f, %.1f]\n",
             form->algo, c.n, c.base, stream->policy, c.tree.index_bits,
             c.tree.page_bits, c.tree.levels, c.nodes, misses, low, high);
    CU_ASSERT(within);
  }
  free(curve);
}

static void check_sizes(const struct predict_form *form,
                        const uint64_t *sizes) {
  static const unsigned trees[][2] = {{1, 6}, {2, 7}, {3, 3}, {4, 9}, {9, 12}};
  for (; *sizes; sizes++)
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t++)
      for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
        const struct stream_case stream = {
            form->algo,       *sizes,      *sizes,      64 * (*sizes % 5),
            policies[p].name, trees[t][0], trees[t][1], 0};
        check_curve(form, &stream, policies[p].kind);
      }
}

static void test_streams_are_within(void) {
  static const uint64_t keys[] = {1, 2, 3, 100, 512, 1023, 1500, 0};
  static const uint64_t sides[] = {1, 2, 7, 31, 33, 40, 0};
  for (const struct predict_form *form = predict_forms; form->algo; form++)
    check_sizes(form,
                strstr(form->algo, "mat") || strstr(form->algo, "transpose")
                    ? sides
                    : keys);
}

/* Of amd64, but that the arrays are small against usual ones, and so is W:
 * upper / lower is at most what is said here. */
static void test_bounds_are_not_far_apart(void) {
  static const struct {
    const char *algo;
    double n;
    uint64_t nodes;
    double ratio;
  } points[] = {{"sequential_scan", 0x1p30, 64, 1},
                {"random_scan", 0x1p26, 1536, 1.1},
                {"permute", 0x1p26, 1536, 1.05},
                {"binary_search", 0x1p26, 64, 1.8},
                {"binary_search", 0x1p26, 1536, 1.8},
                {"heapify", 0x1p26, 1536, 1.3},
                {"introsort", 0x1p26, 1536, 5},
                {"heapify_levels", 0x1p26, 64, 2.6},
                {"heapify_levels", 0x1p26, 1536, 2.6},
                {"quicksort_plain", 0x1p26, 1536, 5},
                {"binary_search_plain", 0x1p26, 64, 1.8},
                {"binary_search_plain", 0x1p26, 1536, 1.8},
                {"veb_search", 0x1p26, 1536, 8},
                {"transpose_rows", 5000, 64, 1.01},
                {"transpose_rows", 5000, 1536, 1.01},
                {"transpose_recursive", 5000, 1536, 6},
                {"transpose_morton", 5000, 1536, 1.03},
                {"matmul_recursive", 2048, 1536, 6},
                {"matmul_rows", 5000, 1536, 1.01},
                {"funnelsort", 0x1p26, 1536, 10},
                {"fft_radix2", 0x1p26, 1536, 2},
                {"fft_recursive", 0x1p26, 1536, 2}};
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    const struct predict_form *form = predict_form_find(points[i].algo);
    const struct vat_bounds_case c = {.n = (uint64_t)points[i].n,
                                      .base = UINT64_C(1) << 32,
                                      .tree = {9, 12, 4},
                                      .nodes = points[i].nodes};
    double low = form->lower(&c), high = form->upper(&c);
    if (high > points[i].ratio * low)
      printf("\n%s W=%" PRIu64 ": %.0f, %.0f: %.3f\n", form->algo, c.nodes, low,
             high, high / low);
    CU_ASSERT(high <= points[i].ratio * low);
  }
}

/* Where chance is small, so that a bound that is a little off is one no more:
 * upper / simulated and simulated / lower are at most what is said here. */
static void test_larger_streams_are_within(void) {
  static const struct {
    struct stream_case stream;
    double above, below;
  } points[] = {
      {{"random_scan", 1 << 17, 1, 0, "islru", 3, 9, 300}, 1.3, 2.1},
      {{"permute", 1 << 17, 1, 0, "islru", 3, 9, 300}, 1.3, 2.1},
      {{"binary_search", 1 << 16, 1, 0, "islru", 3, 9, 300}, 2.1, 1.8},
      {{"binary_search", 100000, 1, 64, "lru", 3, 9, 300}, 2.7, 3.9},
      {{"heapify", 1 << 20, 1, 0, "islru", 9, 12, 1000}, 1.5, 1.1},
      {{"heapsort", 1 << 16, 1, 0, "islru", 9, 12, 40}, 9, 1000},
      {{"introsort", 1 << 18, 1, 0, "islru", 3, 9, 300}, 3, 4},
      {{"heapify_levels", 1 << 19, 1, 1 << 22, "islru", 9, 12, 64}, 2.4, 1.15},
      {{"heapify_levels", 600000, 1, 64, "lru", 3, 10, 200}, 4, 2.5},
      {{"heapify_levels", 1 << 18, 1, 0, "min", 3, 9, 300}, 2.6, 1.1},
      {{"heapsort_topdown", 1 << 16, 1, 0, "islru", 9, 12, 40}, 4.2, 1000},
      {{"quicksort_plain", 1 << 18, 1, 0, "islru", 3, 9, 300}, 3.5, 3.5},
      {{"binary_search_plain", (1 << 16) - 1, 1, 0, "islru", 3, 9, 300},
       2.1,
       1.8},
      {{"binary_search_plain", 100000, 1, 64, "lru", 3, 9, 300}, 2.7, 2.4},
      {{"veb_search", 1 << 16, 1, 0, "islru", 3, 9, 300}, 5, 3},
      /* Pages above a little of two rows, and base in the midst of one. */
      {{"transpose_rows", 217, 1, 0, "islru", 9, 12, 140}, 1.1, 1.1},
      {{"transpose_rows", 217, 1, 0, "islru", 2, 12, 150}, 1.1, 1.1},
      {{"transpose_rows", 64, 1, 1048512, "islru", 4, 8, 92}, 1.1, 1.3},
      {{"transpose_recursive", 300, 1, 0, "islru", 3, 9, 300}, 3, 3},
      {{"transpose_morton", 300, 1, 0, "islru", 3, 9, 300}, 1.5, 1.1},
      {{"matmul_recursive", 200, 1, 0, "islru", 3, 9, 300}, 4, 3},
      {{"matmul_rows", 100, 1, 0, "islru", 3, 9, 90}, 1.1, 1.1},
      {{"matmul_rows", 100, 1, 0, "islru", 3, 9, 400}, 1.1, 1.1},
      {{"funnelsort", 100000, 1, 0, "islru", 3, 9, 300}, 3, 4},
      {{"funnelsort", 1 << 18, 1, 0, "islru", 9, 12, 300}, 2, 3},
      {{"fft_radix2", 1 << 16, 1, 0, "islru", 3, 9, 300}, 1.3, 2},
      {{"fft_recursive", 1 << 16, 1, 0, "islru", 3, 9, 300}, 1.5, 3},
      {{"fft_recursive", 1 << 18, 1, 0, "islru", 9, 12, 1500}, 1.2, 4}};
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    const struct stream_case *stream = &points[i].stream;
    const struct predict_form *form = predict_form_find(stream->algo);
    const struct vat_bounds_case c = {.n = stream->n,
                                      .base = stream->base,
                                      .tree = stream_case_tree(stream),
                                      .nodes = stream->nodes};
    double misses = (double)stream_case_counts(stream).misses;
    double above = form->upper(&c) / misses, below = misses / form->lower(&c);
    bool within = above >= 1 && above <= points[i].above && below >= 1 &&
                  below <= points[i].below;
    if (!within)
      printf("\n%s: %.0f, %.3f times and 1 / %.3f of it\n", form->algo, misses,
             above, below);
    CU_ASSERT(within);
  }
}

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
    {"forms are complete", test_forms_are_complete},
    {"more nodes are no worse", test_more_nodes_are_no_worse},
    {"no algorithm is told once", test_no_algorithm_is_told_once},
    {"the JSON has the keys", test_the_json_has_the_keys},
    {"all have JSON", test_all_have_json},
    {"large numbers do not turn negative",
     test_large_numbers_do_not_turn_negative},
    {"what has no constant is null", test_what_has_no_constant_is_null},
    {"what is outside fails", test_what_is_outside_fails},
    {"refusals", test_refusals},
#ifdef HAVE_STREAMS
    {"streams are within", test_streams_are_within},
    {"larger streams are within", test_larger_streams_are_within},
    {"bounds are not far apart", test_bounds_are_not_far_apart},
    {"it simulates", test_it_simulates},
    {"it simulates as sim does", test_it_simulates_as_sim_does},
#endif
    {0}};

const struct check_suite suite_predict = {"vat predict", tests, NULL};
