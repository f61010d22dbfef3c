/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of several sizes in guest and host. */
#include <errno.h>
#include <string.h>

#include "tests/vat/layout_fixture.h"
#include "tests/vat/nested_fixture.h"
#include "tests/vat/reference_nested.h"
#include "tests/vat/suites_vat.h"
#include "vat/policy.h"

enum { TRACES = 2000 };

/* Each policy and mode in turn. */
static void choose(struct nested_trace *t, unsigned i) {
  static const char *const names[] = {"lru", "islru", "min", "ismin"};
  t->o.policy = vat_policy_find(names[i % 4]);
  t->o.mode = i / 4 % 3;
  t->o.guest_nodes = nested_random_nodes(&t->o, &t->o.guest);
  t->o.host_nodes = nested_random_nodes(&t->o, &t->o.host);
}

static bool try_all(const struct given_layout *guest,
                    const struct given_layout *host, struct nested_trace *t,
                    unsigned trace) {
  for (unsigned i = 0; i < 12; i++) {
    choose(t, i);
    if (nested_agrees(t)) continue;
    printf("\ntrace %u, %s, %s\n", trace, t->o.policy->name,
           vat_nested_mode_names[t->o.mode]);
    if (guest) report_layout(guest);
    if (host) report_layout(host);
    return false;
  }
  return true;
}

/* A guest's layout, a host's, or both. */
static void test_every_mode_agrees_with_its_definition(void) {
  struct nested_trace t = {.count = 0};
  bool equal = true;
  nested_seed = 31;
  for (unsigned i = 0; equal && i < TRACES; i++) {
    nested_random(&t);
    struct given_layout guest = random_layout(&t.o.guest, nested_below);
    struct given_layout host = random_layout(&t.o.host, nested_below);
    bool of_guest = i % 3 && !t.o.guest_memory_bytes;
    bool of_host = i % 3 != 1 || !of_guest;
    struct vat_layout *made[] = {of_guest ? layout_of(&guest) : NULL,
                                 of_host ? layout_of(&host) : NULL};
    t.o.guest_layout = made[0];
    t.o.host_layout = made[1];
    reference_guest = of_guest ? &guest : NULL;
    reference_host = of_host ? &host : NULL;
    equal = try_all(reference_guest, reference_host, &t, i);
    vat_layout_destroy(made[0]);
    vat_layout_destroy(made[1]);
  }
  reference_guest = reference_host = NULL;
  CU_ASSERT(equal);
}

/* All pages of 2^j K^m leaves are those of a tree that is m layers lower. */
static void test_uniform_layouts_are_plain_trees(void) {
  static const struct vat_tree small = {9, 12, 4}, large = {9, 21, 3};
  struct vat_layout *layout = vat_layout_create(&small, NULL, 0, 21);
  uint64_t addresses[NESTED_ADDRESSES];
  nested_seed = 5;
  for (unsigned i = 0; i < 120; i++) {
    struct nested_trace mixed = {
        .o = {.guest = small, .host = {9, 12, 6}, .table_base = UINT64_MAX}};
    struct vat_tc_counts guest[2], host[2];
    mixed.o.guest_layout = layout;
    for (unsigned j = 0; j < NESTED_ADDRESSES; j++)
      addresses[j] = nested_below(9) << 21 | nested_below(3) << 12;
    choose(&mixed, i);
    mixed.o.guest_nodes += 4;
    mixed.o.host_nodes += 6;
    struct vat_nested_options plain = mixed.o;
    plain.guest = large;
    plain.guest_layout = NULL;
    nested_run(&mixed.o, addresses, NESTED_ADDRESSES, &guest[0], &host[0]);
    nested_run(&plain, addresses, NESTED_ADDRESSES, &guest[1], &host[1]);
    CU_ASSERT_EQUAL(guest[0].misses_by_layer[0], 0);
    CU_ASSERT(!memcmp(guest[0].misses_by_layer + 1, guest[1].misses_by_layer,
                      4 * sizeof(uint64_t)));
    CU_ASSERT(!memcmp(&host[0], &host[1], sizeof *host));
  }
  vat_layout_destroy(layout);
}

static void test_refused(void) {
  static const struct vat_tree tree = {9, 12, 4}, other = {9, 12, 3};
  struct vat_layout *layout = vat_layout_create(&other, NULL, 0, 21);
  struct vat_nested_options o = {.policy = vat_policy_find("lru"),
                                 .guest = tree,
                                 .host = tree,
                                 .guest_nodes = 64,
                                 .host_nodes = 64,
                                 .guest_layout = layout,
                                 .table_base = 0};
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
  o.guest_layout = NULL;
  o.host_layout = layout;
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
  o.host = other;
  CU_ASSERT_EQUAL(nested_refusal(&o), 0);
  o.host = tree;
  o.host_layout = NULL;
  o.guest = other;
  o.guest_layout = layout;
  CU_ASSERT_EQUAL(nested_refusal(&o), 0);
  o.guest_memory_bytes = 1 << 30;
  o.table_base = UINT64_MAX;
  CU_ASSERT_EQUAL(nested_refusal(&o), EINVAL);
  vat_layout_destroy(layout);
}

static const struct check_test tests[] = {
    {"every mode agrees with its definition",
     test_every_mode_agrees_with_its_definition},
    {"uniform layouts are plain trees", test_uniform_layouts_are_plain_trees},
    {"refused", test_refused},
    {NULL, NULL}};

const struct check_suite suite_nested_layout = {"nested_layout", tests, NULL};
