/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thesis's seven programs, piped into `vat sim`, cost what the closed forms
 * of section 2.4 say. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/experiments/bounds_24.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"
#include "vat/tree.h"

enum { SEED = 24 };

/* What theorems 2.14 and 2.16 say of each with respect to MIN(W), see
 * bounds_24.h. */
static const struct policy {
  const char *name;
  bool online;
  unsigned divisor; /* at most divisor * MIN(W / divisor - ...) */
  bool less_path;   /* ... d */
} policies[] = {{"lru", true, 2, false},
                {"islru", true, 2, false},
                {"min", false, 1, false},
                {"ismin", false, 1, true}};
enum { POLICIES = sizeof policies / sizeof *policies };

/* A wide TC is one in which every strategy has room, even in half of it. */
static const struct setting {
  unsigned index_bits, page_bits;
  uint64_t narrow, wide;
} settings[] = {{1, 7, 12, 120}, {2, 7, 8, 66}, {4, 8, 6, 44}};
enum { SETTINGS = sizeof settings / sizeof *settings };

struct program {
  const char *name;
  uint64_t n, seed;
  uint64_t base, bytes; /* addresses from base to base + bytes - 1 */
};

struct measured {
  const struct program *program;
  const struct policy *policy;
  struct bounds_case c;
  uint64_t misses, leaf_misses;
};

static void parse(struct measured *m, const char *text) {
  json_t *object = json_loads(text, 0, NULL);
  json_int_t misses = 0, leaf_misses = 0;
  CU_ASSERT_EQUAL_FATAL(json_unpack(object, "{sI s[I]}", "misses", &misses,
                                    "misses_by_layer", &leaf_misses),
                        0);
  m->misses = (uint64_t)misses;
  m->leaf_misses = (uint64_t)leaf_misses;
  json_decref(object);
}

static struct measured simulate(const struct program *program,
                                const struct setting *setting, uint64_t nodes,
                                const struct policy *policy) {
  static struct command_result result;
  char script[512];
  uint64_t last = program->base + program->bytes - 1;
  struct measured m = {
      .program = program,
      .policy = policy,
      .c = {.n = program->n,
            .page = (UINT64_C(1) << setting->page_bits) / 8,
            .lg_nodes = setting->index_bits,
            .levels = vat_tree_levels_for(setting->index_bits,
                                          last >> setting->page_bits),
            .nodes = nodes}};
  /* A program that finds itself wrong adds a line that is no trace. */
  snprintf(script, sizeof script,
           "{ \"$THESIS\" %s %llu %llu %llu || echo wrong; } | "
           "\"$VAT\" sim - --json --policy %s --tc-nodes %llu --index-bits %u "
           "--page-bits %u --levels %u",
           program->name, (unsigned long long)program->n,
           (unsigned long long)program->seed, (unsigned long long)program->base,
           policy->name, (unsigned long long)nodes, setting->index_bits,
           setting->page_bits, m.c.levels);
  run_shell(&result, NULL, script);
  CU_ASSERT_STRING_EQUAL(result.err, "");
  CU_ASSERT_EQUAL_FATAL(result.code, VAT_OK);
  parse(&m, result.out);
  return m;
}

static bool within(const struct measured *m, const char *what, double low,
                   double value, double high) {
  const struct bounds_case *c = &m->c;
  if (low <= value && value <= high && isfinite(high)) return true;
  printf(
      "\n%s n=%llu seed=%llu, %s k=%u P=%llu d=%u W=%llu: %s %.0f, not in "
      "[%.1f, %.1f]\n",
      m->program->name, (unsigned long long)c->n,
      (unsigned long long)m->program->seed, m->policy->name, c->lg_nodes,
      (unsigned long long)c->page, c->levels, (unsigned long long)c->nodes,
      what, value, low, high);
  return false;
}

static bool misses_within(const struct measured *m, double low, double high) {
  return within(m, "misses", low, (double)m->misses, high);
}

typedef double bound(const struct bounds_case *c);

static double upper(const struct measured *m, bound *of_min) {
  struct bounds_case c = m->c;
  c.nodes /= m->policy->divisor;
  if (m->policy->less_path) c.nodes -= c.levels;
  return m->policy->divisor * of_min(&c);
}

/* Of the expectation, less what chance may do to the sum of n misses. */
static double lower(const struct measured *m, bound *of_lru, double range) {
  struct bounds_case c = m->c;
  double parts = m->policy->online ? 1 : 2;
  c.nodes *= (uint64_t)parts;
  return (of_lru(&c) - bounds_deviation((double)c.n, range)) / parts;
}

