/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "cpu_algos/orient.h"
#include "cpu_algos/random.h"
#include "tests/check.h"
#include "tests/cpu_algos/hulls.h"

/* In each order of the three, by both functions. */
static bool everywhere(struct cpu_point a, struct cpu_point b,
                       struct cpu_point c, int sign) {
  return cpu_orient(a, b, c) == sign && cpu_orient(b, c, a) == sign &&
         cpu_orient(c, a, b) == sign && cpu_orient(b, a, c) == -sign &&
         cpu_orient(a, c, b) == -sign && cpu_orient(c, b, a) == -sign &&
         cpu_orient_exact(a, b, c) == sign &&
         cpu_orient_exact(c, b, a) == -sign;
}

static void test_by_hand(void) {
  const struct cpu_point zero = {0, 0}, right = {1, 0}, up = {0, 1};
  CU_ASSERT_TRUE(everywhere(zero, right, up, 1));
  CU_ASSERT_TRUE(everywhere(zero, up, right, -1));
  CU_ASSERT_TRUE(everywhere(zero, up, (struct cpu_point){0, 7}, 0));
  CU_ASSERT_TRUE(everywhere(zero, zero, up, 0));
  CU_ASSERT_TRUE(everywhere(up, up, up, 0));
  /* On y = x but for a last bit, beside which the differences round. */
  const struct cpu_point a = {0x1p-53, 0x1p-53}, b = {12, 12}, c = {24, 24};
  CU_ASSERT_TRUE(everywhere(a, b, c, 0));
  const struct cpu_point above = {24, nextafter(24, 25)};
  const struct cpu_point below = {nextafter(24, 25), 24};
  CU_ASSERT_TRUE(everywhere(a, b, above, 1));
  CU_ASSERT_TRUE(everywhere(a, b, below, -1));
  /* Less than an ulp of the differences: 12 - 2^-53 is no double. */
  const struct cpu_point beside = {0x1p-53, nextafter(0x1p-53, 1)};
  CU_ASSERT_TRUE(everywhere(beside, b, c, 1));
}

/* The line goes up by 1 over 2^400. */
static void test_wide_range(void) {
  const struct cpu_point zero = {0, 0}, far = {0x1p400, 1};
  CU_ASSERT_TRUE(
      everywhere(zero, far, (struct cpu_point){0x1p-80, 0x1p-480}, 0));
  CU_ASSERT_TRUE(everywhere(
      zero, far, (struct cpu_point){0x1.0000000000001p-80, 0x1p-480}, -1));
  CU_ASSERT_TRUE(everywhere(
      zero, far, (struct cpu_point){0x1.fffffffffffffp-81, 0x1p-480}, 1));
  const struct cpu_point low = {-0x1p500, -0x1p500}, high = {0x1p500, 0x1p500};
  CU_ASSERT_TRUE(everywhere(low, high, zero, 0));
  CU_ASSERT_TRUE(everywhere(low, high, (struct cpu_point){0, 0x1p-480}, 1));
  CU_ASSERT_TRUE(everywhere(low, high, (struct cpu_point){0x1p-480, 0}, -1));
  CU_ASSERT_TRUE(
      everywhere(low, high, (struct cpu_point){0x1p-480, 0x1p-480}, 0));
  CU_ASSERT_TRUE(everywhere(
      low, high, (struct cpu_point){0x1p-480, 0x1.0000000000001p-480}, 1));
}

static int64_t whole(struct cpu_random *random, uint64_t most) {
  return (int64_t)cpu_random_below(random, 2 * most + 1) - (int64_t)most;
}

/* Numbers of 53 bits times 2^shift, so that the whole ones are exact. */
static struct cpu_point scaled(struct whole_point p, int x, int y) {
  return (struct cpu_point){ldexp((double)p.x, x), ldexp((double)p.y, y)};
}

/* c is on the line of a and b but for some units in the last place. */
static void test_nearly_collinear(void) {
  enum { TRIPLES = 200000 };
  struct cpu_random random = {7};
  unsigned wrong = 0, seen[3] = {0};
  for (int t = 0; t < TRIPLES; t++) {
    uint64_t most = UINT64_C(1) << (2 + cpu_random_below(&random, 51));
    struct whole_point a = {whole(&random, most), whole(&random, most)};
    struct whole_point b = {whole(&random, most), whole(&random, most)};
    double along = (double)cpu_random_below(&random, 1000) / 1000;
    struct whole_point c = {
        a.x + (int64_t)(along * (double)(b.x - a.x)) + whole(&random, 1),
        a.y + (int64_t)(along * (double)(b.y - a.y)) + whole(&random, 1)};
    int sign = whole_orient(a, b, c);
    int x = (int)whole(&random, 400), y = (int)whole(&random, 400);
    wrong +=
        !everywhere(scaled(a, x, y), scaled(b, x, y), scaled(c, x, y), sign);
    seen[sign + 1]++;
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_TRUE(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000);
}

/* Numbers of very different sizes, of which sums round: small multiples of
 * 2^-53 beside ones near 64. */
static void test_rounded_differences(void) {
  enum { TRIPLES = 200000 };
  struct cpu_random random = {8};
  unsigned wrong = 0;
  for (int t = 0; t < TRIPLES; t++) {
    int64_t unit = INT64_C(1) << 6; /* of numbers of 2^5 .. 2^6 */
    int64_t big = INT64_C(1) << 58, step = INT64_C(1) << 57;
    int64_t offset = whole(&random, 20);
    struct whole_point a = {offset, offset + whole(&random, 2)};
    struct whole_point b = {step, step + unit * whole(&random, 1)};
    struct whole_point c = {big, big + unit * whole(&random, 2)};
    wrong += !everywhere(scaled(a, -53, -53), scaled(b, -53, -53),
                         scaled(c, -53, -53), whole_orient(a, b, c));
  }
  CU_ASSERT_EQUAL(wrong, 0);
}

static const struct check_test tests[] = {
    {"left, right and on a line, by hand", test_by_hand},
    {"coordinates from 2^-480 to 2^500", test_wide_range},
    {"nearly collinear points are as integers say", test_nearly_collinear},
    {"differences that round are as integers say", test_rounded_differences},
    {NULL, NULL},
};
extern const struct check_suite suite_orient;
const struct check_suite suite_orient = {"orient", tests, NULL};
