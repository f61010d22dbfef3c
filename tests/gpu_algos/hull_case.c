/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/gpu_algos/hull_case.h"

#include <string.h>

#include "cpu_algos/points.h"

/* Of run's input, by another algorithm; the caller closes it. */
static struct algo_run hull_of(const struct algo *algo,
                               const struct algo_run *run,
                               struct algo_data *hull) {
  struct algo_run other = workspace_open(algo, run->n, run->seed);
  other.generator = run->generator;
  other.given = run->given;
  algo->setup(&other);
  algo->run(&other);
  algo->answer(&other, hull);
  return other;
}

static bool same_points(const struct algo_data *a, const struct algo_data *b) {
  const struct cpu_point *p = a->items, *q = b->items;
  if (a->count != b->count) return false;
  for (uint64_t i = 0; i < a->count; i++)
    if (!cpu_point_equal(p[i], q[i])) return false;
  return true;
}

void hull_case_expect_as_on_processor(const struct gpu_case *c,
                                      struct algo_run *run) {
  static const char *const others[2][2] = {
      {"hull2d", "andrew_hull"}, {"hull2d_float", "andrew_hull_float"}};
  struct algo_data hull, expected;
  const char *name = gpu_algo(c)->name;
  gpu_case_run(c, run);
  gpu_algo(c)->answer(run, &hull);
  for (size_t i = 0; i < 2; i++) {
    const struct algo *algo =
        cpu_algo_find(others[strcmp(name, "hull_gpu_float") == 0][i]);
    struct algo_run other = hull_of(algo, run, &expected);
    CU_ASSERT_TRUE(same_points(&hull, &expected));
    if (!same_points(&hull, &expected))
      fprintf(stderr, "%s n=%llu seed=%llu %s: not as %s\n", name,
              (unsigned long long)run->n, (unsigned long long)run->seed,
              run->generator ? run->generator : "given", algo->name);
    workspace_close(&other);
  }
}

void hull_case_expect_right(const struct gpu_case *c) {
  struct algo_run run = gpu_case_open(c);
  hull_case_expect_as_on_processor(c, &run);
  workspace_close(&run);
}
