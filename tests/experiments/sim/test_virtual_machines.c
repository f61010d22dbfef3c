/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experiment of section 2.6.1 of the thesis (doc/virtual-machines.md): what
 * the host adds, against the size of the virtual machine and of the input. */
#include <config.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"

enum { POINTS = 16 };

/* Pages of 512 bytes, so that inputs can be small.  The guest's own TC holds
 * all nodes: after their first accesses only data needs the host. */
#define SCAN                                                          \
  "--algo random_scan --page-bits 9 --base 0 --json --nested misses " \
  "--tc-nodes 2^20 --host-tc-nodes 64 "

/* By what random_scan reads at random, one access in two. */
struct series {
  size_t count;
  double lg_bytes[POINTS]; /* of the virtual machine */
  double host_misses[POINTS], walks[POINTS];
};

static struct series run(const char *arguments) {
  struct series s = {0};
  for (const char *line = run_sim(NULL, "", arguments); line && *line;) {
    json_int_t accesses = 0, misses = 0, walks = 0, bytes = 1;
    json_t *o = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
    CU_ASSERT_EQUAL_FATAL(
        json_unpack(o, "{sI s{sI sI} s?{sI}}", "accesses", &accesses, "host",
                    "misses", &misses, "translations", &walks, "guest_memory",
                    "bytes", &bytes),
        0);
    json_decref(o);
    CU_ASSERT_FATAL(s.count < POINTS);
    s.lg_bytes[s.count] = log2((double)bytes);
    s.walks[s.count] = 2 * (double)walks / (double)accesses;
    s.host_misses[s.count++] = 2 * (double)misses / (double)accesses;
    line = strchr(line, '\n');
    if (line) line++;
  }
  return s;
}

static double r_squared(const struct series *s, double *slope) {
  double start, c00, c01, c11, rest;
  gsl_fit_linear(s->lg_bytes, 1, s->host_misses, 1, s->count, &start, slope,
                 &c00, &c01, &c11, &rest);
  return 1 - rest / gsl_stats_tss(s->host_misses, 1, s->count);
}

/* A level of the host's tree is k doublings, and costs about one miss more:
 * somewhat more, as longer paths take more of the TC. */
static void check_logarithm(const char *arguments, size_t points,
                            unsigned index_bits) {
  struct series s = run(arguments);
  double slope;
  CU_ASSERT_EQUAL_FATAL(s.count, points);
  CU_ASSERT(r_squared(&s, &slope) >= 0.98);
  CU_ASSERT(slope * index_bits > 1 && slope * index_bits < 1.3);
  for (size_t i = 1; i < points; i++)
    CU_ASSERT(s.host_misses[i] > s.host_misses[i - 1]);
}

static void test_misses_grow_as_the_logarithm_of_the_machine(void) {
  check_logarithm(SCAN "--n 2^15 --index-bits 1 --guest-memory 2^20:2^24*2", 5,
                  1);
  check_logarithm(SCAN "--n 2^16 --guest-memory 2^21:2^54*8", 12, 9);
  check_logarithm(SCAN "--n 2^16 --guest-memory 2^21:2^48*512", 4, 9);
  check_logarithm(SCAN "--n 2^16 --guest-memory 2^21:2^54*8 --guest-seed 2", 12,
                  9);
}

/* The most by the least, over inputs from 2^first to 2^17 elements. */
static double spread(unsigned first, const char *of) {
  double least = INFINITY, most = 0;
  for (unsigned lg = first; lg <= 17; lg++) {
    char arguments[256];
    snprintf(arguments, sizeof arguments, SCAN "--n %u %s", 1u << lg, of);
    struct series s = run(arguments);
    CU_ASSERT_EQUAL_FATAL(s.count, 1);
    least = fmin(least, s.host_misses[0]);
    most = fmax(most, s.host_misses[0]);
  }
  return most / least;
}

/* But for the few nodes of the 2^first / 64 pages that the TC holds.  Where
 * data lies in a row, the input takes the place of the machine. */
static void test_misses_do_not_depend_on_the_input(void) {
  CU_ASSERT(spread(14, "--index-bits 1 --guest-memory 2^24") < 1.02);
  CU_ASSERT(spread(15, "--guest-memory 2^48") < 1.04);
  CU_ASSERT(spread(14, "--index-bits 1") > 1.7);
}

/* A guest's TC of 64 nodes: each guest node that it misses is a host walk more,
 * and the more of them, the larger the input.  A walk misses no more than a
 * path. */
static void test_tables_multiply_the_walks(void) {
  static const char *const sizes[] = {"2^14", "2^17"};
  double misses[2];
  for (size_t i = 0; i < 2; i++) {
    char arguments[256];
    snprintf(arguments, sizeof arguments,
             "--algo random_scan --page-bits 9 --base 0 --json --nested misses "
             "--tc-nodes 64 --index-bits 1 --guest-memory 2^24 --n %s",
             sizes[i]);
    struct series s = run(arguments);
    CU_ASSERT_EQUAL_FATAL(s.count, 1);
    CU_ASSERT(s.host_misses[0] <= 16 * s.walks[0]);
    misses[i] = s.host_misses[0];
  }
  CU_ASSERT(misses[0] > 5 * 13); /* 13 are of data */
  CU_ASSERT(misses[1] > 1.5 * misses[0]);
}

/* A page is walked to once: for 64 elements, a path of 16 nodes at most. */
static void test_a_sequential_scan_hardly_notices(void) {
  struct series s =
      run("--algo sequential_scan --n 2^16 --page-bits 9 --base 0 --json "
          "--nested misses --tc-nodes 2^20 --host-tc-nodes 64 --index-bits 1 "
          "--guest-memory 2^24");
  CU_ASSERT_EQUAL_FATAL(s.count, 1);
  CU_ASSERT(s.host_misses[0] / 2 > 0 && s.host_misses[0] / 2 < 0.5);
}

/* A memory of 2^63 bytes and more is a string in JSON, as it is no json_int_t.
 */
static void test_huge_machines(void) {
  const char *text = run_sim(NULL, "echo 16 |",
                             "- --page-bits 0 --nested split --host-page-bits "
                             "12 --guest-memory 9223372036854775809 --json");
  CU_ASSERT_PTR_NOT_NULL(
      strstr(text, "\"guest_memory\": {\"bytes\": \"9223372036854775809\""));
}

static const struct check_test tests[] = {
    {"huge machines", test_huge_machines},
    {"misses grow as the logarithm of the machine",
     test_misses_grow_as_the_logarithm_of_the_machine},
    {"misses do not depend on the input",
     test_misses_do_not_depend_on_the_input},
    {"tables multiply the walks", test_tables_multiply_the_walks},
    {"a sequential scan hardly notices", test_a_sequential_scan_hardly_notices},
    {0}};

static const char *no_streams(void) {
#ifdef HAVE_STREAMS
  return NULL;
#else
  return "built without address streams";
#endif
}

const struct check_suite suite_virtual_machines = {"virtual machines", tests,
                                                   no_streams};
