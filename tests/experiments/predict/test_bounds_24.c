/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thesis's linear programs but heapify, piped into `vat sim`, cost what the
 * closed forms of section 2.4 say.  Of the others see test_thesis.c. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/experiments/predict/bounds_fixture.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"
#include "vat/bounds.h"
#include "vat/tree.h"

enum { SEED = 24 };

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
  const struct bounds_policy *policy;
  struct vat_bounds_case c;
  uint64_t misses;
};

static void parse(struct measured *m, const char *text) {
  json_t *object = json_loads(text, 0, NULL);
  json_int_t misses = 0;
  CU_ASSERT_EQUAL_FATAL(json_unpack(object, "{sI}", "misses", &misses), 0);
  m->misses = (uint64_t)misses;
  json_decref(object);
}

static struct measured simulate(const struct program *program,
                                const struct setting *setting, uint64_t nodes,
                                const struct bounds_policy *policy) {
  static struct command_result result;
  char script[512];
  uint64_t last = program->base + program->bytes - 1;
  struct measured m = {
      .program = program,
      .policy = policy,
      .c = {.n = program->n,
            .base = program->base,
            .tree = {setting->index_bits, setting->page_bits,
                     vat_tree_levels_for(setting->index_bits,
                                         last >> setting->page_bits)},
            .nodes = nodes,
            .policy = policy->kind}};
  /* A program that finds itself wrong adds a line that is no trace. */
  snprintf(script, sizeof script,
           "{ \"$THESIS\" %s %llu %llu %llu || echo wrong; } | "
           "\"$VAT\" sim - --json --policy %s --tc-nodes %llu --index-bits %u "
           "--page-bits %u --levels %u",
           program->name, (unsigned long long)program->n,
           (unsigned long long)program->seed, (unsigned long long)program->base,
           policy->name, (unsigned long long)nodes, setting->index_bits,
           setting->page_bits, m.c.tree.levels);
  run_shell(&result, NULL, script);
  CU_ASSERT_STRING_EQUAL(result.err, "");
  CU_ASSERT_EQUAL_FATAL(result.code, VAT_OK);
  parse(&m, result.out);
  return m;
}

static bool within(const struct measured *m, const char *what, double low,
                   double value, double high) {
  const struct vat_bounds_case *c = &m->c;
  if (low <= value && value <= high && isfinite(high)) return true;
  printf(
      "\n%s n=%llu seed=%llu, %s k=%u p=%u d=%u W=%llu: %s %.0f, not in "
      "[%.1f, %.1f]\n",
      m->program->name, (unsigned long long)c->n,
      (unsigned long long)m->program->seed, m->policy->name, c->tree.index_bits,
      c->tree.page_bits, c->tree.levels, (unsigned long long)c->nodes, what,
      value, low, high);
  return false;
}

static bool misses_within(const struct measured *m, double low, double high) {
  return within(m, "misses", low, (double)m->misses, high);
}

typedef void checker(const struct program *program,
                     const struct setting *setting,
                     const struct bounds_policy *policy);

/* The smaller size in the first setting only, to save time. */
static void for_all(const char *name, const uint64_t sizes[2], unsigned arrays,
                    checker *check) {
  for (int i = 0; i < 2; i++) {
    const struct program program = {name, sizes[i], SEED, 0,
                                    8 * (sizes[i] + 1) * arrays};
    for (int s = 0; s < (i ? SETTINGS : 1); s++)
      for (int p = 0; p < BOUNDS_POLICIES; p++)
        check(&program, &settings[s], &bounds_policies[p]);
  }
}

/* From places all over a page, so that ranges are cut in all ways. */
static void check_scan(const struct program *program,
                       const struct setting *setting,
                       const struct bounds_policy *policy) {
  for (uint64_t base = 0; base < 1300; base += 848) {
    struct program moved = *program;
    moved.base = base;
    struct measured m = simulate(&moved, setting, setting->narrow, policy);
    double most =
        fmin(vat_bounds_scan_upper(&m.c), vat_bounds_scan_closed(&m.c));
    CU_ASSERT(misses_within(&m, vat_bounds_scan(&m.c), vat_bounds_scan(&m.c)));
    CU_ASSERT(misses_within(&m, vat_bounds_scan_lower(&m.c), most));
  }
}

static void test_sequential_scan(void) {
  for_all("sequential_scan", (const uint64_t[]){77, 1500}, 1, check_scan);
}

/* The middle of an address space of 16 pages is the beginning of the ninth. */
static void test_the_printed_sequential_scan_is_one_too_few(void) {
  const struct program program = {"sequential_scan", 2, SEED, 8 * 128 - 8, 16};
  const struct setting setting = {1, 7, 6, 6};
  struct measured m = simulate(&program, &setting, 6, &bounds_policies[0]);
  CU_ASSERT_EQUAL(m.misses, 2 * m.c.tree.levels + 1);
  CU_ASSERT((double)m.misses > vat_bounds_scan_printed(&m.c));
  CU_ASSERT((double)m.misses <= vat_bounds_scan_closed(&m.c));
}

/* Both TCs, and the narrow one is narrow. */
static void check_both(const struct program *program,
                       const struct setting *setting,
                       const struct bounds_policy *policy,
                       vat_bounds_form *lower, vat_bounds_form *upper) {
  for (int wide = 0; wide < 2; wide++) {
    struct measured m = simulate(
        program, setting, wide ? setting->wide : setting->narrow, policy);
    CU_ASSERT(wide || lower(&m.c) > vat_bounds_scan_lower(&m.c));
    CU_ASSERT(misses_within(&m, lower(&m.c), upper(&m.c)));
  }
}

static void check_random_scan(const struct program *program,
                              const struct setting *setting,
                              const struct bounds_policy *policy) {
  check_both(program, setting, policy, vat_bounds_random_scan_lower,
             vat_bounds_random_scan_upper);
}

static void check_permute(const struct program *program,
                          const struct setting *setting,
                          const struct bounds_policy *policy) {
  check_both(program, setting, policy, vat_bounds_permute_lower,
             vat_bounds_permute_upper);
}

static void test_random_scan(void) {
  for_all("random_scan", (const uint64_t[]){1000, 4096}, 2, check_random_scan);
}

static void test_permute(void) {
  for_all("permute", (const uint64_t[]){1000, 4096}, 1, check_permute);
}

static const struct check_test tests[] = {
    {"sequential scan", test_sequential_scan},
    {"the printed sequential scan is one too few",
     test_the_printed_sequential_scan_is_one_too_few},
    {"random scan", test_random_scan},
    {"permute", test_permute},
    {0}};

const struct check_suite suite_bounds_24 = {"bounds of section 2.4", tests,
                                            NULL};
