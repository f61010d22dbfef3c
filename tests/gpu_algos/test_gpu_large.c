/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts and hulls of up to a million on every kind of input, in both orders of
 * blocks and warps, and counted, which finds races: `make check-large`, which
 * takes half an hour.  LARGE=NAME, in the environment: that algorithm alone. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu_algos/points.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/hull_case.h"

/* What all processors part, once and more often. */
static const uint64_t sizes[] = {34567, 1000000};

static bool is_asked(const struct algo *algo) {
  const char *name = getenv("LARGE");
  return !name || strcmp(name, algo->name) == 0;
}

static bool is_hull(const struct algo *algo) {
  return algo->generators == cpu_points_generators;
}

static void expect_right(const struct gpu_set *runs, size_t index,
                         const char *generator) {
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    struct gpu_case c = {gpu_tested(), runs, index, sizes[s], 8, generator};
    if (is_hull(gpu_algo(&c)))
      hull_case_expect_right(&c);
    else
      gpu_case_expect_right(&c);
  }
  fprintf(stderr, "  %s %s: done\n", gpu_tested()->algos[index]->name,
          generator);
}

static void for_each(const struct gpu_set *runs) {
  const struct algo *const *algos = gpu_tested()->algos;
  for (size_t i = 0; algos[i]; i++) {
    if (!is_asked(algos[i])) continue;
    if (!is_hull(algos[i]) && !gpu_sorts(algos[i])) continue;
    for (size_t g = 0; algos[i]->generators[g]; g++)
      expect_right(runs, i, algos[i]->generators[g]);
  }
}

static void test_forward(void) { for_each(gpu_tested()); }

static void test_in_reverse(void) {
  simt_set_order(SIMT_REVERSE);
  for_each(gpu_tested());
  simt_set_order(SIMT_FORWARD);
}

static void test_counted(void) {
  if (gpu_counted())
    for_each(gpu_counted());
  else
    fprintf(stderr, "  SKIPPED: %s\n", gpu_skip_counted());
}

static const struct check_test tests[] = {
    {"a million of each kind", test_forward},
    {"in the reverse order", test_in_reverse},
    {"without a race", test_counted},
    {NULL, NULL},
};
static const struct check_suite suite = {"a million", tests, gpu_skip_tested};
static const struct check_suite *const suites[] = {&suite, NULL};

/* Blocks run on all processors at a time. */
int main(void) {
  simt_set_threads((unsigned)sysconf(_SC_NPROCESSORS_ONLN));
  return check_main(suites);
}
