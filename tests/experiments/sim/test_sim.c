/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `vat sim` prints, and what it reads alike. */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/experiments/run_command.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"
#include "vat/policy.h"

static struct command_result result;
static struct scratch scratch;

static void leave_scratch(void) {
  scratch_fini(&scratch);
  *scratch.dir = '\0';
}

static const char *sim(const char *feed, const char *arguments) {
  return run_sim(*scratch.dir ? scratch.dir : NULL, feed, arguments);
}

static void prints(const char *feed, const char *arguments,
                   const char *expected) {
  same_text(sim(feed, arguments), expected);
}

static json_int_t number(const char *feed, const char *arguments,
                         const char *key) {
  json_t *object = json_loads(sim(feed, arguments), 0, NULL);
  json_int_t value = json_integer_value(json_object_get(object, key));
  CU_ASSERT(json_is_integer(json_object_get(object, key)));
  json_decref(object);
  return value;
}

#define SMALL "--index-bits 1 --page-bits 0 --json "

/* Pages 0 0 2 2 0: the root, then nodes (1,0) (0,0), (1,1) (0,2), and those of
 * page 0 again, which a TC of three nodes has not kept. */
static void test_json_is_what_the_contract_says(void) {
  prints("printf '0\\n0\\n2\\n2\\n0\\n' |", SMALL "- --policy min --tc-nodes 3",
         "{\"policy\": \"min\", \"tc_nodes\": 3, \"page_bits\": 0, "
         "\"index_bits\": 1, \"levels\": 2, \"accesses\": 5, "
         "\"translations\": 5, \"misses\": 7, "
         "\"misses_by_layer\": [3, 3, 1]}\n");
  prints("printf '0\\n0\\n2\\n2\\n0\\n' |", SMALL "- --levels 3",
         "{\"policy\": \"islru\", \"tc_nodes\": 1536, \"page_bits\": 0, "
         "\"index_bits\": 1, \"levels\": 3, \"accesses\": 5, "
         "\"translations\": 5, \"misses\": 6, "
         "\"misses_by_layer\": [2, 2, 1, 1]}\n");
}

static void test_cells_beyond_integers_are_text(void) {
  prints("echo 0 |",
         SMALL "- --levels 1 --policy rrmin --tc-nodes 9223372036854775807",
         "{\"policy\": \"rrmin\", \"tc_nodes\": 9223372036854775807, "
         "\"page_bits\": 0, \"index_bits\": 1, \"levels\": 1, \"accesses\": 1, "
         "\"translations\": 1, \"misses\": 2, \"misses_by_layer\": [1, 1], "
         "\"cells\": \"9223372036854775808\"}\n");
}

static void test_text_says_its_units(void) {
  prints("printf '0\\n0x200000\\n0x201000\\n0x201008\\n' |",
         "- --policy lru --tc-nodes 64",
         "4 accesses, 4 translations\n"
         "lru, W = 64\n"
         "tree: 2 levels, 512 children a node, pages of 4 KiB\n"
         "layer    a node spans               misses misses per translation\n"
         "0 leaf          4 KiB                    3               0.750000\n"
         "1               2 MiB                    2               0.500000\n"
         "2 root          1 GiB                    1               0.250000\n"
         "all                                      6               1.500000\n");
}

/* A file is read twice, a pipe is kept, and with --levels neither. */
static void test_each_way_in_gives_the_same(void) {
  static const char *const ways[][2] = {
      {"", "t"},
      {"", "- < t"},
      {"cat t |", "-"},
      {"cat t |", "/dev/stdin"},
      {"rm -f pipe; mkfifo pipe; cat t > pipe &", "pipe"},
      {"", "t --levels 7"},
      {"cat t |", "- --levels 7"},
      {"", "t --format text"},
      {"gzip -c t > t.gz;", "t.gz"},
      {"gzip -c t |", "-"},
      {"\"$VAT\" trace --from t --format vat -o t.vat;", "t.vat"},
      {"cat t.vat |", "-"},
      {"\"$VAT\" trace --from t --format lackey |", "-"},
      {"(echo 1; cat t) > u; (read first;", "-) < u"},
  };
  scratch_init(&scratch);
  run_shell(&result, scratch.dir, "\"$THESIS\" permute 3000 5 > t");
  for (size_t i = 0; vat_policies[i]; i++) {
    char arguments[256], expected[1024] = "";
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
      snprintf(arguments, sizeof arguments,
               "--json --index-bits 1 --page-bits 8 --tc-nodes 30 --policy %s "
               "%s",
               vat_policies[i]->name, ways[k][1]);
      if (k)
        prints(ways[k][0], arguments, expected);
      else
        snprintf(expected, sizeof expected, "%s", sim(ways[k][0], arguments));
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(expected, "\"levels\": 7, "));
    CU_ASSERT_PTR_NOT_NULL(strstr(expected, "\"accesses\": 12000, "));
  }
  leave_scratch();
}

