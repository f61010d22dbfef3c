/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `vat sim --processors` and `--one-cache`; what they count is tested in
 * tests/vat/test_parallel.c and test_one_cache.c. */
#include <config.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"

/* Pages 0, 1, 0, 2, 2 of one byte. */
#define PAGES "printf '%s\\n' 0 1 0 2 2 |"
#define TREE "--index-bits 2 --page-bits 0 --levels 1 --tc-nodes 3 "

static void test_json_of_processors(void) {
  same_text(run_sim(NULL, PAGES, "- " TREE "--processors 2 --json"),
            "{\"policy\": \"islru\", \"tc_nodes\": 3, \"page_bits\": 0, "
            "\"index_bits\": 2, \"levels\": 1, \"accesses\": 5, "
            "\"translations\": 5, \"misses\": 5, \"misses_by_layer\": [3, 2], "
            "\"processors\": [{\"translations\": 3, \"misses\": 3}, "
            "{\"translations\": 2, \"misses\": 2}], \"chunk\": 3, "
            "\"shared_tc\": false}\n");
  /* Only that one cannot be observed. */
  same_text(run_sim(NULL, PAGES,
                    "- " TREE
                    "--processors 1 --chunk 4 --shared-tc --policy lis --json"),
            "{\"policy\": \"lis\", \"tc_nodes\": 3, \"page_bits\": 0, "
            "\"index_bits\": 2, \"levels\": 1, \"accesses\": 5, "
            "\"translations\": 5, \"misses\": 4, \"misses_by_layer\": [3, 1], "
            "\"processors\": [{\"translations\": 5, \"misses\": null}], "
            "\"chunk\": 4, \"shared_tc\": true, \"cells\": 4}\n");
}

static void test_text_of_processors(void) {
  static const char layers[] =
      "tree: 1 level, 4 children a node, pages of 1 byte\n"
      "layer    a node spans               misses misses per translation\n";
  char expected[1024];
  snprintf(expected, sizeof expected,
           "5 accesses, 5 translations\n"
           "lru, W = 3\n"
           "2 processors, each with such a TC; chunks of 1 access\n"
           "%s"
           "0 leaf         1 byte                    4               0.800000\n"
           "1 root        4 bytes                    2               0.400000\n"
           "all                                      6               1.200000\n"
           "processor 0 misses most: 3 in 3 translations\n",
           layers);
  same_text(run_sim(NULL, PAGES,
                    "- " TREE "--processors 2 --chunk 1 "
                    "--policy lru"),
            expected);
  snprintf(
      expected, sizeof expected,
      "5 accesses, 5 translations\n"
      "rrmin, W = 3, 4 cells\n"
      "1 processor, one TC for all; blocks of 5 accesses\n"
      "%s"
      "0 leaf         1 byte                    3               0.600000\n"
      "1 root        4 bytes                    1               0.200000\n"
      "all                                      4               0.800000\n",
      layers);
  same_text(run_sim(NULL, PAGES,
                    "- " TREE "--processors 1 --shared-tc "
                    "--policy rrmin"),
            expected);
}

/* Two data lines, one line of leaves, which is of 8 pages of 64 bytes. */
#define DATA "printf '%s\\n' 0 8 64 0 |"
#define SMALL "--index-bits 3 --page-bits 6 --levels 1 --tc-nodes 3 "

static void test_json_of_one_cache(void) {
  same_text(run_sim(NULL, DATA, "- " SMALL "--one-cache --json"),
            "{\"policy\": \"islru\", \"tc_nodes\": 3, \"page_bits\": 6, "
            "\"index_bits\": 3, \"levels\": 1, \"accesses\": 4, "
            "\"translations\": 4, \"misses\": 5, \"misses_by_layer\": [1, 1], "
            "\"one_cache\": {\"line_bits\": 6, \"data_misses\": 3}}\n");
}

static void test_text_of_one_cache(void) {
  same_text(
      run_sim(NULL, DATA, "- " SMALL "--one-cache --policy lru"),
      "4 accesses, 4 translations\n"
      "lru, W = 3 lines of data and tables\n"
      "tree: 1 level, 8 children a node, pages of 64 bytes\n"
      "layer    a line spans               misses misses per translation\n"
      "data         64 bytes                    3               0.750000\n"
      "0 leaf      512 bytes                    1               0.250000\n"
      "1 root          4 KiB                    1               0.250000\n"
      "all                                      5               1.250000\n");
}

static void test_refusals(void) {
  static const char *const refusals[][2] = {
      {"--page-bits 5 --one-cache", "--one-cache: a page of 2^5 bytes"},
      {"--tree amd64-4k --levels 6 --one-cache",
       "--one-cache: a tree of 6 levels has addresses of 66 bits"},
      {"--one-cache --policy lis", "--one-cache: not possible with policy lis"},
      {"--processors 2 --tc-nodes 1 --policy ismin --levels 1",
       "--tc-nodes 1: ismin needs a TC of at least 2 nodes"},
  };
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
    sim_refuses(refusals[i][0], refusals[i][1]);
}

static const struct check_test tests[] = {
    {"JSON of --processors", test_json_of_processors},
    {"text of --processors", test_text_of_processors},
    {"JSON of --one-cache", test_json_of_one_cache},
    {"text of --one-cache", test_text_of_one_cache},
    {"refusals", test_refusals},
    {0}};

const struct check_suite suite_sim_parallel = {"sim --processors, --one-cache",
                                               tests, NULL};
