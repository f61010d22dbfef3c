/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/vat/nested_fixture.h"
#include "tests/vat/reference_nested.h"
#include "tests/vat/suites_vat.h"
#include "vat/policy.h"

enum { TREES = 1500 };

static void report(const struct nested_trace *t) {
  const struct vat_nested_options *o = &t->o;
  printf(
      "%s %s guest k=%u p=%u d=%u W=%llu host k=%u p=%u d=%u W=%llu "
      "table=%lld memory=%llu:",
      vat_nested_mode_names[o->mode], o->policy->name, o->guest.index_bits,
      o->guest.page_bits, o->guest.levels, (unsigned long long)o->guest_nodes,
      o->host.index_bits, o->host.page_bits, o->host.levels,
      (unsigned long long)o->host_nodes, (long long)o->table_base,
      (unsigned long long)o->guest_memory_bytes);
  for (size_t i = 0; i < t->count; i++)
    printf(" %llu", (unsigned long long)t->addresses[i]);
  puts("");
}

static void test_every_mode_agrees_with_its_definition(void) {
  struct nested_trace t = {.count = 0};
  nested_seed = 1;
  for (unsigned tree = 0; tree < TREES; tree++) {
    nested_random(&t);
    for (unsigned mode = 0; vat_nested_mode_names[mode]; mode++) {
      for (size_t p = 0; vat_policies[p]; p++) {
        t.o.policy = vat_policies[p];
        t.o.mode = mode;
        if (!nested_supported(t.o.policy, mode)) continue;
        t.o.guest_nodes = nested_random_nodes(&t.o, &t.o.guest);
        t.o.host_nodes = nested_random_nodes(&t.o, &t.o.host);
        bool equal = nested_agrees(&t);
        CU_ASSERT(equal);
        if (!equal) report(&t);
        if (!equal) return;
      }
    }
  }
}

/* Every W from the least to more than all nodes. */
static void test_shared_agrees_for_every_w(void) {
  static const char *const names[] = {"lru", "islru", "min", "ismin"};
  struct nested_trace t = {.count = 0};
  nested_seed = 2;
  for (unsigned tree = 0; tree < 40; tree++) {
    nested_random(&t);
    t.o.mode = VAT_NESTED_SHARED;
    t.o.policy = vat_policy_find(names[tree % 4]);
    t.o.guest_nodes =
        vat_nested_shared_least(t.o.policy, &t.o.guest, &t.o.host);
    for (; t.o.guest_nodes < 120; t.o.guest_nodes++) {
      bool equal = nested_agrees(&t);
      CU_ASSERT(equal);
      if (!equal) report(&t);
      if (!equal) return;
    }
  }
}

/*
 * By hand.  Guest: K = 2, P = 8, d = 1, so that its root is at 16 and its
 * leaves are at 24 and 32.  Host: K = 2, P = 16, d = 2; its nodes are the root
 * R, A above pages 0 and 1, B above pages 2 and 3.
 */
static const struct vat_nested_options tiny = {.guest = {1, 3, 1},
                                               .host = {1, 4, 2},
                                               .guest_nodes = 2,
                                               .host_nodes = 4,
                                               .table_base = UINT64_MAX};

static void check_by_hand(enum vat_nested_mode mode, const char *policy,
                          uint64_t guest_nodes, const uint64_t addresses[3],
                          const uint64_t guest_misses[2],
                          const uint64_t host_misses[3], uint64_t walks) {
  struct vat_nested_options o = tiny;
  struct vat_tc_counts guest, host;
  o.mode = mode;
  o.policy = vat_policy_find(policy);
  o.guest_nodes = guest_nodes;
  nested_run(&o, addresses, 3, &guest, &host);
  for (unsigned layer = 0; layer < 2; layer++)
    CU_ASSERT_EQUAL(guest.misses_by_layer[layer], guest_misses[layer]);
  for (unsigned layer = 0; layer < 3; layer++)
    CU_ASSERT_EQUAL(host.misses_by_layer[layer], host_misses[layer]);
  CU_ASSERT_EQUAL(guest.misses, guest_misses[0] + guest_misses[1]);
  CU_ASSERT_EQUAL(host.misses,
                  host_misses[0] + host_misses[1] + host_misses[2]);
  CU_ASSERT_EQUAL(host.translations, walks);
}

/*
 * Addresses 0, 8, 0 with lru and two nodes: the root misses once, the leaf each
 * time.  The host walks to pages 1 1 0, 1 2 0, 1 1 0.  With four nodes, most
 * recent first:
 *   1: R A 1 miss.  1: hits.  0: 0 misses        TC 0 A R 1
 *   1: hits                                      TC 1 A R 0
 *   2: B evicts 0, 2 evicts A                    TC 2 B R 1
 *   0: A evicts 1, 0 evicts B                    TC 0 A R 2
 *   1: 1 evicts 2                                TC 1 A R 0
 *   1, 0: hits
 */
static void test_split_by_hand(void) {
  check_by_hand(VAT_NESTED_SPLIT, "lru", 2, (uint64_t[]){0, 8, 0},
                (uint64_t[]){3, 1}, (uint64_t[]){5, 3, 1}, 9);
}

/*
 * The same, but the root is walked to just once: pages 1 1 0, 2 0, 1 0.
 *   1: R A 1 miss.  1: hits.  0: 0 misses        TC 0 A R 1
 *   2: B evicts 1, 2 evicts A                    TC 2 B R 0
 *   0: A evicts 0, 0 evicts B                    TC 0 A R 2
 *   1: 1 evicts 2                                TC 1 A R 0
 *   0: hits
 */
