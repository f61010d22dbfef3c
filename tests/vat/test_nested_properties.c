/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/vat/nested_fixture.h"
#include "tests/vat/reference_nested.h"
#include "tests/vat/suites_vat.h"
#include "vat/policy.h"

enum { TREES = 1500 };

/* All that the host is asked for in split mode, in order; how many. */
static size_t expand(const struct nested_trace *t, uint64_t *addresses) {
  reference_nested_walks(&t->o, t->addresses, t->count, addresses);
  return t->count * (t->o.guest.levels + 2);
}

static struct vat_tc_counts plain(const struct vat_policy *policy,
                                  const struct vat_tree *tree, uint64_t nodes,
                                  const uint64_t *addresses, size_t count) {
  struct vat_tc *tc = vat_tc_create(policy, tree, nodes, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(tc);
  CU_ASSERT_EQUAL(vat_tc_addresses(tc, addresses, count), 0);
  CU_ASSERT_EQUAL(vat_tc_finish(tc), 0);
  struct vat_tc_counts counts = vat_tc_counts(tc);
  vat_tc_destroy(tc);
  return counts;
}

static void check_relations(struct nested_trace *t) {
  static uint64_t expanded[NESTED_ADDRESSES * (VAT_LAYERS_MAX + 1)];
  struct vat_nested_options *o = &t->o;
  struct vat_tc_counts guest, host, guest_alone, host_alone;
  size_t count = expand(t, expanded);
  o->mode = VAT_NESTED_SPLIT;
  nested_run(o, t->addresses, t->count, &guest, &host);
  guest_alone =
      plain(o->policy, &o->guest, o->guest_nodes, t->addresses, t->count);
  host_alone = plain(o->policy, &o->host, o->host_nodes, expanded, count);
  CU_ASSERT(!memcmp(&guest, &guest_alone, sizeof guest));
  CU_ASSERT(!memcmp(&host, &host_alone, sizeof host));
  CU_ASSERT_EQUAL(host.translations, t->count * (o->guest.levels + 2));
  o->mode = VAT_NESTED_MISSES;
  if (!nested_supported(o->policy, o->mode)) return;
  nested_run(o, t->addresses, t->count, &guest, &host);
  CU_ASSERT(!memcmp(&guest, &guest_alone, sizeof guest));
  CU_ASSERT_EQUAL(host.translations, t->count + guest.misses);
  CU_ASSERT(host.translations <= host_alone.translations);
}

static void test_modes_relate_to_plain_runs(void) {
  struct nested_trace t = {.count = 0};
  nested_seed = 3;
  for (unsigned tree = 0; tree < TREES; tree++) {
    nested_random(&t);
    for (size_t p = 0; vat_policies[p]; p++) {
      t.o.policy = vat_policies[p];
      t.o.mode = VAT_NESTED_SPLIT;
      t.o.guest_nodes = nested_random_nodes(&t.o, &t.o.guest);
      t.o.host_nodes = nested_random_nodes(&t.o, &t.o.host);
      check_relations(&t);
    }
  }
}

/* Distinct nodes above the pages of some addresses, by layer. */
static void count_distinct(const struct vat_tree *tree,
                           const uint64_t *addresses, size_t count,
                           uint64_t *distinct) {
  for (unsigned layer = 0; layer <= tree->levels; layer++) {
    distinct[layer] = 0;
    for (size_t i = 0, j; i < count; i++) {
      unsigned shift = tree->page_bits + layer * tree->index_bits;
      for (j = 0; addresses[j] >> shift != addresses[i] >> shift;) j++;
      distinct[layer] += j == i;
    }
  }
}

static void test_large_caches_miss_each_node_once(void) {
  struct nested_trace t = {.count = 0};
  static uint64_t expanded[NESTED_ADDRESSES * (VAT_LAYERS_MAX + 1)];
  uint64_t guest_nodes[VAT_LAYERS_MAX], host_nodes[VAT_LAYERS_MAX];
  struct vat_tc_counts guest, host;
  nested_seed = 4;
  for (unsigned tree = 0; tree < TREES / 4; tree++) {
    nested_random(&t);
    size_t count = expand(&t, expanded);
    count_distinct(&t.o.guest, t.addresses, t.count, guest_nodes);
    count_distinct(&t.o.host, expanded, count, host_nodes);
    t.o.guest_nodes = t.o.host_nodes = NESTED_HUGE_TC;
    for (size_t p = 0; vat_policies[p]; p++) {
      t.o.policy = vat_policies[p];
      for (unsigned mode = 0; vat_nested_mode_names[mode]; mode++) {
        t.o.mode = mode;
        if (!nested_supported(t.o.policy, mode)) continue;
        nested_run(&t.o, t.addresses, t.count, &guest, &host);
        for (unsigned layer = 0; layer <= t.o.guest.levels; layer++)
          CU_ASSERT_EQUAL(guest.misses_by_layer[layer], guest_nodes[layer]);
        for (unsigned layer = 0; layer <= t.o.host.levels; layer++)
          CU_ASSERT_EQUAL(host.misses_by_layer[layer], host_nodes[layer]);
      }
    }
  }
}

/* Streams of many chunks, in memory or not: repeated pages, small host pages.
 */
static void test_long_streams_are_met_again_as_they_were(void) {
  enum { COUNT = 30000 };
  uint64_t *addresses = malloc(COUNT * sizeof *addresses), sum[2];
  struct vat_nested_options o = {.guest = {3, 12, 4},
                                 .host = {4, 8, 5},
                                 .guest_nodes = 40,
                                 .host_nodes = 30,
                                 .mode = VAT_NESTED_MISSES,
                                 .table_base = UINT64_MAX};
  struct vat_tc_counts guest, host[2];
  nested_seed = 5;
  for (size_t i = 0; i < COUNT; i++)
    addresses[i] = i && nested_below(3)
                       ? addresses[i - 1] ^ nested_below(1 << 12)
                       : nested_below(1 << 24);
  for (size_t p = 0; vat_policies[p]; p++) {
    o.policy = vat_policies[p];
    if (!nested_supported(o.policy, o.mode)) continue;
    for (unsigned tight = 0; tight < 2; tight++) {
      o.tc.memory_bytes = tight;
      nested_run(&o, addresses, COUNT, &guest, &host[tight]);
      CU_ASSERT_EQUAL(host[tight].translations, COUNT + guest.misses);
      sum[tight] = guest.misses;
    }
    CU_ASSERT_EQUAL(sum[0], sum[1]);
    CU_ASSERT(!memcmp(&host[0], &host[1], sizeof *host));
  }
  free(addresses);
}

static const struct check_test tests[] = {
    {"modes relate to plain runs", test_modes_relate_to_plain_runs},
    {"large caches miss each node once", test_large_caches_miss_each_node_once},
    {"long streams are met again as they were",
     test_long_streams_are_met_again_as_they_were},
    {0}};

const struct check_suite suite_nested_properties = {
    .name = "nested: properties", .tests = tests};
