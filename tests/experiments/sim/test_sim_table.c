/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `vat sim --table`; what it counts is tested in tests/vat/test_table.c. */
#include <config.h>
#include <stdio.h>
#include <string.h>

#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"

/* Pages 0, 0, 1, 8 of 4 KiB, the last beyond 2^60 bytes.  Blocks 0 and 2^45 of
 * eight pages are two lines. */
#define PAGES "printf '0\\n8\\n4096\\n0x1000000000008000\\n' |"

static void test_json(void) {
  same_text(
      run_sim(NULL, PAGES, "- --table clustered-8 --tc-nodes 1 --json"),
      "{\"policy\": \"islru\", \"tc_nodes\": 1, \"page_bits\": 12, \"table\": "
      "\"clustered-8\", \"accesses\": 4, \"translations\": 4, \"misses\": 2, "
      "\"lines\": 4, \"probes\": 4, \"places\": {\"load\": 0.5, \"count\": 8, "
      "\"entries\": 2, \"growths\": 0}}\n");
}

static void test_text(void) {
  same_text(run_sim(NULL, PAGES,
                    "- --table hashed --tree amd64-2m --load 0.25 --policy "
                    "random --policy-seed 3"),
            "4 accesses, 4 translations\n"
            "random, W = 1536 lines, seed 3\n"
            "hashed table: 1 page an entry, 8 entries a line\n"
            "2 entries in 8 places, load 0.250 of at most 0.25; grown 0 "
            "times\n"
            "what                          count    per translation\n"
            "places probed                     4           1.000000\n"
            "lines accessed                    4           1.000000\n"
            "misses                            1           0.250000\n");
}

/* The first of the two is 2^60 bytes further, and only its pages are large. */
static void test_several_caches_and_pages(void) {
  const char *text = run_sim(
      NULL, "seq 0 4096 400000 > t;",
      "t --table hashed --policy lru,fifo --tc-nodes 2,4 --page-bits 12,21 "
      "--json; rm t");
  unsigned lines = 0;
  for (const char *at = text; (at = strchr(at, '\n')); at++) lines++;
  CU_ASSERT_EQUAL(lines, 8);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"page_bits\": 21, \"table\""));
}

static const struct check_test tests[] = {
    {"JSON", test_json},
    {"text", test_text},
    {"several caches and pages", test_several_caches_and_pages},
    {0}};

const struct check_suite suite_sim_table = {"sim --table", tests, NULL};
