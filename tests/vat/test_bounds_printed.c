/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms as Jurkiewicz, PhD thesis, prints them, against cases by hand. */
#include <math.h>

#include "tests/vat/suites_vat.h"
#include "vat/bounds.h"

static void expect(double value, double by_hand) {
  CU_ASSERT_DOUBLE_EQUAL(value, by_hand, 1e-9 * fmax(1, fabs(by_hand)));
}

/* 2^20 keys, P = 2^9, k = 9, d = 2, W = 64. */
static const struct vat_bounds_case amd64 = {
    .n = 1 << 20, .tree = {9, 12, 2}, .nodes = 64};

/* n / k log(n / (P W)) = 2^20 / 9 * (20 - 9 - 6), and n / k (1 + log(n / P)) =
 * 2^20 / 9 * (1 + 11). */
static void test_random_accesses(void) {
  struct vat_bounds_case c = amd64;
  expect(vat_bounds_random_printed_lower(&c), 1048576.0 * 5 / 9);
  expect(vat_bounds_random_printed_upper(&c), 1048576.0 * 12 / 9);
  c.nodes = 1 << 11; /* as many as pages: nothing is missed for certain */
  expect(vat_bounds_random_printed_lower(&c), 0);
  c.nodes = 1 << 12;
  expect(vat_bounds_random_printed_lower(&c), 0);
  c.n = 1 << 8; /* half a page: 1 + log(1 / 2) */
  expect(vat_bounds_random_printed_upper(&c), 0);
  c.n = 0;
  expect(vat_bounds_random_printed_lower(&c), 0);
  expect(vat_bounds_random_printed_upper(&c), 0);
}

/* n / (2 k) log(2 n d / (P W))^2 = 2^20 / 18 * (1 + 20 + 1 - 9 - 6)^2, and n /
 * (4 k) log(n / (4 P W))^2 = 2^20 / 36 * (20 - 2 - 9 - 6)^2. */
static void test_searches(void) {
  struct vat_bounds_case c = amd64;
  expect(vat_bounds_search_printed_upper(&c), 1048576.0 / 18 * 49);
  expect(vat_bounds_search_printed_lower(&c), 1048576.0 / 36 * 9);
  c.nodes = 1 << 9; /* 4 P W = n */
  expect(vat_bounds_search_printed_lower(&c), 0);
  c.n = 1 << 8; /* 2 n = P */
  expect(vat_bounds_search_printed_upper(&c), 0);
  c.n = 0;
  expect(vat_bounds_search_printed_upper(&c), 0);
}

/* d + n p / P = 2 + 2^20 * 9 / 2^9. */
static void test_heapify(void) {
  struct vat_bounds_case c = amd64;
  expect(vat_bounds_heapify_levels_printed(&c), 2 + 2048 * 9);
  c.n = 0;
  expect(vat_bounds_heapify_levels_printed(&c), 0);
}

/* K^1.5 / (K^1.5 - 1) n^3 / (a^0.5 P^1.5): K = 4, n = 64, a = floor(9 / 2) = 4
 * and P = 16: 8 / 7 * 2^18 / (2 * 64). */
static void test_products(void) {
  struct vat_bounds_case c = {.n = 64, .tree = {2, 7, 2}, .nodes = 9};
  expect(vat_bounds_matmul_printed(&c), 8.0 / 7 * 2048);
  c.nodes = 8;
  expect(vat_bounds_matmul_printed(&c), 8.0 / 7 * 2048);
  c.n = 0;
  expect(vat_bounds_matmul_printed(&c), 0);
}

/* n (log_P(n) + log_K(n) ln(log_P(P K^d))): P = 2^4, K = 2^2, n = 2^8, d = 2:
 * 2^8 (2 + 4 ln(2)). */
static void test_van_emde_boas(void) {
  const struct vat_bounds_case c = {.n = 256, .tree = {2, 7, 2}, .nodes = 3};
  expect(vat_bounds_veb_printed(&c), 256 * (2 + 4 * log(2)));
}

static const struct check_test tests[] = {
    {"random accesses by hand", test_random_accesses},
    {"searches by hand", test_searches},
    {"heapify by hand", test_heapify},
    {"products by hand", test_products},
    {"van Emde Boas by hand", test_van_emde_boas},
    {0}};

const struct check_suite suite_bounds_printed = {"printed bounds", tests, NULL};
