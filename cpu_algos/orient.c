/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/orient.h"

#include <math.h>

/* A number as an unrounded sum: high is the sum rounded, low the rest. */
struct pair {
  double high, low;
};

/* Knuth: a + b. */
static struct pair sum_of(double a, double b) {
  double sum = a + b, of_b = sum - a, of_a = sum - of_b;
  return (struct pair){sum, (a - of_a) + (b - of_b)};
}

/* a * b; rounded for certain, where a compiler may fuse it with a later sum. */
static struct pair product_of(double a, double b) {
  volatile double product = a * b;
  double high = product;
  return (struct pair){high, fma(a, b, -high)};
}

static int compare(double a, double b) { return (a > b) - (a < b); }

/* Rounding keeps an order or makes it a tie, so the rounded products decide
 * unless they are equal; then it is what the roundings left out. */
static int compare_products(double a, double b, double c, double d) {
  struct pair left = product_of(a, b), right = product_of(c, d);
  int order = compare(left.high, right.high);
  return order ? order : compare(left.low, right.low);
}

/* Numbers whose bits do not overlap, the least first: the last has the sign of
 * their sum.  Six products of two numbers each fit. */
struct expansion {
  int terms;
  double term[12];
};

/* Grow-Expansion of Shewchuk, section 2.4, leaving out zeros. */
static void add(struct expansion *sum, double number) {
  int terms = 0;
  for (int i = 0; i < sum->terms; i++) {
    struct pair next = sum_of(number, sum->term[i]);
    number = next.high;
    if (next.low != 0) sum->term[terms++] = next.low;
  }
  if (number != 0) sum->term[terms++] = number;
  sum->terms = terms;
}

static void add_product(struct expansion *sum, double a, double b) {
  struct pair product = product_of(a, b);
  add(sum, product.low);
  add(sum, product.high);
}

/* a x b + b x c + c x a, whose six products need no differences. */
static int sign_of_sum(struct cpu_point a, struct cpu_point b,
                       struct cpu_point c) {
  struct expansion sum = {0, {0}};
  add_product(&sum, a.x, b.y);
  add_product(&sum, -a.y, b.x);
  add_product(&sum, b.x, c.y);
  add_product(&sum, -b.y, c.x);
  add_product(&sum, c.x, a.y);
  add_product(&sum, -c.y, a.x);
  return sum.terms ? compare(sum.term[sum.terms - 1], 0) : 0;
}

int cpu_orient_exact(struct cpu_point a, struct cpu_point b,
                     struct cpu_point c) {
  struct pair bx = sum_of(b.x, -a.x), by = sum_of(b.y, -a.y);
  struct pair cx = sum_of(c.x, -a.x), cy = sum_of(c.y, -a.y);
  if (bx.low == 0 && by.low == 0 && cx.low == 0 && cy.low == 0)
    return compare_products(bx.high, cy.high, by.high, cx.high);
  return sign_of_sum(a, b, c);
}