static void test_levels_are_the_least_that_fit(void) {
  static const struct {
    const char *trace, *tree;
    int levels;
  } cases[] = {
      {"0", "", 1},
      {"0x1fffff", "", 1},
      {"0x200000", "", 2},
      {"0x3fffffff", "", 2},
      {"0x40000000", "", 3},
      {"0xffffffffffffffff", "", 6},
      {"7", "--index-bits 1 --page-bits 0", 3},
      {"8", "--index-bits 1 --page-bits 0", 4},
      {" L 00000001,8", "--index-bits 1 --page-bits 0 ", 1},
      {" L 00000001,8", "--index-bits 1 --page-bits 0 --span", 4},
      {"I  00000009,4", "--index-bits 1 --page-bits 0 --instr", 4},
      {" L 00000000,4\nI  00000009,4", "--index-bits 1 --page-bits 0", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char feed[128], arguments[128];
    snprintf(feed, sizeof feed, "echo '%s' |", cases[i].trace);
    snprintf(arguments, sizeof arguments, "- --json %s", cases[i].tree);
    CU_ASSERT_EQUAL(number(feed, arguments, "levels"), cases[i].levels);
  }
}

static void test_trees_by_name(void) {
  CU_ASSERT_EQUAL(number("echo 0 |", "- --json --tree amd64-4k", "levels"), 4);
  CU_ASSERT_EQUAL(number("echo 0 |", "- --json --tree amd64-2m", "page_bits"),
                  21);
  CU_ASSERT_EQUAL(number("echo 0 |", "- --json --tree amd64-2m", "levels"), 3);
  CU_ASSERT_EQUAL(number("echo 0 |", "- --json --tree arm64-64k", "index_bits"),
                  13);
  CU_ASSERT_EQUAL(
      number("echo 0 |", "- --json --tree amd64-4k --levels 5", "levels"), 5);
  CU_ASSERT_EQUAL(
      number("echo 0 |", "- --json --tree amd64-4k --page-bits 13", "levels"),
      4);
}

/* 8 bytes across a page, 8193 over three of 4 KiB, none at all, M twice. */
static void test_span_looks_up_every_page(void) {
  static const char feed[] =
      "printf ' L 00000ffc,8\\n S 00002fff,4098\\n L 00001000,0\\n"
      " M 00000000,4\\n' |";
  CU_ASSERT_EQUAL(number(feed, "- --json", "accesses"), 5);
  CU_ASSERT_EQUAL(number(feed, "- --json", "translations"), 5);
  CU_ASSERT_EQUAL(number(feed, "- --json", "misses"), 1 + 3);
  CU_ASSERT_EQUAL(number(feed, "- --json --span", "accesses"), 5);
  CU_ASSERT_EQUAL(number(feed, "- --json --span", "translations"),
                  2 + 3 + 1 + 2);
  CU_ASSERT_EQUAL(number(feed, "- --json --span", "misses"), 1 + 5);
  /* More pages than are translated at a time, and a file like a pipe. */
  CU_ASSERT_EQUAL(number("printf ' L 00000001,99999999\\n M 00000000,4\\n' |",
                         "- --json --span", "translations"),
                  24415 + 2);
  scratch_init(&scratch);
  scratch_write(&scratch, "t", " L 00000001,99999999\n", 21);
  CU_ASSERT_EQUAL(number("", "t --json --span", "misses"), 24415 + 48 + 1);
  leave_scratch();
}

static void test_fetches_count_when_asked_for(void) {
  static const char feed[] =
      "printf '==1== x\\nI  00001000,3\\n L 00002000,8\\nI  00001003,3\\n"
      " M 00002000,8\\n' |";
  CU_ASSERT_EQUAL(number(feed, "- --json", "accesses"), 3);
  CU_ASSERT_EQUAL(number(feed, "- --json", "misses"), 2);
  CU_ASSERT_EQUAL(number(feed, "- --json --instr", "accesses"), 5);
  CU_ASSERT_EQUAL(number(feed, "- --json --instr", "misses"), 3);
  /* Fetches that are left out may lie outside of the tree. */
  CU_ASSERT_EQUAL(number("printf 'I  ff001000,3\\n L 00002000,8\\n' |",
                         "- --json --levels 1", "misses"),
                  2);
}

/* What policies that know the future keep goes to a file, and is told. */
static void test_memory_changes_no_count(void) {
  char expected[1024];
  static const char feed[] = "\"$THESIS\" permute 20000 3 |";
  snprintf(expected, sizeof expected, "%s",
           sim(feed, "- --json --page-bits 8 --policy ismin"));
  run_shell(&result, NULL,
            "\"$THESIS\" permute 20000 3 | \"$VAT\" sim - --json --page-bits 8 "
            "--policy ismin --memory 1000");
  CU_ASSERT_STRING_EQUAL(result.out, expected);
  CU_ASSERT_EQUAL(
      strncmp(result.err, "vat: note: ismin keeps the whole trace", 38), 0);
}

/* Pages 0 1 0 1 below one root: two nodes hold one leaf, three both. */
static void test_all_w_by_hand(void) {
  prints("printf '0\\n1\\n0\\n1\\n' |", SMALL "- --all-w",
         "{\"policy\": \"islru\", \"page_bits\": 0, \"index_bits\": 1, "
         "\"levels\": 1, \"accesses\": 4, \"translations\": 4, "
         "\"curve\": [[2, 5], [3, 3]]}\n");
  const char *text = sim("printf '0\\n1\\n0\\n1\\n' |",
                         "- --index-bits 1 --page-bits 0 --all-w");
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "misses per translation"));
}