typedef void checker(const struct program *program,
                     const struct setting *setting,
                     const struct policy *policy);

/* The smaller size in the first setting only, to save time. */
static void for_all(const char *name, const uint64_t sizes[2], unsigned arrays,
                    checker *check) {
  for (int i = 0; i < 2; i++) {
    const struct program program = {name, sizes[i], SEED, 0,
                                    8 * (sizes[i] + 1) * arrays};
    for (int s = 0; s < (i ? SETTINGS : 1); s++)
      for (int p = 0; p < POLICIES; p++)
        check(&program, &settings[s], &policies[p]);
  }
}

/* From places all over a page, so that ranges are cut in all ways. */
static void check_scan(const struct program *program,
                       const struct setting *setting,
                       const struct policy *policy) {
  for (uint64_t base = 0; base < 1300; base += 848) {
    struct program moved = *program;
    moved.base = base;
    struct measured m = simulate(&moved, setting, setting->narrow, policy);
    CU_ASSERT(
        misses_within(&m, bounds_scan_lower(&m.c),
                      fmin(bounds_scan_upper(&m.c), bounds_scan_closed(&m.c))));
  }
}

static void test_sequential_scan(void) {
  for_all("sequential_scan", (const uint64_t[]){77, 1500}, 1, check_scan);
}

/* The middle of an address space of 16 pages is the beginning of the ninth. */
static void test_the_printed_sequential_scan_is_one_too_few(void) {
  const struct program program = {"sequential_scan", 2, SEED, 8 * 128 - 8, 16};
  const struct setting setting = {1, 7, 6, 6};
  struct measured m = simulate(&program, &setting, 6, &policies[0]);
  CU_ASSERT_EQUAL(m.misses, 2 * m.c.levels + 1);
  CU_ASSERT((double)m.misses > bounds_scan_printed(&m.c));
  CU_ASSERT(
      misses_within(&m, bounds_scan_lower(&m.c), bounds_scan_upper(&m.c)));
  CU_ASSERT((double)m.misses <= bounds_scan_closed(&m.c));
}

static void check_random(const struct program *program,
                         const struct setting *setting,
                         const struct policy *policy) {
  for (int wide = 0; wide < 2; wide++) {
    struct measured m = simulate(
        program, setting, wide ? setting->wide : setting->narrow, policy);
    double range = m.c.levels + 1;
    /* LRU and all that is better find room for the scan in the wide TC. */
    double high =
        wide ? bounds_random_upper(&m.c) : 4 * (double)m.c.n * (m.c.levels + 1);
    double low = lower(&m, bounds_random_lower, range);
    CU_ASSERT(wide || low > 0);
    CU_ASSERT(misses_within(&m, low, high));
    CU_ASSERT(misses_within(&m, lower(&m, bounds_random_printed, range), high));
  }
}

static void test_random_scan(void) {
  for_all("random_scan", (const uint64_t[]){1000, 4096}, 2, check_random);
}

static void test_permute(void) {
  for_all("permute", (const uint64_t[]){1000, 4096}, 1, check_random);
}

static void check_search(const struct program *program,
                         const struct setting *setting,
                         const struct policy *policy) {
  for (int wide = 0; wide < 2; wide++) {
    struct measured m = simulate(
        program, setting, wide ? setting->wide : setting->narrow, policy);
    double range = bounds_search_range(&m.c);
    double high =
        wide ? upper(&m, bounds_search_upper)
             : (double)m.c.n * (m.c.levels + 1) * log2((double)m.c.n + 1);
    double low = lower(&m, bounds_search_lower, range);
    CU_ASSERT(wide || low > 0);
    CU_ASSERT(misses_within(&m, low, high));
  }
}

static void test_binary_search(void) {
  for_all("binary_search", (const uint64_t[]){1023, 4095}, 1, check_search);
}

/* What is printed asks for less, and what is below is not above: at sizes, too,
 * that nobody would simulate here. */
static void test_bounds_of_searches_agree(void) {
  for (int lg_n = 8; lg_n < 40; lg_n++)
    for (unsigned k = 1; k < 10; k++)
      for (unsigned lg_page = 1; lg_page < 10; lg_page++)
        for (int lg_nodes = 4; lg_nodes < 20; lg_nodes++) {
          struct bounds_case c = {(UINT64_C(1) << lg_n) - 1, 1U << lg_page, k,
                                  1, UINT64_C(1) << lg_nodes};
          while (lg_page + k * c.levels < (unsigned)lg_n) c.levels++;
          double low = bounds_search_lower(&c);
          CU_ASSERT(bounds_search_printed(&c) <= low + 1e-3);
          c.nodes /= 2;
          CU_ASSERT(low <= 2 * bounds_search_upper(&c));
        }
}