static void test_misses_by_hand(void) {
  check_by_hand(VAT_NESTED_MISSES, "lru", 2, (uint64_t[]){0, 8, 0},
                (uint64_t[]){3, 1}, (uint64_t[]){5, 3, 1}, 7);
}

/*
 * Addresses 0, 8, 8 in six nodes; G is the guest's root, x and y its leaves.
 *   0: R A 1 G, hits, x, hits, 0: all miss       TC 0 A R x 1 G
 *   8: hits 1, G                                 TC G 1 A R 0 x
 *      B evicts x, 2 evicts 0                    TC 2 B R G 1 A
 *   lru: y evicts A, A evicts 1, 0 evicts G      TC 0 A R y 2 B
 *   8: 1 evicts B, G evicts 2, B evicts y, 2 evicts 0, y evicts A, A evicts 1,
 *      0 evicts G.
 *   islru: y evicts 1 below A, 0 evicts y below G  TC 0 A R 2 B G
 *   8: 1 evicts G, G evicts 2 below B, hit B     TC B R G 1 A 0
 *      2 evicts 0, y evicts 1 below A, 0 evicts y below G.
 */
static void test_shared_by_hand(void) {
  check_by_hand(VAT_NESTED_SHARED, "lru", 6, (uint64_t[]){0, 8, 8},
                (uint64_t[]){3, 2}, (uint64_t[]){7, 5, 1}, 9);
  check_by_hand(VAT_NESTED_SHARED, "islru", 6, (uint64_t[]){0, 8, 8},
                (uint64_t[]){3, 2}, (uint64_t[]){7, 2, 1}, 9);
}

struct scan {
  struct vat_nested_options o;
  uint64_t nodes;     /* of each TC */
  unsigned step_bits; /* of an address */
  uint64_t guest[VAT_LAYERS_MAX], host[VAT_LAYERS_MAX];
};

enum { SCAN = 1 << 16 };

static void check_scan(const struct scan *scan) {
  uint64_t *addresses = malloc(SCAN * sizeof *addresses);
  struct vat_nested_options o = scan->o;
  struct vat_tc_counts guest, host;
  for (size_t i = 0; i < SCAN; i++)
    addresses[i] = (uint64_t)i << scan->step_bits;
  o.guest_nodes = o.host_nodes = scan->nodes;
  o.table_base = UINT64_MAX;
  for (size_t p = 0; vat_policies[p]; p++) {
    o.policy = vat_policies[p];
    /* Those that know nothing but cells evict what was just accessed. */
    if (o.policy->recency == VAT_RECENCY_NONE && !o.policy->offline) continue;
    for (unsigned mode = 0; vat_nested_mode_names[mode]; mode++) {
      o.mode = mode;
      if (!nested_supported(o.policy, mode)) continue;
      nested_run(&o, addresses, SCAN, &guest, &host);
      for (unsigned layer = 0; layer < VAT_LAYERS_MAX; layer++) {
        CU_ASSERT_EQUAL(guest.misses_by_layer[layer], scan->guest[layer]);
        CU_ASSERT_EQUAL(host.misses_by_layer[layer], scan->host[layer]);
      }
    }
  }
  free(addresses);
}

/*
 * 256 MiB page by page.  The guest's table is at 2^48: its layers start 0, 8,
 * 4104 = 8 (1 + 512), 2101256 = 8 (1 + 512 + 512^2) and 1075843080 bytes behind
 * that.  It uses 1, 1, 1, 128 and 65536 nodes of them: to 2^21 + 4104 + 8 128
 * and 513 2^21 + 4104 + 2^19, so that 3 host pages of 2 MiB are needed, numbers
 * 0, 1 and 513 from 2^27.  Above those are 2 nodes, then 1; data has 128, 1 and
 * 1 there.  On layer 3 the table's node is number 1, the data's is 0.  64 nodes
 * are more than a translation accesses, so that none misses twice.
 */
static void test_4k_on_2m_scan(void) {
  check_scan(&(struct scan){
      .o = {.guest = {9, 12, 4}, .host = {9, 21, 4}},
      .nodes = 64,
      .step_bits = 12,
      .guest = {1 << 16, 128, 1, 1, 1},
      .host = {128 + 3, 1 + 2, 1 + 1, 1 + 1, 1},
  });
}

/*
 * 256 MiB in steps of 4 KiB, the host's pages; 128 of the guest's.  The table
 * at 2^48 has layers from 0, 8, 4104 and 2101256 = 513 4096 + 8, and uses 1, 1,
 * 1 and 128 nodes: host pages 0, 1 and 513 from 2^36.  Above those are 2 nodes,
 * then 1, 1 and 1; data has 128, 1, 1 and 1 there.  On layer 4 the table's node
 * is number 1, the data's is 0.  Here the TCs have to hold a host page of the
 * table while 512 of data are scanned, as in misses mode it is idle then.
 */
static void test_2m_on_4k_scan(void) {
  check_scan(&(struct scan){
      .o = {.guest = {9, 21, 3}, .host = {9, 12, 5}},
      .nodes = 1024,
      .step_bits = 12,
      .guest = {128, 1, 1, 1},
      .host = {(1 << 16) + 3, 128 + 2, 1 + 1, 1 + 1, 1 + 1, 1},
  });
}

static const struct check_test tests[] = {
    {"every mode agrees with its definition",
     test_every_mode_agrees_with_its_definition},
    {"shared agrees for every W", test_shared_agrees_for_every_w},
    {"split by hand", test_split_by_hand},
    {"misses by hand", test_misses_by_hand},
    {"shared by hand", test_shared_by_hand},
    {"4K on 2M: a scan", test_4k_on_2m_scan},
    {"2M on 4K: a scan", test_2m_on_4k_scan},
    {0}};

const struct check_suite suite_nested = {.name = "nested", .tests = tests};
