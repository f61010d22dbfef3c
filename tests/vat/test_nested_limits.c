/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>

#include "tests/vat/nested_fixture.h"
#include "tests/vat/suites_vat.h"
#include "vat/policy.h"

/* 16 addresses, a table of 24 bytes behind them, a host of 64 addresses. */
static const struct vat_nested_options tiny = {.guest = {1, 3, 1},
                                               .host = {1, 4, 2},
                                               .guest_nodes = 2,
                                               .host_nodes = 4,
                                               .table_base = UINT64_MAX};

static void test_addresses_outside_are_refused_whole(void) {
  struct vat_nested_options o = tiny;
  o.policy = vat_policy_find("lru");
  for (unsigned mode = 0; vat_nested_mode_names[mode]; mode++) {
    /* 16 is outside the guest's tree; with the table's second leaf at 64, page
     * 4, only the first page is fine; with all of it there, none is. */
    static const struct {
      uint64_t base;
      uint64_t translated;
    } cases[] = {{UINT64_MAX, 3}, {48, 2}, {64, 0}, {1 << 20, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      o.mode = mode;
      o.table_base = cases[i].base;
      struct vat_nested *nested = vat_nested_create(&o);
      CU_ASSERT_PTR_NOT_NULL_FATAL(nested);
      errno = 0;
      uint64_t addresses[] = {0, 7, 15, 16, 0};
      CU_ASSERT_EQUAL(vat_nested_addresses(nested, addresses, 5), -1);
      CU_ASSERT_EQUAL(errno, ERANGE);
      CU_ASSERT_EQUAL(vat_nested_guest(nested).translations,
                      cases[i].translated);
      uint64_t walks = vat_nested_host(nested).translations;
      if (mode != VAT_NESTED_MISSES)
        CU_ASSERT_EQUAL(walks, 3 * cases[i].translated);
      vat_nested_destroy(nested);
    }
  }
}

/* Data may be what the host does not hold. */
static void test_data_outside_the_host_is_refused(void) {
  struct vat_nested_options o = tiny;
  o.policy = vat_policy_find("lru");
  o.table_base = 0;
  o.guest = (struct vat_tree){1, 6, 1}; /* 128 addresses; the host has 64 */
  struct vat_nested *nested = vat_nested_create(&o);
  CU_ASSERT_PTR_NOT_NULL_FATAL(nested);
  CU_ASSERT_EQUAL(vat_nested_addresses(nested, (uint64_t[]){63, 64}, 2), -1);
  CU_ASSERT_EQUAL(errno, ERANGE);
  CU_ASSERT_EQUAL(vat_nested_guest(nested).translations, 1);
  vat_nested_destroy(nested);
}

static void test_what_cannot_be_simulated_is_refused(void) {
  struct vat_nested_options o = tiny, bad;
  o.policy = vat_policy_find("lru");
  for (unsigned mode = 0; vat_nested_mode_names[mode]; mode++) {
    o.mode = mode;
    CU_ASSERT_EQUAL(nested_refusal(&o), 0);
    bad = o;
    bad.guest_nodes = 0;
    CU_ASSERT_EQUAL(nested_refusal(&bad), EINVAL);
    bad = o;
    bad.host_nodes = 0;
    CU_ASSERT_EQUAL(nested_refusal(&bad),
                    mode == VAT_NESTED_SHARED ? 0 : EINVAL);
    bad = o;
    bad.guest.levels = 0;
    CU_ASSERT_EQUAL(nested_refusal(&bad), EINVAL);
    bad = o;
    bad.host.index_bits = 0;
    CU_ASSERT_EQUAL(nested_refusal(&bad), EINVAL);
    for (size_t p = 0; vat_policies[p]; p++) {
      bad = o;
      bad.policy = vat_policies[p];
      bad.guest_nodes = bad.host_nodes = 99;
      CU_ASSERT_EQUAL(nested_refusal(&bad),
                      nested_supported(bad.policy, mode) ? 0 : ENOTSUP);
    }
  }
  o.mode = VAT_NESTED_SHARED + 1;
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
  vat_nested_destroy(NULL);
}

/* Three nodes, 24 bytes; or all that 64 bits have. */
static void test_the_table_must_lie_within_64_bits(void) {
  struct vat_nested_options o = tiny;
  o.policy = vat_policy_find("islru");
  o.table_base = UINT64_MAX - 24;
  CU_ASSERT_EQUAL(nested_refusal(&o), 0);
  o.table_base++;
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
  o.table_base = UINT64_MAX;
  o.guest = (struct vat_tree){1, 48, 15}; /* 2^63, and 2^19 bytes */
  CU_ASSERT_EQUAL(nested_refusal(&o), 0);
  o.guest = (struct vat_tree){2, 48, 8}; /* 2^64 */
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
  o.table_base = 0;
  CU_ASSERT_EQUAL(nested_refusal(&o), 0);
  o.guest = (struct vat_tree){12, 0, 5}; /* 2^60 pages */
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
  o.guest = (struct vat_tree){32, 0, 15};
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
}

static void test_the_last_address(void) {
  struct vat_tree guest = {1, 3, 1};
  CU_ASSERT_EQUAL(vat_nested_last_address(&guest, UINT64_MAX, 7), 24);
  CU_ASSERT_EQUAL(vat_nested_last_address(&guest, UINT64_MAX, 15), 32);
  CU_ASSERT_EQUAL(vat_nested_last_address(&guest, 0, 7), 8);
  CU_ASSERT_EQUAL(vat_nested_last_address(&guest, 0, 8), 16);
  CU_ASSERT_EQUAL(vat_nested_last_address(&(struct vat_tree){1, 5, 1}, 0, 63),
                  63);
  CU_ASSERT_EQUAL(vat_nested_last_address(&guest, 0, 16), UINT64_MAX);
  CU_ASSERT_EQUAL(vat_nested_last_address(&guest, UINT64_MAX - 9, 0),
                  UINT64_MAX);
  struct vat_tree amd64 = {9, 12, 4};
  CU_ASSERT_EQUAL(vat_nested_last_address(&amd64, UINT64_MAX, 4096),
                  (UINT64_C(1) << 48) + 1075843080 + 8);
}

/* Both trees as large as may be: nodes of the two must not be confused. */
static void test_large_trees(void) {
  struct vat_nested_options o = {.policy = vat_policy_find("islru"),
                                 .guest = {1, 0, 15},
                                 .host = {4, 0, 15},
                                 .guest_nodes = NESTED_HUGE_TC,
                                 .host_nodes = NESTED_HUGE_TC,
                                 .table_base = (UINT64_C(1) << 59) - (1 << 19)};
  uint64_t addresses[] = {0, 32767};
  for (unsigned mode = 0; vat_nested_mode_names[mode]; mode++) {
    struct vat_tc_counts guest, host;
    o.mode = mode;
    nested_run(&o, addresses, 2, &guest, &host);
    CU_ASSERT_EQUAL(guest.misses, 1 + 2 * 15);
    CU_ASSERT_EQUAL(host.misses_by_layer[0], 1 + 2 * 15 + 2);
    CU_ASSERT_EQUAL(host.misses_by_layer[15], 1);
  }
  o.table_base = UINT64_C(1) << 59; /* page numbers have 59 bits */
  struct vat_nested *nested = vat_nested_create(&o);
  CU_ASSERT_PTR_NOT_NULL_FATAL(nested);
  CU_ASSERT_EQUAL(vat_nested_addresses(nested, addresses, 1), -1);
  CU_ASSERT_EQUAL(errno, ERANGE);
  vat_nested_destroy(nested);
}

static const struct check_test tests[] = {
    {"addresses outside are refused whole",
     test_addresses_outside_are_refused_whole},
    {"data outside the host is refused", test_data_outside_the_host_is_refused},
    {"what cannot be simulated is refused",
     test_what_cannot_be_simulated_is_refused},
    {"the table must lie within 64 bits",
     test_the_table_must_lie_within_64_bits},
    {"the last address", test_the_last_address},
    {"large trees", test_large_trees},
    {0}};

const struct check_suite suite_nested_limits = {.name = "nested: limits",
                                                .tests = tests};
