/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>

#include "cpu_algos/random.h"
#include "experiments/profile/overlap.h"
#include "tests/experiments/suites.h"

static const struct overlap_machine small = {.window = 10, .walkers = 2};

static double took(double base_ns, const struct overlap_miss *misses,
                   size_t count, double instructions) {
  return overlap_ns(&small, base_ns, misses, count, instructions);
}

/* Worked out by hand, with a window of 10 and two walkers. */
static void test_overlap_by_hand(void) {
  const struct overlap_miss one = {100, 0, 50, 0};
  const struct overlap_miss near[] = {{100, 0, 50, 0}, {5, 0, 50, 0}};
  const struct overlap_miss waits[] = {{100, 0, 50, 0}, {5, 1, 50, 0}};
  const struct overlap_miss far[] = {{100, 0, 50, 0}, {15, 0, 50, 0}};
  const struct overlap_miss three[] = {
      {100, 0, 50, 7}, {1, 0, 50, 7}, {1, 0, 50, 7}};
  CU_ASSERT_EQUAL(took(1, NULL, 0, 200), 200);
  /* Taken at 100 and done at 150, when instruction 110 is taken. */
  CU_ASSERT_EQUAL(took(1, &one, 1, 200), 240);
  /* Nothing comes behind it. */
  CU_ASSERT_EQUAL(took(1, &one, 1, 100), 150);
  /* The second is done at 155, when instruction 115 is taken: 5 later than
   * without it, as 115 was to be taken at 155 anyhow. */
  CU_ASSERT_EQUAL(took(1, near, 2, 200), 240);
  /* From 150 to 200; 115 is taken then. */
  CU_ASSERT_EQUAL(took(1, waits, 2, 200), 285);
  /* Taken at 155, done at 205, when 125 is. */
  CU_ASSERT_EQUAL(took(1, far, 2, 200), 280);
  /* The third walk begins at 150, its data are there at 207, for 112. */
  CU_ASSERT_EQUAL(took(1, three, 3, 200), 295);
}

/* The same, instruction by instruction. */
static double slowly(const struct overlap_machine *machine, double base_ns,
                     const struct overlap_miss *misses, size_t count,
                     unsigned instructions) {
  double taken[512] = {0}, clear[512] = {0}, done[64] = {0}, walker[16] = {0};
  unsigned window = (unsigned)machine->window, at = 0;
  size_t next = 0;
  if (count) at = misses[0].gap;
  for (unsigned i = 0; i <= instructions; i++) {
    taken[i] = i ? taken[i - 1] + base_ns : 0;
    if (i >= window) taken[i] = fmax(taken[i], clear[i - window]);
    clear[i] = i ? fmax(clear[i - 1], taken[i]) : 0;
    for (; next < count && at == i; next++) {
      double start = taken[i];
      unsigned first = 0;
      if (misses[next].back && misses[next].back <= next)
        start = fmax(start, done[next - misses[next].back]);
      for (unsigned w = 1; w < machine->walkers; w++)
        if (walker[w] < walker[first]) first = w;
      if (misses[next].walk_ns > 0) {
        start = fmax(start, walker[first]) + misses[next].walk_ns;
        walker[first] = start;
      }
      done[next] = start + misses[next].data_ns;
      clear[i] = fmax(clear[i], done[next]);
      if (next + 1 < count) at += misses[next + 1].gap;
    }
  }
  return clear[instructions];
}

static void test_overlap_against_reference(void) {
  struct cpu_random random = {.state = 7};
  for (int round = 0; round < 5000; round++) {
    struct overlap_miss misses[40];
    struct overlap_machine machine = {
        1 + (double)cpu_random_below(&random, 60),
        1 + (unsigned)cpu_random_below(&random, 4)};
    size_t count = (size_t)cpu_random_below(&random, 40);
    double base_ns = (double)cpu_random_below(&random, 4);
    unsigned instructions = (unsigned)cpu_random_below(&random, 50);
    for (size_t i = 0; i < count; i++) {
      misses[i] =
          (struct overlap_miss){(uint32_t)cpu_random_below(&random, 10),
                                (uint32_t)cpu_random_below(&random, i + 1),
                                (double)cpu_random_below(&random, 50),
                                (double)cpu_random_below(&random, 50)};
      instructions += misses[i].gap;
    }
    double fast = overlap_ns(&machine, base_ns, misses, count, instructions);
    double slow = slowly(&machine, base_ns, misses, count, instructions);
    if (fast == slow) continue;
    printf("\nround %d: %g, and %g slowly\n", round, fast, slow);
    CU_FAIL_FATAL("overlap_ns() is not what it should be");
  }
}

static const struct check_test tests[] = {
    {"overlapping misses, by hand", test_overlap_by_hand},
    {"and instruction by instruction", test_overlap_against_reference},
    {NULL, NULL}};

const struct check_suite suite_overlap = {"overlap", tests, NULL};
