/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assumptions 1 to 4 of section 2.4, as vat predict checks them. */
#include <config.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/random.h"
#include "experiments/predict/assumptions.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"

static struct command_result result;

static void prints(const char *const *arguments, const char *expected) {
  run_command(&result, cmd_predict, arguments, false);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  const char *from = strstr(result.out, "assumption");
  CU_ASSERT_PTR_NOT_NULL_FATAL(from);
  same_text(from, expected);
}

#define SCAN "--algo=random_scan", "--n=2^20", "--no-simulation"

/* 2^21 keys on pages of 512: 4096 pages, as two arrays have. */
static void test_one_line(void) {
  prints((const char *const[]){SCAN, NULL},
         "assumptions [2.4]: 3 does not hold: m / P = 4096 <= K^d = 134217728 "
         "<= 2 m / P = 8192; 2 and 4 hold; 1 not checked (no --tau)\n");
  prints((const char *const[]){SCAN, "--tau=171", "--index-bits=6", "--base=0",
                               NULL},
         "assumptions [2.4]: 1, 2, 3 and 4 hold\n"); /* tau d = 342 */
  prints((const char *const[]){SCAN, "--tau=0.5,0.25", "--index-bits=6",
                               "--base=0", "--tc-nodes=64,2^21", NULL},
         "assumptions [2.4]: 1 does not hold: 1 <= tau d = 0.75 <= P = 512; "
         "4 does not hold: d = 2 <= W = 2097152 < m = 2097152, W = m^1.00; "
         "2 and 3 hold\n");
}

static void test_with_numbers(void) {
  prints((const char *const[]){SCAN, "--assumptions", NULL},
         "assumption 1 [2.4] not checked (no --tau): 1 <= tau d <= P = 512\n"
         "assumption 2 [2.4] holds: 2 <= K = 512\n"
         "assumption 3 [2.4] does not hold: m / P = 4096 <= K^d = 134217728 <= "
         "2 m / P = 8192\n"
         "assumption 4 [2.4] holds: d = 3 <= W = 1536 < m = 2097152, W = "
         "m^0.50\n");
  prints((const char *const[]){SCAN, "--assumptions", "--tau=300,300,9", NULL},
         "assumption 1 [2.4] does not hold: 1 <= tau d = 609 <= P = 512\n"
         "assumption 2 [2.4] holds: 2 <= K = 512\n"
         "assumption 3 [2.4] does not hold: m / P = 4096 <= K^d = 134217728 <= "
         "2 m / P = 8192\n"
         "assumption 4 [2.4] holds: d = 3 <= W = 1536 < m = 2097152, W = "
         "m^0.50\n");
  prints(
      (const char *const[]){SCAN, "--assumptions", "--index-bits=6",
                            "--levels=10", "--base=0", "--page-bits=2", NULL},
      "assumption 1 [2.4] not checked (no --tau): 1 <= tau d <= P = 0.5\n"
      "assumption 2 [2.4] holds: 2 <= K = 64\n"
      "assumption 3 [2.4] does not hold: m / P = 4194304 <= K^d = 2^60 <= "
      "2 m / P = 8388608\n"
      "assumption 4 [2.4] holds: d = 10 <= W = 1536 < m = 2097152, W = "
      "m^0.50\n");
}

static void test_ten_times_a_tenth_is_one(void) {
  run_command(&result, cmd_predict,
              (const char *const[]){SCAN, "--base=0", "--index-bits=4",
                                    "--levels=10", "--tau=0.1", NULL},
              false);
  CU_ASSERT_PTR_NULL(strstr(result.out, "1 does not hold"));
}

static void test_json(void) {
  run_command(&result, cmd_predict,
              (const char *const[]){SCAN, "--tc-nodes=64", "--json", NULL},
              false);
  const char *from = strstr(result.out, "\"assumptions\"");
  CU_ASSERT_PTR_NOT_NULL_FATAL(from);
  same_text(
      from,
      "\"assumptions\": [{\"form\": \"1 <= tau d <= P\", \"holds\": null, "
      "\"sides\": [1, null, 512], \"why\": \"no --tau\"}, "
      "{\"form\": \"2 <= K\", \"holds\": true, \"sides\": [2, 512]}, "
      "{\"form\": \"m / P <= K^d <= 2 m / P\", \"holds\": false, "
      "\"sides\": [4096, 134217728, 8192]}, "
      "{\"form\": \"d <= W < m^theta\", \"holds\": true, "
      "\"sides\": [3, 64, 2097152], \"theta\": 0.2857142857142857}]}\n");
}

/* All nodes fit the TC, and W is still less than m: what random access misses
 * is less than its accesses, against what the text concludes. */
static void test_they_allow_a_cheap_random_scan(void) {
  json_t *one, *assumptions;
  size_t i;
  run_command(
      &result, cmd_predict,
      (const char *const[]){SCAN, "--index-bits=6", "--base=0",
                            "--tc-nodes=4161", "--tau=100", "--json", NULL},
      false);
  json_t *object = json_loads(result.out, 0, NULL);
  CU_ASSERT(json_number_value(json_object_get(object, "cost_upper")) <
            2 * 1048576.0);
  assumptions = json_object_get(object, "assumptions");
  CU_ASSERT_EQUAL(json_array_size(assumptions), ASSUMPTIONS);
  json_array_foreach(assumptions, i, one)
      CU_ASSERT(json_is_true(json_object_get(one, "holds")));
  json_decref(object);
}