static void same_as_alone(const char *policy, json_int_t nodes,
                          json_int_t misses) {
  char arguments[160];
  snprintf(arguments, sizeof arguments,
           "- --policy %s --tc-nodes %lld --index-bits 1 --page-bits 5 --json",
           policy, (long long)nodes);
  CU_ASSERT_EQUAL(number("\"$THESIS\" permute 300 7 |", arguments, "misses"),
                  misses);
}

static void test_all_w_is_each_w(void) {
  static const char *const policies[] = {"islru", "lru", "min", "ismin", NULL};
  for (size_t i = 0; policies[i]; i++) {
    char arguments[160];
    json_int_t before[2] = {0, INT64_MAX}, point[2] = {0, 0};
    snprintf(arguments, sizeof arguments,
             "- --policy %s --all-w --index-bits 1 --page-bits 5 --json",
             policies[i]);
    json_t *object =
        json_loads(sim("\"$THESIS\" permute 300 7 |", arguments), 0, NULL);
    json_t *curve = json_object_get(object, "curve"), *pair;
    json_int_t levels = json_integer_value(json_object_get(object, "levels"));
    size_t index, count = json_array_size(curve);
    CU_ASSERT(count > 3);
    json_array_foreach(curve, index, pair) {
      json_unpack(pair, "[II]", &point[0], &point[1]);
      CU_ASSERT(index || point[0] == levels + 1);
      CU_ASSERT(point[0] > before[0] && point[1] < before[1]);
      if (index && index % (count / 4 + 1) == 0) /* up to this step, and on */
        same_as_alone(policies[i], point[0] - 1, before[1]);
      if (index % (count / 4 + 1) == 0)
        same_as_alone(policies[i], point[0], point[1]);
      memcpy(before, point, sizeof before);
    }
    same_as_alone(policies[i], point[0], point[1]);
    same_as_alone(policies[i], point[0] + 1000, point[1]);
    json_decref(object);
  }
}

/*
 * Address 0 twice, in pages of 8 bytes, which hold one node of the guest: its
 * root is at 16, page 2 of the host, the leaf at 24, page 3, the data in page
 * 0.  So the host needs two levels and misses a whole path, one leaf more, and
 * the last two nodes of another path.
 */
