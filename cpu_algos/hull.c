/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/hull.h"

#include <string.h>

#include "cpu_algos/chain.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"

/* Two arrays of two numbers a point, and a point to close the polygon. */
size_t cpu_hull_bytes(uint64_t n) { return cpu_keys_bytes(n, 4, 2); }

void cpu_hull_widen(const struct algo_run *run) {
  const struct cpu_point_float *from = cpu_hull_floats(run);
  struct cpu_point *to = cpu_hull_points(run, 0);
  for (uint64_t i = run->n; i-- > 0;) {
    struct cpu_point_float point;
    memcpy(&point, &from[i], sizeof point);
    to[i] = (struct cpu_point){point.x, point.y};
  }
}

static uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static uint64_t print_of(struct cpu_point p) {
  uint64_t x = cpu_random_mix(bits_of(p.x) + CPU_RANDOM_STEP);
  return cpu_random_mix(x + bits_of(p.y));
}

uint64_t cpu_hull_print(const struct cpu_point *points, uint64_t n) {
  uint64_t print = 0;
  for (uint64_t i = 0; i < n; i++) print += print_of(points[i]);
  return print;
}

static void restore(struct algo_run *run, bool floats) {
  memset(run->memory, 0, cpu_hull_bytes(run->n));
  struct cpu_point *points = cpu_hull_points(run, 0);
  struct cpu_point_float *single = (struct cpu_point_float *)(void *)points;
  for (uint64_t i = 0; i < run->n; i++) {
    struct cpu_point p = cpu_points_at(run, i, floats);
    if (floats)
      single[i] = (struct cpu_point_float){(float)p.x, (float)p.y};
    else
      points[i] = p;
  }
  run->result = UINT64_MAX; /* a run that does nothing is found out */
}

static void setup(struct algo_run *run, bool floats) {
  run->fingerprint[0] = run->fingerprint[1] = 0;
  for (uint64_t i = 0; i < run->n; i++)
    run->fingerprint[0] += print_of(cpu_points_at(run, i, floats));
  restore(run, floats);
}

void cpu_hull_restore(struct algo_run *run) { restore(run, false); }
void cpu_hull_restore_float(struct algo_run *run) { restore(run, true); }
void cpu_hull_setup(struct algo_run *run) { setup(run, false); }
void cpu_hull_setup_float(struct algo_run *run) { setup(run, true); }

void cpu_hull_answer(const struct algo_run *run, struct algo_data *answer) {
  *answer = (struct algo_data){.count = run->result,
                               .items = cpu_hull_points(run, 1)};
}

uint64_t cpu_hull_of_sorted(const struct cpu_point *points, uint64_t n,
                            struct cpu_point *hull) {
  uint64_t lower = 0, upper = 0;
  for (uint64_t i = 0; i < n; i++)
    lower = cpu_chain_add(hull, lower, points[i]);
  if (n < 2 || cpu_point_equal(points[0], points[n - 1])) return n ? 1 : 0;
  /* The way back begins at the last vertex and ends at the first, which is
   * one too many. */
  lower--;
  for (uint64_t i = n; i-- > 0;)
    upper = cpu_chain_add(hull + lower, upper, points[i]);
  return lower + upper - 1;
}
