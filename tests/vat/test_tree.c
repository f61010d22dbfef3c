/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>

#include "tests/vat/suites_vat.h"
#include "vat/tree.h"

static void test_presets_cover_their_address_space(void) {
  static const struct {
    const char *name;
    unsigned bits;
  } widths[] = {{"amd64-4k", 48},   {"amd64-2m", 48},   {"amd64-1g", 48},
                {"amd64-4k-5", 57}, {"amd64-2m-5", 57}, {"amd64-1g-5", 57},
                {"arm64-4k", 48}};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    const struct vat_tree_preset *p = vat_tree_preset_find(widths[i].name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(vat_tree_page_number_bits(&p->tree) + p->tree.page_bits,
                    widths[i].bits);
  }
  for (const struct vat_tree_preset *p = vat_tree_presets; p->name; p++) {
    CU_ASSERT_EQUAL(vat_tree_check(&p->tree), 0);
    CU_ASSERT(vat_tree_page_number_bits(&p->tree) + p->tree.page_bits >= 48);
  }
  errno = 0;
  CU_ASSERT_PTR_NULL(vat_tree_preset_find("vax"));
  CU_ASSERT_EQUAL(errno, EINVAL);
}

/* ceil(log_K(last page)) is one too few where the page number is a power of K:
 * K = 2, page 4 needs three levels. */
static void test_levels_are_the_least_that_hold_the_page(void) {
  CU_ASSERT_EQUAL(vat_tree_levels_for(1, 0), 1);
  CU_ASSERT_EQUAL(vat_tree_levels_for(1, 1), 1);
  CU_ASSERT_EQUAL(vat_tree_levels_for(1, 2), 2);
  CU_ASSERT_EQUAL(vat_tree_levels_for(1, 4), 3);
  CU_ASSERT_EQUAL(vat_tree_levels_for(9, 511), 1);
  CU_ASSERT_EQUAL(vat_tree_levels_for(9, 512), 2);
  CU_ASSERT_EQUAL(vat_tree_levels_for(9, UINT64_MAX), 8);
  CU_ASSERT_EQUAL(vat_tree_levels_for(32, UINT64_MAX), 2);
  for (unsigned k = 1; k <= 32; k++) {
    for (unsigned bit = 0; bit < 60; bit++) {
      uint64_t page = UINT64_C(1) << bit;
      unsigned d = vat_tree_levels_for(k, page);
      struct vat_tree tree = {k, 12, d}, less = {k, 12, d - 1};
      CU_ASSERT(vat_tree_holds(&tree, page));
      CU_ASSERT(d == 1 || !vat_tree_holds(&less, page));
    }
  }
}

static void test_the_path_ends_in_one_root(void) {
  struct vat_tree tree = {9, 12, 4};
  uint64_t page = (UINT64_C(1) << 36) - 1;
  CU_ASSERT_EQUAL(vat_tree_node(&tree, page, 0), page);
  CU_ASSERT_EQUAL(vat_tree_node(&tree, page, 1), page >> 9);
  CU_ASSERT_EQUAL(vat_tree_node(&tree, page, 4), 0);
  CU_ASSERT_FALSE(vat_tree_holds(&tree, page + 1));
  struct vat_tree wide = {32, 0, 3}; /* shifts of 64 and more are no shifts */
  CU_ASSERT_EQUAL(vat_tree_node(&wide, UINT64_MAX, 2), 0);
  CU_ASSERT(vat_tree_holds(&wide, (UINT64_C(1) << 60) - 1));
  CU_ASSERT_FALSE(vat_tree_holds(&wide, UINT64_C(1) << 60));
}

static void test_parameters_out_of_range_are_refused(void) {
  static const struct vat_tree bad[] = {
      {0, 12, 4}, {33, 12, 1}, {9, 49, 2}, {9, 12, 0}, {4, 12, 16}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    errno = 0;
    CU_ASSERT_EQUAL(vat_tree_check(&bad[i]), -1);
    CU_ASSERT_EQUAL(errno, EINVAL);
  }
}

static const struct check_test tests[] = {
    {"presets cover their address space",
     test_presets_cover_their_address_space},
    {"levels are the least that hold the page",
     test_levels_are_the_least_that_hold_the_page},
    {"the path ends in one root", test_the_path_ends_in_one_root},
    {"parameters out of range are refused",
     test_parameters_out_of_range_are_refused},
    {0}};

const struct check_suite suite_tree = {.name = "tree", .tests = tests};