static void test_nested_by_hand(void) {
  static const struct {
    const char *mode;
    int host_translations;
  } modes[] = {{"split", 6}, {"misses", 4}, {"shared", 6}};
  for (size_t i = 0; i < 3; i++) {
    char arguments[160], expected[1024];
    const char *nodes = i < 2 ? "\"tc_nodes\": 1536, " : "";
    snprintf(arguments, sizeof arguments,
             "- --index-bits 1 --page-bits 3 --json --nested %s",
             modes[i].mode);
    snprintf(expected, sizeof expected,
             "{\"policy\": \"islru\", \"tc_nodes\": 1536, \"page_bits\": 3, "
             "\"index_bits\": 1, \"levels\": 1, \"accesses\": 2, "
             "\"nested\": \"%s\", \"translations\": 2, \"misses\": 8, "
             "\"guest\": {%s\"page_bits\": 3, \"index_bits\": 1, "
             "\"levels\": 1, \"translations\": 2, \"misses\": 2, "
             "\"misses_by_layer\": [1, 1]}, "
             "\"host\": {%s\"page_bits\": 3, \"index_bits\": 1, "
             "\"levels\": 2, \"translations\": %d, \"misses\": 6, "
             "\"misses_by_layer\": [3, 2, 1]}}\n",
             modes[i].mode, nodes, nodes, modes[i].host_translations);
    prints("printf '0\\n0\\n' |", arguments, expected);
  }
}

/* The host's own tree and TC, and the guest's tables where they are put. */
static void test_nested_options(void) {
  json_int_t nodes, index, page, levels, walks;
  json_t *object = json_loads(
      sim("printf '0\\n0\\n' |",
          "- --json --tree amd64-4k --nested split --host-tree amd64-2m "
          "--host-tc-nodes 77 --table-base 0x40000000"),
      0, NULL);
  CU_ASSERT_EQUAL(json_unpack(object, "{s{sI sI sI sI sI}}", "host", "tc_nodes",
                              &nodes, "index_bits", &index, "page_bits", &page,
                              "levels", &levels, "translations", &walks),
                  0);
  json_decref(object);
  CU_ASSERT(nodes == 77 && index == 9 && page == 21 && levels == 3);
  CU_ASSERT_EQUAL(walks, 2 * (4 + 2));
  const char *text =
      sim("printf '0\\n0\\n' |", "- --tree amd64-4k --nested split");
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "12 walks in the host, 6.000000 a tran"));
}

/* Pages of one entry: the root's, the leaf's and that of data.  Of 64 bytes, 8
 * frames, the host needs 3 levels, of 65 bytes 4. */
static void test_guest_memory(void) {
  static const struct {
    json_int_t bytes, levels;
  } points[] = {{64, 3}, {65, 4}};
  scratch_init(&scratch);
  scratch_write(&scratch, "t", "0\n0\n", 4);
  const char *line = sim("",
                         "t --json --index-bits 1 --page-bits 3 --nested split "
                         "--guest-memory 64,65 --guest-seed 9");
  for (size_t i = 0; i < 2; i++) {
    json_int_t bytes, seed, frames, used, levels;
    json_t *object = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
    CU_ASSERT_EQUAL_FATAL(
        json_unpack(object, "{s{sI} s{sI sI sI sI !}}", "host", "levels",
                    &levels, "guest_memory", "bytes", &bytes, "seed", &seed,
                    "frames", &frames, "frames_used", &used),
        0);
    json_decref(object);
    CU_ASSERT(bytes == points[i].bytes && levels == points[i].levels);
    CU_ASSERT(seed == 9 && frames == 8 && used == 3);
    line = strchr(line, '\n') + 1;
  }
  CU_ASSERT_STRING_EQUAL(line, "");
  leave_scratch();
  const char *text =
      sim("printf '0\\n0\\n' |",
          "- --tree amd64-4k --nested split --guest-memory 2^30");
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text, "guest memory: 1 GiB, 6 of 262144 frames in use\n"));
}

static const struct check_test tests[] = {
    {"JSON is what the contract says", test_json_is_what_the_contract_says},
    {"cells beyond integers are text", test_cells_beyond_integers_are_text},
    {"text says its units", test_text_says_its_units},
    {"each way in gives the same", test_each_way_in_gives_the_same},
    {"levels are the least that fit", test_levels_are_the_least_that_fit},
    {"trees by name", test_trees_by_name},
    {"--span looks up every page", test_span_looks_up_every_page},
    {"fetches count when asked for", test_fetches_count_when_asked_for},
    {"--memory changes no count", test_memory_changes_no_count},
    {"--all-w by hand", test_all_w_by_hand},
    {"--all-w is each W", test_all_w_is_each_w},
    {"--nested by hand", test_nested_by_hand},
    {"--nested options", test_nested_options},
    {"--guest-memory", test_guest_memory},
    {0}};

const struct check_suite suite_sim = {"sim", tests, NULL};
