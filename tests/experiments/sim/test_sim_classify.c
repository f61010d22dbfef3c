/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat sim --classify: what it prints, and what programs known to be of one
 * kind are. */
#include <config.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"

static const char *sim(const char *feed, const char *arguments) {
  char whole[512];
  snprintf(whole, sizeof whole, "--classify %s", arguments);
  return run_sim(NULL, feed, whole);
}

static void prints(const char *feed, const char *arguments,
                   const char *expected) {
  same_text(sim(feed, arguments), expected);
}

/* Pages 0 0 1 1, and then 2 once, which misses a leaf in a part of its own. */
#define STREAM "printf '0\\n0\\n1\\n1\\n2\\n' |"
#define SMALL "- --index-bits 2 --page-bits 0 --tau 2 "

static void test_json(void) {
  prints(STREAM, SMALL "--json",
         "{\"policy\": \"islru\", \"tc_nodes\": 1536, \"page_bits\": 0, "
         "\"index_bits\": 2, \"levels\": 1, \"accesses\": 5, "
         "\"translations\": 5, \"misses\": 4, \"misses_by_layer\": [3, 1], "
         "\"classes\": {"
         "\"consecutive\": {\"translations\": 4, \"misses\": 3, "
         "\"share_of_translations\": 0.80000000000000004, "
         "\"share_of_misses\": 0.75}, "
         "\"random\": {\"translations\": 1, \"misses\": 1, "
         "\"share_of_translations\": 0.20000000000000001, "
         "\"share_of_misses\": 0.25}, "
         "\"other\": {\"translations\": 0, \"misses\": 0, "
         "\"share_of_translations\": 0.0, \"share_of_misses\": 0.0}}, "
         "\"sequences\": 1, \"far\": 3, "
         "\"classify\": {\"tau\": 2, \"cat_gap\": 64, \"cat_step\": 1, "
         "\"rat_theta\": 0.0, \"rat_part_bits\": 0, \"rat_window\": 1024, "
         "\"rat_fraction\": 0.125}, "
         "\"tau\": [2, 2], \"cost_by_layer\": [6, 2], \"cost\": 8, "
         "\"cost_per_access\": 1.6000000000000001, \"vat_cost\": 13, "
         "\"translation_share\": 0.61538461538461542}\n");
}

static void test_text(void) {
  prints(STREAM,
         "- --index-bits 2 --page-bits 0 --tau 2 --cat-gap 7 --cat-step 3 "
         "--rat-theta 0.5 --rat-window 9 --rat-fraction 1",
         "5 accesses, 5 translations\n"
         "islru, W = 1536\n"
         "tree: 1 level, 4 children a node, pages of 1 byte\n"
         "layer    a node spans               misses misses per translation\n"
         "0 leaf         1 byte                    3               0.600000\n"
         "1 root        4 bytes                    1               0.200000\n"
         "all                                      4               0.800000\n"
         "stretches            translations       share               misses "
         "      share\n"
         "consecutive                     4     80.00 %                    3 "
         "    75.00 %\n"
         "random                          1     20.00 %                    1 "
         "    25.00 %\n"
         "other                           0      0.00 %                    0 "
         "     0.00 %\n"
         "1 consecutive: tau 2, gaps of up to 7, steps of up to 3 pages\n"
         "2 far, in parts of 2 bytes not accessed since W misses; random from "
         "1 on of 9\n"
         "layer             tau                 cost        cost per access\n"
         "0 leaf              2                    6               1.200000\n"
         "1 root              2                    2               0.400000\n"
         "all                                      8               1.600000\n"
         "VAT model: 5 accesses + 8 for translation = 13; translation is "
         "61.54 %\n");
}

#ifdef HAVE_STREAMS
static double share(const char *arguments, const char *class,
                    const char *what) {
  json_t *object = json_loads(sim("", arguments), 0, NULL);
  json_t *classes = json_object_get(object, "classes");
  json_t *value = json_object_get(json_object_get(classes, class), what);
  CU_ASSERT(json_is_real(value));
  double is = json_real_value(value);
  json_decref(object);
  return is;
}