/* A request as it would be typed. */
static int parse(struct predict_request *request, const char *algo, uint64_t n,
                 const struct vat_tree *tree, const char *tau) {
  char words[8][64], *argv[9] = {0};
  snprintf(words[0], 64, "vat predict");
  snprintf(words[1], 64, "--algo=%s", algo);
  snprintf(words[2], 64, "--n=%llu", (unsigned long long)n);
  snprintf(words[3], 64, "--index-bits=%u", tree->index_bits);
  snprintf(words[4], 64, "--page-bits=%u", tree->page_bits);
  snprintf(words[5], 64, "--base=0");
  snprintf(words[6], 64, tree->levels ? "--levels=%u" : "--seed=1",
           tree->levels);
  snprintf(words[7], 64, "--tau=%s", tau);
  for (int i = 0; i < 8; i++) argv[i] = words[i];
  return predict_request_parse(request, 8, argv);
}

/* In bytes and whole numbers: B of the workspace, 2^p of a page, all times 8
 * where keys are. */
static void check_slowly(const struct predict_request *r, uint64_t nodes,
                         unsigned tau) {
  typedef unsigned __int128 wide;
  struct assumption found[ASSUMPTIONS];
  wide bytes = r->stream.algo->bytes(r->stream.n);
  wide page = (wide)1 << r->tree.page_bits, leaves = 1;
  for (unsigned i = 0; i < r->tree.levels; i++) leaves <<= r->tree.index_bits;
  wide path = (wide)tau * r->tree.levels;
  assumptions_find(r, nodes, found);
  CU_ASSERT_EQUAL(found[0].state == ASSUMPTION_HOLDS,
                  1 <= path && 8 * path <= page);
  CU_ASSERT_EQUAL(found[1].state, ASSUMPTION_HOLDS);
  CU_ASSERT_EQUAL(found[2].state == ASSUMPTION_HOLDS,
                  bytes <= page * leaves && page * leaves <= 2 * bytes);
  CU_ASSERT_EQUAL(found[3].state == ASSUMPTION_HOLDS,
                  r->tree.levels <= nodes && 8 * (wide)nodes < bytes);
  if (isfinite(found[3].theta))
    CU_ASSERT_DOUBLE_EQUAL(pow((double)bytes / 8, found[3].theta),
                           (double)nodes, 1e-6 * (double)nodes);
}

static void test_they_are_the_inequalities(void) {
  static const char *const algos[] = {"sequential_scan", "heapsort",
                                      "transpose_rows", "veb_search"};
  struct cpu_random random = {11};
  int states[ASSUMPTIONS][3] = {{0}};
  for (int i = 0; i < 2000; i++) {
    struct predict_request request;
    struct vat_tree tree = {1 + (unsigned)cpu_random_below(&random, 5),
                            (unsigned)cpu_random_below(&random, 14),
                            cpu_random_below(&random, 2) ? 12 : 0};
    uint64_t n = 1 + cpu_random_below(&random, UINT64_C(1) << (1 + i % 12));
    uint64_t nodes = 1 + cpu_random_below(&random, 3000);
    unsigned tau = (unsigned)cpu_random_below(&random, 70);
    char text[16];
    if (i % 4 == 2) n = 1 + n % 64; /* rows */
    if (12 * tree.index_bits + tree.page_bits < 28) tree.levels = 0;
    if (tree.index_bits == 1) tree.page_bits |= 13;
    snprintf(text, sizeof text, "%u", tau);
    if (!parse(&request, algos[i % 4], n, &tree, text)) {
      struct assumption found[ASSUMPTIONS];
      check_slowly(&request, nodes, tau);
      assumptions_find(&request, nodes, found);
      for (int a = 0; a < ASSUMPTIONS; a++) states[a][found[a].state]++;
    } else {
      CU_FAIL("a good request");
    }
    options_fini(&predict_table, &request);
  }
  for (int a = 0; a < ASSUMPTIONS; a++) {
    CU_ASSERT(states[a][ASSUMPTION_HOLDS] > 100);
    CU_ASSERT(a == 1 || states[a][ASSUMPTION_FAILS] > 100);
  }
}

/* With the least d, m / P is from K^d / 2 to K^d for one of log2 K doublings of
 * m; with K = 2 always, where there is more than a page. */
static void test_assumption_3_holds_for_one_of_k_doublings(void) {
  for (unsigned k = 1; k <= 9; k++)
    for (unsigned lg_pages = 1; lg_pages <= 15; lg_pages++) {
      const struct vat_tree tree = {k, 6, 0};
      struct predict_request request;
      struct assumption found[ASSUMPTIONS];
      uint64_t pages = UINT64_C(1) << lg_pages;
      /* 8 keys a page: more than half of the pages, but not all keys. */
      const uint64_t sizes[] = {4 * pages + 1, 6 * pages, 8 * pages - 1};
      for (int i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL_FATAL(
            parse(&request, "sequential_scan", sizes[i], &tree, "1"), VAT_OK);
        assumptions_find(&request, 64, found);
        CU_ASSERT_EQUAL(found[2].state == ASSUMPTION_HOLDS, lg_pages % k == 0);
        options_fini(&predict_table, &request);
      }
    }
}

static const struct check_test tests[] = {
    {"one line", test_one_line},
    {"with numbers", test_with_numbers},
    {"ten times a tenth is one", test_ten_times_a_tenth_is_one},
    {"JSON", test_json},
    {"they allow a random scan that costs less than its accesses",
     test_they_allow_a_cheap_random_scan},
    {"they are the inequalities", test_they_are_the_inequalities},
    {"assumption 3 holds for one of k doublings",
     test_assumption_3_holds_for_one_of_k_doublings},
    {0}};

const struct check_suite suite_assumptions = {"the assumptions of section 2.4",
                                              tests, NULL};
