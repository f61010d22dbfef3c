/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/turn.h -- which way one direction turns from another, without
 * rounding: for processors, and for GPUs where nvcc compiles it.
 *
 * Shewchuk, Adaptive precision floating-point arithmetic and fast robust
 * geometric predicates, 1997.  A rounded determinant that is larger than the
 * roundings can have made it has the right sign; any other is computed anew,
 * without rounding.  A fused multiply-add only leaves out a rounding, so it
 * does not matter where the compiler uses one in the former.
 *
 * Numbers are 0 or of 2^-480 .. 2^500, or floats: so a product of two is
 * exactly a sum of two doubles.
 */
#pragma once
#include <math.h>

#include "cpu_algos/points.h"

#ifdef __CUDACC__
#define CPU_TURN static inline __host__ __device__
#else
#define CPU_TURN static inline
#endif

/* By how much of |left| + |right| the rounded left - right may be wrong, each a
 * product of two differences: (3 + 16 e) e for e = 2^-53 (ibid., 4.3). */
#define CPU_TURN_ERROR 3.3306690738754716e-16

/* The area that two directions span, rounded.  Its sign is right if it is
 * larger than the error. */
struct cpu_area {
  double area, error;
};

/* Of u = b - a and v = d - c: positive if v points to the left of u. */
CPU_TURN struct cpu_area cpu_area_between(struct cpu_point a,
                                          struct cpu_point b,
                                          struct cpu_point c,
                                          struct cpu_point d) {
  double left = (b.x - a.x) * (d.y - c.y);
  double right = (b.y - a.y) * (d.x - c.x);
  struct cpu_area rounded;
  rounded.area = left - right;
  rounded.error = CPU_TURN_ERROR * (fabs(left) + fabs(right));
  return rounded;
}

/* A number as an unrounded sum: high is the sum rounded, low the rest. */
struct cpu_sum {
  double high, low;
};

/* Knuth: a + b. */
CPU_TURN struct cpu_sum cpu_sum_of(double a, double b) {
  struct cpu_sum sum;
  sum.high = a + b;
  double of_b = sum.high - a, of_a = sum.high - of_b;
  sum.low = (a - of_a) + (b - of_b);
  return sum;
}

/* a * b; rounded for certain, where a compiler may fuse it with a later sum. */
CPU_TURN struct cpu_sum cpu_product_of(double a, double b) {
  struct cpu_sum product;
#ifdef __CUDA_ARCH__
  product.high = __dmul_rn(a, b);
#else
  volatile double high = a * b;
  product.high = high;
#endif
  product.low = fma(a, b, -product.high);
  return product;
}

CPU_TURN int cpu_compare(double a, double b) { return (a > b) - (a < b); }

/* Of a * b with c * d.  Rounding keeps an order or makes it a tie, so the
 * rounded products decide unless they are equal; then it is what the roundings
 * left out. */
CPU_TURN int cpu_compare_products(double a, double b, double c, double d) {
  struct cpu_sum left = cpu_product_of(a, b), right = cpu_product_of(c, d);
  int order = cpu_compare(left.high, right.high);
  return order ? order : cpu_compare(left.low, right.low);
}

/* Numbers whose bits do not overlap, the least first: the last has the sign of
 * their sum.  Eight products of two numbers each fit. */
struct cpu_expansion {
  int terms;
  double term[16];
};

/* Grow-Expansion of Shewchuk, section 2.4, leaving out zeros. */
CPU_TURN void cpu_expansion_add(struct cpu_expansion *sum, double number) {
  int terms = 0;
  for (int i = 0; i < sum->terms; i++) {
    struct cpu_sum next = cpu_sum_of(number, sum->term[i]);
    number = next.high;
    if (next.low != 0) sum->term[terms++] = next.low;
  }
  if (number != 0) sum->term[terms++] = number;
  sum->terms = terms;
}

CPU_TURN void cpu_expansion_add_product(struct cpu_expansion *sum, double a,
                                        double b) {
  struct cpu_sum product = cpu_product_of(a, b);
  cpu_expansion_add(sum, product.low);
  cpu_expansion_add(sum, product.high);
}

/* u x v, of u = b - a and v = d - c: 1 if v points to the left of u, -1 to its
 * right, 0 along it.  Differences without a rounding make it short; else it is
 * b x d + a x c - b x c - a x d, eight products. */
CPU_TURN int cpu_turn_exact(struct cpu_point a, struct cpu_point b,
                            struct cpu_point c, struct cpu_point d) {
  struct cpu_sum ux = cpu_sum_of(b.x, -a.x), uy = cpu_sum_of(b.y, -a.y);
  struct cpu_sum vx = cpu_sum_of(d.x, -c.x), vy = cpu_sum_of(d.y, -c.y);
  if (ux.low == 0 && uy.low == 0 && vx.low == 0 && vy.low == 0)
    return cpu_compare_products(ux.high, vy.high, uy.high, vx.high);
  struct cpu_expansion sum;
  sum.terms = 0;
  cpu_expansion_add_product(&sum, b.x, d.y);
  cpu_expansion_add_product(&sum, -b.y, d.x);
  cpu_expansion_add_product(&sum, a.x, c.y);
  cpu_expansion_add_product(&sum, -a.y, c.x);
  cpu_expansion_add_product(&sum, -b.x, c.y);
  cpu_expansion_add_product(&sum, b.y, c.x);
  cpu_expansion_add_product(&sum, -a.x, d.y);
  cpu_expansion_add_product(&sum, a.y, d.x);
  return sum.terms ? cpu_compare(sum.term[sum.terms - 1], 0) : 0;
}