static void check_heapify(const struct program *program,
                          const struct setting *setting,
                          const struct policy *policy) {
  struct measured m = simulate(program, setting, setting->wide, policy);
  CU_ASSERT(misses_within(&m, bounds_scan_lower(&m.c),
                          upper(&m, bounds_heapify_upper)));
}

static void test_heapify(void) {
  for_all("heapify", (const uint64_t[]){1000, 8191}, 1, check_heapify);
}

/* Seed 0: keys in ascending order. */
static void test_heapify_where_each_sift_goes_down(void) {
  const struct program program = {"heapify", 8191, 0, 0, 8 * 8192};
  for (int s = 0; s < SETTINGS; s++) {
    for (int p = 0; p < POLICIES; p++) {
      const struct setting *setting = &settings[s];
      struct measured m =
          simulate(&program, setting, setting->wide, &policies[p]);
      double high = upper(&m, bounds_heapify_upper);
      CU_ASSERT(misses_within(&m, bounds_scan_lower(&m.c), high));
      if (!policies[p].online) continue;
      CU_ASSERT(bounds_heapify_lower(&m.c) > 0);
      CU_ASSERT(within(&m, "misses of leaves", bounds_heapify_lower(&m.c),
                       (double)m.leaf_misses, high));
    }
  }
}

static void check_heapsort(const struct program *program,
                           const struct setting *setting,
                           const struct policy *policy) {
  struct measured m = simulate(program, setting, setting->wide, policy);
  CU_ASSERT(misses_within(&m, bounds_scan_lower(&m.c),
                          upper(&m, bounds_heapsort_upper)));
}

static void test_heapsort(void) {
  for_all("heapsort", (const uint64_t[]){1000, 4095}, 1, check_heapsort);
}

/* The ranges that were partitioned, as the program says of itself. */
static uint64_t ranges[4096], found_for_n;
static size_t partitions;

static void find_partitions(const struct program *program) {
  static struct command_result result;
  char script[256];
  if (found_for_n == program->n) return;
  found_for_n = program->n;
  snprintf(script, sizeof script, "\"$THESIS\" introsort %llu %llu | grep '^#'",
           (unsigned long long)program->n, (unsigned long long)program->seed);
  run_shell(&result, NULL, script);
  CU_ASSERT_EQUAL_FATAL(result.code, 0);
  CU_ASSERT(strlen(result.out) < RUN_OUTPUT - 1); /* nothing was cut off */
  partitions = 0;
  for (char *line = strtok(result.out, "\n"); line; line = strtok(NULL, "\n")) {
    unsigned long long keys = 0; /* and none was sorted by a heap */
    CU_ASSERT_EQUAL_FATAL(sscanf(line, "# partition %llu", &keys), 1);
    CU_ASSERT_FATAL(partitions < sizeof ranges / sizeof *ranges);
    ranges[partitions++] = keys;
  }
}

static double quicksort_upper(const struct bounds_case *c) {
  return bounds_quicksort_upper(c, ranges, partitions);
}

static void check_introsort(const struct program *program,
                            const struct setting *setting,
                            const struct policy *policy) {
  struct measured m = simulate(program, setting, setting->wide, policy);
  find_partitions(program);
  CU_ASSERT(
      misses_within(&m, bounds_scan_lower(&m.c), upper(&m, quicksort_upper)));
}

static void test_introsort(void) {
  for_all("introsort", (const uint64_t[]){1000, 4095}, 1, check_introsort);
}

static const struct check_test tests[] = {
    {"sequential scan", test_sequential_scan},
    {"the printed sequential scan is one too few",
     test_the_printed_sequential_scan_is_one_too_few},
    {"random scan", test_random_scan},
    {"permute", test_permute},
    {"binary search", test_binary_search},
    {"bounds of searches agree", test_bounds_of_searches_agree},
    {"heapify", test_heapify},
    {"heapify where each sift goes down",
     test_heapify_where_each_sift_goes_down},
    {"heapsort", test_heapsort},
    {"introsort", test_introsort},
    {0}};

const struct check_suite suite_bounds_24 = {"bounds of section 2.4", tests,
                                            NULL};