static void test_programs(void) {
  static const struct {
    const char *arguments, *class, *what;
    double least, most;
  } cases[] = {
      {"sequential_scan --n 2^16", "consecutive", "translations", 1, 1},
      {"sequential_scan --n 2^16", "consecutive", "misses", 1, 1},
      {"random_scan --n 2^18 --tc-nodes 64", "consecutive", "translations", .49,
       .51},
      {"random_scan --n 2^18 --tc-nodes 64", "random", "translations", .49,
       .51},
      {"random_scan --n 2^18 --tc-nodes 64", "random", "misses", .99, 1},
      {"permute --n 2^18 --tc-nodes 64", "consecutive", "translations", .4, .6},
      {"permute --n 2^18 --tc-nodes 64", "random", "misses", .9, 1},
      {"introsort --n 2^16", "consecutive", "translations", .9, 1},
      {"transpose_rows --n 300 --tc-nodes 64", "consecutive", "translations",
       .49, .51},
      {"transpose_rows --n 300 --tc-nodes 64", "random", "translations", .49,
       .51},
      /* All pages fit: there is nothing random about it. */
      {"random_scan --n 2^14", "random", "misses", 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char arguments[128], what[64];
    snprintf(arguments, sizeof arguments, "--json --algo %s",
             cases[i].arguments);
    snprintf(what, sizeof what, "share_of_%s", cases[i].what);
    double is = share(arguments, cases[i].class, what);
    if (is < cases[i].least || is > cases[i].most)
      printf("\n%s: %g of its %s are %s\n", cases[i].arguments, is,
             cases[i].what, cases[i].class);
    CU_ASSERT(is >= cases[i].least && is <= cases[i].most);
  }
}

/* A stream, its trace in a file, and through a pipe; --span looks up as many
 * pages where nothing lies across two. */
static void test_each_way_in(void) {
  char expected[2048];
  static const char *const feeds[][2] = {
      {"\"$VAT\" trace --algo heapsort --n 3000 --format vat |", "-"},
      {"\"$VAT\" trace --algo heapsort --n 3000 --format vat |",
       "- --levels 3"},
      {"f=$(mktemp); \"$VAT\" trace --algo heapsort --n 3000 --format vat -o "
       "$f; trap 'rm $f' EXIT;",
       "$f"},
      {"", "--algo heapsort --n 3000 --span"},
  };
  const char *out = sim("",
                        "--json --algo heapsort --n 3000 --page-bits 7 "
                        "--index-bits 9 --tc-nodes 40");
  snprintf(expected, sizeof expected, "%s", out);
  for (size_t i = 0; i < sizeof feeds / sizeof *feeds; i++) {
    char arguments[128];
    snprintf(arguments, sizeof arguments,
             "--json --page-bits 7 --index-bits 9 --tc-nodes 40 %s",
             feeds[i][1]);
    prints(feeds[i][0], arguments, expected);
  }
}
#endif

static void test_refusals(void) {
  static const struct {
    const char *arguments, *says;
  } cases[] = {
      {"--classify --all-w",
       "--classify and --all-w exclude each other; leave one out"},
      {"--classify --nested split",
       "--classify and --nested exclude each other"},
      {"--classify --policy min",
       "--classify: not possible with policy min; choose lru or"},
      {"--classify --policy lru,min",
       "--classify: not possible with policy min; choose lru or"},
      {"--rat-window 5", "--rat-window without --classify: give both"},
      {"--classify --tau 0",
       "--tau with --classify: give one whole number from 1 to 1048576"},
      {"--classify --tau 1.5", "--tau with --classify: give one whole number"},
      {"--classify --tau 2,2", "--tau with --classify: give one whole number"},
      {"--classify --tau 1048577", "--tau with --classify: give one whole"},
      {"--classify --cat-gap x", "--cat-gap x: not a number from 0 to 1048576"},
      {"--classify --cat-step 65", "--cat-step 65: not a number from 1 to 64"},
      {"--classify --rat-theta 1.5", "--rat-theta 1.5: not a number from 0 to"},
      {"--classify --rat-theta nan", "--rat-theta nan: not a number from 0 to"},
      {"--classify --rat-fraction ''", "--rat-fraction : not a number from 0"},
      {"--classify --rat-window 0",
       "--rat-window 0: not a number of at least 1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    sim_refuses(cases[i].arguments, cases[i].says);
}

static const struct check_test tests[] = {
    {"JSON", test_json},
    {"text", test_text},
#ifdef HAVE_STREAMS
    {"programs are what they are known for", test_programs},
    {"each way in gives the same", test_each_way_in},
#endif
    {"what it refuses", test_refusals},
    {0}};
const struct check_suite suite_sim_classify = {"sim --classify", tests, NULL};
